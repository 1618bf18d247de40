"""Switches off the telemetry of the frameworks: agents reach only their model and their tools."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

SWITCHES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "DO_NOT_TRACK": "1",
        "OTEL_SDK_DISABLED": "true",
        "LANGSMITH_TRACING": "false",
        "LANGSMITH_TRACING_V2": "false",
        "LANGCHAIN_TRACING": "false",
        "LANGCHAIN_TRACING_V2": "false",
        "CREWAI_DISABLE_TELEMETRY": "true",
        "CREWAI_DISABLE_TRACKING": "true",
        "CREWAI_DISABLE_VERSION_CHECK": "true",
        "CREWAI_TRACING_ENABLED": "false",
        "AUTOGEN_DISABLE_RUNTIME_TRACING": "true",
        "OPENAI_AGENTS_DISABLE_TRACING": "1",
        "AGNO_TELEMETRY": "false",
        "ANONYMIZED_TELEMETRY": "false",
    }
)


def switch_off() -> None:
    """Sets the environment variables of all frameworks. Run it before any of them is imported."""
    os.environ.update(SWITCHES)
