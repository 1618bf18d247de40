"""Looking judge calls up, and recording those that are missing."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest

from leaderboard.errors import FilesError, JudgeError
from leaderboard.files.cassette_paths import cassette_files
from leaderboard.judge_providers import Recordings
from leaderboard.machine.gc_pause import paused_collector
from leaderboard.network.retries import RetryPolicy
from leaderboard.types import JudgeCall, JudgeSettings
from replay.asker import Asker, RecordMode, open_asker, open_reviewer
from replay.cassettes import cassette_file
from replay.cassettes.cassette_index import Index
from replay.network_guard import OfflineError
from replay.recording import journal
from replay.recording.interception import intercepted
from tests.replay.cassette_files import judges
from tests.replay.judge_server import JudgeServer, judge_server


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", "AIza-for-tests")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-for-tests")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


# A policy that gives up soon.
QUICK = RetryPolicy(attempts=2, timeout=5, first_pause=0.01)


@pytest.fixture(autouse=True)
def give_up_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replay.providers.RetryPolicy", lambda: QUICK)


def calls(judge: JudgeSettings, *prompts: str, submission: str = "a") -> list[JudgeCall]:
    return [JudgeCall(judge, "s", submission, prompt) for prompt in prompts]


def ask(
    root: Path, asked: Sequence[JudgeCall], mode: RecordMode = "new_episodes", **options: Any
) -> tuple[list[str | None], Any]:
    """Asks in one session; returns the texts of the replies, and the asker."""
    with open_asker(root, record_mode=mode, **options) as asker:
        return [reply.text for reply in asker(asked)], asker


def echo(prompt: str) -> str:
    return f"equivalent\n{prompt}"


@pytest.mark.large
@pytest.mark.parametrize("provider", ["openai", "google", "anthropic"])
@pytest.mark.parametrize("jobs", [1, 8])
def test_missing_calls_are_recorded_and_then_replayed(
    tmp_path: Path, provider: str, jobs: int
) -> None:
    """Replies follow the order of the calls for any number of jobs, and are replayed offline."""
    with judge_server(say=echo) as server:
        judge = server.judge(provider)
        asked = calls(judge, *map(str, range(20)))
        first, recorded = ask(tmp_path, asked, jobs=jobs)
    second, replayed = ask(tmp_path, asked, offline=True)
    assert [f"equivalent\n{number}" for number in range(20)] == first == second
    assert (20, None) == (recorded.recording.recorded, replayed.recording)
    assert len(server.asked) == 20


def test_each_distinct_request_is_asked_once(tmp_path: Path) -> None:
    """Equal calls of several submissions cost one request, and its reply serves all of them."""
    with judge_server(say=echo) as server:
        judge = server.openai()
        asked = calls(judge, "x", "y", "x", submission="a") + calls(judge, "y", "z", submission="b")
        texts, asker = ask(tmp_path, asked)
        again, _ = ask(tmp_path, calls(judge, "x", "z", submission="c"))
    assert (["x", "y", "z"], 3) == (sorted(server.prompts), asker.recording.recorded)
    assert [text.split("\n")[1] for text in [*texts, *again] if text] == [
        "x",
        "y",
        "x",
        "y",
        "z",
        "x",
        "z",
    ]
    assert cassette_files(tmp_path) == ("cassettes/gpt/s/a.json", "cassettes/gpt/s/b.json")


def test_garbage_is_collected_while_recording(tmp_path: Path) -> None:
    """Scoring pauses the garbage collector. It runs while a client makes requests."""
    standing = []

    def note(prompt: str) -> str:
        standing.append(gc.isenabled())
        return echo(prompt)

    with judge_server(say=note) as server, paused_collector():
        ask(tmp_path, calls(server.openai(), "x"))
        assert not gc.isenabled()
    assert [True] == standing
    assert gc.isenabled()


@pytest.mark.large
def test_the_files_do_not_depend_on_the_number_of_jobs(tmp_path: Path) -> None:
    """One job or eight, on different ports, write the same bytes."""
    for jobs in (1, 8):
        with judge_server(say=echo) as server:
            ask(tmp_path / str(jobs), calls(server.openai(), *map(str, range(30))), jobs=jobs)
    one, eight = ((tmp_path / name / "cassettes/gpt/s/a.json").read_bytes() for name in ("1", "8"))
    assert one == eight


@pytest.mark.parametrize("mode", ["none", "new_episodes", "all"])
def test_record_modes(tmp_path: Path, mode: RecordMode) -> None:
    """Mode none asks for nothing, new_episodes for what is missing, all for everything again."""
    with judge_server(say=echo) as server:
        judge = server.openai()
        ask(tmp_path, calls(judge, "old"))
        server.say = lambda prompt: f"different\n{prompt}"
        server.asked.clear()
        texts, _ = ask(tmp_path, calls(judge, "old", "new"), mode)
    expected = {
        "none": ([], ["equivalent\nold", None]),
        "new_episodes": (["new"], ["equivalent\nold", "different\nnew"]),
        "all": (["new", "old"], ["different\nold", "different\nnew"]),
    }
    assert expected[mode] == (sorted(server.prompts), texts)


def test_asking_again_replaces_the_reply_in_its_cassette(tmp_path: Path) -> None:
    """Record mode all replaces the reply in the cassette that had it."""
    with judge_server(say=echo) as server:
        ask(tmp_path, calls(server.openai(), "x", submission="a"))
        server.say = lambda _: "different\nnow"
        ask(tmp_path, calls(server.openai(), "x", submission="b"), "all")
    index = Index.load(tmp_path)
    assert (["different\nnow"], ("cassettes/gpt/s/a.json",)) == (
        [call.text for call in index],
        cassette_files(tmp_path),
    )


def test_a_miss_names_the_nearest_call_and_is_not_used(tmp_path: Path) -> None:
    """Without recording, an unknown call gets no text, and the nearest recorded call is named."""
    with judge_server(say=echo) as server:
        judge = server.openai()
        ask(tmp_path, calls(judge, "Where?\nRome"))
    with open_asker(tmp_path) as asker:
        replies = asker(calls(judge, "Where?\nOslo", "Where?\nOslo", "Where?\nRome"))
        again = asker(calls(judge, "Where?\nOslo"))
    assert (None, 'messages[0].content, line 2: recorded "Rome", asked "Oslo"') == (
        replies[0].text,
        replies[0].difference,
    )
    assert (replies[0], replies[0], replies[2].key) == (replies[1], again[0], replies[0].nearest)


@pytest.mark.parametrize("provider", ["openai", "google"])
def test_only_the_reply_is_recorded_not_the_errors_before_it(tmp_path: Path, provider: str) -> None:
    """A 429 before the reply is not recorded: stock vcrpy would replay it."""
    with judge_server(say=echo, statuses=[429]) as server:
        texts, _ = ask(tmp_path, calls(server.judge(provider), "x"))
    (file,) = cassette_files(tmp_path)
    assert (["equivalent\nx"], [200]) == (
        texts,
        [cassette_file.exchange(item).status for item in cassette_file.read(tmp_path, file)],
    )


def test_a_refused_call_does_not_stop_the_others(tmp_path: Path) -> None:
    """A call that the judge refuses is missing with its reason; the others are recorded."""
    with judge_server(say=echo, statuses=[400]) as server:
        texts, asker = ask(tmp_path, calls(server.openai(), "x", "y", "z"), jobs=1)
    assert ([None, "equivalent\ny", "equivalent\nz"], 2) == (texts, asker.recording.recorded)
    assert "answered 400: Error code: 400" in str(list(asker.recording.failures.values()))


@pytest.mark.large
@pytest.mark.parametrize(("statuses", "most"), [([401] * 99, 2), ([500] * 99, 2 * 7)])
def test_an_unreachable_judge_ends_the_recording(
    tmp_path: Path, statuses: list[int], most: int
) -> None:
    """A wrong key stops it at once, a dead endpoint after a few calls. Replies are kept."""
    with judge_server(say=echo) as server:
        judge = server.openai()
        with open_asker(tmp_path, record_mode="new_episodes", jobs=2) as asker:
            asker(calls(judge, "good"))
            server.statuses = statuses
            server.asked.clear()
            with pytest.raises(JudgeError, match=f"judge 'gpt' answered {statuses[0]}"):
                asker(calls(judge, *map(str, range(50))))
    assert len(server.asked) <= most
    assert [call.text for call in Index.load(tmp_path)] == ["equivalent\ngood"]


def test_a_reply_without_a_choice_is_not_kept(tmp_path: Path) -> None:
    """An error with status 200 is not a reply: the call stays missing, with a reason."""
    with judge_server() as server:
        server.broken = {"error": {"message": "overloaded"}}
        texts, asker = ask(tmp_path, calls(server.openai(), "x"))
    assert ([None], ()) == (texts, cassette_files(tmp_path))
    (why,) = asker.recording.failures.values()
    assert why


HALF = {"finish_reason": "error", "message": {"role": "assistant", "content": "different: the"}}


def test_a_reply_that_an_error_ended_is_asked_for_again(tmp_path: Path) -> None:
    """The half reply is not recorded. The whole one that follows is, and decides."""
    with judge_server(say=echo, broken={"choices": [HALF]}, broken_replies=1) as server:
        texts, _ = ask(tmp_path, calls(server.openai(), "x"))
    assert (["equivalent\nx"], 2) == (texts, len(server.asked))
    assert ["equivalent\nx"] == [call.text for call in Index.load(tmp_path)]


@pytest.mark.large
def test_errors_with_status_200_end_the_recording(tmp_path: Path) -> None:
    """After five calls in a row without a reply, the judge is not asked about the others."""
    with (
        judge_server(broken={"error": {"message": "Slow down"}}) as server,
        pytest.raises(JudgeError, match="'gpt' sent no reply: it holds an error: Slow down"),
    ):
        ask(tmp_path, calls(server.openai(), *map(str, range(50))), jobs=1)
    assert 5 * QUICK.attempts == len(server.asked)


def test_replies_that_cannot_be_kept_end_the_recording(tmp_path: Path) -> None:
    """After five in a row, no more are paid for."""
    with judge_server() as server:
        judge = replace(server.openai(), base_url=f"{server.url}/a/../v1")
        with pytest.raises(JudgeError, match="its reply cannot be kept"):
            ask(tmp_path, calls(judge, *map(str, range(99))), jobs=1)
    assert len(server.asked) == 5
    assert not cassette_files(tmp_path)


def test_a_reply_that_was_cut_off_is_kept_and_gives_no_grade(tmp_path: Path) -> None:
    """It was paid for, and asking again would end it at the same limit."""
    cut_off = {"finish_reason": "length", "message": {"content": "different"}}
    with judge_server(broken={"choices": [cut_off]}) as server:
        texts, asker = ask(tmp_path, calls(server.openai(), "x"))
    assert ["[no text in the judge's reply: it ended with length, the token limit]"] == texts
    assert (1, 1) == (len(server.asked), asker.recording.recorded)


def test_a_missing_key_is_reported_before_anything_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A judge without its key raises when it has to be asked, and only then."""
    judge = JudgeSettings("far", "openai", "m")
    with (
        open_asker(tmp_path, record_mode="new_episodes") as asker,
        pytest.raises(JudgeError, match="OPENAI_API_KEY"),
    ):
        asker(calls(judge, "x"))
    with open_asker(tmp_path, record_mode="none") as asker:
        assert asker(calls(judge, "x"))[0].text is None


def test_nothing_is_imported_or_written_for_what_is_recorded(tmp_path: Path) -> None:
    """A session that finds everything leaves the cassettes byte for byte, and no journal."""
    with judge_server(say=echo) as server:
        judge = server.openai()
        ask(tmp_path, calls(judge, "x"))
        before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
        ask(tmp_path, calls(judge, "x"))
    assert before == {
        path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()
    }


def test_vcrpys_patches_are_removed_when_writing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When writing fails, HTTP is restored, and the error names the file and not the connection."""
    plain = httpx2.HTTPTransport.handle_request

    def full(self: journal.Journal, file: str, interaction: Any, **_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(journal.Journal, "keep", full)
    with (
        judge_server(say=echo) as server,
        pytest.raises(FilesError, match=r"recordings\.journal: cannot be written: No space left"),
    ):
        ask(tmp_path, calls(server.openai(), *map(str, range(9))), jobs=2)
    assert (True, True) == (httpx2.HTTPTransport.handle_request is plain, len(server.asked) <= 4)


def test_vcrpys_patches_are_gone_after_an_error() -> None:
    """An exception inside the context restores HTTP."""
    handlers = [httpx2.HTTPTransport.handle_request]

    def fail() -> None:
        with intercepted(lambda _: None):
            handlers.append(httpx2.HTTPTransport.handle_request)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    handlers.append(httpx2.HTTPTransport.handle_request)
    assert [True, False, True] == [handler is handlers[0] for handler in handlers]


@pytest.mark.large
def test_offline_means_no_network_at_all(tmp_path: Path) -> None:
    """Offline, nothing is asked in any record mode, and no other request leaves the process."""
    with (
        judge_server() as server,
        open_asker(tmp_path, offline=True, record_mode="all") as asker,
    ):
        assert asker(calls(server.openai(), "x"))[0].text is None
        with pytest.raises(OfflineError):
            httpx2.get(server.url)
    assert server.asked == []


def test_the_embedded_judge_is_recorded_like_any_other(tmp_path: Path) -> None:
    """The embedded judge needs no key and no server. Its cassette replays offline."""
    judge = JudgeSettings(
        "embedded-1", "embedded", "embedded-1", settings={"temperature": 0, "seed": 7}
    )
    texts, recorded = ask(tmp_path, calls(judge, "x", "y"))
    again, _ = ask(tmp_path, calls(judge, "x", "y"), offline=True)
    assert (texts, 2) == (again, recorded.recording.recorded)
    assert (
        b"http://localhost/v1/chat/completions"
        in (tmp_path / "cassettes/embedded-1/s/a.json").read_bytes()
    )


def test_several_judges_are_kept_apart(tmp_path: Path) -> None:
    """The calls of a panel go to each judge's own server and cassette."""
    with (
        judge_server(say=lambda _: "equivalent") as one,
        judge_server(say=lambda _: "different") as other,
    ):
        asked = [*calls(one.openai(), "x"), *calls(other.google(), "x")]
        texts, _ = ask(tmp_path, asked)
    assert (["equivalent", "different"], 2) == (texts, len(cassette_files(tmp_path)))


def test_the_settings_of_the_call_count(tmp_path: Path) -> None:
    """The settings of the call decide, not those that the asker was opened with."""
    with judge_server(say=echo) as server:
        cold, warm = server.openai(temperature=0), server.openai(temperature=1)
        ask(tmp_path, calls(cold, "x"))
        with open_asker(tmp_path) as asker:
            found = [asker(calls(judge, "x"))[0].text for judge in (cold, warm, cold)]
    assert found == ["equivalent\nx", None, "equivalent\nx"]


def test_a_journal_left_behind_is_filed_by_the_next_recording(tmp_path: Path) -> None:
    """It finds what an interrupted recording kept. Sessions that do not record change no file."""
    with judge_server(say=echo) as server:
        judge = server.openai()
        ask(tmp_path, calls(judge, "x"))
    file = "cassettes/gpt/s/a.json"
    with journal.open_journal(tmp_path) as kept:
        kept.keep(file, cassette_file.read(tmp_path, file)[0])
        left = journal.path_of(tmp_path).read_bytes()
    (tmp_path / file).unlink()
    journal.path_of(tmp_path).write_bytes(left)
    for reads in ({"offline": True}, {"mode": "none"}):
        assert ask(tmp_path, calls(judge, "x"), **reads)[0] == [None]
        assert (left, False) == (
            journal.path_of(tmp_path).read_bytes(),
            (tmp_path / file).exists(),
        )
    texts, asker = ask(tmp_path, calls(judge, "x"))
    assert (["equivalent\nx"], 1, 0) == (texts, asker.filed, asker.recording.recorded)


def test_a_failed_repetition_leaves_the_old_reply(tmp_path: Path) -> None:
    """A call that fails when asked again keeps its reply, and the failure is reported."""
    with judge_server(say=echo) as server:
        ask(tmp_path, calls(server.openai(), "x"))
        server.statuses = [400]
        texts, asker = ask(tmp_path, calls(server.openai(), "x"), "all")
    (why,) = asker.recording.failures.values()
    assert (["equivalent\nx"], 0) == (texts, asker.recording.recorded)
    assert "answered 400" in why


def test_a_lone_surrogate_is_a_problem_of_the_submission(tmp_path: Path) -> None:
    """A prompt that UTF-8 cannot encode is reported with the file that it comes from."""
    judge = JudgeServer(port=9).openai()
    with (
        open_asker(tmp_path) as asker,
        pytest.raises(JudgeError, match=r"submissions/a/s\.json: .*surrogate"),
    ):
        asker(calls(judge, "\ud83d"))


def test_an_asker_without_recorder_only_looks_up(tmp_path: Path) -> None:
    """Built on an index, it replays and records nothing."""
    judge = JudgeServer(port=9).openai()
    assert Asker(Index.load(tmp_path))(calls(judge, "x"))[0].text is None


@pytest.mark.parametrize("recordings", ["maintainers", "submitters"])
def test_what_another_recording_has_paid_for_is_not_asked_again(
    tmp_path: Path, recordings: Recordings
) -> None:
    """A recording reads the cassettes again as soon as no other one can write them."""
    with judge_server(say=echo) as server:
        judge = replace(server.openai(), recordings=recordings)
        ask(tmp_path, calls(judge, "old"))
        with open_asker(tmp_path, record_mode="new_episodes") as slow:
            slow(calls(judge, "old"))
            ask(tmp_path, calls(judge, "x"))
            server.say = lambda _: "different"
            assert ["equivalent\nx"] == [reply.text for reply in slow(calls(judge, "x"))]
    assert server.prompts == ["old", "x"]


# ---------------------------------------------------------------- whose recordings count


def merged(root: Path, judge: JudgeSettings, *prompts: str) -> None:
    """Records calls, and forgets that a maintainer did: as if a stranger had brought them."""
    ask(root, calls(judge, *prompts))
    (root / "recordings.json").unlink()


def test_a_call_without_a_reply_has_the_length_of_its_prompt(tmp_path: Path) -> None:
    """What recording it sends to the judge."""
    with judge_server(say=echo) as server:
        judge = server.openai()
        ask(tmp_path, calls(judge, "x"))
    asker = Asker(Index.load(tmp_path))
    replies = asker(calls(judge, "x", "a longer prompt"))
    assert [0, 15] == [reply.characters for reply in replies]


def test_t1_recordings_of_strangers_are_pending(tmp_path: Path) -> None:
    """A reply that no maintainer recorded does not count, also after it was merged."""
    with judge_server(say=echo) as server:
        judge = server.openai()
        merged(tmp_path, judge, "x")
        with open_asker(tmp_path, offline=True) as asker:
            (reply,) = asker(calls(judge, "x"))
    assert (None, True) == (reply.text, reply.pending)


def test_a_maintainer_records_what_is_pending(tmp_path: Path) -> None:
    """Pending calls are asked again, their replies are replaced, and then they count."""
    with judge_server(say=lambda _: "equivalent\nforged") as server:
        judge = server.openai()
        merged(tmp_path, judge, "x", "y")
        server.say = lambda _: "different"
        texts, asker = ask(tmp_path, calls(judge, "x"))
        assert (["different"], 1, 1) == (texts, asker.recording.recorded, asker.recording.listed)
        server.asked.clear()
        replayed, _ = ask(tmp_path, calls(judge, "x", "y"), offline=True)
    assert (["different", None], []) == (replayed, server.asked)


def test_t1_an_edited_reply_of_a_maintainer_is_pending(tmp_path: Path) -> None:
    """The list has the digest of the reply: another reply to the same request is not listed."""
    with judge_server(say=lambda _: "different") as server:
        judge = server.openai()
        ask(tmp_path, calls(judge, "x"))
        path = tmp_path / "cassettes/gpt/s/a.json"
        path.write_text(path.read_text().replace("different", "equivalent"))
        with open_asker(tmp_path, offline=True) as asker:
            assert asker(calls(judge, "x"))[0].pending


def test_recordings_of_submitters_count_if_the_board_says_so(tmp_path: Path) -> None:
    """Then recording does not write the list of maintainers."""
    with judge_server(say=echo) as server:
        judge = replace(server.openai(), recordings="submitters")
        ask(tmp_path, calls(judge, "x"))
        assert not (tmp_path / "recordings.json").exists()
        assert ["equivalent\nx"] == ask(tmp_path, calls(judge, "x"), offline=True)[0]


def test_an_interrupted_recording_of_a_maintainer_is_listed(tmp_path: Path) -> None:
    """The journal remembers who recorded, and the next recording adds it to the list."""
    with judge_server(say=echo) as server:
        judge = server.openai()
        ask(tmp_path, calls(judge, "x"))
        (recorded,) = cassette_file.read(tmp_path, "cassettes/gpt/s/a.json")
        merged(tmp_path, judge, "x")
        with journal.path_of(tmp_path).open("ab") as file:
            journal.Journal(file).keep("cassettes/gpt/s/a.json", recorded, listed=True)
        server.asked.clear()
        ask(tmp_path, calls(judge, "x"))
        assert ["equivalent\nx"] == ask(tmp_path, calls(judge, "x"), offline=True)[0]
        assert server.asked == []


def test_a_proposal_is_judged_by_what_is_merged(tmp_path: Path) -> None:
    """With a base, its list of maintainers counts: a proposal cannot list its own recordings."""
    base, proposed = tmp_path / "base", tmp_path / "proposed"
    with judge_server(say=echo) as server:
        judge = server.openai()
        ask(base, calls(judge, "old"))
        ask(proposed, calls(judge, "old", "new"))
        with open_reviewer(proposed, base) as asker:
            replies = asker(calls(judge, "old", "new"))
    assert [("equivalent\nold", False), (None, True)] == [(it.text, it.pending) for it in replies]


def test_asking_again_replaces_a_reply_wherever_it_is(tmp_path: Path) -> None:
    """A call in the cassettes of two submissions stays the same in both."""
    with judge_server(say=echo) as server:
        judge = server.openai()
        ask(tmp_path, calls(judge, "x"))
        again = tmp_path / "cassettes/gpt/s/b.json"
        again.write_bytes((tmp_path / "cassettes/gpt/s/a.json").read_bytes())
        server.say = lambda _: "different"
        ask(tmp_path, calls(judge, "x"), "all")
        assert ["different"] == ask(tmp_path, calls(judge, "x"), offline=True)[0]


def test_t3_a_contradiction_is_an_error_that_names_both(tmp_path: Path) -> None:
    """Two replies that count are an error before anything is scored, until the judge is asked."""
    judges(tmp_path, "submitters")
    with judge_server(say=echo) as server:
        judge = replace(server.openai(), recordings="submitters")
        ask(tmp_path, calls(judge, "x"))
        plant(tmp_path)
        named = r"s/a\.json:2 .* differs from that in cassettes/gpt/s/0\.json"
        with pytest.raises(FilesError, match=named), open_asker(tmp_path, offline=True):
            pass
        with pytest.raises(FilesError, match=named):
            ask(tmp_path, calls(judge, "y"))  # nobody asks about x

        assert ["equivalent\nx"] == ask(tmp_path, calls(judge, "x"))[0]
        assert ["equivalent\nx"] == ask(tmp_path, calls(judge, "x"), offline=True)[0]


def test_t3_a_planted_reply_never_replaces_that_of_a_maintainer(tmp_path: Path) -> None:
    """Its cassette is earlier in the alphabet, and no maintainer recorded it."""
    judges(tmp_path, "maintainers")
    with judge_server(say=echo) as server:
        judge = server.openai()
        ask(tmp_path, calls(judge, "x"))
    plant(tmp_path)
    assert ["equivalent\nx"] == ask(tmp_path, calls(judge, "x"), offline=True)[0]


def test_replies_that_differ_are_pending_until_a_maintainer_records_them(tmp_path: Path) -> None:
    """Two submitters recorded one request. The new reply replaces both."""
    judges(tmp_path, "maintainers")
    with judge_server(say=echo) as server:
        judge = server.openai()
        merged(tmp_path, judge, "x")
        plant(tmp_path)
        assert [None] == ask(tmp_path, calls(judge, "x"), offline=True)[0]
        server.say = lambda _: "genuine"
        assert ["genuine"] == ask(tmp_path, calls(judge, "x"))[0]
    assert ["genuine"] == ask(tmp_path, calls(judge, "x"), offline=True)[0]
    assert [["genuine"], ["genuine"]] == [
        [cassette_file.exchange(item).text for item in cassette_file.read(tmp_path, file)]
        for file in cassette_files(tmp_path)
    ]


def plant(root: Path) -> None:
    """Adds another reply to each recorded call, in a cassette that comes first."""
    data = (root / "cassettes/gpt/s/a.json").read_bytes()
    (root / "cassettes/gpt/s/0.json").write_bytes(data.replace(b"equivalent", b"different"))
