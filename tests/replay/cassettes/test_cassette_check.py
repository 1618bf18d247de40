"""What `lb cassettes check` finds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from leaderboard.files.cassette_paths import CassettePath, cassette_files
from leaderboard.types import JudgeSettings
from replay.cassettes import call_identity, cassette_file
from replay.cassettes.cassette_check import check
from replay.cassettes.cassette_index import Index
from replay.cassettes.cassette_prune import prune
from replay.recording import journal
from tests.replay.cassette_files import FILE, clean, interaction, put, put_clean
from tests.replay.cassette_files import judges as judges_of


def changed(prompt: str = "x", **sides: dict[str, Any]) -> dict[str, Any]:
    """A clean interaction with changes to its request or response."""
    made = clean(prompt)
    return {side: {**made[side], **sides.get(side, {})} for side in made}


def said(root: Path, **options: Any) -> list[str]:
    return [f"{problem.severity} {problem.what}" for problem in check(root, **options)]


def test_clean_cassettes_have_no_problem(tmp_path: Path) -> None:
    """The check accepts what a recording writes, and a workspace without cassettes."""
    assert check(tmp_path) == ()
    put_clean(tmp_path, clean("1"), clean("2"))
    assert check(tmp_path, judges={"j": JudgeSettings("j", "openai", "m")}) == ()


@pytest.mark.parametrize(
    ("found", "what"),
    [
        (
            changed(request={"headers": {"Authorization": ["Bearer x"]}}),
            "the request header Authorization",
        ),
        (changed(request={"headers": {"x-api-key": ["x"]}}), "the request header x-api-key"),
        (
            changed(request={"headers": {"x-goog-api-key": ["x"]}}),
            "the request header x-goog-api-key",
        ),
        (
            changed(request={"headers": {"OpenAI-Organization": ["x"]}}),
            "the request header OpenAI-Organization",
        ),
        (changed(request={"headers": {"cookie": ["x"]}}), "the request header cookie"),
        (changed(response={"headers": {"Set-Cookie": ["x"]}}), "the response header Set-Cookie"),
        (
            changed(response={"headers": {"openai-organization": ["x"]}}),
            "the response header openai-organization",
        ),
        (
            changed(request={"uri": "https://api.example/v1/chat/completions?key=x"}),
            "parts of the address",
        ),
        (
            changed(request={"uri": "https://kim:pw@api.example/v1/chat/completions"}),
            "parts of the address",
        ),
        (
            changed(request={"body": '{"messages":[],"model":"m","user":"kim"}'}),
            "fields of the request body",
        ),
        (
            changed(response={"body": {"string": '{"choices":[]}'}}),
            "its body is not a reply: it has no choices",
        ),
        (
            changed(response={"body": {"string": '{"choices":[{}],"id":"chatcmpl-1"}'}}),
            "fields of the response body",
        ),
        ({**clean("x"), "note": "x" * 1000}, "the member note"),
        (changed(request={"evil": "x"}), "the request member evil"),
        (changed(response={"evil\n": "x"}), "the response member evil"),
        (
            changed(response={"status": {"code": 200, "message": "x"}}),
            "another value of the response's status",
        ),
        (
            changed(response={"headers": {"content-type": ["application/json; x"]}}),
            "another value of the response's headers",
        ),
        (
            changed(response={"headers": {"content-type": ["text/x"], "evil": "x"}}),
            "the response header evil",
        ),
        (changed(request={"method": "post"}), "another value of the request's method"),
        (
            changed(request={f"m{number}": "x" for number in range(9)}),
            "the request member m3, the request member m4, 4 more",
        ),
    ],
)
def test_what_recording_leaves_out_is_found(tmp_path: Path, found: Any, what: str) -> None:
    """Secret headers and personal fields are errors with file and line. Pruning removes them."""
    put_clean(tmp_path, found)
    (problem,) = check(tmp_path)
    assert ("error", FILE, 2, True) == (
        problem.severity,
        problem.file,
        problem.line,
        what in problem.what,
    )
    prune(tmp_path)
    assert check(tmp_path) == ()


EMBEDDED = {"model": "embedded-1", "messages": [{"role": "user", "content": "x"}]}


@pytest.mark.parametrize(
    "more",
    [
        {"model": "more"},
        {"usage": {"prompt_tokens": 10**9}, "model": "more"},
        {"choices": [{"message": {"content": "x"}}, {"message": {"content": "more"}}]},
        {"choices": [{"message": {"content": "x", "refusal": "more"}}]},
        {"choices": [{"message": {"content": "x"}, "finish_reason": "more"}]},
    ],
)
def test_of_the_embedded_judge_only_the_text_is_kept(tmp_path: Path, more: dict[str, Any]) -> None:
    """It can be computed again. Anything else would be for a stranger to write."""
    reply = {"model": "embedded-1", "choices": [{"message": {"content": "x"}}], **more}
    sent = {"body": call_identity.canonical(EMBEDDED).decode()}
    answered = {"body": {"string": call_identity.canonical(reply).decode()}}
    put_clean(tmp_path, changed(request=sent, response=answered))
    assert said(tmp_path) == ["error holds what recording leaves out: fields of the response body"]
    prune(tmp_path)
    assert check(tmp_path) == ()
    assert "more" not in (tmp_path / FILE).read_text()


@pytest.mark.parametrize(
    ("secret", "kind"),
    [
        ("sk-" + "a1" * 20, "an OpenAI key"),
        ("sk-proj-" + "a1" * 20, "an OpenAI key"),
        ("AIza" + "Sy" * 18, "a Google key"),
        ("Bearer " + "abc." * 8, "a bearer token"),
        ("ghp_" + "a1" * 18, "an access token"),
        ("hf_" + "aB" * 15, "an access token"),
        ("org-" + "aB1c" * 6, "an organisation id"),
        ("AKIA" + "ABCD" * 4, "a cloud access key"),
        ("-----BEGIN RSA PRIVATE KEY-----", "a private key"),
    ],
)
@pytest.mark.parametrize("side", ["prompt", "reply"])
def test_what_looks_like_a_key_is_found_in_any_text(
    tmp_path: Path, secret: str, kind: str, side: str
) -> None:
    """The check finds a key anywhere, also one that somebody pasted into an answer."""
    made = clean(f"is it {secret}?") if side == "prompt" else clean("x", "different\nNot KEY.")
    put(tmp_path, cassette_file.dump([made]).replace(b"KEY", secret.encode()))
    found = said(tmp_path)
    assert f"error holds what looks like {kind}" == found[0]
    assert ([] if side == "prompt" else ["error holds what recording leaves out"]) == [
        problem.partition(":")[0] for problem in found[1:]
    ]


def test_ordinary_texts_are_no_keys(tmp_path: Path) -> None:
    """Words, hashes, fences and addresses are not taken for secrets."""
    words = "task-force, risk-free-and-easy-going, organisation, org-wide, 4f1c2d3e5a6b7c8d, "
    words += "sk-8, bearer of bad news, AIza"
    put_clean(tmp_path, clean(words))
    assert check(tmp_path) == ()


def test_errors_and_repetitions_are_found(tmp_path: Path) -> None:
    """Recorded errors, repeated calls and second replies are reported with their place."""
    judges_of(tmp_path, "submitters")
    put_clean(tmp_path, clean("1"), clean("1"), interaction("2", status=429))
    put_clean(tmp_path, clean("1", "different"), file="cassettes/j/s/b.json")
    found = said(tmp_path)
    first = [
        cassette_file.exchange(item).prompt for item in cassette_file.read(tmp_path, FILE)
    ].index("1")
    where = f"cassettes/j/s/a.json, interaction {first}"
    why = "nothing shows which is genuine"
    key = str(cassette_file.key_of(clean("1")))
    assert {
        "warning is recorded twice in this file",
        "error records the error 429, not a reply",
        f"error its reply to the request {key[:16]} differs from that in {where}; {why}",
    } == set(found)


def test_layout_and_encoding_are_checked(tmp_path: Path) -> None:
    """Calls out of order, over several lines or in raw UTF-8 are errors."""
    put(tmp_path, json.dumps({"interactions": [clean("1")], "version": 1}, indent=1).encode(), FILE)
    put(
        tmp_path,
        json.dumps({"interactions": [clean("größer")], "version": 1}, ensure_ascii=False).encode(),
        "cassettes/j/s/b.json",
    )
    assert said(tmp_path) == [
        "error does not have one call per line, sorted by key",
        "error holds bytes that are not ASCII",
        "error does not have one call per line, sorted by key",
    ]
    prune(tmp_path)
    assert check(tmp_path) == ()


def test_broken_files_do_not_hide_the_others(tmp_path: Path) -> None:
    """A file that is not a cassette is reported, and the other files are still checked."""
    put(tmp_path, b"{", "cassettes/j/s/0.json")
    put_clean(tmp_path, interaction("1", status=500))
    assert ["cassettes/j/s/0.json", FILE] == [problem.file for problem in check(tmp_path)]


def test_odd_interactions_are_found(tmp_path: Path) -> None:
    """What is not a JSON call, and what has no key, is reported instead of crashing the check."""
    big = changed(request={"body": '{"seed":36893488147419103232}'})
    put(
        tmp_path,
        b'{"interactions": ['
        + b",".join(map(cassette_file.line_of, [changed(request={"body": "a=b"}), big]))
        + b"]}",
    )
    found = said(tmp_path)
    assert [True, True] == ["not JSON" in found[1], "an ambiguous request body" in found[2]]
    assert prune(tmp_path) == 2
    assert cassette_files(tmp_path) == ()


def test_what_an_interruption_left_is_found(tmp_path: Path) -> None:
    """A temporary file is a warning. A journal is an error, because it may be a stranger's."""
    put(tmp_path, b"", "cassettes/j/s/.a.json.1-2.tmp")
    journal.path_of(tmp_path).write_bytes(b"")
    assert [
        ("warning", "cassettes/j/s/.a.json.1-2.tmp"),
        ("error", "recordings.journal"),
    ] == [(problem.severity, problem.file) for problem in check(tmp_path)]


def test_calls_that_no_answer_needs_are_problems(tmp_path: Path) -> None:
    """With the needed calls known, others are problems. Pruning removes them, and empty files."""
    put_clean(tmp_path, clean("1"), clean("2"))
    put_clean(tmp_path, clean("3"), file="cassettes/j/s/b.json")
    needed = {str(cassette_file.key_of(clean("1"))): [CassettePath("j", "s", "a")]}
    assert [
        "error holds a call that no answer of a needs",
        "error holds a call that no answer of b needs",
    ] == said(tmp_path, needed=needed)
    assert (2, (FILE,)) == (prune(tmp_path, needed), cassette_files(tmp_path))
    assert check(tmp_path, needed) == ()


def test_calls_that_nobody_needs_ask_no_judge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thousands of them would keep a review busy. A needed one is asked once, however often it is.

    Without the needed calls all are asked about.
    """
    asked: list[str] = []

    def recompute(_: JudgeSettings, prompt: str) -> str:
        asked.append(prompt)
        return "equivalent"

    monkeypatch.setattr("replay.providers.embedded.recompute", recompute)
    judges_of(tmp_path, "submitters")
    replies = ["equivalent", "different"]
    put_clean(tmp_path, *(clean(prompt, reply) for prompt in "123" for reply in replies))
    needed = {str(cassette_file.key_of(clean("1"))): [CassettePath("j", "s", "a")]}
    judges = {"j": JudgeSettings("j", "embedded", "embedded-1")}
    check(tmp_path, needed, judges)
    assert asked == ["1"]
    check(tmp_path, None, judges)
    assert sorted(asked) == ["1", "1", "2", "3"]


def test_t3_a_reply_planted_for_a_rival_is_a_problem(tmp_path: Path) -> None:
    """A call that only a rival needs, beside one's own or in a file of no submission, is named."""
    call = clean("the rival's answer", "different")
    needed = {str(cassette_file.key_of(call)): [CassettePath("j", "s", "rival")]}
    for owner in ("a", "_preferences", "_labels"):
        put_clean(tmp_path, call, file=f"cassettes/j/s/{owner}.json")
    what = (
        "error holds a call that only other submissions need, cassettes/j/s/rival.json for example"
    )
    assert [what] * 3 == said(tmp_path, needed=needed)


@pytest.mark.parametrize("owner", ["_preferences", "_virtual-apis"])
def test_calls_that_no_score_needs_may_be_in_files_of_their_own(tmp_path: Path, owner: str) -> None:
    """Preferences and played APIs are recorded although no score needs them."""
    put_clean(tmp_path, clean("1"), file=f"cassettes/j/s/{owner}.json")
    assert (0, ()) == (prune(tmp_path, {}), check(tmp_path, {}))


@pytest.mark.large
def test_t1_check_computes_every_reply_of_the_embedded_judge_again(tmp_path: Path) -> None:
    """A forged reply is named with its line, and so are at most twenty of them."""
    judge = JudgeSettings("j", "embedded", "embedded-1")
    genuine = "This prompt cannot be read: embedded-1 needs a category and three fenced texts."
    put_clean(tmp_path, *(clean(str(n), "equivalent") for n in range(30)), clean("x", genuine))
    found = check(tmp_path, judges={"j": judge})
    assert (21, {FILE}) == (len(found), {problem.file for problem in found})
    assert "and 10 more replies" in found[-1].what
    assert all(problem.line for problem in found[:-1])
    assert 'recorded "equivalent", recomputed "This prompt cannot be read' in found[0].what


def test_t3_a_reply_is_a_contradiction_once(tmp_path: Path) -> None:
    """Another reply to a merged request may differ from a reply in the workspace too."""
    base, proposed = tmp_path / "base", tmp_path / "proposed"
    judges_of(base, "submitters")
    judges_of(proposed, "submitters")
    put_clean(base, clean("1"), file="cassettes/j/s/b.json")
    put_clean(proposed, clean("1"), file="cassettes/j/s/b.json")
    for name in ("a", "c"):
        put_clean(proposed, clean("1", "different\nno"), file=f"cassettes/j/s/{name}.json")
    index = Index.load(proposed, Index.load(base))
    told = [
        (problem.file, problem.what.rpartition("; ")[2])
        for problem in check(proposed, merged=index)
    ]

    assert told == [
        ("cassettes/j/s/b.json", "nothing shows which is genuine"),
        ("cassettes/j/s/a.json", "the other one was merged first"),
        ("cassettes/j/s/c.json", "the other one was merged first"),
    ]
    (proposed / "cassettes/j/s/a.json").unlink()
    (problem,) = check(proposed, merged=Index.load(proposed, Index.load(base)))
    assert ("cassettes/j/s/c.json", True) == (problem.file, "genuine" in problem.what)
