"""Submissions: `submissions/<id>/`, its card, its README and its responses files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError

from leaderboard.digest import digest_bytes
from leaderboard.errors import FilesError, Problem
from leaderboard.files.document import Findings, parse, read_bytes
from leaderboard.files.file_shapes import SubmissionFile
from leaderboard.files.validation import add_pydantic_errors
from leaderboard.responses.response_files import Interner, read_records
from leaderboard.types import Card, Price, Records, Submission, Suite
from leaderboard.workspace import SUBMISSION_ID, Workspace


def submission_ids(workspace: Workspace) -> tuple[str, ...]:
    """The folders below submissions/, by name. Hidden ones and plain files beside them are not submissions."""
    if not workspace.submissions.is_dir():
        return ()
    return tuple(
        sorted(
            p.name
            for p in workspace.submissions.iterdir()
            if p.is_dir() and not p.name.startswith(".")
        )
    )


def load_submission(
    workspace: Workspace, submission_id: str, suites: Iterable[str]
) -> tuple[Submission, tuple[Problem, ...]]:
    """A submission's card, README and list of responses files, and its warnings. Raises FilesError with all its problems."""
    folder = workspace.submissions / submission_id
    shown = workspace.shown(folder)
    problems: list[Problem] = []
    if not SUBMISSION_ID.fullmatch(submission_id):
        problems.append(
            Problem(
                shown,
                "is not a valid id",
                "lower-case letters, digits, dot, dash, underscore; at most 64",
            )
        )
    if not folder.is_dir():
        raise FilesError(
            Problem(shown, "does not exist", f"start one with: lb new {submission_id}")
        )
    files, strays = _submission_files(folder, set(suites))
    problems.extend(
        Problem(
            workspace.shown(p),
            what,
            "a submission holds submission.json, README.md and <suite>.json",
        )
        for p, what in strays
    )
    card = _load_card(workspace, folder, problems)
    readme = _load_readme(workspace, folder, problems)
    if not files:
        problems.append(
            Problem(
                shown,
                "holds no responses file",
                f"add <suite>.json, one of: {', '.join(sorted(suites))}",
            )
        )
    if problems or card is None:
        raise FilesError(problems)
    return Submission(
        submission_id, card, readme, {suite: workspace.shown(path) for suite, path in files.items()}
    ), ()


def _submission_files(
    folder: Path, suites: set[str]
) -> tuple[dict[str, Path], list[tuple[Path, str]]]:
    files: dict[str, Path] = {}
    strays = []
    for path in sorted(folder.iterdir()):
        suite = path.name.removesuffix(".gz").removesuffix(".json")
        if path.name in ("submission.json", "README.md"):
            continue
        if path.name not in (f"{suite}.json", f"{suite}.json.gz"):
            strays.append((path, "is not part of a submission"))
        elif suite not in suites:
            strays.append((path, f"is for the suite {suite!r}, which this board does not have"))
        elif suite in files:
            strays.append((path, f"answers {suite} a second time, beside {files[suite].name}"))
        else:
            files[suite] = path
    return files, strays


def _load_card(workspace: Workspace, folder: Path, problems: list[Problem]) -> Card | None:
    path = folder / "submission.json"
    shown = workspace.shown(path)
    if not path.exists():
        problems.append(
            Problem(shown, "does not exist", f"lb new {folder.name} writes one to fill in")
        )
        return None
    try:
        data = read_bytes(path, shown, workspace.root)
        document = parse(data, shown)
    except FilesError as error:
        problems.extend(error.problems)
        return None
    findings = Findings(shown, data)
    try:
        file = SubmissionFile.model_validate(document)
    except ValidationError as error:
        add_pydantic_errors(error, document, findings)
        problems.extend(findings.problems())
        return None
    price = Price(file.price.input, file.price.output) if file.price else None
    fields = file.model_dump(exclude={"schema_", "price"})
    return Card(**fields, price=price)


def _load_readme(workspace: Workspace, folder: Path, problems: list[Problem]) -> str | None:
    path = folder / "README.md"
    if not path.exists() and not path.is_symlink():
        return None
    shown = workspace.shown(path)
    try:
        return read_bytes(path, shown, workspace.root).decode("utf-8")
    except FilesError as error:
        problems.extend(error.problems)
    except UnicodeDecodeError:
        problems.append(Problem(shown, "is not UTF-8", "save it as UTF-8"))
    return None


def load_records(
    workspace: Workspace, submission: Submission, suite: Suite, interner: Interner
) -> tuple[Records, str, tuple[Problem, ...]]:
    """The records a submission holds for a suite, the digest of its file, and warnings. Raises FilesError."""
    shown = submission.files[suite.id]
    data = read_bytes(workspace.root / shown, shown, workspace.root)
    document = parse(data, shown)
    findings = Findings(shown, data)
    records = read_records(document, suite, findings, interner, underscored=submission.underscored)
    problems = findings.problems()
    if any(problem.severity == "error" for problem in problems):
        raise FilesError(problems)
    return records, digest_bytes(data), problems
