"""No bytes of a stranger cause a traceback or a hang. `run_atheris.py` tries many more."""

from __future__ import annotations

import json
import time
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.foreign_readers import FILES, Reader, make_readers
from tests.fuzz.mutations import mutated

NAMES = (*FILES, "Markdown", "judge reply", "provider reply")
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@pytest.fixture(scope="module")
def readers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Reader]:
    """Every reader of foreign bytes."""
    return make_readers(tmp_path_factory.mktemp("readers"))


@pytest.mark.large
def test_every_reader_is_tried(readers: dict[str, Reader]) -> None:
    """The names of the readers are those below."""
    assert tuple(readers) == NAMES


@pytest.mark.large
@pytest.mark.parametrize("name", NAMES)
@settings(deadline=None, max_examples=30, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32), value=st.binary(max_size=60) | VALUES)
def test_foreign_bytes_give_problems_and_nothing_else(
    readers: dict[str, Reader], name: str, seed: int, value: object
) -> None:
    """Changed good files, any JSON and any bytes are read, or are problems, within 5 seconds."""
    reader = readers[name]
    random = Random(seed)
    other = value if isinstance(value, bytes) else json.dumps(value).encode()
    for data in (*(mutated(random.choice(reader.seeds), random) for _ in range(3)), other):
        start = time.monotonic()
        reader.read(data)
        assert time.monotonic() - start < 5


@pytest.mark.parametrize("name", NAMES)
def test_the_files_to_start_from_are_read(readers: dict[str, Reader], name: str) -> None:
    """The good files are read, so that changes to them reach all parts of a reader."""
    for seed in readers[name].seeds:
        readers[name].read(seed)
