"""Turns a file in a foreign form into the records of a responses file.

Nothing becomes an empty answer in silence: a record whose answer is not found is a problem. Equal
problems are counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from leaderboard.errors import FilesError, Problem, raise_any
from leaderboard.responses.forms.answered_case import CaseFinder, batch_id, cases_by_batch_id
from leaderboard.responses.forms.call_syntax import decoded
from leaderboard.responses.forms.conversations import (
    counted_turn,
    steps_of,
    turns_after_question,
    turns_of_agent,
)
from leaderboard.responses.forms.every_eval_ever_samples import EVERY_EVAL_EVER
from leaderboard.responses.forms.file_formats import Container
from leaderboard.responses.forms.foreign_records import (
    ForeignRecord,
    Row,
    ids_of,
    model_of,
    questions_of,
)
from leaderboard.responses.forms.known_forms import (
    ERRORS,
    PLAIN,
    are_responses,
    is_plain,
    read_record,
    refuse_imports,
)
from leaderboard.responses.forms.model_reply import Turn, UnreadableRecordError, total_tokens
from leaderboard.responses.forms.plain_records import unread_lists, unread_texts
from leaderboard.responses.forms.provider_replies import ProviderReply
from leaderboard.responses.forms.record_places import find_rows, lists_of_cases
from leaderboard.responses.forms.reported_rows import left_out, read_reported_row
from leaderboard.responses.forms.table_cells import KNOWN_FIELDS, read_cells
from leaderboard.responses.forms.tester_files import TESTER
from leaderboard.responses.forms.texts_with_calls import (
    calls_in_answer,
    looks_like_call,
    tools_by_name,
)
from leaderboard.responses.model_texts import AnswerInText, answer_in_text
from leaderboard.responses.record_shapes import USAGE_NAMES
from leaderboard.responses.record_warnings import misspelt_amounts
from leaderboard.texts.near_names import MEANT, nearest
from leaderboard.texts.short_text import and_more, single_spaced
from leaderboard.types import Case, Json, Suite

NATIVE: Final = "responses of a submission"
# The question stays with its answer, so that a later change of the case is noticed. Documents that
# come with a question would make files too large.
_LONGEST_QUESTION: Final = 10_000  # characters
_SHOWN_IDS: Final = 3
_CONTINUES: Final = "× a conversation continues after the answer; the later turns do not count"
_SHOWN_NAMES: Final = 10
# Plain records may have the fields of `usage` under all their names, also beside the answer.
_READ_USAGE: Final = {name: name for name in USAGE_NAMES}
_READ_AMOUNTS: Final = {name: name for name in ("usage", "latency_s", *USAGE_NAMES)}

# The forms of harnesses that have taken the calls from the texts themselves.
_FORMS_WITHOUT_CALLS_IN_TEXTS: Final = (TESTER, EVERY_EVAL_EVER)


@dataclass(frozen=True, slots=True)
class Converted:
    """The records of a file. `form` names what was found, `notes` say what else a user must know.

    `places` says where in the file each record is. `unchanged`: the file is a responses file
    already.
    """

    form: str
    records: Sequence[Row]
    notes: Sequence[str] = ()
    places: Sequence[str] = ()
    unchanged: bool = False


@dataclass(slots=True)
class _Problems:
    """Problems of single records, with equal ones counted."""

    shown: str
    found: dict[tuple[str, str], list[tuple[str, str]]] = field(default_factory=dict)

    def add(self, place: str, what: str, fix: str, example: str = "") -> None:
        self.found.setdefault((what, fix), []).append((place, example))

    def listed(self) -> list[Problem]:
        return [self._problem(*key, met) for key, met in self.found.items()]

    def _problem(self, what: str, fix: str, met: Sequence[tuple[str, str]]) -> Problem:
        place = met[0][0] + and_more(len(met) - 1)
        examples = list(dict.fromkeys(example for _, example in met if example))
        if examples:
            more = ", …" if len(examples) > _SHOWN_IDS else ""
            what = f"{what}: {', '.join(examples[:_SHOWN_IDS])}{more}"
        return Problem(self.shown, what, fix, at=place)


def convert(container: Container, suite: Suite, shown: str) -> Converted:
    """Converts the values of a file that answers `suite`. Raises FilesError with all problems."""
    rows, places, lie_as_responses = find_rows(container, suite)
    if not rows:
        what, fix = "holds no records", "write a list of records, or one record on each line"
        raise FilesError.about(shown, what, fix)
    lists = lists_of_cases(container, suite)
    if len(lists) > 1:
        what = f"has records in several lists: {', '.join(map(repr, lists))}"
        raise FilesError.about(shown, what, "put the answers into one list, and delete the others")
    if container.name in ("CSV", "Parquet"):
        rows = [read_cells(row) if isinstance(row, Mapping) else row for row in rows]
    if are_responses(rows, suite.kind.interaction):
        if lie_as_responses:
            return Converted(NATIVE, rows, unchanged=True)
        responses, counted = _completed(rows, suite)
        return Converted(f"{NATIVE} in {container.name}", responses, _texts(counted), places)
    refuse_imports(rows, shown)

    problems = _Problems(shown)
    reader = _Reader(suite, problems)
    read = [reader.record(row, place) for row, place in zip(rows, places, strict=True)]
    raise_any(problems.listed())
    records = [record for record in read if record is not None]
    places = [place for place, record in zip(places, read, strict=True) if record is not None]
    names = [name for name, _ in reader.forms.most_common(3)]
    form = f"{' and '.join(names)} in {container.name}"
    notes = _texts(reader.notes)
    if len(reader.models) > 1:
        models = f"{len(reader.models)} models answered: {_named(reader.models)}"
        notes.append(f"{models}; a submission has the answers of one model, or of one agent")
    if reader.unread:
        notes.append(f"fields with texts that are not read: {_named(reader.unread, KNOWN_FIELDS)}")
    if reader.unread_lists:
        lists = f"fields with lists that are not read: {_named(reader.unread_lists)}"
        notes.append(f"{lists}; steps of agents are read from intermediate_steps")
    notes += _unread_amounts([row for row in rows if is_plain(row)], reader.unread)
    return Converted(form, records, notes, places)


def _unread_amounts(rows: Sequence[Row], named: Collection[str]) -> Iterator[str]:
    """Notes about fields of plain records that probably hold costs or times but are not read.

    `named` are fields that another note names.
    """
    usages = (decoded(row.get("usage")) for row in rows)
    fields = frozenset().union(*rows).difference(named)
    usage_fields = frozenset().union(*(usage for usage in usages if isinstance(usage, Mapping)))
    for names, known in ((fields, _READ_AMOUNTS), (usage_fields, _READ_USAGE)):
        for what, fix in misspelt_amounts(names, known):
            yield f"{what} ({fix})"


def _named(names: Collection[str], known: Collection[str] = ()) -> str:
    """The first of some names, each with the known one that it nearly is."""
    shown = []
    for name in list(names)[:_SHOWN_NAMES]:
        near = nearest(name, known, MEANT)
        shown.append(f"{name!r:.60}" + (f" (did you mean {near!r}?)" if near else ""))
    return ", ".join(shown) + (", …" if len(names) > _SHOWN_NAMES else "")


def _completed(rows: Sequence[Row], suite: Suite) -> tuple[list[Row], Counter[str]]:
    """Records of responses with the ids of their cases and with their questions, and notes."""
    cases = {**suite.by_id, **cases_by_batch_id(suite)}
    notes: Counter[str] = Counter()
    records = []
    for row in rows:
        case = cases.get(str(row["id"]))
        if case is None:
            records.append(row)
            continue
        question = _question(case, questions_of(row), notes)
        records.append({"id": case.id} | question | dict(row) | {"id": case.id})
    return records, notes


def _question(case: Case, asked: Sequence[str], notes: Counter[str]) -> dict[str, Json]:
    """The question that a record answers, as its field: that of the case, unless it names another.

    `asked` are the texts of the record that may be its question. A prompt may have more around it.
    """
    question = case.query
    if asked and not any(_asks(text, case) for text in asked):
        question = asked[0]
        notes["× a record asks another question than its case: it may be of another version"] += 1
    return {"user_query": question} if 0 < len(question) <= _LONGEST_QUESTION else {}


def _asks(text: str, case: Case) -> bool:
    """Whether a text has the question of a case, or is the question without its options."""
    words = single_spaced(text)
    return single_spaced(case.query) in words or words in map(single_spaced, case.questions)


def _texts(notes: Counter[str]) -> list[str]:
    return [f"{count:,} {note}" for note, count in notes.items()]


class _Reader:
    """Reads the records of one file, and counts their forms and what happened to them."""

    def __init__(self, suite: Suite, problems: _Problems) -> None:
        self.suite = suite
        self.problems = problems
        self.forms: Counter[str] = Counter()
        self.notes: Counter[str] = Counter()
        self.unread: dict[str, None] = {}
        self.unread_lists: dict[str, None] = {}
        self.models: dict[str, None] = {}
        self._cases = CaseFinder(suite)
        self._retired = suite.retired.union(map(batch_id, suite.retired))
        self._variants: dict[tuple[str, int], Mapping[str, str]] = {}

    def record(self, row: Json, place: str) -> dict[str, Json] | None:
        """The record of a responses file; None after a problem, or for a retired case."""
        if not isinstance(row, Mapping):
            self.problems.add(place, "is not a JSON object", "write each record as an object")
            return None
        try:
            return self._reported(row) if self.suite.kind.reported else self._answered(row)
        except UnreadableRecordError as error:
            self.problems.add(place, str(error), error.fix, error.example)
            return None

    def _reported(self, row: Row) -> dict[str, Json] | None:
        self.forms["reported scores"] += 1
        ids = ids_of(row)
        if self.suite.by_id.keys().isdisjoint(ids) and self._names_retired(ids):
            return None
        record = read_reported_row(row, self.suite)
        for name in left_out(row, record):
            self.notes[f"× a value of {name} left out: the suite has no such metric"] += 1
        return record

    def _answered(self, row: Row) -> dict[str, Json] | None:
        form, foreign = read_record(row)
        self.forms[form] += 1
        if form in (PLAIN, ERRORS):
            self.unread |= dict.fromkeys(unread_texts(row))
            if self.suite.kind.interaction != "message":
                self.unread_lists |= dict.fromkeys(unread_lists(row))
        ids = foreign.ids
        case = self._cases.find(ids, foreign.questions)
        if case is None and self._names_retired(ids):
            return None
        if case is None and foreign.position is not None:
            case = self.suite.by_id.get(foreign.position)
            self.notes["× a case is found only by doc_id, which may be another number"] += 1
        if case is None:
            named = [*ids, *filter(None, [foreign.position]), *foreign.questions]
            what = f"has neither the id nor the question of a case of {self.suite.id}"
            fix = "give each record the case's id in `id`, which lb requests writes, or its "
            fix += "question, as the case has it, in `question`"
            example = f"{named[0]!r:.60}" if named else "it has no id and no question"
            raise UnreadableRecordError(what, fix, example)
        if model := model_of(row, foreign.answer):
            self.models[model] = None
            foreign = replace(foreign, variant={**foreign.variant, "model": model})
        self._refuse_second(case, foreign)
        return self._made(case, foreign, row)

    def _names_retired(self, ids: Sequence[str]) -> bool:
        """Whether one of these ids is that of a retired case. Counts the record as left out."""
        if self._retired.isdisjoint(ids):
            return False
        self.notes["× a record of a retired case was left out"] += 1
        return True

    def _refuse_second(self, case: Case, foreign: ForeignRecord) -> None:
        """Raises UnreadableRecordError for a case that an earlier record has answered."""
        key = case.id, foreign.trial
        if key not in self._variants:
            self._variants[key] = foreign.variant
            return
        for kind, name in foreign.variant.items():
            before = self._variants[key].get(kind, name)
            if name != before:
                what = f"answers a case that another {kind} has answered"
                example = f"{case.id!r} by {before!r:.60} and {name!r:.60}"
                raise UnreadableRecordError(what, f"keep the records of one {kind}", example)
        fix = "keep one answer for each case, or number the attempts in `trial`, from 1"
        raise UnreadableRecordError("answers a case a second time", fix, repr(case.id))

    def _made(self, case: Case, foreign: ForeignRecord, row: Row) -> dict[str, Json]:
        asked = [*foreign.questions, *_asked_in(foreign)]
        record: dict[str, Json] = {"id": case.id, **_question(case, asked, self.notes)}
        if "user_query" in row and row["user_query"] not in case.questions:
            record["user_query"] = row["user_query"]
        if "ground_truth" in row:
            record["ground_truth"] = row["ground_truth"]
        turns = self._turns(case, foreign)
        if self.suite.kind.interaction == "message":
            record |= self._message(case, foreign, turns)
        else:
            record |= {
                "output": self._agent_text(foreign, turns),
                "intermediate_steps": steps_of(turns),
            }
        endings = {foreign.ending, *(turn.reply.ending for turn in turns)}
        if "cut off" in endings:
            self.notes["× a reply was cut off at the token limit"] += 1
        if "unfinished" in endings:
            self.notes["× a reply is unfinished, or was ended by a filter"] += 1
        # A call that was left in the text is not lost.
        called = record.get("model_function_call") is not None
        if failure := self._failure(foreign, turns, called=called):
            record["error"] = failure
        if foreign.trial != 1:
            record["trial"] = foreign.trial
        return {**record, **_extra_of(foreign, turns)}

    def _turns(self, case: Case, foreign: ForeignRecord) -> Sequence[Turn]:
        """The turns of an agent up to its answer; of other answers only the turn that counts."""
        answer = foreign.answer
        if not isinstance(answer, ProviderReply):
            return ()
        is_agent = self.suite.kind.interaction != "message"
        if is_agent and answer.submits:
            return answer.turns
        if is_agent:
            turns = turns_of_agent(answer.turns, case.query, answer.asked, case.tools)
        else:
            turns = turns_after_question(answer.turns, case.questions, answer.asked)
        if not turns:
            if foreign.error or foreign.late_error:
                return ()
            fix = "keep the conversation up to the model's reply"
            raise UnreadableRecordError("has no reply to the user's last message", fix)
        if is_agent:
            if turns[-1] is not answer.turns[-1]:
                self.notes[_CONTINUES] += 1
            return turns
        counted = counted_turn(turns, has_tools=bool(case.tools))
        if counted is not answer.turns[-1]:
            self.notes[_CONTINUES] += 1
        elif counted.asked != case.query.strip() and counted.asked != answer.turns[0].asked:
            self.notes["× only the reply to the user's last message counts"] += 1
        return (counted,)

    def _failure(
        self, foreign: ForeignRecord, turns: Sequence[Turn], *, called: bool
    ) -> str | None:
        """Why there is no answer. An error after a finished answer is none."""
        last = turns[-1].reply if turns else None
        failure = foreign.error or (last.failure if last and not called else None)
        if failure or not foreign.late_error:
            return failure
        is_finished = bool(last and answer_in_text(last.text).text and not last.calls)
        if last and last.calls and self.suite.kind.interaction == "message":
            is_finished = True
        if is_finished:
            self.notes["× an error came after the answer, which counts"] += 1
            return None
        return foreign.late_error

    def _agent_text(self, foreign: ForeignRecord, turns: Sequence[Turn]) -> str | None:
        """The last text of an agent."""
        found = _answer_in(foreign, _last_text(foreign, turns))
        self._note_removed(found)
        return found.text or None

    def _message(
        self, case: Case, foreign: ForeignRecord, turns: Sequence[Turn]
    ) -> dict[str, Json]:
        """One message: the turn that counts, or the text of an answer."""
        calls = turns[0].reply.calls if turns else ()
        written = _last_text(foreign, turns)
        found = _answer_in(foreign, written)
        text = found.text
        form = foreign.answer.form if isinstance(foreign.answer, ProviderReply) else None
        if not calls and form not in _FORMS_WITHOUT_CALLS_IN_TEXTS:
            calls, text = calls_in_answer(found, written, case.tools)
            if calls:
                self.notes["× a text is a tool call, and was read as a call"] += 1
            if text and looks_like_call(text, case.tools):
                self.notes["× a text looks like a tool call, but was left as text"] += 1
        self._note_removed(found, has_calls=bool(calls))
        by_name = tools_by_name(case.tools)
        made = []
        for call in calls:
            tool = by_name.get(call.name)
            made.append({"name": tool.name if tool else call.name, "arguments": call.arguments})
        called = made[0] if len(made) == 1 else made or None
        return {"model_function_call": called, "model_text": text or None}

    def _note_removed(self, found: AnswerInText, *, has_calls: bool = False) -> None:
        """Counts what was removed from a text. Tokens around calls are a part of these."""
        if found.unclosed and not has_calls:
            self.notes["× a text ends within its thoughts, and has no answer"] += 1
        elif found.thoughts:
            self.notes["× thoughts at the start of a text or a line were removed"] += 1
        if found.tokens and not has_calls:
            self.notes["× tokens of a chat template around a text were removed"] += 1


def _last_text(foreign: ForeignRecord, turns: Sequence[Turn]) -> str | None:
    """The last text as the model wrote it."""
    if turns:
        return turns[-1].reply.text
    return None if isinstance(foreign.answer, ProviderReply) else foreign.answer


def _answer_in(foreign: ForeignRecord, text: str | None) -> AnswerInText:
    """The answer in a text; all of it if a harness has scored it so."""
    return AnswerInText(text) if foreign.is_scored else answer_in_text(text)


def _asked_in(foreign: ForeignRecord) -> list[str]:
    """The user's messages in a conversation, the last one first."""
    turns = foreign.answer.turns if isinstance(foreign.answer, ProviderReply) else ()
    return [turn.asked for turn in reversed(turns) if turn.asked]


def _extra_of(foreign: ForeignRecord, turns: Sequence[Turn]) -> Row:
    """Usage and latency: what the harness says, and else the tokens that the replies report."""
    usage: dict[str, Json] = {}
    for name in ("input_tokens", "output_tokens"):
        total = total_tokens(getattr(turn.reply, name) for turn in turns)
        if total is not None:
            usage[name] = total
    usage |= foreign.extra.get("usage", {})
    return {**foreign.extra, "usage": usage} if usage else foreign.extra
