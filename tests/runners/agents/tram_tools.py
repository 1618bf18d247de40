"""The address of no server, and the tools of a catalogue by name."""

from __future__ import annotations

from leaderboard.apis.api_definitions import ToolDefinition
from runners.apis.catalogue import Catalogue

NOWHERE = "http://127.0.0.1:9/virtual"


def named(catalogue: Catalogue, name: str) -> ToolDefinition:
    return next(found for found in catalogue.definitions if found.sanitised_name == name)
