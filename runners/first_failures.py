"""When a run gives up: if its first cases all fail, the others would fail too."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class FirstFailures:
    """Counts failures until a case is answered. After `most` of them the run gives up."""

    most: int
    answered: bool = False
    failed: int = 0

    def count(self, *, answered: bool) -> bool:
        """Counts a case, and returns whether to give up now."""
        self.answered |= answered
        self.failed += not answered
        return not self.answered and self.failed >= self.most
