"""Episodes: every call is a step, and the record holds the state if there is one."""

from __future__ import annotations

from runners.environments import registry
from runners.environments.episode import Episode


def test_every_call_is_a_step() -> None:
    """Calls that fail are steps too, and a call with a problem is not carried out."""
    episode = Episode(registry["Tool Usage - Typewriter (1 tool)"].create_environment())
    assert episode.call("type_letter", {"letter": "a"}) == "OK"
    assert str(episode.call("lend", {})).startswith("ERROR: there is no tool named 'lend'")
    assert episode.call("", "oops", "the call names no tool") == "ERROR: the call names no tool"
    record = episode.record("Done.")
    assert [step["action"]["tool"] for step in record["intermediate_steps"]] == [
        "type_letter",
        "lend",
        "invalid_tool",
    ]
    assert (record["output"], record["state"]) == ("Done.", "a")


def test_without_a_state_the_record_has_none() -> None:
    """An environment without a state adds no field."""
    episode = Episode(registry["Multiverse Math"].create_environment())
    assert episode.record(None) == {"output": None, "intermediate_steps": []}
    assert [tool.name for tool in episode.tools][:2] == ["multiply", "add"]
