"""Links to suites, categories, submissions and judges by the names that tables show."""

from __future__ import annotations

from dataclasses import dataclass

from leaderboard.types import Category, JudgeSettings, Submission, Suite
from site_templates import formatting
from site_templates.board_index import WHOLE, Register, label
from site_templates.links import Link


@dataclass(frozen=True, slots=True)
class NamedJudge:
    """A judge with what it is in a few words, or "" if that is not known."""

    link: Link
    nature: str


def to_suite(register: Register, suite: Suite) -> Link:
    return Link(suite.title, register.paths.suite(suite.id))


def to_category(register: Register, suite: Suite, category: Category) -> Link:
    return Link(label(category), register.paths.category(suite.id, category.id))


def to_submission(register: Register, submission: Submission, length: int = 80) -> Link:
    """A submission by its name, clipped to `length` characters."""
    name = formatting.clip(submission.card.name, length)
    return Link(name, register.paths.submission(submission.id))


def to_judge(register: Register, name: str) -> NamedJudge:
    """A judge by name. A judge that the board no longer has gets no link."""
    for judge in register.board.judges:
        if judge.name == name:
            return NamedJudge(Link(name, register.paths.judge(name)), nature(judge))
    return NamedJudge(Link(name), "")


def all_judges(register: Register) -> tuple[NamedJudge, ...]:
    return tuple(to_judge(register, judge.name) for judge in register.board.judges)


def nature(judge: JudgeSettings) -> str:
    """What a judge is, in a few words."""
    if judge.provider == "embedded":
        return "a set of lexical rules, not a language model"
    return f"the model {formatting.clip(judge.model, 60)}"


def places(register: Register, suite: Suite) -> list[tuple[str, Link]]:
    """The whole suite, then its categories: the key that SCORES uses, and the link."""
    categories = [(c.id, to_category(register, suite, c)) for c in suite.categories]
    return [(WHOLE, to_suite(register, suite)), *categories]


def document(register: Register, name: str) -> str | None:
    """The path of a document's page; None if this board has no such document."""
    return register.paths.document(name) if name in register.board.docs else None
