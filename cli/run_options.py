"""The options of `lb run` as one object, and the types of those that only it has."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from cli.options import sent_temperature
from leaderboard.errors import FilesError
from leaderboard.limits import MOST_DOLLARS

if TYPE_CHECKING:
    from leaderboard.types import Json, Price
    from runners.agents.tool_selector import Selector
    from runners.models.model_settings import ModelProvider, ModelSettings
    from runners.run_card import CardChoice

PROVIDERS: tuple[ModelProvider, ...] = ("openai", "google", "vertex", "anthropic")


class RunOption(click.Option):
    """An option of `lb run`. `of` names the runners that take it: model, agent, baseline."""

    def __init__(self, *args: Any, of: str = "model agent baseline", **attrs: Any) -> None:
        super().__init__(*args, **attrs)
        self.runners = of.split()


class SweepType(click.ParamType["tuple[int, ...]"]):
    """`max-tools=8,16,32`: the numbers, each once, in ascending order."""

    name = "max-tools=N,N,..."

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        name, _, listed = value.partition("=")
        parts = listed.split(",")
        if name != "max-tools" or not all(part.isdecimal() and int(part) > 0 for part in parts):
            self.fail(f"{value!r} is not of the form max-tools=8,16,32", param, ctx)
        return tuple(sorted({int(part) for part in parts}))


class HeaderType(click.ParamType["tuple[str, str]"]):
    """`NAME: VALUE`, as curl takes it. The value is never shown again, because it may be a key."""

    name = "NAME: VALUE"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        name, colon, text = value.partition(":")
        text = text.strip()
        is_name = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
        if not colon or not is_name or not text.isprintable() or not text.isascii():
            self.fail("a header has the form 'NAME: VALUE', in ASCII", param, ctx)
        return name, text


class BodyType(click.ParamType["dict[str, Json]"]):
    """A JSON object. Its values are never shown again, because one of them may be a key."""

    name = "JSON"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> dict[str, Json]:
        from leaderboard.files.json_files import parse

        try:
            body = parse(value.encode("utf-8", "surrogateescape"), "--extra-body")
        except FilesError:  # its words may hold a part of a value
            body = None
        if not isinstance(body, dict):
            self.fail("this is not a JSON object", param, ctx)
        fixed = sorted({"model", "messages", "contents", "tools", "system"} & body.keys())
        if fixed:
            self.fail(f"lb run itself sets {', '.join(fixed)}", param, ctx)
        return body


class PriceType(click.ParamType["Price"]):
    """`IN,OUT`: US dollars per million tokens."""

    name = "IN,OUT"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Price:
        from leaderboard.types import Price

        try:
            per_input, per_output = (float(part) for part in value.split(","))
        except ValueError:
            per_input, per_output = -1.0, -1.0
        if not (0 <= per_input <= MOST_DOLLARS and 0 <= per_output <= MOST_DOLLARS):
            what = f"{value!r} is not of the form IN,OUT: two prices in dollars, such as 0.5,1.5"
            self.fail(what, param, ctx)
        return Price(per_input, per_output)


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What the user asked for. `given` holds the names of the options on the command line."""

    model: str
    suite_names: tuple[str, ...]
    submission_id: str | None
    base_url: str | None
    api_key_env: str | None
    trials: int
    limit: int | None
    concurrency: int
    rate: float | None
    temperature: float | None
    timeout: float
    retries: int
    step_limit: int
    no_tools: bool
    system_file: Path | None
    resume: bool
    keep_raw: str | None
    max_tokens: int | None
    reasoning_effort: str | None
    seed: int | None
    extra_body: dict[str, Json] | None
    headers: tuple[tuple[str, str], ...]
    price: Price | None
    budget: float | None
    agent: str | None
    max_tools: int
    sweep: tuple[int, ...] | None
    selector: Selector
    selector_model: str | None
    server_url: str | None
    name: str | None
    organization: str | None
    date: str | None
    given: frozenset[str] = frozenset()

    @property
    def provider(self) -> str:
        return self.model.partition(":")[0]

    @property
    def model_name(self) -> str:
        return self.model.partition(":")[2]

    @property
    def card(self) -> CardChoice:
        from runners.run_card import CardChoice

        return CardChoice(
            name=self.name, organization=self.organization, date=self.date, price=self.price
        )

    @property
    def settings(self) -> ModelSettings:
        from runners.models.model_settings import ModelSettings

        is_given = "temperature" in self.given
        return ModelSettings(
            provider=cast("ModelProvider", self.provider),  # the command has checked it
            name=self.model_name,
            base_url=self.base_url,
            api_key_env=self.api_key_env,
            temperature=sent_temperature(self.provider, self.temperature, is_given=is_given),
            max_tokens=self.max_tokens,
            reasoning_effort=self.reasoning_effort,
            seed=self.seed,
            extra_body=self.extra_body or {},
            headers=dict(self.headers),
        )
