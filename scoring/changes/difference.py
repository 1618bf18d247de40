"""What moved between two states of a board, and why: scores, verdicts and ranks beside the digests of what they rest on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import polars as pl

from leaderboard.board.board_changes import (
    Cause,
    CauseKind,
    Change,
    Difference,
    Entry,
    How,
    Move,
    Part,
    PartKind,
    RankMove,
    VerdictFlip,
)
from leaderboard.board.history import State
from leaderboard.responses.response_encodings import suite_of_file
from scoring.tables.aggregate import WHOLE

_ROW: Final = ("submission", "suite")
_SCORE: Final = (*_ROW, "category", "metric")
_VERDICT: Final = (*_ROW, "case_id", "trial", "metric")

# What can move a verdict that code alone has decided, before and now.
_OF_RULES: Final = frozenset({"responses", "cases", "rules"})
_ALL: Final = _OF_RULES | {"prompts", "judges", "cassettes"}

# What can move a score while no verdict moves: weights, and how verdicts are put together.
_OF_SUMS: Final = frozenset({"cases", "rules"})

_WHOLE: Final[tuple[PartKind, ...]] = ("tools", "policy")  # parts of a suite that there is one of

_Key = tuple[str, str]  # submission and suite


def difference(base: State, new: State) -> Difference:
    """`new` against `base`: rows that only one has, scores and verdicts that moved with their causes, ranks that moved.

    The causes of a change are all inputs that are not the same and that it can come from: responses of the same submission,
    cases, tools or weights of the same suite, and the rules; where a judge decided any verdict that moved, before or now, also
    prompts and cassettes of the suite, and the judges. A score that moves while no verdict does can only come of cases (their
    weights are in the same file) or rules. Scores that agree to twelve digits are the same.
    """
    inputs = tuple(input_changes(base.manifest, new.manifest))
    old_rows, new_rows = _rows(base), _rows(new)
    turned, moves = _turned(base.verdicts, new.verdicts), _moves(base.scores, new.scores)
    changed = []
    for key in sorted((old_rows & new_rows) & (moves.keys() | turned.keys()), key=_by_suite):
        one = turned[key]
        causes = _causes(inputs, key, one.judged)
        changed.append(
            Change(
                *key,
                tuple(moves[key]),
                tuple(one.flips),
                causes,
                one.added,
                one.removed,
                one.reworded,
            )
        )
    return Difference(
        base=base.name,
        new=new.name,
        inputs=inputs,
        added=_entries(new, new_rows - old_rows),
        removed=_entries(base, old_rows - new_rows),
        changed=tuple(changed),
        ranks=tuple(_rank_moves(base.ranks, new.ranks)),
    )


def _by_suite(key: _Key) -> _Key:
    return key[1], key[0]


def _rows(state: State) -> set[_Key]:
    return set(state.scores.select(_ROW).unique().iter_rows())


def _entries(state: State, keys: set[_Key]) -> tuple[Entry, ...]:
    whole: dict[_Key, dict[str, float | None]] = {key: {} for key in sorted(keys, key=_by_suite)}
    rows = state.scores.filter(category=WHOLE).select(*_ROW, "metric", "score").sort("metric")
    for submission, suite, metric, score in rows.iter_rows():
        if (submission, suite) in whole:
            whole[submission, suite][metric] = score
    ranks = state.ranks.filter(category=WHOLE).select(*_ROW, "rank_low", "rank_high").iter_rows()
    ranges = {(submission, suite): (low, high) for submission, suite, low, high in ranks}
    return tuple(Entry(*key, found, ranges.get(key)) for key, found in whole.items())


# ---------------------------------------------------------------- inputs


def input_changes(base: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Cause]:
    """Every input that two manifests do not have alike, by kind and name."""
    yield from _responses(base["submissions"], new["submissions"])
    old_parts, new_parts = base.get("suite_parts", {}), new.get("suite_parts", {})
    for cause in _named("cases", _digests(base["suites"]), _digests(new["suites"]), _suite_itself):
        if cause.name in old_parts and cause.name in new_parts:
            yield replace(cause, parts=_parts(old_parts[cause.name], new_parts[cause.name]))
        else:
            yield cause
    yield from _named("prompts", base["prompts"], new["prompts"], _suite_of_prompt)
    yield from _named("judges", _digests(base["judges"]), _digests(new["judges"]), _no_suite)
    for cause in _named("cassettes", base["cassettes"], new["cassettes"], _suite_of_cassette):
        yield Cause(
            cause.kind,
            cause.name,
            cause.how,
            cause.suite,
            cause.name.rsplit("/", 1)[-1].removesuffix(".json"),
        )
    if base["rules"]["version"] != new["rules"]["version"]:
        yield Cause(
            "rules", f"version {base['rules']['version']} to {new['rules']['version']}", "changed"
        )
    yield from _named(
        "labels",
        _digests(base.get("labels", {})),
        _digests(new.get("labels", {})),
        _suite_of_prompt,
    )


def _parts(base: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[Part, ...]:
    """What of a suite is not the same. Where nothing is that a score rests on, only its texts can be."""
    found = [
        *_each("case", base["cases"], new["cases"]),
        *_each("weight", base["weights"], new["weights"]),
    ]
    found += [Part(kind, "", "changed") for kind in _WHOLE if base[kind] != new[kind]]
    return tuple(found) or (Part("texts", "", "changed"),)


def _each(kind: PartKind, base: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Part]:
    for name in sorted(base.keys() | new.keys()):
        if base.get(name) != new.get(name):
            yield Part(
                kind,
                name,
                "added" if name not in base else "removed" if name not in new else "changed",
            )


def _responses(
    base: Mapping[str, Mapping[str, str]], new: Mapping[str, Mapping[str, str]]
) -> Iterator[Cause]:
    """Responses are told apart by submission and suite: a file that is packed now holds what it held."""
    old, now = dict(_by_row(base)), dict(_by_row(new))
    for key in sorted(old.keys() | now.keys()):
        before, after = old.get(key), now.get(key)
        if before is None or after is None:
            path = (after or before or ("", ""))[0]
            yield Cause("responses", path, "added" if before is None else "removed", key[1], key[0])
        elif before[1] != after[1]:
            yield Cause("responses", after[0], "changed", key[1], key[0])


def _by_row(submissions: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[_Key, tuple[str, str]]]:
    for submission, files in submissions.items():
        for path, digest in files.items():
            name = path.rsplit("/", 1)[-1]
            suite = suite_of_file(name) or name
            yield (submission, suite), (path, digest)


def _named(
    kind: CauseKind,
    base: Mapping[str, str],
    new: Mapping[str, str],
    suite: Callable[[str], str | None],
) -> Iterator[Cause]:
    for name in sorted(base.keys() | new.keys()):
        if base.get(name) != new.get(name):
            how: How = "added" if name not in base else "removed" if name not in new else "changed"
            yield Cause(kind, name, how, suite(name))


def _digests(named: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    return {name: value["digest"] for name, value in named.items()}


def _suite_itself(name: str) -> str | None:
    return name


def _no_suite(_: str) -> str | None:
    return None


def _suite_of_prompt(name: str) -> str | None:
    return name.split("/", 1)[0]


def _suite_of_cassette(path: str) -> str | None:
    """Of `cassettes/<judge>/<suite>/<submission>.json`."""
    steps = path.split("/")
    return steps[-2] if len(steps) > 2 else None


def _causes(inputs: Iterable[Cause], key: _Key, judged: set[bool]) -> tuple[Cause, ...]:
    """The changed inputs that a change of this row can come from; `judged` says of the moved verdicts whether a judge had part.

    A reply recorded for one submission serves every other, but another's cassette is named only where nothing nearer explains
    the change.
    """
    submission, suite = key
    kinds = _ALL if True in judged else _OF_RULES if judged else _OF_SUMS
    near = [
        cause
        for cause in inputs
        if cause.kind in kinds and cause.suite in {None, suite} and not _of_texts(cause)
    ]
    own = tuple(cause for cause in near if cause.submission in {None, submission})
    return own or tuple(cause for cause in near if cause.kind == "cassettes")


def _of_texts(cause: Cause) -> bool:
    """Whether nothing but a suite's titles and descriptions changed, on which nothing rests."""
    return bool(cause.parts) and all(part.kind == "texts" for part in cause.parts)


# ---------------------------------------------------------------- scores, verdicts, ranks


def _moves(base: pl.DataFrame, new: pl.DataFrame) -> defaultdict[_Key, list[Move]]:
    columns = [*_SCORE, pl.col("score").round(12), "scored"]
    both = base.select(columns).join(
        new.select(columns), on=_SCORE, how="full", suffix="_new", coalesce=True
    )
    moved = both.filter(
        pl.col("score").ne_missing(pl.col("score_new"))
        | pl.col("scored").ne_missing(pl.col("scored_new"))
    ).sort(*_ROW, "metric", "category")
    found: defaultdict[_Key, list[Move]] = defaultdict(list)
    for submission, suite, category, metric, old, old_scored, score, scored in moved.iter_rows():
        found[submission, suite].append(
            Move(category, metric, old, score, old_scored or 0, scored or 0)
        )
    return found


def _turned(base: pl.DataFrame, new: pl.DataFrame) -> defaultdict[_Key, _Turned]:
    """The verdicts that are not the same, by row, in order of metric, category, case and trial."""
    names = ("outcome", "score", "reason", "decided_by")
    both = base.join(new, on=_VERDICT, how="full", suffix="_new", coalesce=True).filter(
        pl.any_horizontal(pl.col(name).ne_missing(pl.col(f"{name}_new")) for name in names)
    )
    found: defaultdict[_Key, _Turned] = defaultdict(_Turned)
    for row in both.sort(*_ROW, "metric", "category_new", "case_id", "trial").iter_rows(named=True):
        found[row["submission"], row["suite"]].add(row)
    return found


@dataclass(slots=True)
class _Turned:
    """What is not the same among the verdicts of one row; `judged`: whether a judge had part in each."""

    flips: list[VerdictFlip] = field(default_factory=list)
    added: int = 0
    removed: int = 0
    reworded: int = 0
    judged: set[bool] = field(default_factory=set)

    def add(self, row: Mapping[str, Any]) -> None:
        flip = _flip(row)
        self.judged.add(flip.judged)
        if row["outcome"] is None:
            self.added += 1
        elif row["outcome_new"] is None:
            self.removed += 1
        elif (flip.old, flip.old_score) == (flip.new, flip.new_score):
            self.reworded += 1
        else:
            self.flips.append(flip)


def _flip(row: Mapping[str, Any]) -> VerdictFlip:
    return VerdictFlip(
        category=row["category_new"],
        case_id=row["case_id"],
        trial=row["trial"],
        metric=row["metric"],
        old=row["outcome"],
        new=row["outcome_new"],
        old_score=row["score"],
        new_score=row["score_new"],
        old_reason=row["reason"],
        new_reason=row["reason_new"],
        judged="judge" in {row["decided_by"], row["decided_by_new"]},
    )


def _rank_moves(base: pl.DataFrame, new: pl.DataFrame) -> Iterator[RankMove]:
    """Ranks of rows that both states have, and that are not the same."""
    key = ["suite", "category", "submission"]
    both = base.join(new, on=key, how="inner", suffix="_new").filter(
        (pl.col("rank_low") != pl.col("rank_low_new"))
        | (pl.col("rank_high") != pl.col("rank_high_new"))
    )
    for row in both.sort("suite", "submission", "category").iter_rows(named=True):
        old, now = (row["rank_low"], row["rank_high"]), (row["rank_low_new"], row["rank_high_new"])
        yield RankMove(row["submission"], row["suite"], row["category"], old, now)
