"""Judge prompts for tests, rendered from the project's own templates as scoring does."""

from __future__ import annotations

from tests.conftest import shipped


def rendered(path: str, question: str, expected: str, got: str, subject: str = "") -> str:
    """Fills in a template, given by its path below `prompts/` without the suffix."""
    text = shipped(f"prompts/{path}.md").read_text(encoding="utf-8")
    values = {
        "question": question,
        "subject": subject,
        "expected": expected,
        "got": got,
        "fence": "4f1c2d3e",
    }
    for name, value in values.items():
        text = text.replace("{{" + name + "}}", value)
    return text
