"""Suites: `datasets/<suite>/suite.toml`, its tools and its category files."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from leaderboard.digest import digest_of
from leaderboard.errors import FilesError, Problem
from leaderboard.files.board_settings import Leaderboard
from leaderboard.files.case_files import CaseFile
from leaderboard.files.document import Findings, parse, read_bytes
from leaderboard.files.file_shapes import TOOLS, SuiteFile
from leaderboard.files.toml_files import parse_toml, toml_problems
from leaderboard.files.validation import add_pydantic_errors
from leaderboard.kinds import Kind, Kinds
from leaderboard.responses.tool_definitions import tool_from_record
from leaderboard.types import Case, Category, Suite, Tool
from leaderboard.workspace import Workspace


def load_suite(workspace: Workspace, suite_id: str, kinds: Kinds) -> Suite:
    """The suite `datasets/<suite_id>/`, of one of these kinds. Raises FilesError with the problems of all its files."""
    folder = workspace.datasets / suite_id
    shown = workspace.shown(folder / "suite.toml")
    if not (folder / "suite.toml").is_file():
        raise FilesError(Problem(shown, "does not exist", "lb suites lists the suites there are"))
    data = read_bytes(folder / "suite.toml", shown, workspace.root)
    document = parse_toml(data, shown)
    try:
        file = SuiteFile.model_validate(document)
    except ValidationError as error:
        findings = Findings(shown, b"")
        add_pydantic_errors(error, document, findings)
        raise FilesError(toml_problems(findings, data)) from error
    kind = kinds.get(file.kind)
    if kind is None:
        raise FilesError(
            Problem(
                shown,
                f"is of an unknown kind: {file.kind!r}",
                f"kinds: {', '.join(sorted(kinds))}",
                at="$.kind",
            )
        )
    problems: list[Problem] = []
    tools = _load_tools(workspace, folder / file.tools, problems) if file.tools else ()
    categories = _load_categories(workspace, folder, file, kind, tools=tools, problems=problems)
    by_id: dict[str, Case] = {}
    for category in categories:
        for case in category.cases:
            if case.id in by_id:
                what = (
                    f"uses the case id {case.id!r} in {by_id[case.id].category} and {category.id}"
                )
                problems.append(Problem(shown, what, "give every case of a suite its own id"))
            by_id[case.id] = case
    if problems:
        raise FilesError(problems)
    return Suite(
        id=suite_id,
        title=file.title,
        description=file.description,
        kind=kind,
        categories=categories,
        policy=kind.read_policy(file),
        digest=digest_of(
            [
                document,
                [[t.name, t.description, [p.schema for p in t.parameters]] for t in tools],
                sorted(c.digest for c in by_id.values()),
            ]
        ),
        by_id=by_id,
        tools=tools,
    )


def _load_tools(workspace: Workspace, path: Path, problems: list[Problem]) -> tuple[Tool, ...]:
    shown = workspace.shown(path)
    try:
        data = read_bytes(path, shown, workspace.root)
        document = parse(data, shown)
    except FilesError as error:
        problems.extend(error.problems)
        return ()
    findings = Findings(shown, data)
    try:
        TOOLS.validate_python(document)
    except ValidationError as error:
        add_pydantic_errors(error, document, findings)
        problems.extend(findings.problems())
        return ()
    tools = tuple(tool_from_record(record) for record in document)
    names = [tool.name for tool in tools]
    for index, name in enumerate(names):
        if name in names[:index]:
            findings.add(
                (index, "name"), f"repeats the tool {name!r}", "give every tool its own name"
            )
    problems.extend(findings.problems())
    return tools


def _load_categories(
    workspace: Workspace,
    folder: Path,
    file: SuiteFile,
    kind: Kind,
    *,
    tools: tuple[Tool, ...],
    problems: list[Problem],
) -> tuple[Category, ...]:
    read = kind.read_cases
    names = [category.file for category in file.categories]
    categories = []
    for category in file.categories:
        path = folder / category.file
        shown = workspace.shown(path)
        try:
            data = read_bytes(path, shown, workspace.root)
            document = parse(data, shown)
        except FilesError as error:
            problems.extend(error.problems)
            continue
        findings = Findings(shown, data)
        shared = names.count(category.file) > 1
        cases = read(CaseFile(document, category.id, tools, shared, findings))
        if not cases and not findings.found:
            findings.add(
                (),
                f"holds no case of category {category.id!r}",
                "add cases, or remove the category",
            )
        problems.extend(findings.problems())
        categories.append(
            Category(
                id=category.id,
                title=category.title,
                description=category.description,
                weight=category.weight,
                prompt=category.prompt,
                cases=cases,
                environment=category.environment,
                follow_up=category.follow_up,
            )
        )
    return tuple(categories)


def suite_ids(workspace: Workspace, leaderboard: Leaderboard) -> tuple[str, ...]:
    """Suites in the order of leaderboard.toml, then any others by name."""
    found = sorted(path.parent.name for path in workspace.datasets.glob("*/suite.toml"))
    listed = [suite for suite in leaderboard.suites if suite in found]
    return (*listed, *(suite for suite in found if suite not in listed))
