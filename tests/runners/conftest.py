"""Fixtures of the tests that run models: keys, a workspace with suites, a bench per provider."""

from __future__ import annotations

import pytest

from tests.conftest import Folder
from tests.runners.model_board import KEY, Bench, add_suites

_OTHER_SETTINGS = (
    "GOOGLE_API_KEY",
    "OPENAI_BASE_URL",
    "OPENAI_ORG_ID",
    "OPENAI_PROJECT_ID",
    "GOOGLE_GENAI_USE_VERTEXAI",
    "GOOGLE_CLOUD_PROJECT",
    "GOOGLE_CLOUD_LOCATION",
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_BASE_URL",
)


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key for each provider, and no other settings of the SDKs."""
    for name in ("OPENAI_API_KEY", "GEMINI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, KEY)
    for name in _OTHER_SETTINGS:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def board(folder: Folder, keys: None) -> Folder:
    """A workspace with the suites `small`, `acts` and `match`."""
    add_suites(folder)
    return folder


@pytest.fixture(params=["openai", "google", "anthropic"])
def bench(request: pytest.FixtureRequest, board: Folder) -> Bench:
    """Runs of models in that workspace, for each provider."""
    return Bench(board, request.param)


@pytest.fixture
def openai_bench(board: Folder) -> Bench:
    return Bench(board, "openai")


@pytest.fixture
def google_bench(board: Folder) -> Bench:
    return Bench(board, "google")
