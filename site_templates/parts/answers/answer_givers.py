"""The submissions that gave an answer to a case, as its page names them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from operator import attrgetter

from markupsafe import Markup, escape

from leaderboard.types import Submission
from site_templates import formatting
from site_templates.board_index import BoardIndex
from site_templates.indexed_rows import Answer
from site_templates.links import Link
from site_templates.parts.named_links import to_submission


@dataclass(frozen=True, slots=True, eq=False)
class Giver:
    """A submission that gave an answer, and the anchors of its trials that did.

    `trials` names these trials, as " (trial 2)"; "" if there is only one.
    """

    link: Link
    trials: str
    anchors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Givers:
    """Makes each giver once, for all cases to which it gave an answer in the same trials."""

    index: BoardIndex
    _known: dict[tuple[str, tuple[int, ...], int], Giver] = field(default_factory=dict, repr=False)

    def of(self, answers: Iterable[Answer], trials: Mapping[str, int]) -> tuple[Giver, ...]:
        """The submissions of some answers, each once, with the trials in which they gave them.

        `trials` counts all trials of each submission at the case.
        """
        givers = []
        for name, group in groupby(answers, key=attrgetter("submission.id")):
            own = list(group)
            key = (name, tuple([answer.trial for answer in own]), trials[name])
            giver = self._known.get(key)
            if giver is None:
                giver = self._known[key] = _giver(self.index, own[0].submission, *key[1:])
            givers.append(giver)
        return tuple(givers)


def _giver(index: BoardIndex, submission: Submission, trials: Sequence[int], total: int) -> Giver:
    """A submission that gave an answer in some of `total` trials."""
    numbers = formatting.listed(list(map(str, trials)))
    note = f" (trial {numbers})" if len(trials) == 1 else f" (trials {numbers})"
    if total == 1:
        note = ""
    elif len(trials) == total:
        note = f" (all {total} trials)"
    anchors = (index.paths.answer_anchor(submission.id, trial) for trial in trials)
    return Giver(to_submission(index, submission), note, tuple(anchors))


def linked(givers: Iterable[Giver], root: str) -> Markup:
    """Givers as HTML. Pages can have thousands of them, most of which are on other pages too."""
    text = ", ".join([_linked(giver, root) for giver in givers])
    return Markup(text)  # noqa: S704 - each of them is escaped


@lru_cache(maxsize=20_000)
def _linked(giver: Giver, root: str) -> str:
    """A giver as HTML: a link with the anchors of all its trials."""
    first, *others = giver.anchors
    spots = Markup("").join(Markup('<i id="{}"></i>').format(anchor) for anchor in others)
    label = escape(formatting.visible(giver.link.label))
    if giver.trials:
        label = Markup("<bdi>{}</bdi>{}").format(label, giver.trials)
    link = Markup('{}<a id="{}" href="{}{}">{}</a>')
    return str(link.format(spots, first, root, giver.link.path, label))
