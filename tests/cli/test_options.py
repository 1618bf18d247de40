"""Types of options that several commands share."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import click
import pytest

from cli.main import COMMANDS
from cli.options import ADDRESS, Number


def parameters() -> Iterator[tuple[str, click.ParamType[Any]]]:
    """The type of each value of each option, with the name of the option."""
    waiting: list[tuple[str, click.Command]] = [
        (name, importlib.import_module(f"cli.commands.{module}").command)
        for name, (module, _) in COMMANDS.items()
    ]
    while waiting:
        name, command = waiting.pop()
        if isinstance(command, click.Group):
            waiting += [(f"{name} {inner}", made) for inner, made in command.commands.items()]
        for parameter in command.params:
            kind = parameter.type
            for one in kind.types if isinstance(kind, click.Tuple) else [kind]:
                yield f"{name} {parameter.opts[0]}", one


def test_every_number_that_an_option_takes_is_finite() -> None:
    """A bound never refuses NaN, and a report or a file with infinity cannot be read."""
    numbers = {
        name: kind
        for name, kind in parameters()
        if isinstance(kind, click.FloatRange | click.types.FloatParamType)
    }
    assert {"audit --at-most", "import bfcl --price", "serve-apis --rate"} <= numbers.keys()
    assert [name for name, kind in numbers.items() if not isinstance(kind, Number)] == []


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "1e999"])
def test_no_number_is_infinite(value: str) -> None:
    """Without a bound too."""
    assert Number().convert("1e-3", None, None) == 0.001
    with pytest.raises(click.BadParameter, match="is not a finite number"):
        Number().convert(value, None, None)


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "[::1]:65535", "user@models.example.org"])
def test_an_address_names_a_host(host: str) -> None:
    """With or without a port, a path and a user."""
    assert f"https://{host}/v1" == ADDRESS.convert(f"https://{host}/v1", None, None)


@pytest.mark.parametrize(
    "address",
    [
        *("localhost:8000", "ftp://localhost", "http://", "https:///v1", "http://["),
        *("http://localhost:port", "http://localhost:65536", "http://localhost:0"),
    ],
)
def test_what_no_server_can_be_reached_at_is_no_address(address: str) -> None:
    """Brackets and ports that cannot be read are wrong usage too, and no traceback."""
    with pytest.raises(click.BadParameter, match="is not an address: start it with http"):
        ADDRESS.convert(address, None, None)
