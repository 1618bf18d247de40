"""Rules of a workspace's own: `rules/<kind>.py`, one function each.

Reading a workspace never executes a rule: what has to be known beforehand is read from the text of
the file. A rule is executed when the first response is scored with it.

`runners/init/examples/own/` is an example of a suite with such a rule and its test.
"""

from __future__ import annotations

import ast
import copy
import importlib.util
import json
import math
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, Final, NotRequired

from pydantic import TypeAdapter, with_config
from typing_extensions import TypedDict

from leaderboard.digest import digest_bytes
from leaderboard.errors import FilesError, Problem, collect_problems
from leaderboard.files.cases.category_cases import CategoryCases
from leaderboard.files.cases.table_cases import CaseRow
from leaderboard.files.field_types import DEFERRED, OPEN, AnswerText, CaseId
from leaderboard.files.file_bytes import read_text
from leaderboard.files.tool_records import AnyTool
from leaderboard.kinds import CORRECT, MOST_METRICS, Kind, Kinds, RuleFile
from leaderboard.reasons import reason_words
from leaderboard.texts.short_text import cut, single_spaced
from leaderboard.texts.shown_values import printable
from leaderboard.types import Case, GroundTruth, Json, Response, ShownAnswer, Suite, Verdict
from scoring.rules import KINDS
from scoring.rules.rule_verdicts import system_failed, unreadable, unscored

FOLDER: Final = "rules"
FUNCTION: Final = "score"

_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")  # of a kind, and of a reason
_TEST: Final = "test_"  # such files in the folder are tests of rules
_DETAIL: Final = 500  # characters
_MEMBERS: Final = frozenset({"score", "reason", "detail"})
_HELP: Final = "lb docs kinds"


def kinds_of(root: Path) -> Kinds:
    """The kinds of this project, and one for each `rules/<kind>.py` of the workspace at `root`.

    Nothing is executed. A file that cannot be a rule gives a kind with problems, which a suite of
    that kind reports.
    """
    return MappingProxyType({**{kind.name: kind for kind in _own_kinds(root)}, **KINDS})


def ignored_rules(root: Path) -> list[Problem]:
    """The problems of rules that no suite can name: built-in kinds have their names."""
    files = [kind.rule_file for kind in _own_kinds(root) if kind.name in KINDS]
    return [problem for file in files if file is not None for problem in file.problems]


def missing_modules(kind: Kind) -> Iterator[Problem]:
    """Yields a problem for each module that a rule imports at its top, and that is not installed.

    They are in the order of the text. The rule is not executed, so only the first name of `a.b` is
    looked up.
    """
    tree = ast.parse(kind.decide.text if isinstance(kind.decide, OwnRule) else "")
    for node in tree.body:
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module]
        for module in dict.fromkeys(name.partition(".")[0] for name in names):
            if importlib.util.find_spec(module) is None:
                what = f"imports {module!r}, which is not installed"
                fix = "install it: lb rescore needs it"
                yield Problem(f"{FOLDER}/{kind.name}.py", what, fix, node.lineno)


def _own_kinds(root: Path) -> list[Kind]:
    folder = root / FOLDER
    names = sorted(path.name for path in folder.glob("*.py")) if folder.is_dir() else []
    return [_kind(root, name) for name in names if not name.startswith(_TEST)]


def _kind(root: Path, name: str) -> Kind:
    """The kind of one file, with what is wrong with it."""
    shown, stem = f"{FOLDER}/{name}", name.removesuffix(".py")
    text, problems = "", list[Problem]()
    with collect_problems(problems):
        text = read_text(root / shown, shown, root)
        problems += _problems(text, shown, stem)
    return replace(
        OWN,
        name=stem,
        summary=_first_line(text) if not problems else OWN.summary,
        decide=OwnRule(shown, text),
        about_truth=f"The board's own rule {shown} compares the answer with the ground truth.",
        rule_file=RuleFile(
            shown, digest_bytes(text.encode("utf-8", "surrogatepass")), tuple(problems)
        ),
    )


def _problems(text: str, shown: str, stem: str) -> list[Problem]:
    """What is wrong with the text of a rule."""
    problems = []
    if not _NAME.fullmatch(stem):
        fix = "use lower-case letters, digits and underscores; at most 40"
        problems.append(Problem(shown, "has a name that no kind can have", fix))
    if stem in KINDS:
        fix = "give the rule another name"
        problems.append(Problem(shown, f"has the name of the built-in kind {stem}", fix))
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        reason = getattr(error, "msg", None) or str(error) or type(error).__name__
        return [*problems, Problem(shown, f"is not Python: {reason}", "correct it", line)]
    functions = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == FUNCTION]
    if not functions:
        what = f"has no function {FUNCTION}(case, response)"
        return [*problems, Problem(shown, what, f"add it: {_HELP}")]
    function = functions[-1]  # a later definition replaces an earlier one
    number = _needed_arguments(function.args)
    if number != 2:
        what = f"has a function {FUNCTION} with {number} arguments, not 2"
        fix = f"write def {FUNCTION}(case, response)"
        problems.append(Problem(shown, what, fix, function.lineno))
    return problems


def _needed_arguments(signature: ast.arguments) -> int:
    """The number of arguments, without further ones that have a default."""
    positional = len(signature.posonlyargs) + len(signature.args)
    needed = max(min(positional, 2), positional - len(signature.defaults))
    return needed + signature.kw_defaults.count(None)


def _first_line(text: str) -> str:
    """The first line of the file's docstring, as the summary of the kind."""
    lines = (ast.get_docstring(ast.parse(text)) or "").strip().splitlines()
    return cut(printable(lines[0].rstrip("."))) if lines else OWN.summary


# ---------------------------------------------------------------- deciding


@dataclass(slots=True)
class OwnRule:
    """The rule in a file: `shown` is its path below the workspace, `text` what it holds.

    It is executed at the first response. An exception in it, or a result of another form, leaves
    the answer unscored. So no answer can fail because of an error in the rule, or stop
    the scoring of others.
    """

    shown: str
    text: str = field(repr=False)
    _function: Callable[[Json, Json], Json] | None = field(default=None, repr=False)

    def __call__(self, suite: Suite, case: Case, response: Response) -> tuple[Verdict, ...]:
        metrics = [metric.id for metric in suite.kind.metrics]
        if response.error:
            return tuple(system_failed(metric, response.error) for metric in metrics)
        if response.malformed:
            what = "A call cannot be read"
            return tuple(unreadable(metric, what, response.malformed) for metric in metrics)
        function = self._function or self._load()
        # Copies, so that a rule that changes what it gets changes nothing else.
        arguments = {
            "text": response.text,
            "calls": [
                {"name": call.name, "arguments": copy.deepcopy(dict(call.arguments))}
                for call in response.calls
            ],
        }
        try:
            with redirect_stdout(sys.stderr):  # stdout is for the data of commands
                result = function(copy.deepcopy(dict(case.record)), arguments)
            return tuple(_decisions(result, metrics))
        except (Exception, SystemExit) as error:  # noqa: BLE001 (whatever a rule raises)
            reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            detail = f"{self.shown} failed: {cut(printable(' '.join(reason.split())), _DETAIL)}"
            return tuple(unscored(metric, "rule_failed", detail) for metric in metrics)

    def _load(self) -> Callable[[Json, Json], Json]:
        """Executes the file. Raises FilesError if that fails."""
        module = ModuleType(f"{FOLDER}.{Path(self.shown).stem}")
        module.__file__ = self.shown
        try:
            with redirect_stdout(sys.stderr):
                exec(compile(self.text, self.shown, "exec"), module.__dict__)  # noqa: S102 (the board owner's own code)
        except (Exception, SystemExit) as error:
            what = f"cannot be loaded: {type(error).__name__}: {error}"
            raise FilesError.about(self.shown, cut(printable(what), _DETAIL), _HELP) from error
        function: Callable[[Json, Json], Json] = getattr(module, FUNCTION)
        self._function = function
        return function


def _decisions(result: Json, metrics: list[str]) -> list[Verdict]:
    """The decisions in what a rule returned. Raises TypeError or ValueError with the reason."""
    by_metric = {metrics[0]: result}
    if len(metrics) > 1:
        if not isinstance(result, Mapping) or set(result) != set(metrics):
            names = ", ".join(metrics)
            raise TypeError(f"{FUNCTION} must return a dict with the metrics {names}")
        by_metric = dict(result)
    return [_decision(metric, by_metric[metric]) for metric in metrics]


def _decision(metric: str, result: Json) -> Verdict:
    decision: Mapping[str, Any] = result if isinstance(result, Mapping) else {"score": result}
    if unknown := sorted(map(str, decision.keys() - _MEMBERS)):
        raise TypeError(f"{FUNCTION} returned a dict with the unknown keys {', '.join(unknown)}")
    score, detail = decision.get("score"), decision.get("detail", "")
    if "score" not in decision or not isinstance(score, bool | int | float | None):
        kind = type(score).__name__
        raise TypeError(f"{FUNCTION} must return a score from 0 to 1, True, False or None: {kind}")
    if not isinstance(detail, str):
        raise TypeError(f"{FUNCTION} returned a detail that is not text: {type(detail).__name__}")
    if score is not None and not (math.isfinite(score) and 0 <= score <= 1):
        raise ValueError(f"{FUNCTION} returned a score outside of 0 to 1: {score!r}")
    reason = decision.get("reason", _code(score))
    if not isinstance(reason, str) or not _NAME.fullmatch(reason):
        raise ValueError(f"{FUNCTION} returned a reason that is not like `two_words`: {reason!r}")
    if "reason" in decision:
        _refuse_other_words(reason)
    sentence = cut(printable(single_spaced(detail)), _DETAIL)
    if score is None:
        return Verdict(metric, "unscored", None, reason, sentence)
    return Verdict(metric, "pass" if score == 1 else "fail", float(score), reason, sentence)


def _refuse_other_words(reason: str) -> None:
    """Raises ValueError for a code of this project that pages show in words of another meaning."""
    own_words, shown = reason.replace("_", " "), reason_words(reason)
    if shown != own_words:
        raise ValueError(
            f"{FUNCTION} returned the reason {reason!r}, which pages show as {shown!r}: "
            f"choose another code, for example 'answer_{reason}'"
        )


def _code(score: float | None) -> str:
    """The reason of a score for which the rule gives none."""
    if score is None:
        return "rule_undecided"
    if 0 < score < 1:
        return "rule_part"
    return "rule_pass" if score else "rule_fail"


# ---------------------------------------------------------------- cases


@with_config(OPEN)
class OwnCase(TypedDict):
    """One case. The rule gets the whole record, with any further keys.

    - `id`: the name of the case, unique in its suite.
    - `user_query`: the question.
    - `tools`: the tools of this case. Without them, those of the suite.
    - `ground_truth`: what the rule compares with. Its form is the rule's own.
    """

    id: CaseId
    user_query: AnswerText
    tools: NotRequired[list[AnyTool]]
    ground_truth: NotRequired[Any]


CASES: Final = TypeAdapter(list[OwnCase], config=DEFERRED)


def read_own(file: CategoryCases) -> tuple[Case, ...]:
    """Reads the cases of one category."""
    cases = []
    for index, record in file.valid_records(CASES):
        truth = record.get("ground_truth")
        answer = ShownAnswer("ground truth", "none; the rule may read other fields of the case")
        if truth is not None:
            text = truth if isinstance(truth, str) else json.dumps(truth, ensure_ascii=False)
            answer = ShownAnswer("the rule reads", text)
        tools = file.tools_of(record, index)
        cases.append(file.case(record, GroundTruth(shown=(answer,)), tools=tools))
    return tuple(cases)


def own_of_row(row: CaseRow) -> dict[str, Json]:
    """The members of a case of this kind, apart from its id. Raises ValueError."""
    record: dict[str, Json] = {"user_query": row.needed("user_query")}
    if (answer := row.get("answer")) is not None:
        record["ground_truth"] = answer
    return record


# What all own rules share. `lb init --kind own` reads the rows of a table with it.
OWN: Final = Kind(
    name="own",
    summary="a rule of this board",
    interaction="message",
    placeholders=(),
    read_cases=read_own,
    case_shape=CASES,
    decide=OwnRule("", ""),
    metrics=(CORRECT,),
    own_metrics=MOST_METRICS,
    system_text="Answer the question.",
    case_of_row=own_of_row,
    reads_records=True,
)
