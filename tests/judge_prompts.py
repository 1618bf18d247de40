"""Judge prompts of the tests' own, so that they run in a fork without the shipped suites."""

from __future__ import annotations

# By category: the words that a judge may answer with, and the texts that it reads.
WORDS = {
    "answer_status": "Solved, Unsure or Unsolved",
    "execution_status": "Solved, Unsure or Unsolved",
    "preference": "first, second or tie",
}
SHOWN = {"answer_status": ("question", "got")}


def judge_prompt(category: str) -> str:
    """A short prompt for a category, in the form that the embedded judge reads."""
    texts = "".join(
        f"{name}:\n<<<{{{{fence}}}}\n{{{{{name}}}}}\n{{{{fence}}}}>>>\n\n"
        for name in SHOWN.get(category, ("question", "expected", "got"))
    )
    words = WORDS.get(category, "equivalent or different")
    return f"""\
Judge the answer that a system gave.

Category: {category}

{texts}First line: {words}. Then one sentence that says why.
"""
