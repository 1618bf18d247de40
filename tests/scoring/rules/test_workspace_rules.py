"""Rules of a workspace's own: what they may return, what their errors do, and when they run."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from leaderboard.files.cases.category_cases import CategoryCases
from leaderboard.files.findings import Findings
from leaderboard.types import Call, Case, GroundTruth, Response, Suite, Verdict
from scoring.rules import KINDS
from scoring.rules.workspace_rules import OWN, kinds_of, missing_modules
from tests.conftest import PROJECT, Folder
from tests.each_row import each_row
from tests.leaderboard.workspaces import errors

SUITE = """\
schema = 1
title = "Own"
kind = "length"

[[categories]]
id = "all"
title = "All"
file = "cases.json"
"""
RULE = '''\
"""How long <i>the answer</i> is."""

def score(case, response):
    return len(response["text"] or "") / case["ground_truth"]
'''
CASES = [
    {"id": str(n), "user_query": f"Write {n} letters.", "ground_truth": n} for n in range(1, 5)
]
# Writes a file when it is executed, and again when it is called.
SPY = """\
from pathlib import Path

Path({marker!r}).write_text("executed")

def score(case, response):
    return 1
"""


def board(folder: Folder, rule: str = RULE, suite: str = SUITE) -> Folder:
    folder.write("rules/length.py", rule)
    folder.write("datasets/own/suite.toml", suite)
    folder.write("datasets/own/cases.json", CASES)
    records = [{"id": case["id"], "model_text": "ab"} for case in CASES]
    folder.submission("m1", records[1:], suite="own")
    return folder


def verdicts(folder: Folder) -> list[tuple[Any, ...]]:
    frame = pl.read_parquet(folder.root / "results/verdicts.parquet")
    return frame.select("case_id", "outcome", "score", "reason").rows()


def decided(tmp_path: Path, body: str, **given: Any) -> tuple[Verdict, ...]:
    """The decisions of a rule with this body on one response."""
    (tmp_path / "rules").mkdir(exist_ok=True)
    (tmp_path / "rules/length.py").write_text(f"def score(case, response):\n    {body}\n")
    kind = kinds_of(tmp_path)["length"]
    assert kind.rule_file is not None
    assert not kind.rule_file.problems
    suite = Suite("s", "S", "", kind, (), {}, "", {})
    case = Case("1", "c", "?", GroundTruth(), (), {"id": "1", "list": [1]}, "")
    fields = {"calls": (), "text": "yes", **given}
    found = kind.decide(suite, case, Response("1", b"", fields.pop("calls"), **fields))
    assert case.record == {"id": "1", "list": [1]}
    return tuple(one for one in found if isinstance(one, Verdict))


@pytest.mark.large
def test_an_own_rule_from_validate_to_pages(folder: Folder) -> None:
    """Its scores, its name and file, and its digest are where those of built-in kinds are."""
    made = board(folder)
    assert made.lb("validate").exit_code == 0
    assert made.lb("rescore", "--offline").exit_code == 0
    assert verdicts(made) == [
        ("1", "fail", 0.0, "missing_response"),
        ("2", "pass", 1.0, "rule_pass"),
        ("3", "fail", 2 / 3, "rule_part"),
        ("4", "fail", 0.5, "rule_part"),
    ]
    manifest = json.loads((made.root / "results/manifest.json").read_text())
    assert list(manifest["rules"]["own"]) == ["rules/length.py"]
    digest = manifest["rules"]["own"]["rules/length.py"]
    assert len(digest) == 64

    assert made.lb("build").exit_code == 0
    assert made.lb("verify").exit_code == 0
    case = (made.root / "_site/cases/own/3.html").read_text("utf-8")
    assert f"rule length (rules/length.py), digest {digest[:12]}" in case
    assert "decided by rule length (rules/length.py)" in case
    suite = (made.root / "_site/suites/own/index.html").read_text("utf-8")
    assert "How long &lt;i&gt;the answer&lt;/i&gt; is" in suite
    assert "<i>the answer" not in suite
    assert "is the mean score of the cases" in suite
    submission = (made.root / "_site/submissions/m1.html").read_text("utf-8")
    assert "Scores 54.2" in submission


@each_row(
    ("more", "shown"),
    [
        ({}, ("ground truth", "none; the rule may read other fields of the case")),
        ({"ground_truth": "x"}, ("the rule reads", "x")),
        ({"ground_truth": {"x": 1}}, ("the rule reads", '{"x": 1}')),
    ],
)
def test_what_a_case_shows_as_expected(more: dict[str, Any], shown: tuple[str, str]) -> None:
    """A case without ground truth may have what the rule reads under other keys."""
    record = {"id": "1", "user_query": "?", "limit": 3, **more}
    (case,) = OWN.read_cases(CategoryCases([record], "c", (), False, Findings("c.json", b"[]")))
    assert case.ground_truth.shown == (shown,)


@pytest.mark.large
def test_a_changed_rule_is_the_cause_of_a_changed_score(folder: Folder) -> None:
    """`lb diff` names the file."""
    made = board(folder)
    made.lb("rescore", "--offline")
    (made.root / "results").rename(made.root / "before")
    made.write("rules/length.py", RULE.replace("case[", "1.0 * case[") + "# changed\n")
    made.lb("rescore", "--offline")
    result = made.lb("diff", str(made.root / "before"), str(made.root / "results"))
    assert "rules/length.py" in result.stdout
    old, new = (
        json.loads((made.root / name / "manifest.json").read_text())["suites"]["own"]["digest"]
        for name in ("before", "results")
    )
    assert old != new


RETURNED: list[tuple[str, tuple[Any, ...]]] = [
    ("return True", ("pass", 1.0, "rule_pass", "")),
    ("return 0", ("fail", 0.0, "rule_fail", "")),
    ("return 0.25", ("fail", 0.25, "rule_part", "")),
    ("return None", ("unscored", None, "rule_undecided", "")),
    (
        "return {'score': 1, 'reason': 'so_short', 'detail': 'Two\\nlines.'}",
        ("pass", 1.0, "so_short", "Two lines."),
    ),
    ("return {'score': 0, 'reason': 'wrong_number'}", ("fail", 0.0, "wrong_number", "")),
]


@pytest.mark.parametrize(("body", "expected"), RETURNED)
def test_what_a_rule_may_return(tmp_path: Path, body: str, expected: tuple[Any, ...]) -> None:
    """A number, true or false, nothing, or an object with a reason and a detail."""
    (found,) = decided(tmp_path, body)
    assert (found.outcome, found.score, found.reason, found.detail) == expected


FAULTY = [
    ("return 'yes'", "must return a score from 0 to 1, True, False or None: str"),
    ("return 1.5", "a score outside of 0 to 1: 1.5"),
    ("return float('nan')", "a score outside of 0 to 1: nan"),
    ("return {}", "must return a score"),
    ("return {'score': 1, 'points': 3}", "unknown keys points"),
    ("return {'score': 1, 'reason': 'Two words'}", "a reason that is not like `two_words`"),
    (
        "return {'score': 0, 'reason': 'too_long'}",
        (
            "the reason 'too_long', which pages show as 'too long to read in full': "
            "choose another code, for example 'answer_too_long'"
        ),
    ),
    ("return {'score': None, 'reason': 'judge_pending'}", "the reason 'judge_pending', which"),
    ("return {'score': None, 'reason': 'judge_missing'}", "the reason 'judge_missing', which"),
    ("return {'score': 1, 'detail': 3}", "a detail that is not text: int"),
    ("raise KeyError('words')", "failed: KeyError: 'words'"),
    ("return 1 / 0", "failed: ZeroDivisionError: division by zero"),
    ("import sys; sys.exit('bye')", "failed: SystemExit: bye"),
    ("return score(case, response)", "failed: RecursionError"),
    ("raise ValueError('\\ud800 ' + 'x' * 9000)", "failed: ValueError: \\ud800 xxx"),
]


@pytest.mark.parametrize(("body", "what"), FAULTY)
def test_a_faulty_rule_leaves_the_answer_unscored(tmp_path: Path, body: str, what: str) -> None:
    """An error is neither a 0 nor the end of the scoring, and its words are on the page."""
    (found,) = decided(tmp_path, body)
    assert (found.outcome, found.score, found.reason) == ("unscored", None, "rule_failed")
    assert found.detail.startswith("rules/length.py failed: ")
    assert what in found.detail
    assert len(found.detail) < 600


def test_a_rule_gets_copies(tmp_path: Path) -> None:
    """A rule that changes what it gets changes nothing for others."""
    arguments = {"x": [1]}
    body = "case['list'].append(2); response['calls'][0]['arguments']['x'].clear(); return 1"
    decided(tmp_path, body, calls=(Call("f", arguments),))
    assert arguments == {"x": [1]}


def test_errors_and_unreadable_calls_need_no_rule(tmp_path: Path) -> None:
    """What no rule can judge fails as in every suite."""
    (failed,) = decided(tmp_path, "return 1", error="timed out")
    (unread,) = decided(tmp_path, "return 1", malformed="no name")
    assert (failed.reason, unread.reason) == ("response_error", "malformed_call")


@pytest.mark.large
def test_several_metrics(folder: Folder) -> None:
    """With metrics in suite.toml, the rule returns a result for each."""
    suite = SUITE.replace("[[cat", '[[metrics]]\nid = "long"\n[[metrics]]\nid = "kind"\n[[cat')
    rule = "def score(case, response):\n    return {'long': 1, 'kind': {'score': 0}}\n"
    made = board(folder, rule, suite)
    assert made.lb("rescore", "--offline").exit_code == 0
    assert verdicts(made)[2:4] == [("2", "pass", 1.0, "rule_pass"), ("2", "fail", 0.0, "rule_fail")]

    board(folder, "def score(case, response):\n    return {'long': 1}\n", suite)
    assert made.lb("rescore", "--offline").exit_code == 0
    assert verdicts(made)[2][3] == "rule_failed"


@pytest.mark.large
def test_failures_of_a_rule_are_counted_in_the_terminal(folder: Folder) -> None:
    """The board's owner learns of them without looking at pages."""
    made = board(folder, "def score(case, response):\n    raise ValueError('too hard')\n")
    result = made.lb("rescore", "--offline")
    assert result.exit_code == 0
    assert "3 verdicts unscored: rules/length.py failed: ValueError: too hard" in result.stderr


@pytest.mark.large
def test_the_most_frequent_failures_of_a_rule_come_first(folder: Folder) -> None:
    """Of more than five, the rest are counted."""
    numbers = [1, 2, 3, 4, 5, 6, 9, 9]
    rule = "def score(case, response):\n    raise ValueError(f'no {case[\"ground_truth\"]}')\n"
    made = board(folder, rule)
    cases = [
        {"id": str(place), "user_query": "?", "ground_truth": number}
        for place, number in enumerate(numbers)
    ]
    made.write("datasets/own/cases.json", cases)
    made.submission("m1", [{"id": case["id"], "model_text": "ab"} for case in cases], suite="own")
    listed = [line for line in made.lb("rescore").stderr.splitlines() if "unscored" in line]
    assert listed[0] == "2 verdicts unscored: rules/length.py failed: ValueError: no 9"
    assert listed[1] == "1 verdict unscored: rules/length.py failed: ValueError: no 1"
    assert listed[5] == "... and 2 other exceptions of own rules: 2 verdicts unscored"


BROKEN = [
    ("def score(case, response:\n", "is not Python"),
    ("x = 1\n", "has no function score(case, response)"),
    ("def score(case):\n    return 1\n", "with 1 arguments, not 2"),
    ("def score(case, response, other, strict=False):\n    return 1\n", "with 3 arguments, not 2"),
    ("def score(case, response, *, x):\n    return 1\n", "with 3 arguments, not 2"),
    (f"{RULE}\ndef score(case):\n    return 1\n", "with 1 arguments, not 2"),
    ("\x00", "is not Python"),
    ("(" * 5000 + ")" * 5000, "is not Python"),
]


@each_row(
    "rule",
    [
        "def score(case, response, /):\n    return 1\n",
        "def score(case, response, *, x=1, **more):\n    return 1\n",
        "def score(case, response, strict=False):\n    return 1\n",
        "def score(case):\n    return 1\n\ndef score(case, response):\n    return 1\n",
    ],
)
def test_a_function_that_takes_two_arguments_is_a_rule(rule: str, tmp_path: Path) -> None:
    """However it writes them. Of several definitions the last one counts, as in Python."""
    (tmp_path / "rules").mkdir(exist_ok=True)
    (tmp_path / "rules/length.py").write_text(rule)
    file = kinds_of(tmp_path)["length"].rule_file
    assert file is not None
    assert not file.problems


@pytest.mark.parametrize(("rule", "what"), BROKEN)
def test_a_broken_file_is_a_problem(folder: Folder, rule: str, what: str) -> None:
    """Found by `lb validate`, without executing it."""
    (problem,) = errors(board(folder, rule))
    assert problem.startswith("rules/length.py")
    assert what in problem


def test_a_rule_that_cannot_be_loaded_is_an_error(folder: Folder) -> None:
    """An import that fails is the owner's problem: nothing can be scored."""
    made = board(folder, "import no_such_module\n" + RULE)
    assert "rules/length.py:1: imports 'no_such_module'" in made.lb("validate").stderr
    result = made.lb("rescore", "--offline")
    assert result.exit_code == 1
    assert "rules/length.py: cannot be loaded: ModuleNotFoundError" in result.stderr


@pytest.mark.parametrize(("name", "what"), [("exact", "built-in kind"), ("Long-one", "no kind")])
def test_the_name_of_a_rule(folder: Folder, name: str, what: str) -> None:
    """A rule cannot replace a built-in kind."""
    folder.write(f"rules/{name}.py", RULE)
    kinds = kinds_of(folder.root)
    assert kinds["exact"] is KINDS["exact"]
    said = folder.lb("validate").stderr
    assert (f"rules/{name}.py: has the name of the" in said) is (name == "exact")
    if name != "exact":
        file = kinds[name].rule_file
        assert file is not None
        assert what in file.problems[0].what


def test_an_unknown_kind_is_offered_no_broken_rule(folder: Folder) -> None:
    """A name that no kind can have helps nobody."""
    folder.write("rules/Long-one.py", RULE)
    folder.write("rules/length.py", RULE)
    text = (folder.root / "datasets/small/suite.toml").read_text(encoding="utf-8")
    folder.write("datasets/small/suite.toml", text.replace('"tool_selection"\ntools', '"x"\ntools'))
    said = folder.lb("validate").stderr
    assert ("length" in said, "Long-one" in said) == (True, False)


def test_a_link_is_no_rule(folder: Folder, tmp_path: Path) -> None:
    """A rule is a file of the workspace."""
    outside = tmp_path / "rule.py"
    outside.write_text(RULE)
    board(folder)
    (folder.root / "rules/length.py").unlink()
    (folder.root / "rules/length.py").symlink_to(outside)
    assert any("is a link" in problem for problem in errors(folder))


@pytest.mark.large
@pytest.mark.parametrize("command", ["validate", "suites"])
def test_reading_a_workspace_executes_no_rule(folder: Folder, command: str) -> None:
    """Only scoring runs a rule."""
    marker = folder.root / "executed"
    made = board(folder, SPY.format(marker=str(marker)))
    assert made.lb(command).exit_code == 0
    assert not marker.exists()
    assert made.lb("rescore", "--offline").exit_code == 0
    assert marker.exists()


@pytest.mark.large
@pytest.mark.parametrize("options", [(), ("--maintainer",)])
def test_a_review_executes_no_rule_of_the_proposal(
    folder: Folder, tmp_path: Path, options: tuple[str, ...]
) -> None:
    """The base's rule scores the proposal. A changed rule, and a new one, are shown and not run."""
    board(folder)
    proposed = Folder(tmp_path / "proposed")
    marker = tmp_path / "executed"
    spy = SPY.format(marker=str(marker))
    for path in folder.root.rglob("*"):
        if path.is_file():
            proposed.write(path.relative_to(folder.root).as_posix(), path.read_bytes())
    proposed.write("rules/length.py", spy)
    proposed.write("rules/newer.py", spy)
    proposed.write("datasets/newer/suite.toml", SUITE.replace('"length"', '"newer"'))
    proposed.write("datasets/newer/cases.json", CASES)
    proposed.submission("m2", [{"id": "2", "model_text": "ab"}], suite="own")

    result = folder.lb(
        "review", "--base", str(folder.root), "--proposed", str(proposed.root), *options
    )
    assert result.exit_code == 1
    assert not marker.exists()
    assert "rules/length.py" in result.stdout
    assert "rules/newer.py" in result.stdout
    if options:
        assert "is of an unknown kind: 'newer'" in result.stdout
    else:
        assert "25.0" in result.stdout  # the base's rule: one of four cases passes


def test_the_example_is_a_rule_with_a_passing_test(tmp_path: Path) -> None:
    """What `lb init --kind own` writes works, and its test finds the rule beside it."""
    folder = PROJECT / "runners/init/examples/own"
    for path in sorted(folder.rglob("*.*")):
        target = tmp_path / path.relative_to(folder)
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(path.read_bytes())
    kind = kinds_of(tmp_path)["word_count"]
    assert kind.rule_file is not None
    assert not kind.rule_file.problems
    assert kind.summary == "The answer has as many words as the question asks for"
    tests = runpy.run_path(str(tmp_path / "rules/test_word_count.py"))
    suite = Suite("s", "S", "", kind, (), {}, "", {})
    record = {"id": "1", "ground_truth": 2}
    case = Case("1", "c", "?", GroundTruth(), (), record, "")
    for text, reason in [("a", "fewer_words"), ("a b", "right_length"), ("a b c", "more_words")]:
        (verdict,) = kind.decide(suite, case, Response("1", b"", (), text))
        assert isinstance(verdict, Verdict)
        assert verdict.reason == reason
    found = [value for name, value in tests.items() if name.startswith("test_")]
    assert len(found) == 2
    for test in found:
        test()


@pytest.mark.large
def test_what_a_rule_prints_is_no_data(folder: Folder) -> None:
    """--json stays one document: a forgotten print goes to stderr."""
    rule = RULE.replace("    return", "    print('hi')\n    return") + "print('loaded')\n"
    result = board(folder, rule).lb("rescore", "--offline", "--json")
    assert 1 == len(json.loads(result.stdout)["scores"])
    assert "hi" in result.stderr


def test_a_module_that_a_rule_imports_has_to_be_installed(folder: Folder) -> None:
    """The check finds it without executing the rule."""
    imports = "import json, not_there.deep\nfrom also_not import x\nfrom os import path\n"
    said = board(folder, f"{imports}{RULE}").lb("validate")
    assert said.exit_code == 1
    what = "which is not installed (install it: lb rescore needs it)"
    assert f"rules/length.py:1: imports 'not_there', {what}" in said.stderr
    assert f"rules/length.py:2: imports 'also_not', {what}" in said.stderr
    assert "2 problems to fix" in said.stderr


def test_missing_modules_are_in_the_order_of_the_text(folder: Folder) -> None:
    """Each is named once, also if one line imports several."""
    made = board(folder, f"import no_e.x, no_c, no_a, no_e.y, no_d, no_b\n{RULE}")
    found = missing_modules(kinds_of(made.root)["length"])
    assert [problem.what.split("'")[1] for problem in found] == [
        *("no_e", "no_c", "no_a", "no_d", "no_b"),
    ]
