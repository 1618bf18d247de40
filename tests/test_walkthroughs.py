"""The transcripts in the docs: their commands, executed as written, print what the docs say."""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.conftest import PROJECT, Folder, shipped

CAPITALS = (
    "France Paris,Italy Rome,Spain Madrid,Germany Berlin,Austria Vienna,Poland Warsaw,Norway Oslo,"
    "Sweden Stockholm,Finland Helsinki,Denmark Copenhagen,Greece Athens,Portugal Lisbon,"
    "Ireland Dublin,Hungary Budapest,Romania Bucharest,Bulgaria Sofia,Croatia Zagreb,"
    "Slovenia Ljubljana,Latvia Riga,Estonia Tallinn,Lithuania Vilnius,Japan Tokyo,Egypt Cairo,"
    "Kenya Nairobi,Peru Lima,Chile Santiago,Cuba Havana,Canada Ottawa,Mongolia Ulaanbaatar,"
    "Nepal Kathmandu"
)
COUNTRIES = [pair.split() for pair in CAPITALS.split(",")]


def part(page: str, heading: str) -> str:
    """What a page says below a heading, up to the next one."""
    text = (PROJECT / "docs" / page).read_text(encoding="utf-8")
    found = re.search(
        rf"^#+ {re.escape(heading)}\n(.*?)(?=^#+ |\Z)", text, re.MULTILINE | re.DOTALL
    )
    assert found is not None
    return found[1]


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def transcript(text: str) -> list[tuple[str, list[str]]]:
    """Each command of the console blocks, with the lines that it prints."""
    commands: list[tuple[str, list[str]]] = []
    for line in "".join(blocks(text, "console")).splitlines():
        if line.startswith("$ "):
            commands.append((line[2:], []))
        else:
            commands[-1][1].append(line)
    return commands


def run(command: str, folder: Path) -> tuple[int, list[str]]:
    """Runs a command in a shell that finds `lb`. Returns its exit code and the lines it prints."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout.splitlines()


def comparable(lines: Iterable[str]) -> list[str]:
    """Lines in any order of the two streams, without the number of files of a site."""
    return sorted(re.sub(r"[\d,]+(?= files written)", "N", line) for line in lines)


def write_table(path: Path, head: str, rows: Iterable[list[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([head.split(","), *rows])


@pytest.mark.large
def test_from_a_table_of_questions_to_a_board_in_three_commands(tmp_path: Path) -> None:
    """An empty folder, 30 questions and two files of answers give a board with an own colour."""
    text = part("hosting.md", "From a table to a board")
    questions, answers = blocks(text, "csv")
    asked = [[name.lower(), f"What is the capital of {name}?", city] for name, city in COUNTRIES]
    write_table(tmp_path / "questions.csv", "id,question,answer", asked)
    for name, wrong in {"system-a": 3, "system-b": 2}.items():
        given = [
            [country.lower(), city if place % wrong or place == 0 else "Atlantis"]
            for place, (country, city) in enumerate(COUNTRIES)
        ]
        write_table(tmp_path / f"{name}.csv", "id,answer", given)
    assert (tmp_path / "questions.csv").read_text(encoding="utf-8").startswith(questions)
    assert (tmp_path / "system-a.csv").read_text(encoding="utf-8").startswith(answers)

    commands = transcript(text)
    for command, printed in commands:
        code, lines = run(command, tmp_path)
        assert (code, comparable(lines)) == (0, comparable(printed)), command

    board = tmp_path / "capitals"
    pages = {path.name: path.read_text(encoding="utf-8") for path in board.rglob("*.html")}
    (theme,) = (board / "_site" / "assets").glob("theme.*.css")
    assert len(commands) == 3
    assert {"system-a.html", "system-b.html"} <= pages.keys()
    assert "--accent: #7a2e8e" in theme.read_text(encoding="utf-8")
    assert (board / ".github" / "workflows" / "board.yml").is_file()
    assert run("lb validate && lb verify", board)[0] == 0


@pytest.mark.large
def test_a_fork_publishes_nothing_of_the_shipped_board(tmp_path: Path) -> None:
    """The first step of the page deletes what pages would show, and what causes warnings."""
    step = part("hosting.md", "On GitHub Pages").split("\n2. ")[0]
    deleted, settings = step.split("In `leaderboard.toml`")
    for name in ("submissions", "history", "audits"):
        shutil.copytree(shipped(name), tmp_path / name)
    shutil.copy(shipped("CITATION.cff"), tmp_path)
    for pattern in re.findall(r"`(.+?)/?`", deleted):
        for path in tmp_path.glob(pattern):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    board, text = Folder(tmp_path), shipped("leaderboard.toml").read_text(encoding="utf-8")
    for key in re.findall(r"`(.+?)`", settings):
        text = re.sub(rf"^{key} = \[.*?\]", "", text, flags=re.MULTILINE | re.DOTALL)
    board.write("leaderboard.toml", re.sub(r"^(ranked|suites) .*", "", text, flags=re.MULTILINE))
    made = board.lb("init", str(tmp_path / "new"), "--demo")
    for name in ("datasets", "submissions"):
        shutil.copytree(tmp_path / "new" / name, tmp_path / name, dirs_exist_ok=True)
    shutil.rmtree(tmp_path / "new")

    results = [made, *(board.lb(*words) for words in (["validate"], ["rescore"], ["build"]))]
    assert [done.exit_code for done in results] == [0, 0, 0, 0], results
    assert "warning" not in results[1].output
    site = {path.name for path in (tmp_path / "_site").iterdir()}
    assert "index.html" in site
    assert site.isdisjoint({"history", "judges", "CITATION.cff"})


@pytest.mark.large
def test_an_own_suite_is_made_as_the_page_says(tmp_path: Path) -> None:
    """Every file of the page is written where it says, and every command prints what it says."""
    text = (PROJECT / "docs" / "own-suite.md").read_text(encoding="utf-8")
    written, ran, end = [], 0, 0
    for block in re.finditer(r"^```(\w+)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        before, end = text[end : block.start()], block.end()
        if block[1] == "console":
            for command, printed in transcript(block[0]):
                code, lines = run(command, tmp_path)
                assert (code, comparable(lines)) == (0, comparable(printed)), command
                ran += 1
            continue
        name = re.findall(r"`([\w./-]+\.(?:json|jsonl|toml|md))`", before)[0]
        path = tmp_path / name if name == "answers.jsonl" else tmp_path / "trams" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block[2], encoding="utf-8")
        written.append(name)

    assert ran == 6
    assert written == [
        "datasets/trams/tools.json",
        "datasets/trams/departures.json",
        "datasets/trams/questions.json",
        "datasets/trams/suite.toml",
        "prompts/trams/same_meaning.md",
        "answers.jsonl",
    ]
    assert (tmp_path / "trams" / "cassettes" / "embedded-1" / "trams" / "first.json").is_file()
    assert run("lb verify", tmp_path / "trams")[0] == 0
