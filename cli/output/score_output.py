"""What commands that score a whole board write and print: results, scores, missing calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.output.console import explain_exit, say, show, show_json
from cli.output.problem_output import show_problems
from leaderboard.ids import PANEL, SUBMISSION_ID, WHOLE
from leaderboard.texts.counted_nouns import counted
from site_templates.formatting import bounds, percent, whole

if TYPE_CHECKING:
    from cli.scored_files import FileScorer
    from leaderboard.load import Contents
    from leaderboard.results import MissingAnswers, Results
    from leaderboard.types import Suite
    from replay.asker import Asker
    from replay.recording.calls_to_record import NewRecordings
    from scoring.cached.cached_verdict_tables import Decided
    from scoring.judging.labelled import LabelRows
    from scoring.judging.panel_questions import MissingCall
    from scoring.scorer import Scored

SHOWN_MISSING = 20
SHOWN_NAMES = 3  # of submissions, in a command
NOTHING_CHANGED = " (nothing changed)"
SHOWN_FAILURES = 5  # of own rules, by their words


def show_filed(asker: Asker) -> None:
    """Says that calls of an interrupted recording were moved into the cassettes."""
    if asker.filed:
        calls = counted(asker.filed, "call")
        say(f"{calls} of an interrupted recording now in cassettes/: commit them")


def tables_of(
    files: FileScorer, decided: Decided, labels: Mapping[str, LabelRows] | None = None
) -> Scored:
    """The tables of verdicts, and what the judges say about the labelled set.

    The labelled pairs of the suites in `labels` are not decided again.
    """
    from scoring.scorer import scored_board

    scored = scored_board(files.contents, decided.part, files.panel, files.asker, decided=labels)
    show_problems(files.asker.index.problems, "text")
    return scored


def write_and_show(
    files: FileScorer,
    scored: Scored,
    folder: Path,
    *,
    judge_name: str | None,
    as_json: bool,
    allow_missing: bool,
) -> None:
    """Writes all results, and shows the scores. Exits with 3 if judge calls are missing.

    `judge_name` is the judge that decided alone, if one did.
    """
    from leaderboard.results import write_results
    from scoring.manifest import cassette_digests
    from scoring.summary import summarise

    workspace, contents, asker = files.workspace, files.contents, files.asker
    # What was recorded in this run has other digests than what was read.
    read = asker.index.read.items() if asker.recording is None else ()
    digests = cassette_digests(workspace, {file: cassette.digest for file, cassette in read})
    results = summarise(contents, files.panel, scored, digests)
    changed = write_results(results, folder)
    if as_json:
        show_json(_document(results, contents, len(scored.missing_calls)))
    else:
        _show_scores(results, contents, files.named)
    _show_agreement(results)
    if asker.recording is not None:
        _show_recording(asker.recording)
    unread = scored.verdicts.filter(reason="judge_unparseable").height
    if unread:
        say(f"{counted(unread, 'verdict')} unscored: the judge's reply cannot be read")
    _show_rule_failures(scored)
    if scored.missing_calls:
        why = say if allow_missing else explain_exit
        _show_missing(scored)
        _show_advice(scored, why, asker.recording, judge_name)
    unchanged = "" if changed else NOTHING_CHANGED
    say(f"{counted(results.verdicts.height, 'verdict')} in {workspace.shown(folder)}/{unchanged}")
    if scored.missing_calls and not allow_missing:
        raise SystemExit(3)


def _show_rule_failures(scored: Scored) -> None:
    """Lists the exceptions of own rules, the most frequent first."""
    failed = scored.verdicts.filter(reason="rule_failed")
    by_words = Counter(failed["detail"])
    ordered = sorted(by_words.items(), key=lambda failure: (-failure[1], failure[0]))
    for detail, number in ordered[:SHOWN_FAILURES]:
        say(f"{counted(number, 'verdict')} unscored: {detail}")
    hidden = ordered[SHOWN_FAILURES:]
    if hidden:
        verdicts = counted(sum(number for _, number in hidden), "verdict")
        say(f"... and {counted(len(hidden), 'other exception')} of own rules: {verdicts} unscored")


def _show_recording(recording: NewRecordings) -> None:
    for reason, failures in Counter(recording.failures.values()).items():
        say(f"{counted(failures, 'judge call')} failed: {reason}")
    if recording.recorded:
        recorded = counted(recording.recorded, "judge call")
        listed = " and listed in recordings.json" if recording.listed else ""
        say(f"{recorded} recorded in cassettes/{listed}: commit them")


def _show_scores(results: Results, contents: Contents, ids: Sequence[str]) -> None:
    """A line per submission and suite, on stdout: score, interval, cases, judged share.

    With IDs, only their lines and the ones above and below each.
    """
    import polars as pl

    from leaderboard.results import MissingAnswers

    missing = results.missing_answers()
    for suite in contents.suites:
        scores = results.scores.filter(suite=suite.id, category=WHOLE, metric=suite.kind.ranked)
        scores = scores.sort(pl.col("score").neg(), "submission", nulls_last=True)
        rows = list(scores.iter_rows(named=True))
        named = [place for place, row in enumerate(rows) if row["submission"] in ids]
        for place, row in enumerate(rows):
            if not ids or any(abs(place - own) <= 1 for own in named):
                of_row = missing.get((row["submission"], suite.id), MissingAnswers())
                show(_score_line(suite, row, of_row))


def _score_line(suite: Suite, row: Mapping[str, Any], missing: MissingAnswers) -> str:
    score = "unscored"
    if row["score"] is not None:
        score = f"{percent(row['score']):>5}  ({bounds(row['low'], row['high'])})"
    of_suite = len(suite.cases)
    notes = []
    if row["cases"] < of_suite:
        notes.append(f"{row['cases']:,} of {counted(of_suite, 'case')} asked, no rank")
    else:
        notes.append(counted(row["cases"], "case"))
    if row["judged_share"]:
        notes.append(f"{whole(row['judged_share'])} % judged")
    if row["unscored"]:
        notes.append(f"{row['unscored']} unscored")
    answered = missing.words(row["cases"])
    if answered and row["cases"] >= of_suite:
        notes.append(answered)
    if suite.kind.reported:
        notes.append("reported, not derived here")
    return f"{suite.id}  {row['submission']:<32} {score}  {', '.join(notes)}"


def _document(results: Results, contents: Contents, missing: int) -> dict[str, Any]:
    """What `--json` prints: the digest, the number of missing judge calls, a row per score."""
    columns = ("suite", "submission", "metric", "score", "low", "high", "cases", "unscored")
    scores = results.scores.filter(category=WHOLE).sort("suite", "submission")
    rows = scores.select(*columns, "judged_share").to_dicts()
    ranked = {suite.id: suite.kind.ranked for suite in contents.suites}
    return {
        "digest": results.manifest["digest"],
        "missing_judge_calls": missing,
        "scores": [row for row in rows if row["metric"] == ranked[row["suite"]]],
    }


def _show_agreement(results: Results) -> None:
    """A line per judge, on stderr: its agreement with the labelled pairs."""
    for row in results.agreement.filter(suite=WHOLE, category=WHOLE).iter_rows(named=True):
        if row["judge"] == PANEL or row["agreement"] is None:
            continue
        share = f"{percent(row['agreement'])} % ({bounds(row['low'], row['high'])})"
        pairs = counted(row["graded"], "labelled pair")
        unsure = f", and is unsure of {row['unsure']:,} of them" if row["unsure"] else ""
        say(f"{row['judge']} agrees with {share} of {pairs}{unsure}")


def _show_missing(scored: Scored) -> None:
    """Lists missing calls."""
    for call in scored.missing_calls[:SHOWN_MISSING]:
        case = f"{call.judge} on {call.suite} {call.case_id} of {call.submission}"
        if call.reply.pending:
            say(f"pending: {case}, {call.reply.key[:16]}; recorded, but not by a maintainer")
            continue
        near = ""
        if call.reply.nearest:
            near = (
                f"; the nearest is {call.reply.nearest[:16]}, difference: {call.reply.difference}"
            )
        say(f"missing: {case}, {call.reply.key[:16]}{near}")
    if len(scored.missing_calls) > SHOWN_MISSING:
        say(f"... and {len(scored.missing_calls) - SHOWN_MISSING:,} more")


def _show_advice(
    scored: Scored,
    why: Callable[[str], None],
    recording: NewRecordings | None,
    judge_name: str | None,
) -> None:
    """Says how to record missing calls. `why` prints these lines, which explain the exit code."""
    pending, missing, failed = [], [], []
    for call in scored.missing_calls:
        if call.reply.pending:
            pending.append(call)
        elif recording is not None and call.reply.key in recording.failures:
            failed.append(call)
        else:
            missing.append(call)
    if pending:
        calls = counted(len(pending), "judge call")
        command = _recording_command(pending, judge_name)
        why(f"{calls} pending: a maintainer records them with {command}")
    if missing:
        calls = counted(len(missing), "judge call")
        command = _recording_command(missing, judge_name)
        online = " (without --offline)" if recording is None else ""
        why(f"{calls} missing: record them with {command}{online}")
    if failed:
        calls = counted(len(failed), "judge call")
        why(f"{calls} missing: run lb rescore again when the judge is reachable")


def _recording_command(calls: Sequence[MissingCall], judge_name: str | None) -> str:
    """The command that records these calls. It names their submissions, if they are few."""
    names = sorted({call.submission for call in calls})
    are_submissions = all(SUBMISSION_ID.fullmatch(name) for name in names)
    words = ["lb rescore"]
    if len(names) <= SHOWN_NAMES and are_submissions:  # not labelled pairs
        words += names
    if judge_name is not None:
        words.append(f"--judge {judge_name}")
    return " ".join(words)
