"""Values written as Java and JavaScript source."""

from __future__ import annotations

from typing import Any

from leaderboard.types import ExpectedArgument, Language
from scoring.rules.call_match import accepts
from scoring.rules.code_literals import source_value
from tests.each_row import each_row

# language, source, declared type, type of the items, value
VALUES: list[tuple[Language, str, str, str | None, Any]] = [
    ("java", "12", "integer", None, 12),
    ("java", "12 ", "integer", None, "12 "),
    ("java", "1_000", "integer", None, "1_000"),
    ("java", "12L", "long", None, 12),
    ("java", "12", "long", None, "12"),
    ("java", "1.5f", "float", None, 1.5),
    ("java", "1.5", "float", None, "1.5"),
    ("java", "-1.5e3", "double", None, -1500.0),
    ("java", "true", "boolean", None, True),
    ("java", "True", "boolean", None, "True"),
    ("java", '"a"', "String", None, '"a"'),
    ("java", "a.b()", "any", None, "a.b()"),
    ("java", "new int[]{1, 2}", "Array", "integer", [1, 2]),
    ("java", 'new String[] { "a, b" , "c)" }', "Array", "String", ["a, b", "c)"]),
    ("java", "new int[0]", "Array", "integer", "new int[0]"),
    ("java", "new ArrayList<Long>(Arrays.asList(1L, 2))", "ArrayList", "long", [1, "2"]),
    ("java", 'new ArrayList<>(Arrays.asList("a", 4, true))', "ArrayList", None, ["a", 4, True]),
    (
        "java",
        'new ArrayList<String>() {{ add("x;"); add("y"); }}',
        "ArrayList",
        "String",
        ["x;", "y"],
    ),
    ("java", "new ArrayList<>()", "ArrayList", "String", []),
    (
        "java",
        "new ArrayList<>() {{ x(); }}",
        "ArrayList",
        None,
        "new ArrayList<>() {{ x(); }}",
    ),
    (
        "java",
        'new HashMap<String, Object>() {{ put("a", 1.5f); put("b", "x, y"); put("c", d); }}',
        "HashMap",
        None,
        {"a": 1.5, "b": "x, y", "c": "d"},
    ),
    ("java", "new HashMap<>()", "HashMap", None, {}),
    ("java", "map", "HashMap", None, "map"),
    ("java", "new int[]{(}", "Array", "integer", "new int[]{(}"),
    ("javascript", "2", "float", None, 2.0),
    ("javascript", "2e1", "float", None, "2e1"),
    ("javascript", "12n", "Bigint", None, 12),
    ("javascript", "'a'", "String", None, "a"),
    ("javascript", "'a'", "any", None, "'a'"),
    ("javascript", "[1, 2.5]", "array", "float", [1.0, 2.5]),
    ("javascript", 'new Array("a, b", c)', "array", "String", ["a, b", "c"]),
    ("javascript", "[[1, 2], ['x']]", "array", "float", [[1, 2], ["x"]]),
    ("javascript", "[]", "array", "float", []),
    (
        "javascript",
        '{a: 1, \'b c\': {d: [true, "1:2"]}, e: f(1, 2), g: "5"}',
        "dict",
        None,
        {"a": 1, "b c": {"d": [True, "1:2"]}, "e": "f(1, 2)", "g": "5"},
    ),
    ("javascript", "{...rest}", "dict", None, "{...rest}"),
    ("javascript", "{}", "dict", None, {}),
    ("javascript", "f(x)", "dict", None, "f(x)"),
]


@each_row(("language", "source", "declared", "items", "value"), VALUES)
def test_a_literal_has_its_value_and_the_rest_stays_text(
    language: Language, source: str, declared: str, items: str | None, value: Any
) -> None:
    """A literal of the declared type becomes its value. Anything else is the name of a thing."""
    got = source_value(language, source, declared, items)
    assert (type(got), got) == (type(value), value)


def test_a_huge_number_is_text() -> None:
    """Python refuses to read integers of very many digits, which must not stop a scoring."""
    assert source_value("java", "9" * 5000, "integer", None) == "9" * 5000


def test_values_in_another_language_come_as_text() -> None:
    """JSON numbers and lists are no Java, even if they are equal to an accepted value."""
    argument = ExpectedArgument("n", (12,), True, False, "long", language="java")
    assert [accepts(argument, value) for value in ("12L", "12", 12)] == [True, False, False]
