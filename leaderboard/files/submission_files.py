"""Submissions: `submissions/<id>/`, its card, its README and its responses files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from leaderboard.digest import digest_bytes
from leaderboard.errors import FilesError, Problem, collect_problems
from leaderboard.files.card_shape import CARD
from leaderboard.files.file_bytes import read_bytes, read_text
from leaderboard.files.findings import Findings
from leaderboard.files.json_files import parse
from leaderboard.files.shaped_files import read_shaped
from leaderboard.ids import id_problem
from leaderboard.limits import CARD_BYTES, README_BYTES
from leaderboard.responses.accepted_records import suite_of_most, unknown_ids
from leaderboard.responses.forms.file_formats import FOREIGN_ENDINGS, read_container
from leaderboard.responses.forms.known_forms import form_of_file
from leaderboard.responses.record_lists import RESPONSES_FORMAT
from leaderboard.responses.response_file_names import response_file_names, suite_of_file
from leaderboard.responses.response_records import Interner, read_records
from leaderboard.types import Card, Price, Records, Submission, Suite
from leaderboard.workspace import CARD_FILE, Workspace, card_file


def submission_ids(workspace: Workspace) -> tuple[str, ...]:
    """The folders below submissions/ by name, without hidden ones."""
    if not workspace.submissions.is_dir():
        return ()
    folders = (path for path in workspace.submissions.iterdir() if path.is_dir())
    return tuple(sorted(path.name for path in folders if not path.name.startswith(".")))


def load_submission(workspace: Workspace, submission_id: str, suites: Iterable[str]) -> Submission:
    """Reads a card and a README, and lists the responses files to these suites.

    Raises FilesError with all problems of the folder.
    """
    folder = workspace.submissions / submission_id
    shown = workspace.shown(folder)
    problems: list[Problem] = []
    if problem := id_problem(submission_id):
        problems.append(problem)
    if folder.is_file():
        raise FilesError.about(shown, "is a file, and a submission is a folder", "leave it out")
    if not folder.is_dir():
        fix = f"start one with: lb new {submission_id}"
        raise FilesError.about(shown, "does not exist", fix)

    files = _find_responses(workspace, folder, set(suites), problems)
    card, readme = None, None
    with collect_problems(problems):
        card = _load_card(workspace, folder / CARD_FILE)
    with collect_problems(problems):
        readme = _load_readme(workspace, folder / "README.md")
    if not files:
        known = ", ".join(sorted(suites)) or "none, because datasets/ has no suite"
        fix = f"add <suite>.json, one of: {known}"
        problems.append(Problem(shown, "holds no responses file", fix))
    for name in sorted(set(card.partial) - files.keys()) if card else ():
        what = f"names {name!r} in partial, and has no responses to it"
        fix = "remove it from the list, or add the responses"
        problems.append(Problem(card_file(submission_id), what, fix, at="$.partial"))
    if problems or card is None:
        raise FilesError(problems)
    return Submission(submission_id, card, readme, files)


def unaccepted_submission(
    workspace: Workspace, submission_id: str, suites: Iterable[str]
) -> Submission:
    """A submission that `load_submission` refuses, without its card: to check its responses."""
    folder = workspace.submissions / submission_id
    files = _find_responses(workspace, folder, set(suites), []) if folder.is_dir() else {}
    return Submission(submission_id, Card("", "model", "", "", ""), None, files)


def _find_responses(
    workspace: Workspace, folder: Path, suites: set[str], problems: list[Problem]
) -> dict[str, str]:
    """The responses files by suite, and adds a problem for every other file."""
    files: dict[str, str] = {}
    for path in sorted(folder.iterdir()):
        if path.name in (CARD_FILE, "README.md"):
            continue
        suite = suite_of_file(path.name)
        if suite is None:
            what = "is not part of a submission"
        elif suite not in suites:
            what = f"is for the suite {suite!r}, which this board does not have"
        elif suite in files:
            what = f"answers {suite} a second time, beside {Path(files[suite]).name}"
        else:
            files[suite] = workspace.shown(path)
            continue
        fix = "a submission holds submission.json, README.md and <suite>.json"
        if path.suffix in FOREIGN_ENDINGS:
            fix = f"{fix}; {_convert_fix(folder.name)}"
        problems.append(Problem(workspace.shown(path), what, fix))
    return files


def _load_card(workspace: Workspace, path: Path) -> Card:
    shown = workspace.shown(path)
    if not path.exists():
        fix = f"lb new {path.parent.name} writes one to fill in"
        raise FilesError.about(shown, "does not exist", fix)
    if path.stat().st_size > CARD_BYTES:
        fix = "shorten its settings, and link to longer texts in `links`"
        raise FilesError.about(shown, f"is longer than {CARD_BYTES:,} bytes", fix)
    file, _ = read_shaped(CARD, path, shown, workspace.root, RESPONSES_FORMAT)
    price = Price(file.price.input, file.price.output) if file.price else None
    fields = file.model_dump(exclude={"schema_", "price", "partial"})
    return Card(**fields, price=price, partial=tuple(sorted(set(file.partial))))


def _load_readme(workspace: Workspace, path: Path) -> str | None:
    if not path.exists() and not path.is_symlink():
        return None
    return read_text(path, workspace.shown(path), workspace.root, README_BYTES)


class LoadedRecords(NamedTuple):
    """The records of a responses file, the digest of the file, and its warnings."""

    records: Records
    digest: str
    warnings: tuple[Problem, ...]


def read_responses(workspace: Workspace, submission: Submission, suite: Suite) -> bytes:
    """Reads a submission's responses to a suite, unpacked. Raises FilesError."""
    shown = submission.files[suite.id]
    return read_bytes(workspace.root / shown, shown, workspace.root)


def load_records(
    workspace: Workspace,
    submission: Submission,
    suite: Suite,
    interner: Interner,
    others: Sequence[Suite] = (),
    *,
    data: bytes | None = None,
) -> LoadedRecords:
    """Loads a submission's responses to a suite, from `data` if they are read already.

    Raises FilesError, with a single problem for a file that answers one of the other suites.
    """
    shown = submission.files[suite.id]
    if data is None:
        data = read_responses(workspace, submission, suite)
    try:
        document, findings = parse(data, shown), Findings(shown, data)
    except FilesError:
        _refuse_foreign_form(data, shown, submission.id)
        raise
    records = read_records(document, suite, findings, interner, underscored=submission.underscored)
    if findings.has_errors:
        unknown = unknown_ids(document, suite)
        answered = suite_of_most(unknown, others)
        if answered is not None:
            theirs = len(answered.by_id.keys() & unknown)
            of = f"answers {answered.id}, not {suite.id}"
            what = f"{of}: {theirs} of its case ids belong there"
            raise FilesError.about(shown, what, f"name it {response_file_names(answered.id)[0]}")
        _refuse_foreign_form(data, shown, submission.id)
    findings.raise_errors()
    return LoadedRecords(records, digest_bytes(data), findings.problems())


def _refuse_foreign_form(data: bytes, shown: str, submission_id: str) -> None:
    """Raises FilesError with one problem if a file holds answers in the form of another system."""
    try:
        form = form_of_file(read_container(data, shown))
    except FilesError:  # the problems of the file itself say more
        return
    if form is not None:
        what = f"holds {form}, and not records of responses"
        fix = f"move it away, and {_convert_fix(submission_id)}"
        raise FilesError.about(shown, what, fix)


def _convert_fix(submission_id: str) -> str:
    return f"convert it with: lb new {submission_id} --from FILE --suite SUITE"
