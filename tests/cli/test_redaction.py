"""Keys in what servers and judges say never reach a file, a page or a terminal."""

from __future__ import annotations

import pytest

from tests.conftest import SETTINGS, Folder
from tests.replay.judge_server import judge_server

LOOKS_LIKE_A_KEY = "sk-planted" + "0aB1" * 6
OWN_KEY = "token-of-this-machine"
USER = "kim-who-records"
ANSWER = [{"id": "B001", "model_text": "The answer is Paris."}]


def board(folder: Folder, port: int) -> Folder:
    judge = (
        f'\n[judges.gpt]\nprovider = "openai"\nmodel = "gpt-test"\n'
        f'base_url = "http://127.0.0.1:{port}/v1"\napi_key_env = "BOARD_KEY"\n'
        f'settings = {{ temperature = 0, user = "{USER}" }}\n'
    )
    folder.write("leaderboard.toml", SETTINGS.replace('["embedded-1"]', '["gpt"]') + judge)
    folder.submission("m1", ANSWER)
    return folder


def planted(folder: Folder) -> dict[str, list[str]]:
    """The planted texts that a file below the workspace holds, except for leaderboard.toml."""
    found = {
        name: [text for text in (LOOKS_LIKE_A_KEY, OWN_KEY, USER) if text.encode() in data]
        for name, data in folder.tree(".").items()
        if name != "leaderboard.toml"
    }
    return {name: texts for name, texts in found.items() if texts}


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARD_KEY", OWN_KEY)


@pytest.mark.large
def test_t18_keys_in_a_judges_words_and_settings_are_kept_nowhere(folder: Folder) -> None:
    """Cassettes, results, pages and audits have neither keys nor the name of who recorded."""
    said = f"equivalent\nThe key {LOOKS_LIKE_A_KEY} and {OWN_KEY} came with it."
    with judge_server(say=lambda _: said) as server:
        board(folder, server.port)
        assert 0 == folder.lb("rescore").exit_code
        assert 0 == folder.lb("audit").exit_code
    assert 0 == folder.lb("rescore", "--offline").exit_code
    assert 0 == folder.lb("build").exit_code
    assert {} == planted(folder)
    assert b"[redacted]" in folder.tree("cassettes")["gpt/small/m1.json"]
    assert 0 == folder.lb("cassettes", "check").exit_code


@pytest.mark.large
def test_t18_keys_in_a_servers_error_are_not_shown(folder: Folder) -> None:
    """A refusal that repeats the key is shown without it."""
    for status in (400, 401):
        with judge_server(statuses=[status] * 9) as server:
            server.refusal = f"no {LOOKS_LIKE_A_KEY}, no {OWN_KEY}"
            result = board(folder, server.port).lb("rescore")
        assert f"answered {status}" in result.output
        assert "[redacted]" in result.output
        assert LOOKS_LIKE_A_KEY not in result.output
        assert OWN_KEY not in result.output
        assert {} == planted(folder)


def test_t18_a_key_in_the_settings_of_a_judge_is_a_problem(folder: Folder) -> None:
    """leaderboard.toml is public: the message says where a key belongs."""
    folder.write("leaderboard.toml", SETTINGS.replace("seed = 7", f'x = "{LOOKS_LIKE_A_KEY}"'))
    result = folder.lb("validate")
    assert 1 == result.exit_code
    assert "looks like an OpenAI key" in result.stderr
    assert "api_key_env" in result.stderr
    assert LOOKS_LIKE_A_KEY not in result.output
