"""Cases of kind `exact`: accepted texts, a number with a tolerance, a pattern, or options."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Annotated, Final, NotRequired

from pydantic import Field, TypeAdapter, with_config
from typing_extensions import TypedDict

from leaderboard.exact_answers import LETTERS, ExactAnswer, pattern_problem, question_with_options
from leaderboard.files.cases.category_cases import CategoryCases
from leaderboard.files.cases.table_cases import CaseRow, is_list_of_texts
from leaderboard.files.field_types import CLOSED, DEFERRED, OPEN, AnswerText, CaseId, text_form
from leaderboard.files.json_files import At
from leaderboard.files.shaped_files import with_point
from leaderboard.texts.short_text import single_spaced
from leaderboard.types import Case, GroundTruth, Json, ShownAnswer

_Percent = Annotated[
    str, text_form(r"^[0-9]{1,3}(\.[0-9]{1,6})?%$", 'a share of the number is written like "1.5%"')
]


@with_config(CLOSED)
class ExactTruth(TypedDict):
    """What is accepted: anything that fits `texts`, `number` or `pattern`; or `option` alone.

    - `texts`: the accepted texts.
    - `number`: the accepted number.
    - `tolerance`: the largest accepted difference from `number`, or a share of it such as "1%".
    - `pattern`: a regular expression that the whole answer must match.
    - `option`: the letter or the text of the right option.
    """

    texts: NotRequired[Annotated[list[AnswerText], Field(min_length=1)]]
    number: NotRequired[int | float]
    tolerance: NotRequired[Annotated[float, Field(ge=0)] | _Percent]
    pattern: NotRequired[AnswerText]
    option: NotRequired[AnswerText]


@with_config(OPEN)
class ExactCase(TypedDict):
    """One case.

    - `id`: the name of the case, unique in its suite.
    - `user_query`: the question.
    - `options`: the answers to choose from, shown with the question, with letters from A.
    - `ground_truth`: the accepted answers.
    """

    id: CaseId
    user_query: AnswerText
    options: NotRequired[Annotated[list[AnswerText], Field(min_length=2, max_length=len(LETTERS))]]
    ground_truth: ExactTruth


CASES: Final = TypeAdapter(list[ExactCase], config=DEFERRED)

# 007 is a text.
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,14})?")


def read_exact(file: CategoryCases) -> tuple[Case, ...]:
    """Reads the cases of one category."""
    cases = []
    for index, record in file.valid_records(CASES):
        file.warn_of_case_keys(record, "exact", ExactCase.__annotations__, index)
        options = tuple(record.get("options", ()))
        answer = _answer(record["ground_truth"], options, file, (index, "ground_truth"))
        if answer is not None:
            query = question_with_options(record["user_query"], options)
            truth = GroundTruth(exact=answer, shown=tuple(_shown(answer)))
            cases.append(file.case(record, truth, query=query))
    return tuple(cases)


def _answer(
    truth: ExactTruth, options: tuple[str, ...], file: CategoryCases, at: At
) -> ExactAnswer | None:
    problem = _contradiction(truth, options)
    if problem is not None:
        file.findings.add(at, *problem)
        return None
    if "pattern" in truth and (reason := pattern_problem(truth["pattern"])):
        file.findings.add((*at, "pattern"), reason, "correct the pattern, or list texts instead")
        return None
    if options:
        _check_options(options, file, at)
        option = _position(truth["option"], options)
        if option is None:
            what = f"does not name exactly one option: {truth['option']!r}"
            file.findings.add((*at, "option"), what, "write the letter of the right option")
            return None
        return ExactAnswer(options=options, option=option)
    number = truth.get("number")
    return ExactAnswer(
        texts=tuple(truth.get("texts", ())),
        number=None if number is None else Decimal(repr(number)),
        tolerance=_tolerance(truth.get("tolerance", 0), number or 0),
        pattern=truth.get("pattern"),
    )


def _check_options(options: tuple[str, ...], file: CategoryCases, at: At) -> None:
    """Reports an option that is there twice, and one that reads as the letter of another."""
    at = (*at[:-1], "options")
    known: set[str] = set()
    for place, option in enumerate(options):
        text = single_spaced(option.casefold())
        if text in known:
            what = f"repeats the option {option!r}"
            file.findings.add((*at, place), what, "give every option its own text")
        known.add(text)
        letter = text.upper()
        if letter != LETTERS[place] and len(letter) == 1 and letter in LETTERS[: len(options)]:
            what = f"is {option!r}, which is the letter of another option"
            fix = "reorder the options, or use longer texts"
            file.findings.add((*at, place), what, fix, "warning")


def _contradiction(truth: ExactTruth, options: tuple[str, ...]) -> tuple[str, str] | None:
    """What is missing from a ground truth or too much in it, and how to fix it."""
    if options and set(truth) != {"option"}:
        fix = "keep only option: the letter or the text of the right answer"
        return "must have `option`, and nothing else, in a case with options", fix
    if not options and "option" in truth:
        return "names an option, but the case has no `options`", "add `options` to the case"
    if not options and truth.keys().isdisjoint(("texts", "number", "pattern")):
        return "accepts nothing", "add texts, number, pattern or option"
    if "tolerance" in truth and "number" not in truth:
        return "has a tolerance without a number", "add the number"
    return None


def _position(answer: str, options: tuple[str, ...]) -> int | None:
    """The position of the option that a letter or a text names."""
    if answer in options:
        return options.index(answer) if options.count(answer) == 1 else None
    letter = answer.strip().upper()
    if len(letter) == 1 and letter in LETTERS[: len(options)]:
        return LETTERS.index(letter)
    return None


def _tolerance(tolerance: float | str, number: float) -> Decimal:
    if isinstance(tolerance, str):
        return abs(Decimal(repr(number))) * Decimal(tolerance.removesuffix("%")) / 100
    return Decimal(repr(tolerance))


def _shown(answer: ExactAnswer) -> list[ShownAnswer]:
    if answer.option is not None:
        text = f"{LETTERS[answer.option]}) {answer.options[answer.option]}"
        return [ShownAnswer("option", text)]
    shown = [ShownAnswer("text", text) for text in answer.texts]
    if answer.number is not None:
        within = f" ± {answer.tolerance.normalize():f}" if answer.tolerance else ""
        shown.append(ShownAnswer("number", f"{answer.number}{within}"))
    if answer.pattern is not None:
        shown.append(ShownAnswer("pattern", answer.pattern))
    return shown


# ---------------------------------------------------------------- tables


def exact_of_row(row: CaseRow) -> dict[str, Json]:
    """The members of a case of this kind, apart from its id. Raises ValueError.

    An answer beside options names one of them. An answer that is a number, or that has a tolerance,
    is a number. A list is several accepted texts, and any other answer is one.
    """
    record: dict[str, Json] = {"user_query": row.needed("user_query")}
    options = row.options()
    if len(options) == 1:
        raise ValueError("has one option. Write a list, or texts between |")
    if len(options) > 1:
        option = _option_of_row(row, options)
        return {**record, "options": options, "ground_truth": {"option": option}}

    truth: dict[str, Json] = {}
    answer, texts = _answer_of_row(row)
    number = row.text("number")
    if number is None and answer is not None:
        if row.get("tolerance") is not None or _NUMBER.fullmatch(answer):
            number = answer
        else:
            texts.insert(0, answer)
            row.note_text(answer)
    if texts:
        truth["texts"] = list(dict.fromkeys(texts))
    if number is not None:
        truth["number"] = _number(number, row.header("answer" if number is answer else "number"))
    if (tolerance := row.text("tolerance")) is not None:
        truth["tolerance"] = (
            tolerance if tolerance.endswith("%") else _number(tolerance, row.header("tolerance"))
        )
    if (pattern := row.text("pattern")) is not None:
        truth["pattern"] = pattern
    if not truth:
        row.needed("answer")
    return {**record, "ground_truth": truth}


def _option_of_row(row: CaseRow, options: list[str]) -> str:
    """The letter or text of the right option. Raises ValueError if it names none of them."""
    answer = row.needed("answer")
    if _position(answer, tuple(options)) is None:
        what = f"has an answer in column {row.header('answer')!r} that names no single option"
        fix = "Write the letter or the text of the right one; a number may count from 0 or from 1"
        raise ValueError(f"{what}. {fix}")
    return answer


def _answer_of_row(row: CaseRow) -> tuple[str | None, list[str]]:
    """The one answer, and the accepted texts of lists. Raises ValueError for an object."""
    answer = row.get("answer")
    if isinstance(answer, Mapping):
        fields = ", ".join(ExactTruth.__annotations__)
        what = "has an object as its answer. Write a text, a number or a list of texts, or"
        raise ValueError(f"{what} ground_truth with some of: {fields}")  # noqa: TRY004
    if is_list_of_texts(answer):
        return None, [*row.texts("answer"), *row.texts("answers")]
    return row.text("answer"), row.texts("answers")


def _number(text: str, column: str) -> int | float:
    """The number that a cell of this column holds. Raises ValueError if it holds anything else."""
    try:
        value = Decimal(text)
    except InvalidOperation:
        value = Decimal("NaN")
    if not value.is_finite() or abs(value.adjusted()) > 300:
        plain = with_point(text)
        fix = f". Write {plain}" if plain else ""
        raise ValueError(f"has {text!r} in column {column!r}, where a number is expected{fix}")
    return int(value) if value == value.to_integral_value() and "." not in text else float(value)
