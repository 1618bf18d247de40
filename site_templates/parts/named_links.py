"""Links to suites, categories, submissions and judges by the names that tables show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from leaderboard.ids import WHOLE
from leaderboard.types import Category, JudgeSettings, Submission, Suite
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.distinct_names import NAME
from site_templates.links import SUITES_PATH, Link

SUITES: Final = Link("Suites", SUITES_PATH)

_SHORT: Final = 24  # letters that a narrow column can break over two or three lines


@dataclass(frozen=True, slots=True)
class NamedJudge:
    """A judge with what it is in a few words, or "" if that is not known."""

    link: Link
    nature: str


def label(category: Category) -> str:
    """A category's name for a narrow column: its title, or the words of its id if that is long."""
    return category.title if len(category.title) <= _SHORT else formatting.words(category.id)


def to_suite(index: BoardIndex, suite: Suite) -> Link:
    return Link(suite.title, index.paths.suite(suite.id))


def rule_version(index: BoardIndex, suite: Suite) -> str:
    """How a suite's cases are decided without a judge, with the version or digest of the rule."""
    kind = suite.kind
    if kind.reported:
        return kind.decision
    if kind.rule_file:
        return f"{kind.decision}, digest {kind.rule_file.digest[:12]}"
    return f"{kind.decision} (version {index.board.rules_version})"


def to_category(index: BoardIndex, suite: Suite, category: Category) -> Link:
    name = unlike_suite(suite, label(category))
    return Link(name, index.paths.category(suite.id, category.id))


def unlike_suite(suite: Suite, name: str, word: str = "category") -> str:
    """A category's name. `word` comes before it if its suite has the same name."""
    return f"{word} {name}" if name.casefold() == suite.title.casefold() else name


def to_submission(index: BoardIndex, submission: Submission, length: int = NAME) -> Link:
    """A submission by its name, clipped to `length` characters."""
    return Link(index.names.of(submission.id, length), index.paths.submission(submission.id))


def noun_of(field: Sequence[Submission]) -> str:
    """What `BoardIndex.field` gives: submissions or, without any, baselines."""
    return "baseline" if field and field[0].is_baseline else "submission"


def to_judge(index: BoardIndex, name: str) -> NamedJudge:
    """A judge by name. A judge that the board no longer has gets no link."""
    for judge in index.board.judges:
        if judge.name == name:
            return NamedJudge(Link(name, index.paths.judge(name)), nature(judge))
    return NamedJudge(Link(name), "")


def all_judges(index: BoardIndex) -> tuple[NamedJudge, ...]:
    return tuple(to_judge(index, judge.name) for judge in index.board.judges)


def nature(judge: JudgeSettings) -> str:
    """What a judge is, in a few words."""
    if judge.provider == "embedded":
        return "a set of lexical rules, not a language model"
    return f"the model {formatting.clip(judge.model, 60)}"


def places(index: BoardIndex, suite: Suite) -> list[tuple[str, str, Link]]:
    """The rows of a table for the whole suite and each category.

    Each has the key that SCORES uses, the level (suite or cat), and the link.
    """
    categories = [(c.id, "cat", to_category(index, suite, c)) for c in suite.categories]
    return [(WHOLE, "suite", to_suite(index, suite)), *categories]


def document(index: BoardIndex, name: str) -> str | None:
    """The path of a document's page; None if this board has no such document."""
    return index.paths.document(name) if name in index.board.docs else None
