"""The smallest difference that a paired test of two submissions finds with 80 % power.

The one that a ranking shows is a median over pairs: see `scoring/tables/all_pairs.py`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from scoring.statistics.intervals import Z95

# A 5 % test finds a difference of so many standard errors with 80 % power: z.975 + z.80.
DETECTABLE: Final = Z95 + 0.8416212335729143


def smallest_gap(strata: Iterable[tuple[float, float, float]]) -> float:
    """The smallest difference that one paired 5 % test finds with 80 % power.

    (z.975 + z.80) √(Σ w_c² δ_c / n_c). Each stratum is (w_c, δ_c, n_c): weight, share of discordant
    cases, cases. Miller, arXiv 2411.00640, with the discordance as the variance of a difference.
    """
    parts = tuple(strata)
    weights = math.fsum(weight for weight, _, _ in parts)
    return DETECTABLE * math.sqrt(math.fsum(w * w * share / n for w, share, n in parts)) / weights
