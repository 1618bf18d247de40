"""How far judges can be trusted: the agreement and repeatability on their pages."""

from __future__ import annotations

import dataclasses
from functools import cache

import polars as pl
import pytest

from leaderboard.frames import LABELLED
from leaderboard.types import Call
from scoring.judging.agreement import agreement as measure
from scoring.judging.agreement import two_sided
from site_templates.board import Board
from site_templates.board_index import index_board
from site_templates.parts.judge_trust import JudgeAgreement, agreement, concordance, repeatability
from tests.scoring.judging.labelled_rows import PASSED
from tests.site_templates import site_board
from tests.site_templates.rendered import file_of, files_of, small_pages
from tests.site_templates.site_hostile import EVIL, LONG
from tests.site_templates.site_html import Html, Pages, pages, parse


@cache
def site() -> Pages:
    return small_pages()


def rows(page: Html) -> list[str]:
    return [" ".join(e.text.split()) for e in page.all("tr")]


def test_agreement_is_listed_overall_then_by_suite_and_category() -> None:
    """The whole set first, with its interval; what was not graded is counted beside it."""
    found = agreement(index_board(site_board.board()), "judge-x")
    assert found is not None

    assert [(row.level, row.link.label) for row in found.rows] == [
        ("all", "all labelled pairs"),
        ("suite", "Tools, synthetic"),
        ("cat", "Clarifying"),
    ]
    first = found.rows[0]
    assert (first.row.pairs, first.cell.remark, first.cell.text) == (3, "1 not graded", "100.0")


def confusion(found: JudgeAgreement) -> tuple[int, ...]:
    """Labels by grades over all pairs."""
    names = ("true_equivalent", "false_different", "false_equivalent", "true_different")
    return tuple(getattr(found.rows[0].row, name) for name in names)


@pytest.mark.large
def test_confusion_counts_all_four() -> None:
    """One right answer found equal, one wrong one found equal, one wrong one found different."""
    found = agreement(index_board(site_board.board()), "embedded-1")
    assert found is not None

    assert confusion(found) == (1, 0, 1, 1)
    assert "labelled different11" in rows(site()["judges/embedded-1.html"])


def test_pairs_on_which_a_judge_is_wrong_are_listed() -> None:
    """Each pair has its case, answer, label with its reason, and the judge's reply as text."""
    page = site()["judges/embedded-1.html"]
    found = agreement(index_board(site_board.board()), "embedded-1")
    assert found is not None

    (group,) = found.errors
    assert (group.suite.label, group.wrong, group.unsure) == ("Tools, synthetic", 1, 0)
    assert [(e.row.pair, e.row.label, e.row.said, e.calls, e.case.path) for e in group.pairs] == [
        ("L2", "different", "equivalent", None, "cases/tools/C001.html")
    ]
    assert "1 pair of Tools, synthetic on which it is wrong" in page.text
    assert "Why <script>alert(1)</script>" in page.text


def test_list_of_judges_shows_agreement_kappa_and_flips() -> None:
    """Each judge's line has them; a judge that was not asked again has a dash."""
    page = site()["judges/index.html"]
    mine = [row.split()[-3:] for row in rows(page) if " the model " in row or " lexical " in row]

    assert mine == [["66.733.3–83.3", "−0.25", "5.3"], ["100.050.0–100.0", "−0.25", "—"]]


def test_panel_and_judges_against_each_other() -> None:
    """With several judges the majority is measured too, and each pair of judges."""
    page = site()["judges/index.html"]

    assert "The panel as a whole" in page.text
    assert "embedded-1 and judge-xall labelled pairs250.0 10.0–90.00.00" in rows(page)
    found = concordance(index_board(site_board.board()))
    assert [(it.row.judge, it.row.other) for it in found] == [("embedded-1", "judge-x")]


@pytest.mark.large
def test_flip_rate_is_shown_and_a_stale_one_is_marked() -> None:
    """The page shows the share of changed grades, and marks an audit of other settings."""
    given = site_board.board()
    fresh = repeatability(index_board(given), site_board.JUDGES[0])
    stale = dataclasses.replace(site_board.AUDIT, model="another")
    audited = dataclasses.replace(given, audits={"embedded-1": (stale,)})
    page = parse(file_of(audited, "judges/embedded-1.html"))
    assert fresh is not None

    row = fresh.rows[0].row
    assert (fresh.stale, row.flips, row.unparseable + row.unanswered) == (False, 1, 1)
    assert "5.3 " in " ".join(site()["judges/embedded-1.html"].text.split())
    assert "The judge’s model or settings have changed" in page.text
    assert "The judge’s model or settings have changed" not in site()["judges/embedded-1.html"].text
    assert repeatability(index_board(given), site_board.JUDGES[1]) is None


def test_t17_an_audit_names_the_calls_that_changed_and_the_audits_before() -> None:
    """The page has a row per submission, every changed call, and the figures of other audits."""
    text = " ".join(site()["judges/embedded-1.html"].text.split())

    assert "Tools, synthetic, labelled pairs" in text
    assert "tools, " not in text
    assert "1 call with another grade" in text
    assert "Other audits Audit 1: another grade in 1 of 19 calls" in text


@pytest.mark.large
def test_a_changed_call_shows_the_question_of_its_case() -> None:
    """Like the lists of cases. A case that the board no longer has keeps only its name."""
    given = site_board.board()
    question = next(suite for suite in given.suites if suite.id == "tools").by_id["A002"].query
    (call,) = site_board.AUDIT.changed
    calls = (call, dataclasses.replace(call, case_id="A002"))
    audit = dataclasses.replace(site_board.AUDIT, changed=calls)
    board = dataclasses.replace(given, audits={"embedded-1": (audit,)})
    found = repeatability(index_board(board), site_board.JUDGES[0])
    page = parse(file_of(board, "judges/embedded-1.html"))
    assert found is not None

    assert [changed.query for changed in found.changed] == ["", question]
    assert question in [cell.text for cell in page.all("td")]


@pytest.mark.large
def test_an_audit_of_some_submissions_never_replaces_one_of_all() -> None:
    """It is listed below. Alone it is shown, but named as what it is, and gives no share."""
    given, part = site_board.board(), dataclasses.replace(site_board.AUDIT, only=("model-a",))
    after = dataclasses.replace(given, audits={"embedded-1": (site_board.AUDIT, part)})
    alone = dataclasses.replace(given, audits={"embedded-1": (part,)})
    page = parse(file_of(after, "judges/embedded-1.html")).text
    page_alone = parse(file_of(alone, "judges/embedded-1.html")).text
    found = repeatability(index_board(after), site_board.JUDGES[0])
    only = "Only calls recorded for Model A were repeated."
    lexical = [
        row for row in rows(parse(file_of(alone, "judges/index.html"))) if " lexical " in row
    ]
    assert found is not None

    assert found.audit is site_board.AUDIT
    assert "Other audits Audit 2 (only Model A): another grade in 1 of 19 calls" in " ".join(
        page.split()
    )
    assert (only in page, only in page_alone) == (False, True)
    assert [row.split()[-1] for row in lexical] == ["—"]


def test_scores_with_without_and_corrected_are_listed() -> None:
    """The row has the score, by rules only, the difference, and the corrected score or a dash."""
    lines = rows(site()["judges/index.html"])

    assert (
        "Model ALab One model open weights Tools, synthetic 83.3 33.3 +50.0 77.150.0–95.0 0"
        in lines
    )
    assert (
        "Model BLab Two agent framework: Framework X Tools, synthetic 33.3 0.0 +33.3 — 0" in lines
    )


@pytest.mark.large
def test_board_without_labels_and_audits_has_none_of_it() -> None:
    """Where nothing was measured nothing is shown: no empty table, no heading."""
    given = site_board.board()
    names = ("labelled", "agreement", "concordance", "corrected")
    bare = site_board.changed(
        given,
        audits={},
        labels={},
        **{name: getattr(given.results, name).clear() for name in names},
    )
    found = pages(files_of(bare, "judges/index.html", "judges/embedded-1.html"))

    for path in found:
        for words in ("labelled set", "Repeatability", "Agreement between judges", "Corrected"):
            assert words not in found[path].text, (path, words)


def test_pair_of_an_unknown_case_is_shown_without_a_link() -> None:
    """A label whose case is gone from the suite does not break the page."""
    given = site_board.board()
    lost = site_board.changed(
        given, labelled=given.results.labelled.with_columns(case_id=pl.lit("gone"))
    )
    found = agreement(index_board(lost), "embedded-1")
    assert found is not None

    assert [(e.case.label, e.case.path) for e in found.errors[0].pairs] == [("gone", None)]


# ---------------------------------------------------------------- over simulated APIs

CALLS = (
    Call("Tram_status", {"line": EVIL}, {"status": "minor delays"}),
    Call("Tram_fares", {}, f"Error: {EVIL} {LONG}"),
)
SAID = {"L1": "solved", "L2": "unsure", "L3": "solved", "L4": "unsolved"}


def solving() -> Board:
    """The small board with a suite over simulated APIs and four labelled pairs."""
    given = site_board.board(
        suites=[dataclasses.replace(site_board.tool_suite(), kind=site_board.OVER_APIS)]
    )
    labels = {
        ("tools", f"L{number}"): dataclasses.replace(
            site_board.pair(
                number, "unsolved" if number > 1 else "solved", f"Answer {number} {EVIL}"
            ),
            calls=() if number == 2 else CALLS,
        )
        for number in (1, 2, 3, 4)
    }
    rows = [
        {
            "judge": "embedded-1",
            "suite": "tools",
            "category": "clarifying",
            "pair": p.id,
            "case_id": "C001",
            "label": p.label,
            "said": SAID[p.id],
            "passed": PASSED[SAID[p.id]],
            "reply": f"{SAID[p.id]}\n{EVIL}",
            "judge_call": "k1",
        }
        for p in labels.values()
    ]
    labelled = pl.DataFrame(rows, schema=LABELLED)
    return site_board.changed(given, labels=labels, labelled=labelled, agreement=measure(labelled))


@pytest.mark.large
def test_unsure_has_its_own_column() -> None:
    """Four pairs, one unsure: it counts a half in the shares, and is in none of the four counts."""
    found = agreement(index_board(solving()), "embedded-1")
    assert found is not None

    assert (found.right, confusion(found)) == (("equal", "solved"), (1, 0, 1, 1))
    shown = [(it.row.pairs, it.row.unsure, it.cell.remark, it.cell.text) for it in found.rows]
    assert shown == [(4, 1, "", "62.5")] * 3


@pytest.mark.large
def test_judge_page_speaks_of_solved_queries() -> None:
    """What sensitivity is of, what unsure is, and the four counts."""
    page = parse(file_of(solving(), "judges/embedded-1.html"))

    assert "of the right answers, the share found equal or solved" in page.text
    assert (
        "As in scores, an answer that the judge leaves unsure counts as a half. If its votes "
        "differ, it counts as the share of them that accept it." in page.text
    )
    assert {"labelled right10", "labelled wrong11"} <= set(rows(page))
    assert "Unsure" in [e.text for e in page.all("th")]


@pytest.mark.large
def test_wrong_and_unsure_pairs_are_listed_with_their_calls() -> None:
    """Each answer has the calls that led to it, clipped and as text."""
    given = solving()
    found = agreement(index_board(given), "embedded-1")
    assert found is not None
    page = parse(file_of(given, "judges/embedded-1.html"))
    (group,) = found.errors

    assert (group.wrong, group.unsure) == (1, 1)
    assert [
        (e.row.pair, e.row.said, len(e.calls.made) if e.calls else None) for e in group.pairs
    ] == [
        ("L2", "unsure", 0),
        ("L3", "solved", 2),
    ]
    assert (
        "1 pair of Tools, synthetic on which it is wrong, and 1 on which it is unsure" in page.text
    )
    for words in (
        "No tool was called.",
        "2 calls, with their replies",
        "Tram_status(",
        '"status": "minor delays"',
        "<img src=x onerror=",
    ):
        assert words in " ".join(page.text.split()), words
    assert all(len(step.reply) <= 300 for e in group.pairs if e.calls for step in e.calls.made)
    assert "onerror" not in {name for e in page.elements for name in e.attributes}


# ---------------------------------------------------------------- labels of a suite's own

GRADES = {"good": 1.0, "partly": 0.5, "bad": 0.0}
PAIRS = {"L1": ("good", "partly"), "L2": ("bad", "partly"), "L3": ("bad", "good")}
PAIRS |= {"L4": ("partly", "bad"), "L5": ("bad", "bad"), "L6": ("good", "good")}


def graded() -> Board:
    """The small board. Its judged suite has a scale of labels, and judges are asked twice."""
    given = site_board.tool_suite()
    kind = dataclasses.replace(given.kind, grades=GRADES, own_grades=True)
    board = site_board.board(suites=[dataclasses.replace(given, kind=kind)])
    rows = [
        {
            "judge": judge,
            "suite": "tools",
            "category": "clarifying",
            "pair": pair,
            "case_id": "C001",
            "label": label,
            "said": said,
            "passed": GRADES[said],
            "reply": None if judge == "*" else "bad\nIt rings too late.",
            "judge_call": "k1 k2",
        }
        for judge in ("embedded-1", "judge-x", "*")
        for pair, (label, said) in PAIRS.items()
    ]
    labelled = pl.DataFrame(rows, schema=LABELLED)
    sides = two_sided(labelled, {"tools": GRADES})
    return site_board.changed(board, labels={}, labelled=labelled, agreement=measure(sides))


def test_pairs_that_a_scale_leaves_unsure_are_not_called_wrong() -> None:
    """The list counts as the table above it: a half is unsure, and such a label is left out."""
    given = graded()
    found = agreement(index_board(given), "embedded-1")
    assert found is not None
    (group,) = found.errors
    page = parse(file_of(given, "judges/embedded-1.html"))

    assert (found.rows[0].row.pairs, found.rows[0].row.unsure) == (5, 2)
    assert (group.wrong, group.unsure, group.total) == (1, 2, 3)
    assert [item.row.pair for item in group.pairs] == ["L1", "L2", "L3"]
    assert "1 pair of Tools, synthetic on which it is wrong, and 2 on which it is" in page.text
    assert "partly. The last of 2 replies: bad It rings too late." in " ".join(page.text.split())


def test_the_page_of_judges_describes_how_labels_of_a_suite_are_decided() -> None:
    """Judges have no majority there, and find nothing equal or different."""
    given = graded()
    page = parse(file_of(given, "judges/index.html"))
    [said] = [e.text for e in page.all("section") if "The panel as a whole" in e.text]

    assert "Their grades are averaged." in said
    assert "share of right answers found worth more than a half" in said
    assert {"labelled right10", "labelled wrong11"} <= set(rows(page))
    for words in ("majority", "found equal", "found different"):
        assert words not in said


def test_the_page_of_judges_names_the_majority_where_it_decides() -> None:
    """Two texts mean the same if most judges say so."""
    page = site()["judges/index.html"].text

    assert "Their majority decides; without a majority there is no grade." in page
    assert "averaged" not in page


def test_without_unsure_replies_there_is_no_such_column() -> None:
    """Nor a sentence about it."""
    page = site()["judges/embedded-1.html"]

    assert "unsure" not in page.text.lower()


@pytest.mark.large
def test_second_prompt_lists_its_categories() -> None:
    """The prompt for the unsure is used by the same categories as the first."""
    suite = site_board.tool_suite()
    categories = tuple(dataclasses.replace(c, follow_up="clarifying") for c in suite.categories)
    board = site_board.board(suites=[dataclasses.replace(suite, categories=categories)])
    page = parse(file_of(board, "judges/embedded-1.html"))

    assert "clarifying, for Tool selection, Clarifying" in " ".join(page.text.split())


@pytest.mark.large
def test_rows_say_that_submitters_recorded_the_replies() -> None:
    """Where they may record, every row that a judge decided has a note. Otherwise none has."""
    given = site_board.board()
    judge = dataclasses.replace(site_board.JUDGES[1], recordings="submitters")
    assert not judge.is_recomputed
    open_to_all = dataclasses.replace(given, judges=(judge,))

    for board, noted in ((given, False), (open_to_all, True)):
        page = parse(file_of(board, "suites/tools/index.html"))
        assert ("judge replies recorded by submitters" in page.text) == noted
