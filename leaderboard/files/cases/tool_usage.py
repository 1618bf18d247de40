"""Cases of kind `tool_usage`, in the form of LangSmith's examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, NotRequired

from pydantic import StringConstraints, TypeAdapter, with_config
from typing_extensions import TypedDict

from leaderboard.files.cases.category_cases import CategoryCases
from leaderboard.files.cases.tool_selection import FunctionCallRecord
from leaderboard.files.fact_reader import KEYS, read_facts
from leaderboard.files.field_types import DEFERRED, OPEN, AnswerText, CaseId
from leaderboard.files.json_files import At
from leaderboard.types import Case, GroundTruth, Json, Trajectory

StepName = Annotated[str, StringConstraints(min_length=1, max_length=200)]


@with_config(OPEN)
class UsageQuestion(TypedDict):
    """What an agent is asked.

    - `question`: the task, in words.
    """

    question: AnswerText


@with_config(OPEN)
class UsageTruth(TypedDict):
    """The expected steps, and the right answer or final state. Null is the same as absent.

    What an answer must state can be given as facts (lb docs facts).

    - `reference`: the right answer, as text or a number. It decides if there is no `state`.
    - `expected_steps`: the names of the tools to use, in order.
    - `order_matters`: whether the steps must come in this order. Without it, they must.
    - `state`: the right final state of the environment.
    - `alternatives`: other lists of steps that are as right.
    - `expected_calls`: the expected steps with their arguments. They decide nothing.
    - `alternative_calls`: the alternatives with their arguments. They decide nothing.
    """

    reference: NotRequired[Any]
    expected_steps: list[StepName]
    order_matters: NotRequired[bool | None]
    state: NotRequired[Any]
    alternatives: NotRequired[list[list[StepName]] | None]
    expected_calls: NotRequired[list[FunctionCallRecord] | None]
    alternative_calls: NotRequired[list[list[FunctionCallRecord]] | None]


@with_config(OPEN)
class UsageCase(TypedDict):
    """One case, with LangSmith's words (inputs, outputs) or the shorter ones (input, output).

    - `id`: the name of the case, unique in its suite. Without it, one such as `math_01`.
    - `inputs`: the task.
    - `input`: the same as `inputs`.
    - `outputs`: the ground truth.
    - `output`: the same as `outputs`.
    """

    id: NotRequired[CaseId | None]
    inputs: NotRequired[UsageQuestion | None]
    input: NotRequired[UsageQuestion | None]
    outputs: NotRequired[UsageTruth | None]
    output: NotRequired[UsageTruth | None]


CASES: Final = TypeAdapter(list[UsageCase], config=DEFERRED)


def read_tool_usage(file: CategoryCases) -> tuple[Case, ...]:
    """Reads the cases of one category. A case without an id gets one, such as `math_01`."""
    cases = []
    for index, record in file.valid_records(CASES):
        asked = _member(record, "inputs", "input", file, index)
        expected = _member(record, "outputs", "output", file, index)
        if asked is None or expected is None:
            continue
        question: UsageQuestion = asked[1]
        key, outputs = expected
        trajectory = _trajectory(outputs, file, (index, key))
        if trajectory is not None:
            case_id = record.get("id") or f"{file.category}_{index + 1:02}"
            known = (*UsageTruth.__annotations__, *KEYS)
            file.warn_of_case_keys(record, "tool_usage", UsageCase.__annotations__, index)
            file.warn_of_misspelt(outputs, known, (index, key))
            facts = read_facts(outputs, file.findings, (index, key))
            truth = GroundTruth(trajectory=trajectory, facts=facts)
            cases.append(file.case(record, truth, case_id=case_id, query=question["question"]))
    return tuple(cases)


def _member(
    record: Mapping[str, Json], usual: str, short: str, file: CategoryCases, index: int
) -> tuple[str, Json] | None:
    """Which of the two keys the record has, and its value. Both or none is a finding."""
    keys = [key for key in (usual, short) if record.get(key) is not None]
    if len(keys) == 1:
        return keys[0], record[keys[0]]
    what = f"has both {usual!r} and {short!r}" if keys else f"missing required key {usual!r}"
    form = '{"inputs": {"question"}, "outputs": {...}}'
    file.findings.add((index,), what, f"a case is {form}: give {usual!r} once")
    return None


def _trajectory(truth: UsageTruth, file: CategoryCases, at: At) -> Trajectory | None:
    before = len(file.findings.found)
    steps = truth["expected_steps"]
    alternatives = truth.get("alternatives") or []
    _check_answer(truth, file, at)
    _check_steps(steps, file, (*at, "expected_steps"))
    for number, names in enumerate(alternatives):
        _check_steps(names, file, (*at, "alternatives", number))

    # A file may repeat the steps as calls with arguments. The names must then be the same.
    calls, other_calls = truth.get("expected_calls"), truth.get("alternative_calls")
    if calls is not None and _names(calls) != steps:
        fix = "give one call for each expected step, in order"
        file.findings.add((*at, "expected_calls"), "does not name the tools of expected_steps", fix)
    if other_calls is not None and list(map(_names, other_calls)) != alternatives:
        fix = "give one list of calls for each alternative, in order"
        file.findings.add(
            (*at, "alternative_calls"), "does not name the tools of alternatives", fix
        )

    if len(file.findings.found) > before:
        return None
    return Trajectory(
        paths=tuple(dict.fromkeys(map(tuple, (steps, *alternatives)))),
        order_matters=truth.get("order_matters") is not False,
        reference=truth.get("reference"),
        state=truth.get("state"),
        has_state=truth.get("state") is not None,
    )


def _check_answer(truth: UsageTruth, file: CategoryCases, at: At) -> None:
    reference = truth.get("reference")
    if isinstance(reference, bool) or not isinstance(reference, str | int | float | None):
        fix = "write the right answer as one of the two"
        file.findings.add((*at, "reference"), "is neither text nor a number", fix)
    elif truth.get("state") is None and (reference is None or not str(reference).strip()):
        what = "gives no reference: neither a right answer nor a final state"
        file.findings.add(at, what, "add `reference` (text or a number), or `state`")


def _check_steps(names: Sequence[str], file: CategoryCases, at: At) -> None:
    """Checks the steps against the suite's tools, if it lists any."""
    known = {tool.name for tool in file.tools}
    for index, name in enumerate(names):
        if known and name not in known:
            what = f"names a tool that is not in this suite: {name!r}"
            fix = "correct the name, or add the tool to the suite's tools"
            file.findings.add((*at, index), what, fix)


def _names(calls: Sequence[FunctionCallRecord]) -> list[str]:
    return [call["name"] for call in calls]
