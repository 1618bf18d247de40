"""Which submissions belong to one sweep."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from leaderboard.board.sweeps import MOST_TOOLS, swept
from leaderboard.types import Card, Submission
from tests.each_row import each_row

CARD = Card("Probe", "agent", "Lab Two", "model-b-1", "2026-04-03", framework="Framework X")


def member(
    tools: Any,
    *,
    sweep: Any = "probe",
    id_: str | None = None,
    settings: dict[str, Any] | None = None,
    **more: Any,
) -> Submission:
    """A submission as `lb run --sweep` writes it. `more` are fields of its card."""
    given = {"max_tools": tools, "sweep": sweep, **(settings or {})}
    card = dataclasses.replace(CARD, settings=given, **more)
    return Submission(f"{sweep}-k{tools}" if id_ is None else id_, card, None, {})


THREE = (member(64), member(8), member(512))
ALONE = member(8, sweep="other")


def ids(members: Sequence[Submission]) -> dict[str, list[str]]:
    return {name: [one.submission.id for one in group] for name, group in swept(members).items()}


def test_members_are_ordered_by_number_of_tools() -> None:
    """Every member has the list of all. A submission alone has none."""
    group = ["probe-k8", "probe-k64", "probe-k512"]

    assert ids((*THREE, ALONE)) == dict.fromkeys(group, group)


@each_row(
    "stranger",
    [
        member(16, id_="stranger"),
        member(16, id_="probe-k32"),
        member(8, id_="other-k8"),
        member(16, organization="Lab Three"),
        member(16, model="model-z"),
        member(16, framework="Framework Y"),
        member(16, kind="model"),
    ],
)
def test_the_name_of_a_sweep_in_a_card_is_not_enough(stranger: Submission) -> None:
    """Id, number, kind, organisation, model and framework must agree too."""
    found = ids((*THREE, stranger))

    assert stranger.id not in found
    assert found["probe-k8"] == ["probe-k8", "probe-k64", "probe-k512"]


ODD = [
    ("8", "probe"), (8.0, "probe"), (True, "probe"), (0, "probe"), (-8, "probe"),
    (MOST_TOOLS + 1, "probe"), (10**5000, "probe"), (None, "probe"), ([8], "probe"),
    (8, None), (8, 7), (8, ["probe"]), (8, {"probe": 1}), (8, ""),
]  # fmt: skip


@each_row(("tools", "sweep"), ODD)
def test_settings_of_another_type_are_no_sweep(tools: Any, sweep: Any) -> None:
    """Cards whose `sweep` is no name or whose `max_tools` is no number are skipped."""
    settings = {"max_tools": tools, "sweep": sweep}
    odd = [
        member(8, id_=f"probe-k{number}", settings=settings) for number in (8, "True", "8.0", "odd")
    ]

    assert set(ids([*odd, member(16), member(32)])) == {"probe-k16", "probe-k32"}
