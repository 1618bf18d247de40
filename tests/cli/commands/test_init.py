"""`lb init`: a board in a new folder."""

from __future__ import annotations

import datetime
import gzip
import json
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner, Result

from cli.main import app
from tests.conftest import Folder


def init(*words: str | Path) -> Result:
    return CliRunner().invoke(app, ["init", *map(str, words)])


@pytest.mark.large
def test_the_demo_is_a_board_in_three_commands(tmp_path: Path) -> None:
    """It scores without a judge and a network, and its pages name nothing that it does not have."""
    made = init(tmp_path / "look", "--demo", "--title", "My look")
    board = Folder(tmp_path / "look")
    assert made.exit_code == 0, made.output
    assert "look/ with 2 submissions" in made.stderr

    scored = board.lb("rescore", "--offline")
    assert (scored.exit_code, board.lb("build").exit_code, board.lb("verify").exit_code) == (
        0,
        0,
        0,
    )
    assert "program-sum                       29.2" in scored.stdout
    site = board.tree("_site")
    assert b"<h2>Contribute</h2>" in site["index.html"]
    assert b"My look" in site["index.html"]
    assert "judges/index.html" not in site
    assert [name for name, page in site.items() if b"make site" in page] == []


@pytest.mark.large
@pytest.mark.parametrize("words", [(), ("--kind", "tool_selection")])
def test_a_new_board_has_no_problems(tmp_path: Path, words: tuple[str, ...]) -> None:
    """Without cases, it has examples of its kind to replace."""
    made = init(tmp_path / "my-board", *words)
    board = Folder(tmp_path / "my-board")

    assert made.exit_code == 0, made.output
    assert made.stderr.splitlines()[-1] == f"next: cd {board.root} && lb validate"
    assert board.lb("validate").stderr == "OK: 0 submissions, 1 suite\n"
    assert board.lb("rescore", "--offline").exit_code == board.lb("build").exit_code == 0
    assert 'title = "My board"' in (board.root / "leaderboard.toml").read_text(encoding="utf-8")


def test_the_workflow_uses_the_action_that_is_named(tmp_path: Path) -> None:
    """Without a name it has a placeholder, and says how to fill it."""
    init(tmp_path / "a")
    init(tmp_path / "b", "--action", "example/toolboard@v1.2-rc.1")
    workflows = [
        (tmp_path / name / ".github/workflows/board.yml").read_text(encoding="utf-8")
        for name in "ab"
    ]

    assert workflows[0].count("uses: OWNER/toolboard@COMMIT") == 2
    assert workflows[1].count("uses: example/toolboard@v1.2-rc.1") == 2
    assert "# - Replace OWNER/toolboard@COMMIT, twice" in workflows[0]
    assert "Replace" not in workflows[1]


def test_a_title_from_another_locale_is_kept(tmp_path: Path) -> None:
    """Python reads an ü of the command line as two escaped bytes if the locale is C."""
    init(tmp_path / "a", "--title", "\udcc3\udcbc")
    assert (tmp_path / "a/README.md").read_text(encoding="utf-8").startswith("# ü\n")


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("--kind", "exakt"), 2, "no kind 'exakt'; choose one of: call_match, exact"),
        (("--demo", "--kind", "exact"), 2, "--demo takes only --title and --action"),
        (("--kind", "stable_toolbench"), 2, "stable_toolbench has no examples to start with"),
        (("--title", "two\nlines"), 1, "error: --title: "),
        (("--title", ""), 1, "error: --title: this needs one line of text"),
        (("--title", "caf\udce9"), 1, "error: leaderboard.toml: is not UTF-8"),
        (("--action", "toolboard"), 2, "'toolboard' is not OWNER/NAME@COMMIT"),
        (("--action", "a/b@main"), 2, "'a/b@main' is not OWNER/NAME@COMMIT: name a commit"),
        (("--action", "a/b@1234abc"), 2, "name a commit of 40 hexadecimal digits, or the tag"),
        (("--action", "a/b@2.x"), 2, "or the tag of a version, such as v1.2"),
        (
            ("--date", "2026-01-31"),
            2,
            "--date go together (missing: --responses, --cases, --organization), or give only",
        ),
        (("--accent", "purple"), 1, "error: --accent: a colour is written #rrggbb, got 'purple'"),
        (("--accent", "#f0a000"), 1, "error: --accent: #f0a000 has a contrast of 1.9:1"),
    ],
)
def test_what_cannot_be_made_leaves_no_folder(
    tmp_path: Path, words: tuple[str, ...], code: int, message: str
) -> None:
    """The message names the option or the file."""
    refused = init(tmp_path / "new", *words)

    assert (refused.exit_code, message in refused.stderr) == (code, True), refused.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_suite_that_needs_a_judge_needs_one_in_the_panel(folder: Folder) -> None:
    """Without a judge, its answers would stay unscored for ever."""
    text = (folder.root / "leaderboard.toml").read_text(encoding="utf-8")
    folder.write("leaderboard.toml", text.replace('panel = ["embedded-1"]', ""))
    refused = folder.lb("validate")

    assert refused.exit_code == 1
    assert "names no judge in `panel`, but the suite small has prompts for one" in refused.stderr


CSV = (
    "Question,Answer,Category\nWhat is 2 + 2?,4,Sums\nWhich city is the capital of France?,Paris,\n"
)


def table(tmp_path: Path, form: str) -> Path:
    """The two questions in a file of this form."""
    path = tmp_path / f"my questions.{form}"
    frame = pl.read_csv(CSV.encode(), infer_schema=False)
    rows = frame.to_dicts()
    if form == "parquet":
        frame.write_parquet(path)
    elif form == "csv.gz":
        path.write_bytes(gzip.compress(CSV.encode()))
    else:
        lines = "\n".join(json.dumps(row) for row in rows)
        path.write_text(
            {"csv": CSV, "json": json.dumps(rows), "jsonl": lines}[form], encoding="utf-8"
        )
    return path


@pytest.mark.parametrize("form", ["csv", "csv.gz", "json", "jsonl", "parquet"])
def test_questions_come_from_a_table(tmp_path: Path, form: str) -> None:
    """Every form gives the same suite, with a category for each value of that column."""
    made = init(tmp_path / "new", "--cases", table(tmp_path, form))
    assert made.exit_code == 0, made.output
    (suite,) = json.loads(Folder(tmp_path / "new").lb("suites", "--json").stdout)

    assert (suite["id"], suite["title"], suite["kind"]) == ("my-questions", "My questions", "exact")
    assert [(c["id"], c["cases"]) for c in suite["categories"]] == [
        ("sums", 1),
        ("my-questions", 1),
    ]


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("question,answer\n1?,\n2?,\n3?,x\n", "exact", "and 1 more with the same problem"),
        (
            "question,answer\n1?,1\n",
            "tool_usage",
            "cannot become cases of kind tool_usage (give cases as JSON",
        ),
        (
            '[{"id": "a", "tools": [{"name": "f"}]}]',
            "call_match",
            "error: --cases: makes no suites of kind call_match, which need tools (start without",
        ),
        ('["a", "b"]', "exact", "is not a table of questions"),
        ("", "exact", "is empty"),
        ("id,question,answer\na,1?,1\na,2?,2\n", "exact", "row 3: repeats the id 'a' of row 2"),
        (
            "question,pattern\n1?,2\n\n2?,(3\n",
            "exact",
            "cases.csv row 4 $.ground_truth.pattern: is",
        ),
    ],
)
def test_a_table_that_cannot_be_read_leaves_no_folder(
    tmp_path: Path, text: str, kind: str, message: str
) -> None:
    """One message says what is wrong with all rows that have the same problem."""
    cases = tmp_path / "cases.csv"
    cases.write_text(text, encoding="utf-8")
    refused = init(tmp_path / "new", "--cases", cases, "--kind", kind)

    assert (refused.exit_code, message in refused.stderr) == (1, True), refused.stderr
    assert refused.stderr.count("\n") == 1
    assert not (tmp_path / "new").exists()


def test_letters_without_examples_are_judged_without_them(tmp_path: Path) -> None:
    """A table with the questions alone is enough. The judge prompt then quotes no right answer."""
    cases = tmp_path / "letters.csv"
    cases.write_text("question\nDecline.\nThank her.\n", encoding="utf-8")
    made = init(tmp_path / "new", "--cases", cases, "--kind", "judged")
    board = Folder(tmp_path / "new")

    assert made.exit_code == 0, made.stderr
    assert "expected" not in (board.root / "prompts/letters/letters.md").read_text(encoding="utf-8")
    assert "OK" in board.lb("validate").stderr


def test_columns_without_effect_are_named_and_kept(tmp_path: Path) -> None:
    """Days of a Parquet file too, which JSON has as text."""
    cases = tmp_path / "cases.parquet"
    row = {"question": "Q?", "answer": "x", "asked": datetime.date(2026, 1, 31)}
    pl.DataFrame([row]).write_parquet(cases)
    made = init(tmp_path / "new", "--cases", cases)

    assert "cases.parquet: kept with the cases, without effect: asked\n" in made.stderr
    text = (tmp_path / "new/datasets/cases/cases.json").read_text(encoding="utf-8")
    assert json.loads(text)[0]["asked"] == "2026-01-31"


def test_responses_have_the_name_of_their_file(tmp_path: Path) -> None:
    """Dots are part of a model's name: only the endings of the file go."""
    cases = tmp_path / "cases.csv"
    cases.write_text("id,question,answer\nq1,2+2?,4\n", encoding="utf-8")
    answers = b'[{"id": "q1", "model_text": "4"}]'
    files = [tmp_path / "GPT-4.1.json", tmp_path / "GPT-4.5.json.gz"]
    for file in files:
        file.write_bytes(gzip.compress(answers) if file.suffix == ".gz" else answers)
    words = [word for file in files for word in ("--responses", file)]
    words += ["--organization", "Lab", "--date", "2026-01-31"]
    made = init(tmp_path / "new", "--cases", cases, *words)

    assert made.exit_code == 0, made.output
    for name in ("GPT-4.1", "GPT-4.5"):
        folder = tmp_path / "new/submissions" / name.lower().replace(".", "-")
        card = json.loads((folder / "submission.json").read_bytes())
        assert (card["name"], card["model"]) == (name, name)


def test_the_categories_of_a_table_are_counted(tmp_path: Path) -> None:
    """Two spellings would share the weight of one category, so they are one."""
    cases = tmp_path / "cases.csv"
    text = "question,answer,category\n1?,a,Licht\n2?,b,licht\n3?,c,Heizung\n"
    cases.write_text(text, encoding="utf-8")
    said = init(tmp_path / "new", "--cases", cases).stderr.splitlines()

    assert said[0].endswith("category 'licht' is taken as 'Licht': they differ in letter case only")
    assert said[1] == "2 categories: Licht (2 cases), Heizung (1 case)"
