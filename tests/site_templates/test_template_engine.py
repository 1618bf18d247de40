"""The environment of the templates, and the compiled ones that are kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import Environment, FileSystemBytecodeCache, UndefinedError

from site_templates import formatting, template_engine


def test_templates_refuse_what_is_undefined() -> None:
    """A name that a template does not know is an error, never an empty place."""
    with pytest.raises(UndefinedError):
        template_engine.environment().from_string("{{ nothing }}").render()


def test_templates_escape_and_show_what_hides() -> None:
    """Expressions are escaped, and hidden characters in them written out."""
    assert (
        template_engine.environment().from_string("<b>{{ x }}</b>").render(x="<i>\u202e")
        == "<b>&lt;i&gt;⟨U+202E⟩</b>"
    )


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the templates that are compiled during a test."""
    names: list[str] = []
    compile_template = Environment.compile

    def noting(self: Environment, source: str, name: str, filename: str) -> object:
        names.append(name)
        return compile_template(self, source, name, filename)

    monkeypatch.setattr(Environment, "compile", noting)
    return names


def fresh() -> Environment:
    """An environment as the next process has it."""
    return template_engine.environment.__wrapped__()


def test_a_template_is_compiled_once_for_all_processes(compiled: list[str]) -> None:
    fresh().get_template("404.html")
    compiled.clear()
    fresh().get_template("404.html")
    assert compiled == []


@pytest.mark.parametrize("changed", ["a Jinja", "a function that templates call"])
def test_a_template_is_compiled_again_for_other_code(
    changed: str, compiled: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh().get_template("404.html")
    compiled.clear()
    if changed == "a Jinja":
        monkeypatch.setattr(template_engine, "version", lambda _package: "0.1")
    else:
        (tmp_path / "formatting.py").write_text("# changed")
        monkeypatch.setattr(formatting, "__file__", f"{tmp_path}/formatting.py")
    monkeypatch.setattr(FileSystemBytecodeCache, "dump_bytecode", lambda _self, _bucket: None)
    fresh().get_template("404.html")
    assert compiled == ["404.html"]


def test_templates_work_in_a_folder_that_cannot_be_written(
    compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_self: object, _bucket: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(template_engine, "version", lambda _package: "0.2")
    monkeypatch.setattr(FileSystemBytecodeCache, "dump_bytecode", full)
    fresh().get_template("404.html")
    assert compiled == ["404.html"]
