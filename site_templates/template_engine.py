"""Jinja as the pages need it: strict, fast, and compiled once."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from functools import cache, lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket
from jinja2.compiler import CodeGenerator
from jinja2.compiler import Frame as CodeFrame
from jinja2.nodes import Expr, Getattr, TemplateData
from markupsafe import Markup, escape

from leaderboard.texts.counted_nouns import counted
from site_templates import formatting, links
from site_templates.parts.answers.answer_givers import linked
from site_templates.parts.answers.answer_lines import answer_lines

_FOLDER: Final = Path(__file__).parent / "templates"
_SHORT: Final = 80  # characters of a text that is likely to be on many pages

# The functions of `formatting` that templates use.
_FILTERS: Final = (
    "bounds",
    "breakable",
    "capitalised",
    "clip",
    "coefficient",
    "digest",
    "listed",
    "p_value",
    "percent",
    "points",
    "settings",
    "signed",
    "values",
    "whole_percent",
)

# The constants of `links` that templates use.
_PATHS: Final = ("COMPARE_PATH", "CROISSANT_PATH", "EMBED_PATH", "JUDGES_PATH", "MANIFEST_PATH")


@cache
def environment() -> Environment:
    """The templates' environment: escapes everything and refuses names that are undefined."""
    env = _Environment(
        loader=FileSystemLoader(_FOLDER, encoding="utf-8"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        bytecode_cache=_Compiled(),
    )
    env.filters["thousands"] = "{:,}".format
    env.filters["count"] = counted
    env.filters["answer_lines"] = answer_lines
    env.filters["linked"] = linked
    for name in _PATHS:
        env.globals[name] = getattr(links, name)
    for name in _FILTERS:
        env.filters[name] = getattr(formatting, name)
    return env


class _Compiled(FileSystemBytecodeCache):
    """Compiled templates, beside the templates as Python keeps compiled modules beside modules.

    Compiling takes as long as rendering a small site. Jinja compares the template's own text. The
    names of the files hold what else the code depends on: Jinja, and the functions of this module
    and of `formatting`, which are called for constants while compiling.
    """

    def __init__(self) -> None:
        folder = _FOLDER / "__pycache__"
        with suppress(OSError):
            folder.mkdir(exist_ok=True)
        used = hashlib.sha256(version("jinja2").encode())
        for file in (__file__, formatting.__file__):
            used.update(Path(file).read_bytes())
        super().__init__(str(folder), f"%s.{used.hexdigest()[:16]}.pyc")

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):  # a folder that cannot be written is compiled again each time
            super().dump_bytecode(bucket)


class _Generator(CodeGenerator):
    """Compiles expressions of templates to calls of `_written`, and `a.b` to what Python means.

    Jinja would wrap each value into Markup, which is half of the time that a page takes. It looks
    up `a.b` by a function that also takes keys, which is a third of the rest.
    """

    def visit_Getattr(self, node: Getattr, frame: CodeFrame) -> None:  # noqa: N802 - Jinja's name
        self.visit(node.node, frame)
        self.write(f".{node.attr}")

    def _output_child_pre(self, _node: Expr, _frame: CodeFrame, _finalize: object) -> None:
        self.write("environment.written(")

    def _output_child_post(self, _node: Expr, _frame: CodeFrame, _finalize: object) -> None:
        self.write(")")

    def _output_child_to_const(self, node: Expr, frame: CodeFrame, _finalize: object) -> str:
        const = node.as_const(frame.eval_ctx)
        return str(const) if isinstance(node, TemplateData) else _written(const)


def _written(value: object) -> str:
    """The value of an expression as HTML: escaped, with hidden characters written out.

    Markup is left alone.
    """
    if type(value) is str:
        return _escaped(value) if len(value) <= _SHORT else _escape(value)
    if type(value) is int:
        return str(value)
    return value if type(value) is Markup else str(escape(value))


def _escape(text: str) -> str:
    return str(escape(formatting.visible(text)))


_escaped = lru_cache(maxsize=50_000)(_escape)


class _Environment(Environment):
    code_generator_class = _Generator
    written = staticmethod(_written)
