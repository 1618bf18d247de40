"""The names of submissions as pages show them. An id tells those of one name apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from typing import Final

from site_templates.formatting import clip, visible

NAME: Final = 80  # characters of a name in a table
WHOLE_NAME: Final = 300  # characters of a name that is not cut: no card has a longer one
_COMPARED: Final = 60  # characters in which names must differ: menus and charts show no more
_LEAST: Final = 8  # characters of a name beside its id


class DistinctNames:
    """The names of submissions, given by id. A submission without a name is shown by its id."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def of(self, id_: str, length: int = NAME) -> str:
        """A submission's name in at most `length` visible characters.

        Its id follows a name that others have too. Without room for both, the id is shown alone.
        """
        name = visible(self._names.get(id_, id_))
        if id_ not in self._alike:
            return clip(name, length)
        room = length - len(f" ({id_})")
        return clip(id_, length) if room < _LEAST else f"{clip(name, room)} ({id_})"

    @cached_property
    def _alike(self) -> frozenset[str]:
        """The ids of the submissions whose name another has too."""
        shown = {id_: clip(visible(name), _COMPARED) for id_, name in self._names.items()}
        often = Counter(shown.values())
        return frozenset(id_ for id_, name in shown.items() if often[name] > 1)
