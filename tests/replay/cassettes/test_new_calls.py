"""Which recorded calls a proposal adds, and which it contradicts."""

from __future__ import annotations

from pathlib import Path

from replay.cassettes import cassette_file
from replay.cassettes.new_calls import new_calls
from tests.replay.cassette_files import interaction
from tests.replay.cassette_files import judges as judges_of


def test_new_and_contradicting_calls(tmp_path: Path) -> None:
    """A call that the base has with the same reply is not new, wherever it is recorded.

    Another reply contradicts one that counts, also beside a copy of it that is found first.
    """
    base, proposed = tmp_path / "base", tmp_path / "proposed"
    judges_of(base, "submitters")
    judges_of(proposed, "submitters")
    known, other, new = interaction("1"), interaction("2"), interaction("3")
    cassette_file.write(base, "cassettes/j/s/a.json", [known, other])
    changed = interaction("2", "different\nno")
    cassette_file.write(proposed, "cassettes/j/s/b.json", [known, changed, new])
    found = list(new_calls(base, proposed))

    assert sorted((call.file, call.contradicts) for call in found) == [
        ("cassettes/j/s/b.json", False),
        ("cassettes/j/s/b.json", True),
    ]
    judges_of(base, "maintainers")
    (call,) = new_calls(base, proposed)  # that of the base waits for a maintainer, and stays
    assert (cassette_file.key_of(new), False) == (call.key, call.contradicts)

    judges_of(base, "submitters")
    cassette_file.write(proposed, "cassettes/j/s/a.json", [known, other])
    assert sorted((call.file, call.contradicts) for call in new_calls(base, proposed)) == [
        ("cassettes/j/s/b.json", False),
        ("cassettes/j/s/b.json", True),
    ]
