"""Reading one tool call, in every form that providers and agent frameworks write it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from leaderboard.errors import FilesError
from leaderboard.files.json_files import parse
from leaderboard.files.python_literals import read_literal
from leaderboard.types import Call, Json

# LangChain's serialised actions wrap a call in `kwargs`, OpenAI's tool calls in `function`.
_WRAPPERS: Final = ("kwargs", "function")
_NAME_KEYS: Final = ("tool", "name")
ARGUMENT_KEYS: Final = ("tool_input", "arguments", "args", "input")
# Keys beside a name that hold no arguments.
_OTHER_KEYS: Final = frozenset({"id", "call_id", "tool_call_id", "type", "index", "status", "log"})


class UnreadableCallError(ValueError):
    """A call without a name, or arguments that are not an object. The message names the reason."""


def read_call(given: Json, result: Json = None, *, bare_arguments: bool = False) -> Call:
    """Reads a call and keeps `result` with it.

    Models must give their arguments as an object. The logs of agents also have bare arguments,
    for tools with one text argument: `bare_arguments` puts such a value under `input`.
    Raises UnreadableCallError.
    """
    given = _unwrapped(given)
    if not isinstance(given, Mapping):
        raise UnreadableCallError("a call that is not an object")

    name = next((given[key] for key in _NAME_KEYS if key in given), None)
    if not isinstance(name, str) or not name:
        raise UnreadableCallError("a call without a name")

    value = next((given[key] for key in ARGUMENT_KEYS if key in given), None)
    if bare_arguments:
        return Call(name, _logged_arguments(value), result)
    try:
        return Call(name, read_arguments(value), result)
    except UnreadableCallError as error:
        raise UnreadableCallError(f"the arguments of {name} {error}") from error


def unread_keys(value: Json, argument_keys: Sequence[str] = ARGUMENT_KEYS) -> list[str]:
    """The filled keys of a call without arguments, of which one may be meant as them."""
    if isinstance(value, dict) and "arguments" in value:  # the quick case of nearly all
        return []
    call = _unwrapped(value)
    if not isinstance(call, Mapping) or not call.keys().isdisjoint(argument_keys):
        return []
    others = call.keys() - _OTHER_KEYS - {*_NAME_KEYS}
    return sorted(key for key in others if call[key] not in (None, "", [], {}))


def read_arguments(value: Json) -> Mapping[str, Json]:
    """Reads the arguments of a call: an object, or JSON text of one. Null and blank text are `{}`.

    Raises UnreadableCallError with a predicate, such as "are not an object".
    """
    if isinstance(value, str):
        try:
            value = parse(value.encode("utf-8", "replace"), "arguments") if value.strip() else {}
        except FilesError as error:
            raise UnreadableCallError(f"are text that {error.problems[0].what}") from error
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise UnreadableCallError("are not an object")
    return value


def _unwrapped(call: Json) -> Json:
    for wrapper in _WRAPPERS:
        if isinstance(call, Mapping) and isinstance(call.get(wrapper), Mapping):
            call = call[wrapper]
    return call


def _logged_arguments(given: Json) -> Mapping[str, Json]:
    """Reads arguments from a log, where text may also be Python's spelling of an object."""
    if given is None:
        return {}
    value = given
    if isinstance(given, str):
        try:
            value = read_literal(given) if given else {}
        except ValueError:
            value = given
    return value if isinstance(value, Mapping) else {"input": given}
