"""Options and parameter types that several commands share."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

import click

from leaderboard.files.file_bytes import as_text, read_named

_Command = TypeVar("_Command", bound=Callable[..., Any])

PATH = click.Path(path_type=Path)
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)

results_option = click.option(
    "--results", type=PATH, help="The results to read (default: results/ in the workspace)."
)
offline_option = click.option(
    "--offline",
    is_flag=True,
    help="Refuse every network connection. Judge calls without a recording are missing.",
)
judge_option = click.option(
    "--judge",
    "judge_name",
    help="Let this judge of leaderboard.toml decide alone, instead of the panel.",
)
jobs_option = click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=4,
    help="Maximum number of concurrent judge calls.",
)

json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print the result as one JSON document on stdout."
)


def output_format(*choices: str) -> Callable[[_Command], _Command]:
    """`--format`, with the first choice as its default."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(choices),
        default=choices[0],
        help="How to print it.",
    )


def out_option(help_text: str) -> Callable[[_Command], _Command]:
    """`--out`, a folder to write."""
    return click.option("--out", type=PATH, help=help_text)


out_folder = click.option("--out", type=PATH, required=True, help="The folder to write.")
one_submission = click.option(
    "--submission",
    "submission_id",
    metavar="ID",
    help="The submission to write, if SRC holds one system.",
)


class Address(click.ParamType[str]):
    """An http:// or https:// address with a host."""

    name = "url"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not _is_address(value):
            fix = "start it with http:// or https:// and a host; a port must be a number"
            self.fail(f"{value!r} is not an address: {fix}", param, ctx)
        return str(value)


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        is_port = parts.port is None or parts.port > 0
    except ValueError:  # of a bracket without the other one, or of a port
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and is_port


class WebAddress(click.ParamType[str]):
    """The address of a web page, as files of the workspace hold it.

    `is_base`: other addresses begin with it, so it has no query and no fragment.
    """

    name = "url"

    def __init__(self, *, is_base: bool = False) -> None:
        self._is_base = is_base

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from leaderboard.files.field_types import base_address, web_address

        try:
            return base_address(str(value)) if self._is_base else web_address(str(value))
        except ValueError as error:
            self.fail(f"{value!r} is not an address: {error}", param, ctx)


class SubmissionId(click.ParamType[str]):
    """The id of a submission, or the path of its folder, as shells complete it."""

    name = "id"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return str(value).removeprefix("submissions/").removesuffix("/")


ADDRESS = Address()
WEB_ADDRESS = WebAddress()
BASE_ADDRESS = WebAddress(is_base=True)
SUBMISSION = SubmissionId()


class Number(click.FloatRange):
    """A finite number within a range."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a finite number.", param, ctx)
        return number


class Temperature(click.ParamType["float | None"]):
    """A number from 0, or `none`: then the request does not set it, and the server decides."""

    name = "number"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float | None:
        if value == "none":
            return None
        number = Number(min=0, max=5).convert(value, param, ctx)
        return int(number) if number.is_integer() else number


TEMPERATURE_HELP: Final = (
    "A number, or none to use the server's own temperature. Anthropic's default is none."
)


def sent_temperature(provider: str, temperature: float | None, *, is_given: bool) -> float | None:
    """The temperature of requests. Anthropic's newer models refuse one, so it has no default."""
    return None if provider == "anthropic" and not is_given else temperature


def read_text_option(file: Path | None) -> str | None:
    """The text of the file that an option names. Raises FilesError."""
    return None if file is None else as_text(read_named(file, str(file)), str(file)).strip()
