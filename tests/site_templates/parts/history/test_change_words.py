"""Two numbers, and a third that is the difference of these as they are shown."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from leaderboard.board.board_changes import Cause, Part
from leaderboard.board.causes_of_change import InputGroup
from site_templates.board_index import index_board
from site_templates.links import Link
from site_templates.parts.history.change_words import because, changed_input, share_change
from site_templates.parts.history.past_names import PastNames
from tests.each_row import each_row
from tests.site_templates import site_history


@each_row(
    ("old", "new", "expected"),
    [
        (0.5, 0.75, ("50.0", "75.0", "+25.0")),
        (0.0926, 0.0904, ("9.26", "9.04", "−0.22")),  # 9.3, 9.0 and −0.2 would not agree
        (2 / 3, 5 / 6, ("66.7", "83.3", "+16.6")),  # thirds agree with no number of digits
        (0.5, 0.5004, ("50.00", "50.04", "+0.04")),  # what moved does not stand still
        (0.5, 0.500004, ("50.000", "50.000", "0.000")),
        (0.5, 0.5, ("50.0", "50.0", "0.0")),
        (0.0, 0.0, ("0.0", "0.0", "0.0")),
        (1.0, 0.0, ("100.0", "0.0", "−100.0")),
        (None, 0.5, ("—", "50.0", "")),
        (0.5, None, ("50.0", "—", "")),
        (None, None, ("—", "—", "")),
    ],
)
def test_before_after_and_by_agree(
    old: float | None, new: float | None, expected: tuple[str, str, str]
) -> None:
    """One decimal, or two if one would not agree. A missing share is a dash."""
    assert expected == share_change(old, new)


@given(st.integers(0, 3000), st.integers(0, 3000), st.integers(1, 3000))
def test_a_reader_can_always_subtract(first: int, second: int, cases: int) -> None:
    """Whatever the shares, the points are those between the two numbers as they are shown."""
    old, new = min(first, cases) / cases, min(second, cases) / cases
    before, after, by = share_change(old, new)
    digits = len(before.partition(".")[2])
    assert f"{float(after) - float(before) + 0.0:.{digits}f}" in {
        by.replace("−", "-").replace("+", ""),
        f"-{by}",
    }
    assert digits == len(after.partition(".")[2]) == len(by.partition(".")[2]) <= 3
    assert (old == new) == (by.strip("0.") == "")


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
