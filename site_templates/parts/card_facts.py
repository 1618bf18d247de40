"""The card of a submission: who made it, its settings, and what answering cost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from leaderboard.network.secret_keys import redact_json
from leaderboard.texts.counted_nouns import counted
from leaderboard.types import UNKNOWN, Card, Json, Submission
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.indexed_rows import Usage
from site_templates.links import web

MOST_SETTINGS: Final = 60  # settings that are listed
_VALUE: Final = 4_000  # characters of a setting
_SHORT: Final = 80  # characters of a setting in a line


@dataclass(frozen=True, slots=True)
class CardFact:
    """One line of the card. `url` leads out of the site."""

    name: str
    value: str
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting with its value. A `long` one, such as a prompt, has lines of its own."""

    name: str
    value: str
    long: bool


def card_facts(index: BoardIndex, submission: Submission) -> tuple[CardFact, ...]:
    """What the card says, and the usage on each suite; only what is known."""
    card = submission.card
    weights = {None: "", True: "open", False: "closed"}[card.open_weights]
    price = ""
    if card.price:
        per_input = formatting.number(card.price.input)
        per_output = formatting.number(card.price.output)
        price = f"${per_input} in, ${per_output} out, per million tokens"
    facts = [
        CardFact("Organisation", "" if card.organization == UNKNOWN else card.organization),
        CardFact("Model", "" if card.model == UNKNOWN else card.model),
        CardFact("Parameters", card.parameters or ""),
        CardFact("Framework", card.framework or ""),
        CardFact("Date", card.date),
        CardFact("Page", card.url or "", url=web(card.url)),
        *(CardFact(name, url, url=web(url)) for name, url in card.links.items()),
        CardFact("Licence", card.license or ""),
        CardFact("Weights", weights),
        CardFact("Contact", card.contact or ""),
        CardFact("Price", price),
    ]
    for suite in index.board.suites:
        usage = index.usage(submission.id, suite.id)
        reported = _usage(usage) if usage else ""
        if reported:
            facts.append(CardFact("Usage, as reported", f"{reported} on {suite.title}"))
    return tuple(fact for fact in facts if fact.value)


def card_settings(card: Card) -> tuple[Setting, ...]:
    """The settings of a card, without keys and other secrets."""
    settings = sorted(redact_json(dict(card.settings)).items())
    return tuple(line for name, value in settings for line in _named_settings(name, value))


def _named_settings(name: str, value: Json) -> Iterator[Setting]:
    """The settings by name, objects in objects as "outer, inner"."""
    name = formatting.clip(name, _SHORT)
    if isinstance(value, dict) and value:
        for inner_name, inner in sorted(value.items()):
            yield from _named_settings(f"{name}, {inner_name}", inner)
    else:
        text = value if isinstance(value, str) else formatting.values(value)
        text = text if len(text) <= _VALUE else f"{text[:_VALUE]}…"
        yield Setting(name, text, long=len(text) > _SHORT or "\n" in text)


def _usage(usage: Usage) -> str:
    parts = []
    if usage.cost_per_1000 is not None:
        parts.append(f"${formatting.number(usage.cost_per_1000)} per 1,000 cases")
    if usage.median_latency is not None:
        parts.append(f"{formatting.number(usage.median_latency)} s median")
    if usage.trials > 1:
        parts.append(f"{usage.trials} trials")
    if usage.errors:
        parts.append(counted(usage.errors, "error"))
    return ", ".join(parts)
