"""Every reader of bytes that strangers write, each with good files to start from."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from leaderboard.board.snapshots import load_history
from leaderboard.errors import FilesError, Problem
from leaderboard.files.audit_files import load_audits
from leaderboard.files.board_settings import load_leaderboard
from leaderboard.files.label_files import load_labels
from leaderboard.files.prompt_files import load_prompts
from leaderboard.files.submission_files import load_records, load_submission
from leaderboard.files.suite_files import load_suite
from leaderboard.responses.response_records import Interner
from leaderboard.types import JudgeSettings, Suite
from leaderboard.workspace import Workspace
from replay.cassettes import cassette_file
from replay.cassettes.cassette_check import check
from replay.cassettes.maintainers_recordings import read_recordings
from replay.providers import google, openai
from replay.providers.interface import text_in
from runners.apis.confirmed_replies import confirming_replies
from runners.converted_responses import import_responses
from runners.environments.confirmed_steps import confirmed_steps
from runners.imports.bfcl.bfcl_cases import read_questions
from runners.imports.bfcl.bfcl_results import model_folders, read_results
from runners.imports.json_lines import LineReader
from runners.imports.langsmith.langsmith_runs import Seen, read_runs
from runners.imports.stabletoolbench.source_files import read_files
from scoring.judging import replies
from scoring.rules import KINDS
from scoring.rules.workspace_rules import kinds_of
from site_templates import markdown
from tests.conftest import Folder, call_case, small_board, text_case
from tests.leaderboard.responses.forms.perfect_answers import FORMS
from tests.replay.cassette_files import interaction
from tests.runners.agents.agents_board import SCENES, add_suite
from tests.runners.model_board import TYPING, acted_case

CARD: Final = {
    "schema": 1,
    "name": "One",
    "kind": "model",
    "organization": "Org",
    "model": "m",
    "date": "2026-01-31",
    "url": "https://example.org/",
    "settings": {"temperature": 0},
    "price": {"input": 1, "output": 2.5},
}
CALL: Final = {"name": "convert_units", "arguments": {"value": 3, "to_unit": "yards"}}
MESSAGES: Final = [
    {"id": "A001", "model_function_call": CALL, "model_text": None, "trial": 1},
    {"id": "A002", "model_function_calls": [{"function": {"name": "x", "arguments": '{"a": 1}'}}]},
    {"id": "B001", "model_text": "It is Paris.", "usage": {"input_tokens": 5, "cost_usd": 0.1}},
]
STEPS: Final = [
    {
        "id": "T1",
        "output": [{"type": "text", "text": "hi"}],
        "state": "hi",
        "intermediate_steps": [[{"tool": "type_letter", "tool_input": {"letter": "h"}}, "OK"], "x"],
    }
]
TEXTS: Final = """\
schema = 1
title = "Texts"
kind = "{kind}"
{metrics}
[[categories]]
id = "{kind}"
title = "All"
file = "{kind}.json"
"""
TEXT_SUITES: Final[dict[str, list[dict[str, Any]]]] = {
    "exact": [
        {"id": "1", "user_query": "?", "ground_truth": {"texts": ["x"], "pattern": "[a-z]+"}},
        {"id": "2", "user_query": "?", "ground_truth": {"number": 1.5, "tolerance": "5%"}},
        {"id": "3", "user_query": "?", "options": ["x", "y"], "ground_truth": {"option": "B"}},
    ],
    "reported": [{"id": "1"}],
}
ANSWERS: Final = [
    {"id": "1", "model_text": "Answer: **x**"},
    {"id": "2", "model_text": "\\boxed{1,500.5} = 2e3"},
    {"id": "3", "model_text": "The answer is (B) y"},
]
REPORTED: Final = [{"id": "1", "metrics": {"f1": 0.5}, "model_text": "x", "error": None}]
REPLY: Final = json.dumps({"error": "", "response": "18:04 line 3"})
NODES: Final = [
    {
        "role": "tool",
        "message": {"name": "Tram", "arguments": "{'stop': 1}", "response": REPLY},
        "next": [
            {"role": "tool", "message": "Step 1: {'name': 'Finish', 'response': ''", "next": []}
        ],
    }
]
FINISH: Final = "{'return_type': 'give_answer', 'final_answer': 'At 18:04'"
APIS: Final[list[dict[str, Any]]] = [
    {"id": "1", "answer": {"final_answer": FINISH, "answer_details": NODES}},
    {
        "id": "1",
        "trial": 2,
        "answer": {"answer": {"final_answer": "x"}},
        "called_apis": [["a", "b"]],
    },
]
RECORDS: Final[dict[str, list[Any]]] = {
    "small": MESSAGES,
    "typing": STEPS,
    "apis": APIS,
    "exact": ANSWERS,
    "reported": REPORTED,
}
MARKDOWN: Final = (
    b"# T\n\n- a **b** `c` [d](https://e.org) <b>\n\n> q\n\n| a |\n|---|\n| b |\n\n```\nx\n```\n"
)
CASSETTE: Final = cassette_file.dump([interaction("a"), interaction("b")])
DEEP: Final = b"[" * 900 + b"]" * 900
NESTED: Final = {
    "headers": CASSETTE.replace(b'"headers": {}', b'"headers": ' + DEEP),
    "request": CASSETTE.replace(b'\\"a\\"', DEEP),
    "reply": CASSETTE.replace(b'{\\"choices\\"', b'{\\"error\\": ' + DEEP + b', \\"choices\\"'),
}
VOCABULARIES: Final = (replies.EQUIVALENCE, replies.SOLVED, replies.PREFERENCE)


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader of foreign bytes. `read` raises FilesError for bad ones, and nothing else."""

    seeds: tuple[bytes, ...]
    read: Callable[[bytes], object]


def make_readers(root: Path) -> dict[str, Reader]:
    """Returns every reader by name. Each has a board of its own below `root`."""
    made = {name: _file_reader(root / name.replace("/", "-"), *how) for name, how in FILES.items()}
    texts = {
        "Markdown": Reader((MARKDOWN,), lambda data: markdown.render(_text(data), anchors=True)),
        "judge reply": Reader((b"**Grade:** correct", b'{"status": "Solved"}\nx'), _grades),
        "provider reply": Reader((_json({"choices": [{"message": {"content": "x"}}]}),), _provider),
    }
    return {name: _tolerant(reader) for name, reader in {**made, **texts}.items()}


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _tolerant(reader: Reader) -> Reader:
    def read(data: bytes) -> None:
        problems: Sequence[Problem] = ()
        try:
            reader.read(data)
        except FilesError as error:
            problems = error.problems
        assert all(problem.what and str(problem) for problem in problems)

    return Reader(reader.seeds, read)


def board(root: Path) -> Folder:
    """Returns a board with suites of five kinds and a submission to each of them."""
    folder = small_board(root)
    folder.write("datasets/typing/suite.toml", TYPING)
    typed = {"expected_steps": ["type_letter"] * 2, "reference": "hi", "state": "hi"}
    folder.write("datasets/typing/typing.json", [acted_case("T1", "hi", **typed)])
    add_suite(folder, {"1": SCENES["1"]})
    for suite, cases in TEXT_SUITES.items():
        metrics = '[[metrics]]\nid = "f1"\n' if suite == "reported" else ""
        folder.write(f"datasets/{suite}/suite.toml", TEXTS.format(kind=suite, metrics=metrics))
        folder.write(f"datasets/{suite}/{suite}.json", cases)
    for suite, records in RECORDS.items():
        folder.submission("one", records, suite)
    folder.write("submissions/one/submission.json", CARD)
    return folder


def _file_reader(
    root: Path, file: str, seed: bytes | None, read: Callable[[Path], object]
) -> Reader:
    folder = board(root)
    path = folder.root / file
    good = path.read_bytes() if seed is None else seed
    path.parent.mkdir(parents=True, exist_ok=True)

    def read_bytes(data: bytes) -> object:
        path.write_bytes(data)
        return read(folder.root)

    return Reader((good,), read_bytes)


# ---------------------------------------------------------------- the readers of files


def _suites(root: Path) -> list[Suite]:
    return [load_suite(Workspace(root), name, KINDS) for name in ("small", "typing", "apis")]


def _suite(name: str) -> Callable[[Path], object]:
    return lambda root: load_suite(Workspace(root), name, KINDS)


def _rules(root: Path) -> None:
    file = kinds_of(root)["own_kind"].rule_file
    if file is not None and file.problems:
        raise FilesError(file.problems)


def _labels(root: Path) -> object:
    return load_labels(Workspace(root), load_suite(Workspace(root), "small", KINDS))


def _prompts(root: Path) -> object:
    return load_prompts(Workspace(root), load_suite(Workspace(root), "small", KINDS))


def _card(root: Path) -> object:
    return load_submission(Workspace(root), "one", tuple(RECORDS))


def _decided(name: str) -> Callable[[Path], None]:
    """Reads responses and applies the rule to each, after their reports are confirmed."""
    loaded: dict[Path, tuple[Suite, Any]] = {}

    def read(root: Path) -> None:
        workspace = Workspace(root)
        if root not in loaded:
            suite = load_suite(workspace, name, KINDS)
            loaded[root] = suite, confirming_replies(workspace)
        suite, confirm_replies = loaded[root]
        confirm = confirm_replies if suite.kind.interaction == "apis" else confirmed_steps
        submission = load_submission(workspace, "one", tuple(RECORDS))
        records, _, _ = load_records(workspace, submission, suite, Interner())
        for response in records.responses:
            case = suite.by_id[response.case_id]
            confirmed = response
            if suite.kind.interaction != "message":
                confirmed = confirm(suite, case, response)
            suite.kind.decide(suite, case, confirmed)

    return read


def _packed(root: Path) -> object:
    (root / "submissions/one/small.json").unlink(missing_ok=True)
    suite = load_suite(Workspace(root), "small", KINDS)
    submission = load_submission(Workspace(root), "one", tuple(RECORDS))
    return load_records(Workspace(root), submission, suite, Interner())


def _cassette(root: Path) -> None:
    embedded = JudgeSettings("j", "embedded", "embedded-1")
    check(root, None, {"j": embedded})
    for item in cassette_file.read(root, "cassettes/j/s/a.json"):
        if cassette_file.key_of(item) is not None:
            found = cassette_file.exchange(item)
            assert isinstance(found.text + found.prompt, str)


def _bfcl(root: Path) -> None:
    reader = LineReader(root)
    categories = read_questions(root / "bfcl/questions", root / "bfcl/possible", reader)
    for folder in model_folders(root / "bfcl/result", reader):
        read_results(folder, categories, reader)


def _langsmith(root: Path) -> None:
    case = load_suite(Workspace(root), "typing", KINDS).cases[0]
    read_runs(root / "runs.jsonl", "runs.jsonl", (case,), Seen()).findings.problems()


def _forms(root: Path) -> None:
    suite = load_suite(Workspace(root), "small", KINDS)
    import_responses((root / "given").read_bytes(), "given", suite, lambda: ())


def _bench(root: Path) -> None:
    for finding in read_files(root / "bench", ("G1_instruction",)).findings:
        finding.problems()


FILES: Final[Mapping[str, tuple[str, bytes | None, Callable[[Path], object]]]] = {
    "leaderboard.toml": ("leaderboard.toml", None, lambda root: load_leaderboard(Workspace(root))),
    "suite.toml": ("datasets/small/suite.toml", None, _suite("small")),
    "tools": ("datasets/small/tools.json", None, _suite("small")),
    "cases with calls": (
        "datasets/small/tool_selection.json",
        _json([call_case("A001", 3, "yards"), call_case("A002", 4, "feet", to_unit=["ft"])]),
        _suite("small"),
    ),
    "cases with texts": (
        "datasets/small/no_tool.json",
        _json([text_case("B001", "It is Paris.")]),
        _suite("small"),
    ),
    "cases in environments": ("datasets/typing/typing.json", None, _suite("typing")),
    "cases over APIs": ("datasets/apis/queries.json", None, _suite("apis")),
    "labels": (
        "prompts/small/labels/no_tool.json",
        _json([{"id": "l", "case_id": "B001", "got": "x", "label": "different", "why": "w"}]),
        _labels,
    ),
    "prompt": ("prompts/small/no_tool.md", None, _prompts),
    "submission.json": ("submissions/one/submission.json", None, _card),
    "README": ("submissions/one/README.md", MARKDOWN, _card),
    "exact cases": ("datasets/exact/exact.json", None, _suite("exact")),
    "own rule": ("rules/own_kind.py", b"def score(case, response):\n    return 1\n", _rules),
    "texts": ("submissions/one/exact.json", None, _decided("exact")),
    "reported": ("submissions/one/reported.json", None, _decided("reported")),
    "messages": ("submissions/one/small.json", None, _decided("small")),
    "steps": ("submissions/one/typing.json", None, _decided("typing")),
    "executions": ("submissions/one/apis.json", None, _decided("apis")),
    "packed": ("submissions/one/small.json.gz", gzip.compress(_json(MESSAGES), mtime=0), _packed),
    "cassette": ("cassettes/j/s/a.json", CASSETTE, _cassette),
    **{
        f"cassette, nested {part}": ("cassettes/j/s/a.json", cassette, _cassette)
        for part, cassette in NESTED.items()
    },
    "recordings.json": (
        "recordings.json",
        b'{"schema": 1, "recorded": {"a": "b"}}',
        read_recordings,
    ),
    "audit": (
        "audits/embedded-1/0001.json",
        b'{"schema": 1, "judge": "embedded-1", "rows": [], "changed": []}',
        lambda root: load_audits(Workspace(root), "embedded-1"),
    ),
    "history": (
        "history/index.json",
        b'{"schema": 1, "snapshots": []}',
        lambda root: load_history(Workspace(root)),
    ),
    "bfcl questions": (
        "bfcl/questions/gorilla_openfunctions_v1_test_simple.json",
        b'{"id": "simple_0", "question": "q", "function": {"name": "f", "parameters": {}}}\n',
        _bfcl,
    ),
    "langsmith": (
        "runs.jsonl",
        _json({"id": "r", "inputs": {"question": "hi"}, "outputs": {"output": "hi"}}) + b"\n",
        _langsmith,
    ),
    **{
        f"lb new, {name}": ("given", FORMS[name][0], _forms)
        for name in ("chat bodies", "Anthropic batch", "Inspect archive", "promptfoo", "CSV")
    },
    "bench": ("bench/m/G1_instruction_m.json", _json({"1": APIS[0]["answer"]}), _bench),
    "bench table": ("bench/G1_instruction_m.tsv", b"query\tavailable_tools\n1\t2\n", _bench),
}


def _grades(data: bytes) -> None:
    text = _text(data)
    for vocabulary in VOCABULARIES:
        replies.parse(text, vocabulary)
        replies.comment(text, vocabulary)


def _provider(data: bytes) -> None:
    try:
        reply = json.loads(data)
    except (ValueError, RecursionError):
        return
    for provider in (openai, google):
        text_in(reply, provider)
        provider.clean_reply(reply)
