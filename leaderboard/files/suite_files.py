"""Suites: `datasets/<suite>/suite.toml`, its tools and its category files."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final

from leaderboard.digest import digest_bytes, digest_of
from leaderboard.errors import FilesError, Problem, collect_problems, errors_in
from leaderboard.files.board_settings import Leaderboard
from leaderboard.files.cases.category_cases import CategoryCases
from leaderboard.files.file_bytes import read_bytes
from leaderboard.files.findings import Findings
from leaderboard.files.json_files import At, parse
from leaderboard.files.relational_tables import read_tables
from leaderboard.files.shaped_files import read_document, read_shaped
from leaderboard.files.suite_shapes import SUITE_FILE, SuiteToml
from leaderboard.files.toml_files import parse_toml
from leaderboard.files.tool_names import find_unsendable
from leaderboard.files.tool_records import TOOLS, tool_from_record, warn_of_tool_keys
from leaderboard.ids import RESERVED, id_problem, is_reserved
from leaderboard.kinds import Kind, Kinds
from leaderboard.texts.near_names import SLIP, nearest
from leaderboard.types import Case, Category, Json, Suite, Tool
from leaderboard.workspace import Workspace, suite_file

# The statuses of a judge that gave no label.
_NO_LABELS: Final = frozenset({"missing", "pending", "unparseable", "unsure"})

# What the simulated APIs of a suite reply: recorded replies, and the data of services.
_REPLY_FOLDERS: Final = ("cache", "services")


def load_suite(workspace: Workspace, suite_id: str, kinds: Kinds) -> Suite:
    """Reads a suite of one of these kinds. Raises FilesError with the problems of all its files."""
    folder = workspace.datasets / suite_id
    path = workspace.root / suite_file(suite_id)
    shown = workspace.shown(path)
    if not path.is_file():
        raise FilesError.about(shown, "does not exist", "lb suites lists all suites")
    if problem := id_problem(suite_id, "datasets"):
        raise FilesError(problem)
    file, findings = read_shaped(SUITE_FILE, path, shown, workspace.root, "see lb docs suite")
    kind = _with_own(_known(file, kinds, findings), file, findings)
    _check_policy(kind, kinds, file, findings)
    _check_categories(kind, file, findings)
    _check_category_ids(file, findings)
    findings.raise_errors()

    problems: list[Problem] = []
    tools: tuple[Tool, ...] = ()
    if file.tools:
        with collect_problems(problems):
            path = _existing(folder, file.tools, ("tools",), findings)
            tools = _load_tools(workspace, path, problems)
    categories = _load_categories(
        workspace, folder, file, kind, tools=tools, named_in=findings, problems=problems
    )
    retired = frozenset(file.retired)
    by_id = _cases_by_id(categories, retired, shown, problems)
    if errors_in(problems):
        raise FilesError(problems)
    problems.extend(find_unsendable(by_id.values(), shown, "warning"))

    replies = _reply_digests(workspace, folder) if kind.interaction == "apis" else {}
    return Suite(
        id=suite_id,
        title=file.title,
        description=file.description,
        kind=kind,
        categories=categories,
        policy=_policy(kind, file),
        digest=_digest_of_suite(parse_toml(findings.data, shown), kind, tools, categories, replies),
        by_id=by_id,
        tools=tools,
        date=file.date,
        retired=retired,
        files=tuple(workspace.shown(folder / name) for name in _named_files(file)),
        warnings=tuple(problems),
        replies_unchecked=(kind.interaction == "apis" and not replies)
        or any(_has_unchecked_states(category) for category in categories),
    )


def _named_files(file: SuiteToml) -> Iterator[str]:
    """The files of its folder that a suite.toml names."""
    names = [file.tools]
    for category in file.categories:
        names += [category.file, category.tables]
    return filter(None, names)


def _cases_by_id(
    categories: Sequence[Category], retired: Collection[str], shown: str, problems: list[Problem]
) -> dict[str, Case]:
    """The cases of all categories. An id that two cases have is a problem, or a retired one."""
    by_id: dict[str, Case] = {}
    for category in categories:
        for case in category.cases:
            if case.id in by_id:
                first = by_id[case.id].category
                where = f"in {first} and {case.category}"
                if first == case.category:
                    where = f"twice in {first}"
                what = f"uses the case id {case.id!r} {where}"
                problems.append(Problem(shown, what, "give every case of a suite its own id"))
            if case.id in retired:
                what = f"uses the retired case id {case.id!r} in {case.category}"
                fix = "give the case another id: old answers would count as answers to it"
                problems.append(Problem(shown, what, fix))
            by_id[case.id] = case
    return by_id


def _digest_of_suite(
    settings: Mapping[str, Json],
    kind: Kind,
    tools: Sequence[Tool],
    categories: Sequence[Category],
    replies: Mapping[str, Json],
) -> str:
    """The digest of everything that a suite is read from. `settings` are those of suite.toml."""
    tool_records = []
    for tool in tools:
        schemas = [parameter.schema for parameter in tool.parameters]
        tool_records.append([tool.name, tool.description, schemas])
    case_digests = sorted(case.digest for category in categories for case in category.cases)
    inputs: list[Json] = [settings, tool_records, case_digests]
    if replies:
        inputs.append(replies)
    tables = {category.id: asdict(category.tables) for category in categories if category.tables}
    if tables:
        inputs.append({"tables": tables})
    if kind.rule_file:
        inputs.append({"rule": kind.rule_file.digest})
    return digest_of(inputs)


def _known(file: SuiteToml, kinds: Kinds, findings: Findings) -> Kind:
    """The kind that a suite names. Raises FilesError if it is unknown or broken."""
    kind = kinds.get(file.kind)
    if kind is None:
        usable = [k.name for k in kinds.values() if not (k.rule_file and k.rule_file.problems)]
        fix = f"kinds: {', '.join(sorted(usable))}; or add rules/{file.kind}.py: lb docs kinds"
        findings.add(("kind",), f"is of an unknown kind: {file.kind!r}", fix)
        raise FilesError(findings.problems())
    if kind.rule_file and kind.rule_file.problems:
        raise FilesError(kind.rule_file.problems)
    return kind


def _with_own(kind: Kind, file: SuiteToml, findings: Findings) -> Kind:
    """The kind with the metrics and labels that the suite declares."""
    _check_metrics(kind, file, findings)
    kind = replace(kind, metrics=tuple(metric.metric() for metric in file.metrics) or kind.metrics)
    if bool(file.labels) != kind.own_grades:
        what, fix = f"declares labels, which the kind {kind.name} does not use", "remove them"
        if kind.own_grades:
            what, fix = "declares no labels", "add [labels], for example good = 1.0 and bad = 0.0"
        findings.add(("labels",), what, fix)
    if not (kind.own_grades and file.labels):
        return kind
    _check_labels(file, findings)
    listed = ", ".join(f"{label} ({points:g})" for label, points in file.labels.items())
    about = kind.about_truth.replace("{labels}", listed)
    return replace(kind, grades=file.labels, about_truth=about)


def _policy(kind: Kind, file: SuiteToml) -> dict[str, str]:
    """The settings that decide how answers to a suite count."""
    policy = {}
    for name in kind.policy:
        value = getattr(file, name)
        if isinstance(value, dict):
            value = ", ".join(f"{label} = {points:g}" for label, points in value.items())
        if value is not None:
            policy[name] = str(value)
    return policy


def _check_policy(kind: Kind, kinds: Kinds, file: SuiteToml, findings: Findings) -> None:
    others = {name for other in kinds.values() for name in other.policy}.difference(kind.policy)
    others.discard("labels")  # which `_with_own` checks
    for name in sorted(others & file.model_fields_set):
        what = f"has no effect in suites of kind {kind.name}"
        findings.add((name,), what, "remove it: lb docs suite")


def _check_categories(kind: Kind, file: SuiteToml, findings: Findings) -> None:
    """Reports settings of categories that have no effect in suites of this kind."""
    useless: set[str] = set()
    if kind.interaction != "environment":
        useless |= {"environment", "tables"}
    if not kind.placeholders:
        useless |= {"prompt", "follow_up"}
    for place, category in enumerate(file.categories):
        for name in sorted(useless & category.model_fields_set):
            what = f"has no effect in suites of kind {kind.name}"
            findings.add(("categories", place, name), what, "remove it: lb docs suite")


def _check_category_ids(file: SuiteToml, findings: Findings) -> None:
    ids = set()
    for place, category in enumerate(file.categories):
        if category.id in ids:
            what = f"repeats the category {category.id!r}"
            findings.add(("categories", place, "id"), what, "give every category its own id")
        if is_reserved(category.id):
            findings.add(("categories", place, "id"), RESERVED, "choose another id")
        ids.add(category.id)


def _check_metrics(kind: Kind, file: SuiteToml, findings: Findings) -> None:
    names = [metric.id for metric in file.metrics]
    if len(names) > kind.own_metrics:
        most = f"suites of kind {kind.name} can have {kind.own_metrics}"
        what = f"declares {len(names)} metrics, but {most}"
        findings.add(("metrics",), what, "remove them")
    if not names and not kind.metrics:
        fix = 'add [[metrics]] with an id, for example id = "accuracy"'
        findings.add(("metrics",), "declares no metrics", fix)
    if len(set(names)) < len(names):
        findings.add(("metrics",), "repeats the id of a metric", "give every metric its own id")


def _check_labels(file: SuiteToml, findings: Findings) -> None:
    for label in sorted(file.labels.keys() & _NO_LABELS):
        what = "is reserved for verdicts without a label"
        findings.add(("labels", label), what, "choose another word")
    if 1.0 not in file.labels.values() or len(set(file.labels.values())) < 2:
        what = "need one label that counts 1 and one that counts less"
        findings.add(("labels",), what, "let the best label count 1.0")
    for place, category in enumerate(file.categories):
        if category.prompt is None:
            fix = 'add prompt = "NAME" for prompts/<suite>/NAME.md'
            findings.add(("categories", place), "names no prompt for the judge", fix)


def _has_unchecked_states(category: Category) -> bool:
    """Whether final states count, and no environment is named that could show them."""
    trajectories = (case.ground_truth.trajectory for case in category.cases)
    return category.environment is None and any(
        trajectory and trajectory.has_state for trajectory in trajectories
    )


def _reply_digests(workspace: Workspace, folder: Path) -> dict[str, str]:
    """The digests of the files that simulated APIs reply from, by their paths in the suite."""
    paths = (path for name in _REPLY_FOLDERS for path in (folder / name).rglob("*.json"))
    digests = {}
    for path in sorted(paths):
        data = read_bytes(path, workspace.shown(path), workspace.root)
        digests[path.relative_to(folder).as_posix()] = digest_bytes(data)
    return digests


def _load_categories(
    workspace: Workspace,
    folder: Path,
    file: SuiteToml,
    kind: Kind,
    *,
    tools: tuple[Tool, ...],
    named_in: Findings,
    problems: list[Problem],
) -> tuple[Category, ...]:
    categories = []
    for place, settings in enumerate(file.categories):
        beside = tuple(other.id for other in file.categories if other.file == settings.file)
        shared = len(beside) > 1
        with collect_problems(problems):
            path = _existing(folder, settings.file, ("categories", place, "file"), named_in)
            document, findings = read_document(path, workspace.shown(path), workspace.root)
            cases = kind.read_cases(
                CategoryCases(document, settings.id, tools, shared, findings, beside)
            )
            if not cases and not findings.found:
                what = f"holds no case of category {settings.id!r}"
                findings.add((), what, "add cases, or remove the category")
            problems.extend(findings.problems())
            fields = settings.model_dump(exclude={"file", "tables"})
            tables = None
            if settings.tables is not None:
                at = ("categories", place, "tables")
                path = _existing(folder, settings.tables, at, named_in)
                tables = read_tables(path, workspace.shown(path), workspace.root)
            categories.append(Category(**fields, cases=cases, tables=tables))
    return tuple(categories)


def _existing(folder: Path, name: str, at: At, named_in: Findings) -> Path:
    """The path of a file that suite.toml names. Raises FilesError if it does not exist."""
    path = folder / name
    if not os.path.lexists(path):
        near = nearest(path.name, (other.name for other in path.parent.glob("*")), SLIP)
        fix = "add the file, or correct the name"
        if near:
            fix = f"did you mean {Path(name).with_name(near).as_posix()!r}?"
        findings = Findings(named_in.file, named_in.data, named_in.find_lines)
        findings.add(at, f"names {name!r}, which does not exist", fix)
        raise FilesError(findings.problems())
    return path


def _load_tools(workspace: Workspace, path: Path, problems: list[Problem]) -> tuple[Tool, ...]:
    shown = workspace.shown(path)
    records, findings = read_shaped(TOOLS, path, shown, workspace.root, "see lb docs tools")
    tools: dict[str, Tool] = {}
    as_written = parse(findings.data, shown)
    for index, record in enumerate(records):
        warn_of_tool_keys(as_written[index], findings, (index,))
        tool = tool_from_record(record)
        if tool.name in tools:
            what = f"repeats the tool {tool.name!r}"
            findings.add((index, "name"), what, "give every tool its own name")
        tools[tool.name] = tool
    problems.extend(findings.problems())
    return tuple(tools.values())


def find_unknown_suites(workspace: Workspace, leaderboard: Leaderboard) -> Iterator[Problem]:
    """Yields a problem for each suite that leaderboard.toml names and datasets/ does not have."""
    on_disk = suites_on_disk(workspace)
    names = [(f"$.suites[{place}]", name) for place, name in enumerate(leaderboard.suites)]
    if leaderboard.ranked is not None:
        names.append(("$.ranked", leaderboard.ranked))
    for at, name in names:
        if name not in on_disk:
            near = nearest(name, on_disk)
            there = f"the suites are: {', '.join(on_disk)}" if on_disk else "there is no suite yet"
            fix = f"did you mean {near!r}?" if near else f"remove the name, or add it; {there}"
            what = f"names the suite {name!r}, which is not in datasets/"
            yield Problem(workspace.settings.name, what, fix, at=at)


def find_missing_suites(workspace: Workspace) -> Iterator[Problem]:
    """Yields a problem for each folder of datasets/ without a suite.toml, and if there is none."""
    folders = [path for path in sorted(workspace.datasets.glob("[!._]*")) if path.is_dir()]
    if not folders:
        yield Problem("datasets/", "has no suite", "add datasets/<suite>/suite.toml: lb docs suite")
    for folder in folders:
        if not (folder / "suite.toml").is_file():
            what, fix = "has no suite.toml, so it is not a suite", "add one, or move the folder"
            yield Problem(f"datasets/{folder.name}", what, f"{fix}: lb docs suite")


def suites_on_disk(workspace: Workspace) -> list[str]:
    """The names of the folders with a suite.toml, sorted."""
    return sorted(path.parent.name for path in workspace.datasets.glob("*/suite.toml"))


def suite_ids(workspace: Workspace, leaderboard: Leaderboard) -> tuple[str, ...]:
    """The suites in the order of leaderboard.toml, then the others by name."""
    on_disk = suites_on_disk(workspace)
    listed = [suite for suite in leaderboard.suites if suite in on_disk]
    return tuple(dict.fromkeys((*listed, *on_disk)))
