"""Inputs that changed, in words and as links."""

from __future__ import annotations

from leaderboard.board.board_changes import Cause, Part
from leaderboard.board.changed_inputs import InputGroup
from site_templates.board_index import index_board
from site_templates.links import Link
from site_templates.parts.input_words import because, changed_input
from site_templates.parts.snapshots import PastNames
from tests.site_templates import site_history


def test_causes_name_a_few_inputs() -> None:
    """Each kind once; of many inputs the first three."""
    causes = [Cause("prompts", f"s/{n}", "changed") for n in "abcde"] + [
        Cause("rules", "version 1 to 2", "changed")
    ]

    assert because(causes) == "judge prompts: s/a, s/b, s/c and 2 more; rules: version 1 to 2"
    assert because([]) == ""


def test_changes_of_a_suite_name_its_parts() -> None:
    """Names cases, tools, weights and policy, or all of them if digests do not separate them."""
    parts = (
        *(Part("case", f"A00{n}", "changed") for n in range(1, 5)),
        Part("case", "A009", "added"),
    )
    whole = (
        Part("weight", "calls", "changed"),
        Part("tools", "", "changed"),
        Part("policy", "", "changed"),
    )
    told = because([Cause("cases", "tools", "changed", "tools", parts=(*parts, *whole))])

    assert (
        told == "cases of tools: A001, A002, A003 and 2 more; weights of tools: calls; "
        "tools of tools; policy of tools"
    )
    assert because([Cause("cases", "tools", "changed")]) == "cases, tools, weights or policy: tools"
    texts = Cause("cases", "tools", "changed", parts=(Part("texts", "", "changed"),))
    assert because([texts]) == "titles or descriptions of tools"


def test_a_changed_case_is_linked_where_there_is_one() -> None:
    """Current cases are linked, removed ones only named. Of many cases twelve are shown."""
    names = PastNames(index_board(site_history.board()))
    shown = changed_input(
        names, InputGroup("cases", "tools", (("A001", "changed"), ("Z9", "changed")))
    )

    assert (shown.what, shown.suite, shown.more) == (
        "cases",
        Link("Tools, synthetic", "suites/tools/index.html"),
        "",
    )
    assert shown.names == (
        Link("A001", index_board(site_history.board()).paths.case("tools", "A001")),
        Link("Z9"),
    )
    many = changed_input(
        names, InputGroup("cases", "gone", tuple((f"c{n}", "removed") for n in range(15)))
    )
    assert (len(many.names), many.names[0], many.more) == (12, Link("c0 removed"), " and 3 more")
