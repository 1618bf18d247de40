"""Decisions that a kind remembers, so that boards with the same suites share them in reviews."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import TypeVar

from leaderboard.kinds import Kind
from leaderboard.types import Case, Response, Suite

_Found = TypeVar("_Found")


def remembering(kind: Kind) -> Kind:
    """The kind, but it checks and decides each response to a case of a suite once.

    Use it for one version of each suite only: cases are told apart by id, and by having facts.
    """
    return replace(kind, confirm=_remembered(kind.confirm), decide=_remembered(kind.decide))


def _remembered(
    find: Callable[[Suite, Case, Response], _Found],
) -> Callable[[Suite, Case, Response], _Found]:
    known: dict[Hashable, _Found] = {}

    def found(suite: Suite, case: Case, response: Response) -> _Found:
        key = (suite.id, case.id, case.ground_truth.facts is None, response.key)
        if key not in known:
            known[key] = find(suite, case, response)
        return known[key]

    return found
