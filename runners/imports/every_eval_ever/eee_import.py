"""`lb import every-eval-ever`: records of Every Eval Ever as submissions.

Samples whose suite is in the workspace are its responses, and are scored here; if it is a suite of
reported scores, they are its records, with all metrics. All other scores come in as reported, with
a suite of their own: a case for each sample; without samples, a case for each evaluation.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from leaderboard.errors import FilesError, Problem, collect_problems, raise_any
from leaderboard.files.json_files import parse
from leaderboard.files.suite_files import load_suite
from leaderboard.kinds import Kinds
from leaderboard.responses.forms.call_syntax import decoded
from leaderboard.responses.forms.every_eval_ever_samples import sample_costs, sample_trial
from leaderboard.responses.forms.model_reply import member
from leaderboard.texts.counted_nouns import counted
from leaderboard.types import Json, Suite
from leaderboard.workspace import Workspace
from runners.converted_responses import import_responses
from runners.imports.every_eval_ever.eee_records import (
    Evaluated,
    ScoreScale,
    cased_id,
    read_evaluated,
)
from runners.imports.import_writer import (
    ImportedCategory,
    ImportReport,
    ReadyImport,
    foreign_suite,
    ready_submission,
    suite_files,
)
from runners.submission_writer import declare_part, existing_card, wrong_date, wrong_ids

SOURCE: Final = "every-eval-ever"
_METRIC: Final = {"id": "score", "label": "score", "description": "The score that was reported."}
_DESCRIPTION: Final = "Scores from records of Every Eval Ever, as they were reported there."
# Reasons of verdicts here, as the samples of a board have them.
_MISSING: Final = "missing_response"
_FAILED: Final = "response_error"
_README: Final = "Imported from records of Every Eval Ever.\n"


@dataclass(slots=True)
class _Answers:
    """What one submission answers in a suite: its card, its records, and the cases asked.

    `unanswered` are records of cases without an answer. A submission to the whole suite needs none
    of them: there a case without a record fails.
    """

    card: Mapping[str, Json]
    records: list[Json] = field(default_factory=list)
    unanswered: list[Json] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)

    def add(self, record: dict[str, Json], row: Mapping[str, Any]) -> None:
        """Adds the record of a sample."""
        self.asked.add(record["id"])
        kept = self.unanswered if _reason(row) == _MISSING else self.records
        kept.append(record)


@dataclass(slots=True)
class _Suite:
    """A suite with what answers it. `files` are those of a new suite."""

    id: str
    cases: Mapping[str, Sized]
    answers: dict[str, _Answers] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)
    warnings: list[Problem] = field(default_factory=list)

    def ready(self, root: Path, date: str | None) -> ReadyImport:
        submissions, number = [], sum(map(len, self.cases.values()))
        for name, found in self.answers.items():
            whole = len(found.asked) == number
            records = found.records if whole else [*found.records, *found.unanswered]
            made = ready_submission(
                root, name, SOURCE, found.card, records, readme=_README, date=date
            )
            declare_part(made.card, self.id, whole=whole)
            submissions.append(made)
        return ReadyImport(self.id, self.cases, self.files, submissions, warnings=self.warnings)


def import_every_eval_ever(
    root: Path,
    source: Path,
    kinds: Kinds,
    *,
    suite_id: str | None,
    submission_id: str | None,
    date: str | None,
) -> list[ImportReport]:
    """Imports an aggregate, or all in a folder, with their samples; a report for each suite.

    `suite_id` and `submission_id` replace the names in the files. Raises FilesError.
    """
    found: list[Evaluated] = []
    empty: list[Problem] = []
    for one in _read(Workspace(root), source):
        if one.samples or one.results:
            found.append(one)
        else:
            empty.append(_without_scores(one))
    if not found:
        raise FilesError(replace(problem, severity="error") for problem in empty)
    if submission_id is not None and len({one.submission_id for one in found}) > 1:
        fix = "leave out --submission, or import one aggregate"
        raise FilesError.about(str(source), "holds several systems", fix)
    by_suite: dict[str, list[tuple[str, Evaluated]]] = {}
    for one in found:
        suite = suite_id or one.suite_id
        suite = suite if one.samples else f"{suite[:53]}_aggregates"
        by_suite.setdefault(suite, []).append((submission_id or one.submission_id, one))
    names = sorted({name for members in by_suite.values() for name, _ in members})
    problems = list(wrong_date(date))
    problems += [problem for suite in by_suite for problem in wrong_ids(suite, names)]
    raise_any(problems)
    suites = [_suite(root, suite, members, kinds) for suite, members in by_suite.items()]
    suites[0].warnings += empty
    for one_suite in suites:
        one_suite.ready(root, date).check(root, kinds)
    # A card of one suite names what it answers of the suites before it.
    return [suite.ready(root, date).write(root, kinds) for suite in suites]


def _read(workspace: Workspace, source: Path) -> list[Evaluated]:
    """The aggregates of a folder, or the one that is named. Raises FilesError."""
    paths = sorted(source.rglob("*.json")) if source.is_dir() else [source]
    found: list[Evaluated] = []
    problems: list[Problem] = []
    for path in paths:
        with collect_problems(problems):
            one = read_evaluated(path, workspace.shown(path))
            if one is not None:
                found.append(one)
    if not found and not problems:
        what = "holds no aggregate of Every Eval Ever: a JSON object with evaluation_results"
        fix = "name one, or a folder of them; lb new --from reads samples alone"
        problems.append(Problem(str(source), what, fix))
    raise_any(problems)
    return found


def _without_scores(one: Evaluated) -> Problem:
    what = "has no samples, and no result with finite limits: it is left out"
    return Problem(one.shown, what, "export it again when it has scores", severity="warning")


def _suite(
    root: Path, suite_id: str, members: Sequence[tuple[str, Evaluated]], kinds: Kinds
) -> _Suite:
    workspace = Workspace(root)
    if (workspace.datasets / suite_id).exists():
        suite = load_suite(workspace, suite_id, kinds)
        if not suite.kind.reported:
            return _responses(suite, members)
        if _has_its_cases(suite, members):
            return _records(suite, members)
        raise_any(foreign_suite(root, suite_id, SOURCE))
    return _reported(workspace, suite_id, members, kinds)


def _has_its_cases(suite: Suite, members: Iterable[tuple[str, Evaluated]]) -> bool:
    """Whether there are samples, and all are of cases of the suite: they are exported from it."""
    samples = [row for _, one in members for row in one.samples]
    return bool(samples) and all(row["sample_id"] in suite.by_id for row in samples)


def _reason(row: Mapping[str, Any]) -> Json:
    return member(row.get("metadata"), "reason")


def _records(suite: Suite, members: Iterable[tuple[str, Evaluated]]) -> _Suite:
    """The scores of samples as records of the suite of reported scores that they are from."""
    found = _Suite(suite.id, {category.id: category.cases for category in suite.categories})
    for name, one in members:
        answers = found.answers.setdefault(name, _Answers(one.card))
        for row in one.samples:
            record = _record(row["sample_id"], row, one.scale_of(row), one)
            score = record["metrics"].pop("score")
            record["metrics"] = {suite.kind.ranked: score, **_other_metrics(suite, row)}
            if text := _final_text(row):
                record["model_text"] = text
            if _reason(row) == _FAILED:
                record |= {"metrics": {}, "error": row.get("error") or _FAILED}
            answers.add(record, row)
    return found


def _other_metrics(suite: Suite, row: Mapping[str, Any]) -> dict[str, Json]:
    """The scores of a sample in the metrics of the suite that are not ranked."""
    given = decoded(member(row.get("metadata"), "metrics"))
    known = {metric.id for metric in suite.kind.metrics[1:]}
    if not isinstance(given, dict):
        return {}
    return {name: score for name, score in given.items() if name in known}


def _final_text(row: Mapping[str, Any]) -> Json:
    """The last message of a sample, which holds the answer."""
    messages = row.get("messages")
    last = messages[-1] if isinstance(messages, list) and messages else None
    return last.get("content") if isinstance(last, dict) else None


def _responses(suite: Suite, members: Iterable[tuple[str, Evaluated]]) -> _Suite:
    """What the samples answer, as responses to a suite that scores them here."""
    found = _Suite(suite.id, {category.id: category.cases for category in suite.categories})
    for name, one in members:
        # A case without a response stays one.
        rows = [row for row in one.samples if _reason(row) != _MISSING]
        data = "\n".join(map(json.dumps, rows)).encode()  # also of numbers that orjson refuses
        made = import_responses(data, one.samples_shown, suite, tuple, allow_empty=True)
        records = parse(made.data, one.samples_shown)["test_results"]
        answers = found.answers.setdefault(name, _Answers(one.card))
        answers.records += records
        answers.asked |= {row["sample_id"] for row in one.samples}
    return found


@dataclass(slots=True)
class _Categories:
    """The categories of a reported suite: their titles, weights, and cases by id."""

    titles: dict[str, str] = field(default_factory=dict)
    weights: dict[str, float] = field(default_factory=dict)
    cases: dict[str, dict[str, Mapping[str, Json]]] = field(default_factory=dict)

    def add(self, title: str, case: Mapping[str, Json], weight: float | None, shown: str) -> None:
        """Adds a case, once. Raises FilesError if an id has two questions."""
        category = cased_id(title)
        self.titles.setdefault(category, title)
        if weight is not None:
            self.weights[category] = weight
        known = self.cases.setdefault(category, {}).setdefault(case["id"], case)
        if known.get("user_query") != case.get("user_query"):
            what = f"has a question for {case['id']!r} that differs from other records"
            raise FilesError.about(shown, what, "import it under another name: --suite")

    def files(self, suite_id: str) -> dict[str, bytes]:
        """The files of the suite by path."""
        suite = {"title": suite_id, "description": _DESCRIPTION, "kind": "reported"}
        categories = {}
        for category, by_id in self.cases.items():
            cases = list(by_id.values())
            # Without a declared weight, every case counts the same.
            weight = {"weight": self.weights.get(category, len(cases))}
            categories[category] = ImportedCategory(self.titles[category], cases, weight)
        return suite_files(SOURCE, suite_id, suite, categories, _METRIC)


def _known(workspace: Workspace, suite_id: str, kinds: Kinds) -> _Categories:
    """The categories that an earlier import wrote; none if the suite is new."""
    known = _Categories()
    if (workspace.datasets / suite_id).exists():
        for category in load_suite(workspace, suite_id, kinds).categories:
            known.titles[category.id] = category.title
            known.cases[category.id] = {case.id: case.record for case in category.cases}
            if category.weight != len(category.cases):
                known.weights[category.id] = category.weight
    return known


def _reported(
    workspace: Workspace, suite_id: str, members: Iterable[tuple[str, Evaluated]], kinds: Kinds
) -> _Suite:
    """The scores in the files, as those of a suite of kind `reported`."""
    known = _known(workspace, suite_id, kinds)
    before = sum(map(len, known.cases.values()))
    suite = _Suite(suite_id, known.cases)
    seen: set[tuple[str, str, int]] = set()
    for name, one in members:
        answers = suite.answers.setdefault(name, _Answers(one.card))
        if one.unread and not one.samples:
            what = "results with an infinite min_score or max_score are left out, because they "
            what += f"cannot be scaled to 0\u20131: {one.unread:,}"
            suite.warnings.append(Problem(one.shown, what, severity="warning"))
        for row in one.samples or one.evaluations():
            title = row["evaluation_name"].removeprefix(f"{one.suite_id}/")
            case = _case(cased_id(title), row)
            scale = one.scale_of(row)
            known.add(title, case, scale.weight, one.rows_shown)
            record = _record(case["id"], row, scale, one)
            key = (name, case["id"], record["trial"])
            if key in seen:
                fix = "keep one of them, or number the attempts in metadata.trial"
                what = f"reports {case['id']!r} a second time"
                raise FilesError.about(one.rows_shown, what, fix)
            seen.add(key)
            answers.add(record, row)
    suite.files = known.files(suite_id)
    if added := sum(map(len, known.cases.values())) - before:
        suite.warnings += _left_behind(workspace, suite, added)
    return suite


def _left_behind(workspace: Workspace, suite: _Suite, added: int) -> Iterator[Problem]:
    """A warning for each earlier submission to the whole suite: it lacks the cases just added."""
    for path in sorted(workspace.submissions.glob(f"*/{suite.id}.json")):
        name = path.parent.name
        partial = existing_card(workspace.root, name).get("partial") or ()
        if name not in suite.answers and suite.id not in partial:
            cases = counted(added, "new case")
            what = f"has no score for {cases} of the suite: a case without a score fails"
            fix = "import its records again: its card then says that only a part was asked"
            yield Problem(workspace.shown(path), what, fix, severity="warning")


def _case(category: str, row: Mapping[str, Any]) -> dict[str, Json]:
    """A case of a sample. Evaluations use the same sample numbers, so its id has the category."""
    case: dict[str, Json] = {"id": f"{category}/{row['sample_id']}"}
    question, reference = row["input"].get("raw"), row["input"].get("reference")
    if isinstance(question, str) and question.strip():
        case["user_query"] = question
    if reference:
        case["ground_truth"] = reference
    return case


def _record(
    case_id: str, row: Mapping[str, Any], scale: ScoreScale, one: Evaluated
) -> dict[str, Json]:
    share = scale.share(row["evaluation"]["score"])
    if share is None:
        what = f"{case_id}: the score {row['evaluation']['score']:g} is not between its limits"
        fix = "correct min_score and max_score in the metric_config of its evaluation"
        raise FilesError.about(one.rows_shown, what, fix)
    record = {"id": case_id, "trial": sample_trial(row), "metrics": {"score": share}}
    return record | sample_costs(row)
