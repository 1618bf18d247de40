"""Scores the responses files of a workspace: what is kept from the last run is not decided again.

Without recording, the work is shared between the processors.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import click

from cli.wiring import confirming

if TYPE_CHECKING:
    from leaderboard.errors import Problem
    from leaderboard.load import Contents
    from leaderboard.types import JudgeSettings, Submission
    from leaderboard.workspace import Workspace
    from replay.asker import Asker
    from replay.recomputed import ChangedReply
    from scoring.basis import Basis
    from scoring.kept_verdicts import KeptVerdicts
    from scoring.parts import Part


@dataclass(frozen=True, slots=True)
class Board:
    """A workspace whose suites are loaded, its panel, the judges' replies, and what is kept."""

    workspace: Workspace
    contents: Contents
    panel: Sequence[JudgeSettings]
    asker: Asker
    basis: Basis
    kept: KeptVerdicts
