"""Environments: small worlds with tools and a state, and the registry of their tasks.

`registry["Multiverse Math"].create_environment().call("add", {"a": 2, "b": 3})` is 6.2.
"""

from __future__ import annotations

from typing import Final

from runners.environments.multiverse import MULTIVERSE_MATH
from runners.environments.relational import RELATIONAL_DATA
from runners.environments.tasks import Registry
from runners.environments.typewriter import ONE_TOOL, TWENTY_SIX_TOOLS

registry: Final = Registry((ONE_TOOL, TWENTY_SIX_TOOLS, RELATIONAL_DATA, MULTIVERSE_MATH))
