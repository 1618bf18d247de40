"""`lb requests`: the requests of a suite, for one's own harness or a batch API."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.options import PATH, TEMPERATURE_HELP, Temperature, read_text_option, sent_temperature
from cli.output.console import say
from cli.wiring import open_suites
from leaderboard.machine.atomic_files import write_atomic
from leaderboard.texts.counted_nouns import counted

if TYPE_CHECKING:
    from runners.models.model_settings import ModelProvider

_PROVIDERS: dict[str, ModelProvider] = {
    "openai": "openai",
    "anthropic": "anthropic",
    "gemini": "google",
}


@click.command()
@click.argument("suite_id", metavar="SUITE")
@click.option(
    "--format",
    "form",
    type=click.Choice(list(_PROVIDERS)),
    required=True,
    help="The API that the requests are for.",
)
@click.option("--batch", is_flag=True, help="Write the input file of the batch API.")
@click.option("--model", default="", help="The model's name, which batch requests contain.")
@click.option("--temperature", type=Temperature(), default="0", help=TEMPERATURE_HELP)
@click.option("--max-tokens", type=click.IntRange(min=1), help="The longest reply, in tokens.")
@click.option(
    "--system",
    "system_file",
    type=PATH,
    help="A file with a system prompt that replaces the suite's.",
)
@click.option("--out", type=PATH, help="The file to write (default: standard output).")
@click.pass_context
def command(
    ctx: click.Context,
    suite_id: str,
    form: str,
    batch: bool,
    model: str,
    temperature: float | None,
    max_tokens: int | None,
    system_file: Path | None,
    out: Path | None,
) -> None:
    """Write the requests of SUITE as JSON lines: system prompt, question and tools.

    They are the requests that lb run sends with the same options. Give the answers of the API
    or of your harness to lb new --from.

    \b
    Example:
      lb requests tool_selection --format openai --batch --model gpt-x --out requests.jsonl
      lb new my-model --from batch_output.jsonl --suite tool_selection
    """
    from runners.models.model_settings import ModelSettings
    from runners.models.suite_requests import suite_requests

    if batch and not model and form != "gemini":
        raise click.UsageError(f"a batch request of {form} names the model: pass --model NAME")
    _, [suite] = open_suites(ctx.obj, [suite_id], option="SUITE")
    provider = _PROVIDERS[form]
    is_given = ctx.get_parameter_source("temperature") is click.core.ParameterSource.COMMANDLINE
    sent = sent_temperature(provider, temperature, is_given=is_given)
    settings = ModelSettings(provider, model, temperature=sent, max_tokens=max_tokens)
    requests = suite_requests(suite, settings, batch=batch, system=read_text_option(system_file))
    lines = [json.dumps(request, ensure_ascii=False) for request in requests]
    data = "".join(f"{line}\n" for line in lines).encode()
    if out is None:
        sys.stdout.buffer.write(data)
    else:
        write_atomic(out, data)
        say(f"{out}: {counted(len(lines), 'request')}")
