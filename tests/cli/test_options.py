"""Types of options that several commands share."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import click
import pytest

from cli.main import COMMANDS
from cli.options import Number


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
