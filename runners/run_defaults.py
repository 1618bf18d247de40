"""What `lb run` does unless its options say otherwise."""

from __future__ import annotations

from typing import Final

TRIALS: Final = 1  # of every case
CONCURRENCY: Final = 4  # cases at a time; an agent's is 1
STEP_LIMIT: Final = 80  # tool calls per case, in an environment or of an agent
MAX_TOOLS: Final = 120  # that an agent gets
TIMEOUT: Final = 120  # seconds to wait for one reply, of a model or of an API
RETRIES: Final = 4  # of a request that fails
