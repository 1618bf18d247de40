"""What changed between two states of a board, and why: scores, verdicts, ranks and inputs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any, Final, NamedTuple, TypeVar

import polars as pl

from leaderboard.board.board_changes import (
    BoardEntry,
    Cause,
    CauseKind,
    Change,
    Difference,
    How,
    Move,
    Part,
    Range,
    RankMove,
    VerdictFlip,
)
from leaderboard.board.board_state import State
from leaderboard.board.manifest_shape import Manifest, SuiteParts
from leaderboard.files.cassette_paths import cassette_path
from leaderboard.ids import WHOLE
from leaderboard.responses.response_file_names import suite_of_file

_ROW: Final = ("submission", "suite")
_SCORE: Final = (*_ROW, "category", "metric")
_VERDICT: Final = (*_ROW, "case_id", "trial", "metric")

# What can change a verdict that code alone decided, before and after.
_OF_RULES: Final = frozenset({"responses", "cards", "cases", "rules"})
_ALL: Final = _OF_RULES | {"prompts", "judges", "cassettes"}

# What can change a score while no verdict changes: weights, which cases of a partial submission
# count, and how verdicts are averaged.
_OF_SUMS: Final = frozenset({"cards", "cases", "rules"})

_Key = tuple[str, str]  # submission and suite
_Name = TypeVar("_Name", str, _Key)  # of an input


def difference(base: State, new: State) -> Difference:
    """Compares `new` with `base`: rows added and removed, scores and verdicts that changed, ranks.

    The causes of a change are all changed inputs that it can come from: responses of the same
    submission and its card, cases, tools or weights of the same suite, and the rules. If a judge
    decided any changed verdict, before or after, they also include the prompts and cassettes of the
    suite and the judges. If no verdict changed, a score can only change with the cases (their
    weights are in the same file), the card or the rules. Scores that agree to twelve digits are
    equal.
    """
    inputs = tuple(input_changes(base.manifest, new.manifest))
    old_rows, new_rows = _rows(base), _rows(new)
    old_verdicts, new_verdicts = base.verdicts, new.verdicts
    verdicts = _changed_verdicts(old_verdicts, new_verdicts)
    moves = _moves(base.scores, new.scores)
    changed = []
    for key in sorted(old_rows & new_rows & (moves.keys() | verdicts.keys()), key=by_suite):
        one = verdicts[key]
        causes = _causes(inputs, key, one.judged)
        counts = one.added, one.removed, one.reworded
        changed.append(Change(*key, tuple(moves[key]), tuple(one.flips), causes, *counts))
    return Difference(
        base=base.name,
        new=new.name,
        inputs=inputs,
        added=_entries(new, new_rows - old_rows),
        removed=_entries(base, old_rows - new_rows),
        changed=tuple(changed),
        ranks=tuple(_rank_moves(base.ranks, new.ranks)),
        recased=tuple(_recased(old_verdicts, new_verdicts)),
    )


def by_suite(key: _Key) -> _Key:
    return key[1], key[0]


def _rows(state: State) -> set[_Key]:
    return set(state.scores.select(_ROW).unique().iter_rows())


def _entries(state: State, keys: set[_Key]) -> tuple[BoardEntry, ...]:
    whole: dict[_Key, dict[str, float | None]] = {key: {} for key in sorted(keys, key=by_suite)}
    rows = state.scores.filter(category=WHOLE).select(*_ROW, "metric", "score").sort("metric")
    for submission, suite, metric, score in rows.iter_rows():
        if (submission, suite) in whole:
            whole[submission, suite][metric] = score
    ranks = whole_ranks(state)
    return tuple(BoardEntry(*key, scores, ranks.get(key)) for key, scores in whole.items())


def whole_ranks(state: State) -> dict[_Key, Range]:
    """The range of ranks of each submission that has one on a whole suite."""
    ranked = state.ranks.filter(category=WHOLE).drop_nulls("rank_low")
    rows = ranked.select(*_ROW, "rank_low", "rank_high").iter_rows()
    return {(submission, suite): (low, high) for submission, suite, low, high in rows}


# ---------------------------------------------------------------- inputs


def input_changes(base: Manifest, new: Manifest) -> Iterator[Cause]:
    """Every input that differs between two manifests, by kind and name."""
    old, now = _responses(base["submissions"]), _responses(new["submissions"])
    digests = ({row: file.digest for row, file in files.items()} for files in (old, now))
    for row, how in _compared(*digests):
        submission, suite = row
        file = now[row] if row in now else old[row]
        yield Cause("responses", file.path, how, suite, submission)

    if "cards" in base and "cards" in new:  # old snapshots have none
        both = base["cards"].keys() & new["cards"].keys()
        for name in sorted(both):
            if base["cards"][name] != new["cards"][name]:
                yield Cause("cards", name, "changed", submission=name)
    yield from _of_cases(base, new)

    yield from _of_suites("prompts", base["prompts"], new["prompts"])
    for judge, how in _compared(_digests(base["judges"]), _digests(new["judges"])):
        yield Cause("judges", judge, how)
    for path, how in _compared(base["cassettes"], new["cassettes"]):
        cassette = cassette_path(path)
        suite_id = cassette.suite if cassette else None  # recordings.json has none
        yield Cause("cassettes", path, how, suite_id, PurePosixPath(path).stem)
    old_rules, new_rules = base["rules"]["version"], new["rules"]["version"]
    if old_rules != new_rules:
        yield Cause("rules", f"version {old_rules} to {new_rules}", "changed")
    own = (manifest["rules"].get("own", {}) for manifest in (base, new))
    for path, how in _compared(*own):
        yield Cause("rules", path, how)
    labels = (_digests(manifest.get("labels", {})) for manifest in (base, new))
    yield from _of_suites("labels", *labels)


def _of_cases(base: Manifest, new: Manifest) -> Iterator[Cause]:
    """The suites that changed, with their parts where both manifests have them."""
    old_parts, new_parts = base.get("suite_parts", {}), new.get("suite_parts", {})
    in_both = old_parts.keys() & new_parts.keys()
    suites = []
    for manifest, parts in ((base, old_parts), (new, new_parts)):
        digests = _digests(manifest["suites"])
        suites.append(
            {name: (digests[name], parts[name] if name in in_both else None) for name in digests}
        )
    for suite, how in _compared(*suites):
        cause = Cause("cases", suite, how, suite)
        if suite in in_both:
            cause = replace(cause, parts=_parts(old_parts[suite], new_parts[suite]))
        yield cause


def _compared(
    base: Mapping[_Name, object], new: Mapping[_Name, object]
) -> Iterator[tuple[_Name, How]]:
    """The keys whose values differ, sorted."""
    for key in sorted(base.keys() | new.keys()):
        if key not in base:
            yield key, "added"
        elif key not in new:
            yield key, "removed"
        elif base[key] != new[key]:
            yield key, "changed"


def _of_suites(
    kind: CauseKind, base: Mapping[str, object], new: Mapping[str, object]
) -> Iterator[Cause]:
    """The changed inputs whose names begin with a suite's id."""
    for name, how in _compared(base, new):
        yield Cause(kind, name, how, name.split("/", 1)[0])


def _parts(base: SuiteParts, new: SuiteParts) -> tuple[Part, ...]:
    """The parts of a suite that changed. If no part did that scores rest on, its texts did."""
    parts = [Part("case", name, how) for name, how in _compared(base["cases"], new["cases"])]
    weights = _compared(base["weights"], new["weights"])
    parts += [Part("weight", name, how) for name, how in weights]
    if base["tools"] != new["tools"]:
        parts.append(Part("tools", "", "changed"))
    if base["policy"] != new["policy"]:
        parts.append(Part("policy", "", "changed"))
    return tuple(parts) or (Part("texts", "", "changed"),)


class _ResponsesFile(NamedTuple):
    """A responses file in a manifest."""

    path: str
    digest: str


def _responses(submissions: Mapping[str, Mapping[str, str]]) -> dict[_Key, _ResponsesFile]:
    """Responses files by submission and suite, so that a file may be packed without a change."""
    by_row = {}
    for submission, files in submissions.items():
        for path, digest in files.items():
            name = PurePosixPath(path).name
            suite = suite_of_file(name) or name
            by_row[submission, suite] = _ResponsesFile(path, digest)
    return by_row


def _digests(named: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    return {name: value["digest"] for name, value in named.items()}


def _causes(inputs: Iterable[Cause], key: _Key, judged: set[bool]) -> tuple[Cause, ...]:
    """The changed inputs that can explain the change of a row.

    `judged` holds whether a judge had part in each changed verdict. A reply that is recorded for
    one submission serves every other, but another's cassette is a cause only if nothing closer
    explains the change.
    """
    submission, suite = key
    kinds = _OF_SUMS
    if judged:
        kinds = _ALL if True in judged else _OF_RULES
    near = []
    for cause in inputs:
        only_texts = bool(cause.parts) and all(part.kind == "texts" for part in cause.parts)
        if cause.kind in kinds and cause.suite in {None, suite} and not only_texts:
            near.append(cause)
    own = tuple(cause for cause in near if cause.submission in {None, submission})
    return own or tuple(cause for cause in near if cause.kind == "cassettes")


# ---------------------------------------------------------------- scores, verdicts, ranks


def _moves(base: pl.DataFrame, new: pl.DataFrame) -> defaultdict[_Key, list[Move]]:
    counts = ("scored", "unscored")
    columns = [*_SCORE, pl.col("score").round(12), *counts]
    moved = _differing(base.select(columns), new.select(columns), _SCORE, ("score", *counts))
    moves: defaultdict[_Key, list[Move]] = defaultdict(list)
    for row in moved.sort(*_ROW, "metric", "category").iter_rows(named=True):
        move = Move(
            category=row["category"],
            metric=row["metric"],
            old=row["score"],
            new=row["score_new"],
            old_scored=row["scored"] or 0,
            new_scored=row["scored_new"] or 0,
            old_unscored=row["unscored"] or 0,
            new_unscored=row["unscored_new"] or 0,
        )
        moves[row["submission"], row["suite"]].append(move)
    return moves


@dataclass(slots=True)
class _ChangedVerdicts:
    """The changed verdicts of one row. `judged` holds whether a judge had part in each."""

    flips: list[VerdictFlip] = field(default_factory=list)
    added: int = 0
    removed: int = 0
    reworded: int = 0
    judged: set[bool] = field(default_factory=set)

    def add(self, row: Mapping[str, Any]) -> None:
        judged = "judge" in {row["decided_by"], row["decided_by_new"]}
        self.judged.add(judged)
        if row["outcome"] is None:
            self.added += 1
        elif row["outcome_new"] is None:
            self.removed += 1
        elif (row["outcome"], row["score"]) == (row["outcome_new"], row["score_new"]):
            self.reworded += 1
        else:
            flip = VerdictFlip(
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
                judged=judged,
            )
            self.flips.append(flip)


def _changed_verdicts(base: pl.DataFrame, new: pl.DataFrame) -> defaultdict[_Key, _ChangedVerdicts]:
    """The changed verdicts by row, in order of metric, category, case and trial."""
    names = ("outcome", "score", "reason", "decided_by")
    changed = _differing(base, new, _VERDICT, names)
    by_row: defaultdict[_Key, _ChangedVerdicts] = defaultdict(_ChangedVerdicts)
    order = (*_ROW, "metric", "category_new", "case_id", "trial")
    for row in changed.sort(order).iter_rows(named=True):
        by_row[row["submission"], row["suite"]].add(row)
    return by_row


def _differing(
    base: pl.DataFrame, new: pl.DataFrame, key: Sequence[str], names: Sequence[str]
) -> pl.DataFrame:
    """The rows of two tables side by side, where one of the named columns differs.

    The columns of `new` end in `_new`. A row that only one of them has is included.
    """
    both = base.join(new, on=key, how="full", suffix="_new", coalesce=True)
    differs = (pl.col(name).ne_missing(pl.col(f"{name}_new")) for name in names)
    return both.filter(pl.any_horizontal(differs))


def _recased(base: pl.DataFrame, new: pl.DataFrame) -> Iterator[str]:
    """The suites of both states that gained or lost cases, sorted."""
    cases = pl.col("case_id").unique().sort()
    old, now = (dict(table.group_by("suite").agg(cases).iter_rows()) for table in (base, new))
    for suite in sorted(old.keys() & now.keys()):
        if old[suite] != now[suite]:
            yield suite


def _rank_moves(base: pl.DataFrame, new: pl.DataFrame) -> Iterator[RankMove]:
    """The ranks that differ, of rows that both states have."""
    key = ["suite", "category", "submission"]
    both = base.join(new, on=key, how="inner", suffix="_new").sort(
        "suite", "submission", "category"
    )
    for row in both.iter_rows(named=True):
        old, now = _range(row, ""), _range(row, "_new")
        if old != now:
            place = row["submission"], row["suite"], row["category"]
            yield RankMove(*place, old, now, row["status"], row["status_new"])


def _range(row: Mapping[str, Any], suffix: str) -> Range | None:
    low, high = row[f"rank_low{suffix}"], row[f"rank_high{suffix}"]
    return None if low is None else (low, high)
