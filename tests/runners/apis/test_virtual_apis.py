"""Virtual APIs: their modes, and what each of them keeps."""

from __future__ import annotations

import json
import threading
from pathlib import Path

from leaderboard.apis.api_names import ApiName
from replay.network_guard import no_network
from runners.apis.api_call import ApiCall, ApiReply
from runners.apis.catalogue import Catalogue
from runners.apis.played_by_model import Simulator
from runners.apis.real_apis import RealEndpoint
from runners.apis.reply_cache import ApiCache
from runners.apis.virtual_apis import VirtualApis
from tests.runners.apis.tram_apis import CALL, GOOD, PLACE, Model, virtual


def test_replay_uses_only_the_cache(tmp_path: Path) -> None:
    """A miss is an error with the place and the key. No network, no model, no file."""
    model = Model(GOOD)
    with no_network():
        answer = virtual(tmp_path, "replay", model, RealEndpoint("http://127.0.0.1:9/")).answer(
            CALL
        )
    missed = (
        "cache miss: Transportation/tramline_for_Transportation/next_departures"
        ' {"stop":"Harbour Square"}'
    )
    assert ("miss", ApiReply(missed, "")) == (answer.source, answer.reply)
    assert ([], []) == (model.prompts, list(tmp_path.iterdir()))


def test_record_keeps_the_models_reply(tmp_path: Path) -> None:
    """The second call gets it from the cache. The entry has source, model and time."""
    model = Model(GOOD)
    apis = virtual(tmp_path, "record", model)
    answers = [apis.answer(CALL) for _ in range(2)]
    assert ["simulation", "cache"] == [answer.source for answer in answers]
    assert answers[0].reply == answers[1].reply == ApiReply("", "18:04 line 3")
    entry = json.loads((tmp_path / PLACE.path).read_bytes())['{"stop":"Harbour Square"}']
    assert ("simulation", "m-1", "2031-05-16T00:00:00+00:00") == (
        entry["source"],
        entry["model"],
        entry["time"],
    )
    assert 1 == len(model.prompts)


def test_live_keeps_nothing(tmp_path: Path) -> None:
    """A call that the cache lacks is asked each time."""
    model = Model(GOOD)
    apis = virtual(tmp_path, "live", model)
    assert ["simulation", "simulation"] == [apis.answer(CALL).source for _ in range(2)]
    assert [] == list(tmp_path.iterdir())


def test_chat_with_user_has_a_fixed_reply(tmp_path: Path) -> None:
    """The reply is that of upstream, in every mode."""
    answer = virtual(tmp_path, "replay").answer(ApiCall(ApiName("D", "T", "Chat With User"), {}))
    assert ("chat_with_user", ApiReply("", "Chat with user.")) == (answer.source, answer.reply)


def test_without_model_and_endpoint_there_is_an_error(tmp_path: Path) -> None:
    """Nothing is kept."""
    answer = virtual(tmp_path, "record").answer(CALL)
    assert "failed" == answer.source
    assert answer.reply.error.startswith("no reply: ")
    assert [] == list(tmp_path.iterdir())


def test_a_36_an_unreadable_file_is_an_error_in_the_reply(tmp_path: Path) -> None:
    """A-36: replay leaves the file. Record renames it and continues with the next call."""
    path = tmp_path / PLACE.path
    path.parent.mkdir(parents=True)
    path.write_text("{broken")
    answer = virtual(tmp_path, "replay").answer(CALL)
    assert "cache_error" == answer.source
    assert "next_departures.json" in answer.reply.error
    assert path.exists()
    apis = virtual(tmp_path, "record", Model(GOOD))
    assert ["cache_error", "simulation"] == [apis.answer(CALL).source for _ in range(2)]
    assert "{broken" == path.with_name("next_departures.json.unreadable").read_text()


def test_a_cache_that_cannot_be_written_does_not_lose_the_reply(tmp_path: Path) -> None:
    """The reply is sent, and a note for the log says that it was not kept."""
    (tmp_path / "Transportation").write_text("a file where a folder should be")
    answer = virtual(tmp_path, "record", Model(GOOD)).answer(CALL)
    assert ("simulation", ApiReply("", "18:04 line 3")) == (answer.source, answer.reply)
    assert answer.note.startswith("not kept: ")


def test_equal_calls_at_once_get_one_reply(tmp_path: Path) -> None:
    """Two simultaneous calls get the reply that was kept first."""
    gate = threading.Barrier(2, timeout=10)
    numbers = iter(range(2))

    def model(prompt: str) -> str:
        gate.wait()
        return json.dumps({"error": "", "response": f"reply {next(numbers)}"})

    apis = VirtualApis(ApiCache(tmp_path), Catalogue(()), "record", None, Simulator(model, "m"))
    answers: list[ApiReply] = []
    threads = [
        threading.Thread(target=lambda: answers.append(apis.answer(CALL).reply)) for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers[0] == answers[1] == apis.answer(CALL).reply
