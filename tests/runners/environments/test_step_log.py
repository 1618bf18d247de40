"""The log of steps: every call is a step, and the record holds the state if there is one."""

from __future__ import annotations

from runners.environments import registry
from runners.environments.step_log import StepLog


def test_every_call_is_a_step() -> None:
    """Calls that fail are steps too, and a call with a problem is not carried out."""
    log = StepLog(registry["Tool Usage - Typewriter (1 tool)"].create_environment())
    assert log.call("type_letter", {"letter": "a"}) == "OK"
    assert str(log.call("lend", {})).startswith("ERROR: there is no tool named 'lend'")
    assert log.call("", "oops", "the call names no tool") == "ERROR: the call names no tool"
    record = log.record("Done.")
    assert [step["action"]["tool"] for step in record["intermediate_steps"]] == [
        "type_letter",
        "lend",
        "invalid_tool",
    ]
    assert (record["output"], record["state"]) == ("Done.", "a")


def test_without_a_state_the_record_has_none() -> None:
    """An environment without a state adds no field."""
    log = StepLog(registry["Multiverse Math"].create_environment())
    assert log.record(None) == {"output": None, "intermediate_steps": []}
    assert [tool.name for tool in log.tools][:2] == ["multiply", "add"]
