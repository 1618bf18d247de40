"""Defects of StableToolBench and its wrapper in answers, scores and judges, by their ids."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from leaderboard.files.cases.category_cases import CategoryCases
from leaderboard.files.cases.stable_toolbench import read_stable_toolbench
from leaderboard.files.findings import Findings
from leaderboard.responses.response_records import Interner, read_over_apis, read_records
from leaderboard.responses.solved_grades import POINTS
from leaderboard.types import Case, Category, JudgeReply, Referral, Response, Suite, Verdict
from replay.network_guard import no_network
from runners.imports.stabletoolbench.pass_rates import pass_rate
from scoring.judging.panel_verdicts import settle_by_mean
from scoring.judging.replies import SOLVED, parse
from scoring.rules import KINDS
from scoring.rules.stable_toolbench import decide
from tests.conftest import Folder
from tests.each_row import each_row
from tests.replay.judge_server import judge_server
from tests.runners.agents.agents_board import add_suite
from tests.runners.imports.stabletoolbench.bench import Bench, answer, results, row, votes
from tests.runners.imports.stabletoolbench.inference import node_texts

API = {"category_name": "News", "tool_name": "AI News Global_v2", "api_name": "get all"}
TRAM = {"category_name": "Transportation", "tool_name": "TramLine", "api_name": "next departures"}
GOOD = '{"error": "", "response": "18:04 line 3"}'


def case(*gold: dict[str, str]) -> Case:
    pairs = [[api["tool_name"], api["api_name"]] for api in gold]
    record = {"query_id": 1, "query": "When?", "api_list": [API, TRAM], "relevant APIs": pairs}
    (found,) = read_stable_toolbench(
        CategoryCases([record], "c", (), shared=False, findings=Findings("q", b""))
    )
    return found


def response(record: dict[str, Any]) -> Response:
    return read_over_apis({"id": "1", **record})


def findings(
    record: dict[str, Any], *gold: dict[str, str], **policy: str
) -> dict[str, Verdict | Referral]:
    asked = case(*gold or (TRAM,))
    category = Category("c", "C", "", 1.0, "answer_status", (asked,), follow_up="execution_status")
    suite = Suite("s", "S", "", KINDS["stable_toolbench"], (category,), policy, "", {"1": asked})
    return {found.metric: found for found in decide(suite, asked, response(record))}


def score(
    metric: str, record: dict[str, Any], *gold: dict[str, str], **policy: str
) -> float | None:
    found = findings(record, *gold, **policy)[metric]
    assert isinstance(found, Verdict)
    return found.score


def node(message: Any) -> dict[str, Any]:
    return {"role": "tool", "message": message, "next": []}


def call(name: str, response_text: Any = GOOD) -> dict[str, Any]:
    return node({"name": name, "arguments": "{}", "response": response_text})


def answered(
    *nodes: dict[str, Any], text: Any = "The next tram is line 3 at 18:04.", **more: Any
) -> dict[str, Any]:
    return {"answer": {"final_answer": text, "answer_details": list(nodes)}, **more}


FINISH = call("Finish", "")
DEPARTURES = call("TramLine_next departures")


def test_a_01_finish_is_found_in_wrapped_and_inner_answers() -> None:
    """A-01: the check looks where the execution is, however the answer is wrapped."""
    whole = answered(DEPARTURES, FINISH)
    assert [1.0, 1.0, 1.0] == [
        score("finish", form) for form in (whole, {"answer": whole}, whole["answer"])
    ]


def test_a_02_the_rule_of_thumb_can_find_a_query_solved() -> None:
    """A-02: with Finish and the gold APIs it says solved. It is used only if the suite says so."""
    whole = answered(DEPARTURES, FINISH)
    assert 1.0 == score("sopr", whole, status_by="heuristic")
    assert isinstance(findings(whole)["sopr"], Referral)


def test_a_03_every_encoding_of_a_call_counts() -> None:
    """A-03: JSON text, objects and Python's spelling, whole or cut, score the same."""
    message = DEPARTURES["message"]
    for encoded in (json.dumps(message), message, str(message), str(message)[:60]):
        assert 1.0 == score("api_call", answered(node(encoded), FINISH)), encoded


@each_row("message", ["[1]", '"x"', "null", "7", {"name": None}, [{"name": "x"}]])
def test_a_04_a_message_that_is_no_call_costs_nothing(message: Any) -> None:
    """A-04: the query is scored by its other nodes."""
    assert (1.0, 1.0) == tuple(
        score(m, answered(node(message), DEPARTURES, FINISH)) for m in ("api_call", "finish")
    )


def test_a_05_a_judge_that_fails_is_replaced_by_nothing() -> None:
    """A-05: without a usable reply the answer is unscored; no rule of thumb steps in."""
    for text, code in ((None, "judge_missing"), ("I would rather not say.", "judge_unparseable")):
        verdict = settle_by_mean("sopr", "", {"j": [JudgeReply("k", text)]}, POINTS)
        assert ("unscored", None, code) == (verdict.outcome, verdict.score, verdict.reason)


@pytest.mark.parametrize(
    "name",
    ["AI News Global_v2_get all", "AI_News_Global_v2_get_all", "get_all_for_ai_news_global_v2"],
)
def test_a_06_names_are_looked_up_and_not_cut(name: str) -> None:
    """A-06: underscores and blanks in a tool's name cost no score."""
    assert 1.0 == score("api_call", answered(call(name), FINISH), API)


def test_a_07_names_that_are_no_api_are_shown() -> None:
    """A-07: they do not vanish, and no half of a name passes for a tool."""
    found = findings(answered(call("mystery"), call("_x"), FINISH))["api_call"]
    assert found.detail.endswith("Not an API of this query: mystery, _x.")


def test_a_08_the_spelling_of_a_framework_changes_no_score() -> None:
    """A-08: the same calls under sanitised and original names get the same verdicts."""
    names = ("TramLine_next departures", "TramLine_next_departures", "next_departures_for_tramline")
    metrics = ("api_call", "api_call_precision", "api_call_success", "finish")
    assert 1 == len(
        {tuple(score(m, answered(call(name), FINISH)) for m in metrics) for name in names}
    )


def test_a_09_what_was_solved_without_tools_is_shown() -> None:
    """A-09: answers from memory, or without a successful call, have a score of their own."""
    assert isinstance(findings(answered(FINISH))["solved_without_tools"], Referral)
    assert isinstance(
        findings(answered(call("TramLine_next departures", ""), FINISH))["solved_without_tools"],
        Referral,
    )
    assert 0.0 == score("solved_without_tools", answered(DEPARTURES, FINISH))


def test_a_10_candidates_are_not_taken_for_gold_apis() -> None:
    """A-10: a query that names no gold APIs has none, even if it has candidates."""
    bare = case()
    suite = Suite(
        "s",
        "S",
        "",
        KINDS["stable_toolbench"],
        (Category("c", "C", "", 1.0, None, (bare,)),),
        {},
        "",
        {"1": bare},
    )
    found = {one.metric: one for one in decide(suite, bare, response(answered(DEPARTURES)))}
    detail = "The query names no gold API."
    for metric in ("api_call", "api_call_precision", "api_call_success"):
        assert found[metric] == Verdict(metric, "unscored", None, "no_gold_api", detail)


def test_a_13_there_is_one_api_score() -> None:
    """A-13: the same calls score the same from the execution or from the list of called APIs."""
    declared = answered(called_apis=[["TramLine", "next departures"], ["Other", "x"]])
    parsed = answered(DEPARTURES, call("Other_x"))
    for metric in ("api_call", "api_call_precision"):
        assert score(metric, declared, TRAM, API) == score(metric, parsed, TRAM, API) == 0.5


def test_a_14_no_gold_is_no_zero() -> None:
    """A-14: a query without gold APIs is left out of the mean and lowers nothing."""
    category = Category("c", "C", "", 1.0, None, ())
    suite = Suite("s", "S", "", KINDS["stable_toolbench"], (category,), {}, "", {})
    decision = decide(suite, case(), response(answered(DEPARTURES)))[1]
    assert isinstance(decision, Verdict)
    assert ("unscored", None) == (decision.outcome, decision.score)


def test_a_15_called_apis_may_be_null_or_odd() -> None:
    """A-15: null equals absent. Entries are read in each form, malformed ones are reported."""
    assert 1.0 == score("api_call", answered(DEPARTURES, called_apis=None))
    for entry in (
        ["TramLine", "next departures", "ok"],
        {"tool_name": "TramLine", "api_name": "next departures"},
    ):
        assert 1.0 == score("api_call", answered(called_apis=[entry, ["broken"], 7]))
    asked = case(TRAM)
    suite = Suite(
        "s",
        "S",
        "",
        KINDS["stable_toolbench"],
        (Category("c", "C", "", 1.0, None, (asked,)),),
        {},
        "",
        {"1": asked},
    )
    rows = [{"id": "1", **answered(called_apis=[["broken"]])}]
    reported = Findings("f", json.dumps(rows).encode())
    assert 1 == len(read_records(rows, suite, reported, Interner()))
    assert ["$[0].called_apis[0]"] == [problem.at for problem in reported.problems()]


def test_a_16_not_tracked_is_not_none_called() -> None:
    """A-16: an empty list scores 0. A missing list is unscored."""
    assert 0.0 == score("api_call", {"answer": {"final_answer": "x"}, "called_apis": []})
    assert None is score("api_call", {"answer": {"final_answer": "x"}, "called_apis": None})


def test_a_17_answers_are_whole(folder: Folder) -> None:
    """A-17: the dots that the wrapper adds to a long text are removed, the text's own are kept."""
    bench = Bench(folder)
    texts = {9001: "x" * 300 + "...", 9002: "I wonder..."}
    rows = [row(number, system_answer={"final_answer": text}) for number, text in texts.items()]
    bench.run(bench.write("r.json", results(*rows)))
    kept = [record["answer"]["final_answer"] for record in bench.records("lang-graph").values()]
    assert ["x" * 300, "I wonder..."] == kept


def test_a_18_calls_that_failed_are_told_apart() -> None:
    """A-18: a call that was made earns the API score. One that raised earns no success score."""
    failed = [
        call("TramLine_next departures", text)
        for text in ("Error: name 'func' is not defined", '{"error": "no", "response": ""}', "")
    ]
    for one in failed:
        assert (1.0, 0.0) == tuple(
            score(m, answered(one, FINISH)) for m in ("api_call", "api_call_success")
        )
        assert "; failed: 1." in findings(answered(one, FINISH))["api_call"].detail


def test_a_19_times_are_averaged_over_the_rows_that_have_them(folder: Folder) -> None:
    """A-19: crashed rows lower no mean. The stored figure, which they lower, is reported."""
    bench = Bench(folder)
    crashed = row(9002, "Error", error="boom")
    del crashed["timing"]
    report = bench.run(
        bench.write("r.json", results(row(9001), crashed, average_system_answer_time=1.25))
    )
    assert any(
        "average_system_answer_time 1.25, its rows give 2.5" in line for line in report.notes
    )


@pytest.mark.large
def test_a_20_a_reference_run_is_labelled_and_feeds_no_score(folder: Folder) -> None:
    """A-20: it sends examples and asks nobody, and every result is the same without it."""
    add_suite(folder)
    for name in ("keyword", "refuse"):
        assert (
            0
            == folder.lb(
                "run", "--model", f"baseline:{name}", "--suite", "apis", "--date", "2026-01-31"
            ).exit_code
        )
    assert 0 == folder.lb("rescore", "--offline", "--allow-missing").exit_code
    without, sent = folder.tree("results"), folder.tree("submissions")
    with no_network():
        assert 0 == folder.lb("suites", "reference", "apis").exit_code
    document = json.loads((folder.root / "datasets/apis/reference.json").read_bytes())
    first, *_ = (
        json.loads(found["message"])
        for found in document["answers"]["1"]["answer"]["answer_details"]
    )
    assert {"stop": "Main Street"} == first["arguments"]
    assert ("cache miss: ", "") == (first["response"]["error"][:12], first["response"]["response"])
    for name in ("keyword", "refuse"):
        assert 0 == folder.lb("run", "--model", f"baseline:{name}", "--suite", "apis").exit_code
    assert 0 == folder.lb("rescore", "--offline", "--allow-missing").exit_code
    assert (without, sent) == (folder.tree("results"), folder.tree("submissions"))
    assert 0 == folder.lb("build").exit_code
    page = folder.tree("_site")["cases/apis/1.html"].decode()
    assert (
        "example values, not those of the question. It is no ground truth and feeds no score.</p>"
        in page
    )
    assert "cache miss: " in page[page.index("called with example values") :]


def test_a_46_unfinished_runs_are_rebuilt_alike() -> None:
    """A-46: the last try, always; the same file never gives two answers."""
    chain = [{"node_type": "Action", "description": name} for name in "abc"]
    document = {
        "answer_generation": {"valid_data": False},
        "trys": [{"chain": [step]} for step in chain],
    }
    assert [[("c", None)]] * 20 == [node_texts(document) for _ in range(20)]


@pytest.mark.parametrize(
    "reply",
    ['{"answer_status": "Solved"}', '{"answer_status": "Solved", "reason": null}', "Solved"],
)
def test_a_47_a_reason_is_optional(reply: str) -> None:
    """A-47: a reply without one is a vote; a reply without a status is none."""
    assert ("judge_solved", "Judged solved.") == (
        settle_by_mean("sopr", "", {"j": [JudgeReply("k", reply)]}, POINTS).reason,
        settle_by_mean("sopr", "", {"j": [JudgeReply("k", reply)]}, POINTS).detail,
    )
    assert None is parse('{"reason": "all is well"}', SOLVED)


@each_row(
    "reply",
    [
        "solved",
        " SOLVED ",
        "Answer status: solved.",
        '{"answer_status": "solved "}',
        "AnswerStatus.Solved",
    ],
)
def test_a_48_labels_are_read_in_any_case(reply: str) -> None:
    """A-48: trimmed, in any letter case; what is no label raises nothing and counts nothing."""
    assert "solved" == parse(reply, SOLVED)
    assert None is parse("Partially solved", SOLVED)


def test_a_49_giving_up_is_a_return_type_and_no_text() -> None:
    """A-49: words in an answer give nothing up, the judge reads the answer, null does not crash."""
    harmless = findings(answered(FINISH, text="The command give_up_and_restart restarts it."))[
        "sopr"
    ]
    assert isinstance(harmless, Referral)
    wrapped = findings(
        answered(FINISH, text='{"return_type": "give_answer", "final_answer": "At 18:04."}')
    )["sopr"]
    assert isinstance(wrapped, Referral)
    assert "At 18:04." == wrapped.questions[0].got
    given_up = findings(
        answered(FINISH, text='{"return_type": "give_up_and_restart", "final_answer": "x"}')
    )["sopr"]
    nothing = findings(answered(FINISH, text=None))["sopr"]
    assert ["gave_up", "empty_response"] == [
        one.reason for one in (given_up, nothing) if isinstance(one, Verdict)
    ]


@pytest.mark.large
def test_a_50_every_query_of_the_set_counts(folder: Folder) -> None:
    """A-50: unanswered queries are unsolved, in imported votes and in scores."""
    bench = Bench(folder)
    bench.write("x/G1_instruction_x.json", {"9001": votes(9001, "Solved")})
    (line,) = bench.run().notes
    assert "SoPR 33.3 ± 0.0 from 1 round over 3 queries (2 unanswered)" in line
    missed = bench.verdicts().filter(pl.col("case_id") != "9001")
    assert {("missing_response", 0.0)} == set(missed.select("reason", "score").rows())
    assert None is pass_rate({}, []).score


def test_a_51_a_missing_vote_counts_nothing(folder: Folder) -> None:
    """A-51: three votes of one query and four of another. No round counts a missing vote."""
    bench = Bench(folder)
    given = {
        "9001": votes(9001, *["Solved"] * 4),
        "9002": votes(9002, *["Solved"] * 3),
        "9003": votes(9003, *["Unsolved"] * 4),
    }
    bench.write("x/G1_instruction_x.json", given)
    (line,) = bench.run().notes
    assert "SoPR 62.5 ± 7.2 from 4 rounds over 3 queries (1 vote lost)" in line


def test_a_52_finish_is_parsed() -> None:
    """A-52: JSON text or Python's spelling, the last step is Finish all the same."""
    message = FINISH["message"]
    assert [1.0, 1.0, 1.0] == [
        score("finish", answered(node(form)))
        for form in (json.dumps(message), message, str(message))
    ]
    assert 0.0 == score("finish", answered(call("x", "'name': 'Finish'")))


def test_a_56_only_the_label_is_read() -> None:
    """A-56: words about unsolved parts in the reason do not change a verdict."""
    assert ("solved", "solved") == (
        parse("Solved\nOne unsolved part does not matter.", SOLVED),
        parse('{"answer_status": "Solved", "reason": "nothing is unsolved"}', SOLVED),
    )


@each_row(
    "said",
    [
        '{"answer_status": false}',
        '{"answer_status": "false"}',
        '{"is_solved": "false"}',
        "false",
        "true",
    ],
)
def test_a_57_false_is_not_true(said: str) -> None:
    """A-57: a word is not taken for a truth value."""
    assert None is parse(said, SOLVED)


def board(folder: Folder, url: str) -> None:
    """A board whose judge listens on loopback, with one query and one answer."""
    settings = (
        (folder.root / "leaderboard.toml").read_text(encoding="utf-8").partition("[judges")[0]
    )
    judge = (
        '[judges.embedded-1]\nprovider = "openai"\nmodel = "judge-m"\n'
        f'base_url = "{url}/v1"\napi_key_env = "JUDGE_KEY"\n'
    )
    folder.write("leaderboard.toml", settings + judge)
    bench = Bench(folder)
    bench.write("x/G1_instruction.json", {"9001": answer(9001)})
    bench.run()


@pytest.mark.large
def test_a_58_no_key_is_written_anywhere(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A-58: the key comes from the environment, goes into the request, and is in no file after."""
    monkeypatch.setenv("JUDGE_KEY", "sk-very-secret-0123456789")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with judge_server(say=lambda _: "Solved\nIt is.") as server:
        board(folder, server.url)
        assert 0 == folder.lb("rescore").exit_code
        assert "Bearer sk-very-secret-0123456789" in {
            asked.headers.get("authorization", asked.headers.get("Authorization"))
            for asked in server.asked
        }
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any("cassettes" in path.parts for path in files)
    assert [] == [path for path in files if b"very-secret" in path.read_bytes()]


def test_a_61_no_call_and_no_word_is_dropped() -> None:
    """A-61: a call without a reply and the text beside a call are part of the answer."""
    message = {
        "role": "assistant",
        "content": "Let me see.",
        "tool_calls": [{"id": "i", "function": {"name": "a", "arguments": "{}"}}],
    }
    document = {"answer_generation": {"valid_data": True, "train_messages": [[message]]}}
    assert [("said", "Let me see."), ("a", None)] == node_texts(document)


def test_a_62_runs_do_not_overwrite_each_other(folder: Folder) -> None:
    """A-62: another number of tools is another submission, and votes name the judge."""
    bench = Bench(folder)
    for name in ("a_G1_instruction.json", "a_G1_instruction_k20.json", "a_G1_instruction_k50.json"):
        bench.write(name, results(row(9001)))
    names = [name for name, _, _ in bench.run().submissions]
    assert ["lang-graph", "lang-graph_k20", "lang-graph_k50"] == sorted(names)
    assert {"judge-m"} == {
        bench.records(name)["9001"]["origin"]["votes"][0]["judge"] for name in names
    }


@pytest.mark.large
def test_a_64_the_environment_names_no_judge(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A-64: the judge comes from leaderboard.toml, and no environment variable changes it."""
    monkeypatch.setenv("EVAL_MODEL", "another-model")
    monkeypatch.setenv("JUDGE_KEY", "sk-very-secret-0123456789")
    with judge_server(say=lambda _: "Solved\nIt is.") as server:
        board(folder, server.url)
        assert 0 == folder.lb("rescore").exit_code
        assert {"judge-m"} == {asked.body["model"] for asked in server.asked}


def test_a_65_content_parts_become_text() -> None:
    """A-65: a final answer in parts is one text, in the verdict's question and everywhere."""
    parts = [{"type": "text", "text": "Line 3 "}, {"type": "text", "text": "at 18:04."}]
    found = findings(answered(DEPARTURES, FINISH, text=parts))["sopr"]
    assert isinstance(found, Referral)
    assert "Line 3 at 18:04." == found.questions[0].got
