"""`lb review`: the base's code over the proposed data. The attacks are in tests/attacks."""

from __future__ import annotations

import dataclasses
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from leaderboard.types import Case, Referral, Response, Suite, Verdict
from scoring.rules import KINDS, workspace_rules
from tests.cli.records import JUDGED, LISTED, RIGHT, WRONG_VALUE, answers, rescore
from tests.conftest import PROJECT, Folder


@pytest.fixture
def places(folder: Folder, tmp_path: Path) -> tuple[Folder, Folder]:
    """A base with one submission, and a copy of it. Neither is a git checkout."""
    folder.submission("m1", answers("A001"))
    shutil.copytree(folder.root, tmp_path / "proposed")
    return folder, Folder(tmp_path / "proposed")


def review(places: tuple[Folder, Folder], *options: str) -> tuple[int, str]:
    base, proposed = (str(place.root) for place in places)
    done = places[0].lb("review", "--base", base, "--proposed", proposed, *options)
    return done.exit_code, done.stdout


@pytest.mark.large
def test_a_new_row_is_fine(places: tuple[Folder, Folder]) -> None:
    """The report goes to stdout, and the verdict is its first line."""
    places[1].submission("m2", [RIGHT, LISTED, WRONG_VALUE, *answers()[3:]])
    code, report = review(places)

    assert code == 0
    assert report.splitlines()[1].startswith("> **🟢 No objection to merging.**")
    assert "### `small`: 83.3" in report


@pytest.mark.large
def test_a_report_that_is_not_read_to_its_end_keeps_its_exit_code(
    places: tuple[Folder, Folder],
) -> None:
    """`lb review | head -1` fails if the proposal must not be merged."""
    places[1].write("prompts/small/other.md", "Look away.")
    folders = "--base", str(places[0].root), "--proposed", str(places[1].root)
    read_end, write_end = os.pipe()
    os.close(read_end)
    command = [sys.executable, "-m", "cli", "review", *folders]
    done = subprocess.run(command, cwd=PROJECT, stdout=write_end, check=False)
    os.close(write_end)

    assert done.returncode == review(places)[0] == 1


@pytest.mark.large
def test_a_half_finished_file_needs_a_look(places: tuple[Folder, Folder]) -> None:
    """Unless the card says that only these cases were asked."""
    places[1].submission("m2", [RIGHT])
    _, report = review(places)
    places[1].submission("m2", [RIGHT], partial=["small"])
    _, declared = review(places)

    few = "🟠 Look first: no record or an empty answer for 4 of 5 cases of `small`."
    assert few in report.splitlines()[1]
    assert "🟢 No objection to merging." in declared.splitlines()[1]
    assert "1 case, 1 of 5 cases asked, no rank (partial)" in declared


@pytest.mark.large
def test_a_date_in_the_future_is_refused(places: tuple[Folder, Folder]) -> None:
    """It would become the date of the whole board. `lb validate` only warns of it."""
    places[1].submission("m2", answers("A001", "A003"), date="9999-12-31")
    code, report = review(places)

    assert code == 1
    assert "error: `submissions/m2/submission.json:" in report
    assert "the date 9999-12-31 is in the future" in report


@pytest.mark.large
def test_a_damaged_history_of_the_base_holds_nobody_up(places: tuple[Folder, Folder]) -> None:
    """A new submission cannot repair it, so it is a warning."""
    for place in places:
        place.write("history/index.json", "{")
    places[1].submission("m2", answers("A001", "A003"))
    code, report = review(places)

    assert code == 0
    assert "- warning: `history/index.json" in report
    assert "the base's history cannot be read" in report


@pytest.mark.large
def test_an_update_shows_the_row_before(places: tuple[Folder, Folder]) -> None:
    """Its score, its rank, and how many answers differ. A suite that it leaves out is removed."""
    places[1].submission("m1", answers("A002", "A003"))
    _, changed = review(places)
    for place in places:
        suite = place.root / "datasets/small"
        shutil.copytree(suite, place.root / "datasets/other")
        shutil.copytree(place.root / "prompts/small", place.root / "prompts/other")
    places[0].submission("m1", answers("A001"), suite="other")
    _, removed = review(places)

    assert "### `small`: 83.3 (" in changed
    assert "Before: 66.7 (28.6–90.9), 5 cases, rank 1. 3 answers changed." in changed
    assert "### `other`: removed\n\nBefore: 66.7 (28.6–90.9), 5 cases, rank 1." in removed


@pytest.mark.large
def test_labels_that_turn_against_the_judge_need_a_look(places: tuple[Folder, Folder]) -> None:
    """The report says what they do to the judge and to the ranks that rest on it."""
    cities = {"equivalent": "Paris", "different": "Lyon"}
    pairs = [
        {
            "id": f"{city}-{n}",
            "case_id": "B001",
            "got": f"{word} {city}.",
            "label": label,
            "why": "Read.",
        }
        for label, city in cities.items()
        for n, word in enumerate(("It must be", "That is", "I say", "It has to be", "Clearly"))
    ]
    places[0].write("prompts/small/labels/no_tool.json", pairs)
    places[0].submission("m1", [RIGHT, JUDGED])
    rescore(places[0])
    shutil.copytree(places[0].root, places[1].root, dirs_exist_ok=True)
    for pair in pairs[2:7]:
        pair["label"] = "different" if pair["label"] == "equivalent" else "equivalent"
    places[1].write("prompts/small/labels/no_tool.json", pairs)
    code, report = review(places, "--maintainer")

    assert code == 0
    assert "🟠 Look first: the judge is no longer validated on" in report.splitlines()[1]
    assert "`small/no_tool`, and 1 row loses its rank." in report.splitlines()[1]
    assert "| `small` | `m1` |  |  |  |  | 1 to — (judge not validated) |" in report
    assert "| `embedded-1` | `small` | `no_tool` | 100.0 of 10 | 50.0 of 10 |" in report


@pytest.mark.large
def test_missing_judge_calls_have_their_own_exit_code(places: tuple[Folder, Folder]) -> None:
    """The row waits for its own calls, even if the base lacks them too. Others do not matter."""
    places[1].submission("m2", [RIGHT, JUDGED])
    waiting = review(places)
    for other in ("a0", "m3"):  # one is before m2 in the alphabet, one after it
        places[0].submission(other, [JUDGED])
        places[1].submission(other, [JUDGED])
    shared = review(places)
    places[1].submission("m2", [RIGHT])
    others = review(places)

    assert waiting[0] == 3
    assert "🟠 Wait: somebody has to record 1 judge call first (279 characters)." in waiting[1]
    assert (shared[0], others[0]) == (3, 0)


@pytest.mark.large
def test_only_maintainers_change_anything_else(places: tuple[Folder, Folder]) -> None:
    """With --maintainer the same changes are listed, and the proposed suites count."""
    cases = places[1].root / "datasets/small/tool_selection.json"
    cases.write_text(cases.read_text().replace('"value": 3,', '"value": 8,'))
    refused, strangers = review(places)
    accepted, maintainers = review(places, "--maintainer")

    assert (refused, accepted) == (1, 0)
    assert "🔴 Do not merge: 1 file changed (datasets)." in strangers
    assert "No score or best possible rank of another submission changes." in strangers
    assert "A maintainer vouches for this: 1 file changed (datasets)." in maintainers
    assert "- **datasets**: `datasets/small/tool_selection.json` changed" in maintainers
    assert "| `small` | `m1` | 66.7 | 50.0 | −16.7 |  |  |" in maintainers


@pytest.mark.large
def test_questions_that_change_under_answers_need_a_look(places: tuple[Folder, Folder]) -> None:
    """The old answers would be scored as answers to the new question, and might lose their rank."""
    cases = places[1].root / "datasets/small/tool_selection.json"
    cases.write_text(cases.read_text().replace("3 metres in", "8 metres in"))
    code, report = review(places, "--maintainer")

    assert code == 0
    assert "🟠 Look first: 1 question with answers changes." in report.splitlines()[1]
    assert "| `small` | `m1` | 1 |" in report


@pytest.mark.large
def test_both_boards_share_what_rules_find(
    places: tuple[Folder, Folder], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each distinct answer is decided once, and by other suites again."""
    decided: list[str] = []

    def decide(suite: Suite, case: Case, response: Response) -> tuple[Verdict | Referral, ...]:
        decided.append(f"{case.id} {response.calls}")
        return KINDS["tool_selection"].decide(suite, case, response)

    kind = dataclasses.replace(KINDS["tool_selection"], decide=decide)
    monkeypatch.setattr(workspace_rules, "KINDS", {**KINDS, "tool_selection": kind})
    places[1].submission("m2", answers("A001", "A003"))
    code, _ = review(places)
    alone = decided.copy()
    decided.clear()
    accepted, _ = review(places, "--maintainer")

    assert (code, accepted) == (0, 0)
    assert len(alone) == len(set(alone)) == 6  # m1 has 5, and m2 another one
    assert len(decided) == 5 + 6


@pytest.mark.large
def test_a_removed_submission_is_said(places: tuple[Folder, Folder]) -> None:
    """A stranger may not take a row away."""
    shutil.rmtree(places[1].root / "submissions/m1")
    code, report = review(places)

    assert code == 1
    assert "🔴 Do not merge: it removes `m1` from the board." in report
    assert "This submission has no row: the proposal removes it." in report


def test_a_folder_that_is_no_board_is_refused(places: tuple[Folder, Folder]) -> None:
    """It would read as a proposal that removes the board."""
    above = places[1].root.parent
    base = str(places[0].root)
    done = places[0].lb("review", "--base", base, "--proposed", str(above))

    assert (done.exit_code, done.stdout) == (1, "")
    assert f"error: {above}: is not a board: it has neither leaderboard.toml nor" in done.stderr


@pytest.mark.large
def test_a_broken_cassette_hides_nothing_else(places: tuple[Folder, Folder]) -> None:
    """The row is scored without it."""
    places[1].submission("m2", [RIGHT, JUDGED])
    rescore(places[1])
    places[1].write("cassettes/embedded-1/small/m2.json", "{")
    code, report = review(places)

    assert code == 1
    assert "- error: `cassettes/embedded-1/small/m2.json:1: is not JSON" in report
    assert "## The new row" in report


@pytest.mark.large
def test_a_proposal_that_cannot_be_scored_is_reported(places: tuple[Folder, Folder]) -> None:
    """A maintainer's settings may be broken."""
    places[1].write("leaderboard.toml", "schema = ")
    code, report = review(places, "--maintainer")

    assert code == 1
    assert "- error: `leaderboard.toml: is not TOML" in report


@pytest.mark.large
def test_the_proposed_site_is_built_by_the_base(places: tuple[Folder, Folder]) -> None:
    """Documents are those of the base."""
    for place, text in zip(places, ("Of the base.", "Of the proposal."), strict=True):
        place.write("docs/methodology.md", f"# Methodology\n\n{text}\n")
    places[1].submission("m2", answers("A001"))
    site = places[0].root.parent / "_site"
    review(places, "--site", str(site))

    assert (site / "submissions/m2.html").is_file()
    assert "Of the base." in (site / "docs/methodology.html").read_text(encoding="utf-8")


@pytest.mark.large
def test_the_problems_of_the_base_are_counted_alone(places: tuple[Folder, Folder]) -> None:
    """They are not the proposal's."""
    for place in places:
        place.submission("odd", [{"id": "nothing"}])
        place.submission("warned", [{"id": "A001", "model_text": "x", "user_query": "?"}])
    code, report = review(places)

    assert code == 0
    assert report.endswith("None.\n\nThe base has 1 problem of its own.\n")


@pytest.mark.large
def test_the_report_can_be_a_file(places: tuple[Folder, Folder], tmp_path: Path) -> None:
    """Then stdout is empty. Usage errors have exit code 2."""
    code, printed = review(places, "--out", str(tmp_path / "report.md"))
    missing = places[0].lb("review", "--base", str(places[0].root))

    assert (code, printed, missing.exit_code) == (0, "", 2)
    assert "No file changed." in (tmp_path / "report.md").read_text(encoding="utf-8")


@pytest.mark.large
def test_a_site_that_cannot_be_built_is_a_problem(
    places: tuple[Folder, Folder], tmp_path: Path
) -> None:
    """The report is written in any case."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site/mine.txt").write_text("Not a site.")
    code, report = review(places, "--site", str(tmp_path / "site"))

    assert code == 1
    assert "has no toolboard.json, so lb build did not make it" in report


@pytest.mark.large
def test_votes_of_other_judges_need_a_maintainer(places: tuple[Folder, Folder]) -> None:
    """Pages show them beside the answer, and anybody can write them."""
    vote = {"status": "solved", "by": "judge", "round": 0, "judge": "gpt-x", "reason": "fine"}
    places[1].submission("m2", [{**RIGHT, "origin": {"votes": [vote, vote]}}])
    code, report = review(places)

    assert code == 1
    assert "it brings 2 votes of other judges, which nobody can check" in report


@pytest.mark.large
def test_other_submissions_of_a_maintainer_are_checked_too(places: tuple[Folder, Folder]) -> None:
    """Their dates and keys count as errors. That nobody searches them for copies is said."""
    places[1].submission("m2", answers("A001", "A002", "A003"))
    places[1].submission("m3", answers("A002"))
    code, report = review(places, "--maintainer")
    places[1].submission("m3", answers("A002"), date="9999-12-31")
    refused, late = review(places, "--maintainer")

    assert code == 0
    assert "🟠 Look first: `m3` is not searched for copies." in report.splitlines()[1]
    assert refused == 1
    assert "error: `submissions/m3/submission.json:" in late


@pytest.mark.large
def test_audits_that_would_stop_the_board_are_problems(places: tuple[Folder, Folder]) -> None:
    """Nobody but a maintainer proposes any. What is wrong in the base already is not repeated."""
    places[1].write("audits/embedded-1/0001.json", "{")
    code, report = review(places, "--maintainer")
    places[0].write("audits/embedded-1/0001.json", "{")
    known, _ = review(places, "--maintainer")

    assert code == 1
    assert "error: `audits/embedded-1/0001.json" in report
    assert known == 0


@pytest.mark.large
def test_a_link_in_the_history_is_a_problem_of_it(places: tuple[Folder, Folder]) -> None:
    """Every later command would stop at it."""
    rescore(places[0])
    assert places[0].lb("snapshot", "--label", "first").exit_code == 0
    shutil.copytree(places[0].root, places[1].root, dirs_exist_ok=True)
    (table,) = places[1].root.glob("history/*/scores.json")
    table.unlink()
    table.symlink_to("../index.json")
    code, report = review(places, "--maintainer")

    assert code == 1
    assert "error: `history/" in report


@pytest.mark.large
@pytest.mark.parametrize("options", [(), ("--maintainer",)])
def test_a_board_with_a_logo_can_be_reviewed(
    places: tuple[Folder, Folder], options: tuple[str, ...]
) -> None:
    """The settings name a file that is in no folder of the board."""
    for place in places:
        settings = (place.root / "leaderboard.toml").read_text()
        logo = settings.replace("schema = 1", 'schema = 1\nsite.logo = "logo.svg"', 1)
        place.write("leaderboard.toml", logo)
        place.write("logo.svg", "<svg></svg>")
    places[1].submission("m2", answers("A001", "A003"))
    code, report = review(places, *options)

    assert code == 0
    assert "### `small`: 83.3" in report
