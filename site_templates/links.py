"""Paths of every page and download from the root of the site. Only here ids become file names."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from posixpath import normpath
from typing import Final
from urllib.parse import quote, unquote, urlencode, urlsplit

from leaderboard.ids import WHOLE, is_reserved
from site_templates.board import Board

_SAFE: Final = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}")
_FILE_VIEW: Final = {"github.com": "blob/HEAD", "gitlab.com": "-/blob/HEAD"}

# The pages and files that every board has once.
COMPARE_PATH: Final = "compare/index.html"
CROISSANT_PATH: Final = "data/croissant.json"
EMBED_PATH: Final = "embed/index.html"  # the table that other sites show in a frame
HEALTH_PATH: Final = "health/index.html"
HISTORY_PATH: Final = "history/index.html"
JUDGES_PATH: Final = "judges/index.html"
MANIFEST_PATH: Final = "data/manifest.json"
SUITES_PATH: Final = "suites/index.html"

JUDGED: Final = "judge"  # the decider, in the address of a list of answers


def slug(identifier: str) -> str:
    """A file name for an id: the id itself if it is safe, else its safe letters, `~` and a hash."""
    taken = identifier.lower() == "index" or is_reserved(identifier)
    if _SAFE.fullmatch(identifier) and not taken:
        return identifier
    return _hashed(identifier)


def _hashed(identifier: str) -> str:
    kept = re.sub(r"[^A-Za-z0-9_-]+", "-", identifier).strip("-")[:60]
    return f"{kept}~{hashlib.sha256(identifier.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def fragment(*parts: str) -> str:
    """The address of a part of a list of answers: suite, category, verdict or reason, decider.

    An empty part means all: "in/bench//fail", "in/bench/easy//judge".
    """
    return "/".join(("in", *parts)).rstrip("/")


def slugs(identifiers: Iterable[str]) -> dict[str, str]:
    """File names for ids that share a folder.

    Ids that differ only in case get a hash, because some file systems ignore case.
    """
    ids = tuple(identifiers)
    seen = Counter(identifier.casefold() for identifier in ids)
    return {i: slug(i) if seen[i.casefold()] == 1 else _hashed(i) for i in ids}


@dataclass(frozen=True, slots=True)
class Link:
    """A name and the path from the root of the site that it leads to, if any."""

    label: str
    path: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Paths:
    """Paths of pages and downloads. Asking for what the board does not hold raises KeyError."""

    suites: Mapping[str, str]
    categories: Mapping[tuple[str, str], str]
    cases: Mapping[tuple[str, str], str]
    submissions: Mapping[str, str]
    judges: Mapping[str, str]
    docs: Mapping[str, str]

    def suite(self, suite: str) -> str:
        return f"suites/{self.suites[suite]}/index.html"

    def category(self, suite: str, category: str) -> str:
        return f"suites/{self.suites[suite]}/{self.categories[suite, category]}.html"

    def case_map(self, suite: str, category: str, page: int = 1) -> str:
        """A page of the map of a category's answers, counted from 1."""
        number = f"~{page}" if page > 1 else ""
        return f"maps/{self.suites[suite]}/{self.categories[suite, category]}{number}.html"

    def case(self, suite: str, case: str) -> str:
        return f"cases/{self.suites[suite]}/{self.cases[suite, case]}.html"

    def submission(self, submission: str) -> str:
        return f"submissions/{self.submissions[submission]}.html"

    def answers(
        self,
        submission: str,
        suite: str | None = None,
        category: str = WHOLE,
        verdict: str = "",
        decided_by: str = "",
    ) -> str:
        """The list of a submission's answers, or the part of it that a number counts.

        `category` is "*" for a whole suite. `verdict` is an outcome or a reason.
        """
        path = f"answers/{self.submissions[submission]}.html"
        if suite is None and not decided_by:
            return path
        place = "" if suite is None else self.suites[suite]
        name = "" if suite is None or category == WHOLE else self.categories[suite, category]
        reason = slug(verdict) if verdict else ""
        return f"{path}#{fragment(place, name, reason, decided_by)}"

    def answer(self, suite: str, case: str, submission: str, trial: int) -> str:
        """A submission's own answer on the page of a case."""
        return f"{self.case(suite, case)}#{self.answer_anchor(submission, trial)}"

    def answer_anchor(self, submission: str, trial: int) -> str:
        name = f"by-{self.submissions[submission]}"
        return name if trial == 1 else f"{name}/{trial}"

    def judge(self, judge: str) -> str:
        return f"judges/{self.judges[judge]}.html"

    def document(self, name: str) -> str:
        return f"docs/{self.docs[name]}.html"

    def suite_data(self, suite: str) -> str:
        return f"data/suites/{self.suites[suite]}.json"

    def category_data(self, suite: str, category: str) -> str:
        return f"data/categories/{self.suites[suite]}/{self.categories[suite, category]}.json"

    def case_data(self, suite: str, case: str) -> str:
        return f"data/cases/{self.suites[suite]}/{self.cases[suite, case]}.json"

    def submission_data(self, submission: str) -> str:
        return f"data/submissions/{self.submissions[submission]}.json"

    def pair(self, suite: str, first: str, second: str) -> str:
        return f"compare/{self.suites[suite]}/{self._pair(first, second)}.html"

    def pair_data(self, suite: str, first: str, second: str) -> str:
        return f"data/compare/{self.suites[suite]}/{self._pair(first, second)}.json"

    def free_pair(self, suite: str, first: str, second: str) -> str:
        """The address at which the script compares any two."""
        names = {
            "a": self.submissions[first],
            "b": self.submissions[second],
            "suite": self.suites[suite],
        }
        return f"{COMPARE_PATH}?{urlencode(names)}"

    def comparing(self, suite: str) -> str:
        """The start of the address that compares any two on a suite."""
        return f"{COMPARE_PATH}?{urlencode({'suite': self.suites[suite]})}"

    def compared_cases(self, suite: str) -> str:
        return f"data/compare/{self.suites[suite]}.js"

    def compared_answers(self, suite: str) -> str:
        return f"data/compare/{self.suites[suite]}~answers.js"

    def compared(self, suite: str, submission: str) -> str:
        return f"data/compare/{self.suites[suite]}/{self.submissions[submission]}.js"

    def health(self, suite: str) -> str:
        return f"health/{self.suites[suite]}.html"

    def health_data(self, suite: str) -> str:
        return f"data/health/{self.suites[suite]}.json"

    def badge(self, submission: str) -> str:
        return f"badges/{self.submissions[submission]}.svg"

    def _pair(self, first: str, second: str) -> str:
        a, b = self.submissions[first], self.submissions[second]
        # If a name contains the separator `--`, two pairs could have the same file name.
        parted = "--" not in a + b and not a.endswith("-") and not b.startswith("-")
        return f"{a}--{b}" if parted else _hashed(f"{a} {b}")


def paths(board: Board) -> Paths:
    """The paths of everything on a board."""
    categories: dict[tuple[str, str], str] = {}
    cases: dict[tuple[str, str], str] = {}
    for suite in board.suites:
        for category, name in slugs(category.id for category in suite.categories).items():
            categories[suite.id, category] = name
        for case, name in slugs(case.id for case in suite.cases).items():
            cases[suite.id, case] = name
    return Paths(
        suites=slugs(suite.id for suite in board.suites),
        categories=categories,
        cases=cases,
        submissions=slugs(submission.id for submission in board.submissions),
        judges=slugs(judge.name for judge in board.judges),
        docs=slugs(board.docs),
    )


def web(url: str | None) -> str | None:
    """The address if it is a web address, else None. Non-ASCII characters are percent-encoded."""
    if not url:
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        return None
    return quote(url, safe=":/?#[]@!$&'()*+,;=%~-._")


def _page_of(repository: str) -> str:
    """The address of a repository's page, given one that can be cloned."""
    return repository.rstrip("/").removesuffix(".git")


def repository_file(repository: str | None, path: str) -> str | None:
    """The address of a file of the repository, where its host is known to show files that way."""
    base = web(repository)
    middle = _FILE_VIEW.get(urlsplit(base).hostname or "") if base else None
    if base is None or middle is None:
        return None
    return f"{_page_of(base)}/{middle}/{quote(path)}"


def repository_link(repository: str | None, folder: str, href: str) -> str | None:
    """Where a relative address in a file of this folder leads to; None if that is no file of it."""
    path, hash_, anchor = href.partition("#")
    target = normpath(f"{folder}/{unquote(path)}")
    outside = target.split("/")[0] in (".", "..")
    found = None if outside else repository_file(repository, target)
    return found and f"{found}{hash_}{anchor}"


def issue(repository: str | None, title: str, body: str) -> str | None:
    """The address that opens a new issue with these words, where the repository's host has one."""
    base = web(repository)
    if base is None or urlsplit(base).hostname != "github.com":
        return None
    words = {name: text for name, text in (("title", title), ("body", body)) if text}
    query = f"?{urlencode(words, errors='replace')}" if words else ""
    return f"{_page_of(base)}/issues/new{query}"
