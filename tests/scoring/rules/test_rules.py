"""The table of kinds: each has a rule, metrics, and findings on a case without a record."""

from __future__ import annotations

from typing import Any

from leaderboard.exact_answers import ExactAnswer
from leaderboard.files.cases.category_cases import CategoryCases
from leaderboard.files.findings import Findings
from leaderboard.kinds import Kind
from leaderboard.reasons import REASONS
from leaderboard.types import Case, Category, GroundTruth, Response, Suite, Trajectory, Verdict
from scoring.rules import KINDS, RULES_VERSION, fail_unanswered
from scoring.rules.workspace_rules import OWN
from tests.each_row import each_row

EACH_KIND = each_row("kind", KINDS.values())


def suite(kind: Kind) -> Suite:
    return Suite("s", "S", "", kind, (Category("c", "C", "", 1.0, None, ()),), {}, "", {})


@EACH_KIND
def test_a_rule_gives_its_metrics_in_order(kind: Kind) -> None:
    """A rule returns one finding per metric of its kind."""
    trajectory = Trajectory(((),), reference="Hello.")
    truth = GroundTruth(trajectory=trajectory, exact=ExactAnswer(texts=("Hello.",)))
    case = Case("1", "c", "?", truth, (), {}, "")
    found = kind.decide(suite(kind), case, Response("1", b"", (), "Hello."))

    assert [finding.metric for finding in found] == [metric.id for metric in kind.metrics]


@EACH_KIND
def test_a_case_without_a_record_fails_every_metric(kind: Kind) -> None:
    """A missing response is a fail with a score of 0. It is never left out."""
    decisions = fail_unanswered(suite(kind))

    assert [decision.metric for decision in decisions] == [metric.id for metric in kind.metrics]
    for decision in decisions:
        detail = "The submission does not answer this case."
        assert decision == Verdict(decision.metric, "fail", 0.0, "missing_response", detail)
        assert decision.reason in REASONS


@each_row("kind", [*KINDS.values(), OWN])
def test_a_blank_question_is_refused(kind: Kind) -> None:
    """No system can answer it. The fields of all kinds are in one record."""
    record: dict[str, Any] = {
        "id": "a",
        "query_id": "a",
        "user_query": "  ",
        "query": "  ",
        "inputs": {"question": "  "},
        "outputs": {"expected_steps": []},
        "ground_truth": {},
    }
    findings = Findings("c.json", b"[]")
    kind.read_cases(CategoryCases([record], "c", (), False, findings))

    blank = [at for at, what, *_ in findings.found if "must not be blank" in what]
    assert [at[-1] for at in blank] in (["user_query"], ["query"], ["question"])


def test_a_metric_of_the_policy_comes_last() -> None:
    """A suite that names a prompt for the final answer has that metric too."""
    kind = KINDS["stable_toolbench"]
    metrics = [metric.id for metric in kind.metrics_of({"final_answer": "final_answer"})]

    assert metrics == [*(metric.id for metric in kind.metrics), "final_answer"]


def test_the_table_is_indexed_by_name() -> None:
    """A suite.toml finds its kind by the kind's own name."""
    assert all(name == kind.name for name, kind in KINDS.items())


def test_the_rules_have_a_version() -> None:
    """The version is a whole number of 1 or more, as the manifest states it."""
    assert RULES_VERSION >= 1
