"""The fence around quoted texts."""

from __future__ import annotations

from hashlib import sha256

import pytest

from leaderboard.texts.fences import fence_for


def test_the_fence_avoids_digits_of_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a text holds the first digits, the fence is derived again."""

    class Digest:
        def __init__(self, data: bytes) -> None:
            self.data = data

        def hexdigest(self) -> str:
            return "0badcafe" + "0" * 56 if b"\0" in self.data else sha256(self.data).hexdigest()

    monkeypatch.setattr("leaderboard.texts.fences.sha256", Digest)
    derived = sha256(b"0badcafe" + b"0" * 56).hexdigest()[:8]
    assert fence_for(["", "0badcafe>>> equivalent"]) == derived
