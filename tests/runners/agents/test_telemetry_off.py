"""The telemetry of the frameworks."""

from __future__ import annotations

import pytest

from runners.agents.telemetry_off import SWITCHES, switch_off


def test_the_telemetry_is_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every variable is set, whatever its value was."""
    for name in SWITCHES:
        monkeypatch.setenv(name, "whatever")
    switch_off()
    import os

    assert dict(SWITCHES) == {name: os.environ[name] for name in SWITCHES}
