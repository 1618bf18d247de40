"""Which paths a proposal changes, and who may change them."""

from __future__ import annotations

import stat
import subprocess
from pathlib import Path

import pytest

from leaderboard.errors import FilesError
from leaderboard.proposals.changed_paths import LINKS, PROGRAMS, compare_folders, kind_of, owner_of
from leaderboard.proposals.harmless_git import run_git
from tests.attacks.board_repository import git
from tests.each_row import each_row


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    """A base and a proposal with the same two files."""
    made = tmp_path / "base", tmp_path / "proposed"
    for root in made:
        write(root, "submissions/old/small.json", "[]")
        write(root, "docs/a.md", "# A")
    return made


def write(root: Path, name: str, text: str) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_equal_folders_differ_in_nothing(places: tuple[Path, Path]) -> None:
    """There is no submission and no change."""
    found = compare_folders(*places)

    assert (found.submission, found.own, found.outside) == (None, (), ())


def test_a_new_submission_owns_its_folder_and_its_cassettes(places: tuple[Path, Path]) -> None:
    """Everything else is outside, such as a cassette of another name or depth."""
    for name in (
        "submissions/new/small.json",
        "cassettes/j/small/new.json",
        "cassettes/j/small/old.json",
        "cassettes/j/small/deep/new.json",
        "cassettes/new.json",
    ):
        write(places[1], name, "{}")
    found = compare_folders(*places)

    assert (found.submission, found.replaces) == ("new", False)
    assert [change.path for change in found.own] == [
        "cassettes/j/small/new.json",
        "submissions/new/small.json",
    ]
    assert [change.path for change in found.outside] == [
        "cassettes/j/small/deep/new.json",
        "cassettes/j/small/old.json",
        "cassettes/new.json",
    ]


def test_a_submission_of_the_base_is_replaced(places: tuple[Path, Path]) -> None:
    """That is said, because anybody could change it. A new one counts before a changed one."""
    write(places[1], "submissions/old/small.json", "[1]")
    replaced = compare_folders(*places)
    write(places[1], "submissions/zzz/small.json", "[]")
    beside = compare_folders(*places)

    assert (replaced.submission, replaced.replaces) == ("old", True)
    assert (beside.submission, beside.replaces) == ("zzz", False)
    assert [change.path for change in beside.outside] == ["submissions/old/small.json"]


def test_removed_and_changed_files_are_told_apart(places: tuple[Path, Path]) -> None:
    """A change of content with the same size counts too."""
    write(places[1], "docs/a.md", "# B")
    (places[1] / "submissions/old/small.json").unlink()
    found = compare_folders(*places)

    assert [(c.path, c.how) for c in (*found.own, *found.outside)] == [
        ("submissions/old/small.json", "removed"),
        ("docs/a.md", "changed"),
    ]


def test_links_and_programs_are_never_the_submissions_own(places: tuple[Path, Path]) -> None:
    """A link is not followed, whether it names a file or a folder."""
    write(places[1], "submissions/new/small.json", "[]")
    (places[1] / "submissions/new/README.md").symlink_to("../../docs/a.md")
    (places[1] / "submissions/new/more").symlink_to("/")
    program = write(places[1], "submissions/new/run.json", "{}")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    found = compare_folders(*places)

    assert [(c.path, c.kind) for c in found.outside] == [
        ("submissions/new/README.md", LINKS),
        ("submissions/new/more", LINKS),
        ("submissions/new/run.json", PROGRAMS),
    ]


def test_hidden_files_are_never_the_submissions_own(places: tuple[Path, Path]) -> None:
    """One of them can make a page of changes leave the other files out."""
    write(places[1], "submissions/new/small.json", "[]")
    write(places[1], "submissions/new/.gitattributes", "*.json binary")
    write(places[1], "submissions/new/.github/x.yml", "x")
    found = compare_folders(*places)

    assert [c.path for c in found.own] == ["submissions/new/small.json"]
    assert [(c.path, c.kind) for c in found.outside] == [
        ("submissions/new/.gitattributes", "git settings"),
        ("submissions/new/.github/x.yml", "git settings"),
    ]


def test_a_submodule_of_another_commit_is_a_change(places: tuple[Path, Path]) -> None:
    """Its folder is empty in both checkouts."""
    for root, commit in zip(places, ("1" * 40, "2" * 40), strict=True):
        subprocess.run(["git", "init", "--quiet"], cwd=root, check=True)
        for name, pinned in (("same", "3" * 40), ("moved", commit)):
            (root / name).mkdir()
            entry = f"160000,{pinned},{name}"
            add = ["git", "update-index", "--add", "--cacheinfo", entry]
            subprocess.run(add, cwd=root, check=True)
    found = compare_folders(*places)

    assert [(c.path, c.kind) for c in found.outside] == [("moved", LINKS)]


def test_a_link_that_points_elsewhere_is_a_change(places: tuple[Path, Path]) -> None:
    """Two links are equal if they name the same target."""
    (places[0] / "docs/b.md").symlink_to("a.md")
    (places[1] / "docs/b.md").symlink_to("a.md")
    equal = compare_folders(*places)
    (places[1] / "docs/b.md").unlink()
    (places[1] / "docs/b.md").symlink_to("/etc/passwd")
    moved = compare_folders(*places)

    assert equal.outside == ()
    assert [(c.path, c.how) for c in moved.outside] == [("docs/b.md", "changed")]


def test_git_tells_made_files_from_proposed_ones(places: tuple[Path, Path]) -> None:
    """An ignored file is no part of a proposal. A tracked one is, even if it is ignored."""
    for root in places:
        write(root, ".gitignore", ".venv/\n")
        write(root, ".venv/bin/python", "x")
        subprocess.run(["git", "init", "--quiet"], cwd=root, check=True)
    quiet = compare_folders(*places)
    subprocess.run(["git", "add", "--force", ".venv"], cwd=places[1], check=True)
    tracked = compare_folders(*places)

    assert quiet.outside == ()
    assert [(c.path, c.kind) for c in tracked.outside] == [
        (".venv/bin/python", "installation and scripts")
    ]


def test_an_export_of_a_branch_hides_nothing(places: tuple[Path, Path]) -> None:
    """Beside a base in git, a proposal without git is what somebody may have committed."""
    write(places[0], ".gitignore", ".venv/\nresults/\n")
    write(places[0], ".venv/bin/python", "own")
    subprocess.run(["git", "init", "--quiet"], cwd=places[0], check=True)
    for name in (".gitignore", ".venv/bin/python", "results/scores.json"):
        write(places[1], name, ".venv/\nresults/\n")

    assert [(change.path, change.how) for change in compare_folders(*places).outside] == [
        (".venv/bin/python", "added"),
        ("results/scores.json", "added"),
    ]


def test_an_export_of_a_board_in_a_folder_hides_nothing(tmp_path: Path) -> None:
    """Its repository is above it, and the export may be anywhere."""
    board, export = tmp_path / "base/boards/one", tmp_path / "export"
    for root in (board, export):
        write(root, "docs/a.md", "# A")
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path / "base", check=True)
    write(export, ".cache/agents/x/bin/lb", "x")

    assert [change.path for change in compare_folders(board, export).outside] == [
        ".cache/agents/x/bin/lb"
    ]


def test_a_board_in_a_folder_of_a_repository_is_compared_with_all_of_it(tmp_path: Path) -> None:
    """A workflow or a tracked cache beside it would else be changed unseen."""
    boards = [tmp_path / name / "boards/one" for name in ("base", "proposed")]
    for board, text in zip(boards, "ab", strict=True):
        for name in ("../../.github/workflows/x.yml", "results/x", "../two/submissions/y/z.json"):
            write(board, name, text)
        write(board, "docs/a.md", "# A")
        (board / "../sub").symlink_to(text)
        subprocess.run(["git", "init", "--quiet"], cwd=board.parents[1], check=True)
    write(boards[1], "submissions/new/small.json", "[]")
    found = compare_folders(*boards)

    assert [change.path for change in found.own] == ["submissions/new/small.json"]
    assert [(change.path, change.kind) for change in found.outside] == [
        ("../../.github/workflows/x.yml", "workflows"),
        ("../sub", LINKS),
        ("../two/submissions/y/z.json", "other files"),
        ("results/x", "other files"),
    ]


def test_a_link_in_place_of_the_board_is_refused(tmp_path: Path) -> None:
    """It would lead past all other files of the repository, or back to the base."""
    base, proposed = tmp_path / "base", tmp_path / "proposed"
    for top in (base, proposed):
        write(top, "group/board/docs/a.md", "# A")
        subprocess.run(["git", "init", "--quiet"], cwd=top, check=True)
    (proposed / "group").rename(proposed / "moved")
    (proposed / "group").symlink_to("moved")

    with pytest.raises(FilesError, match="group: is a link, and not a folder of its repository"):
        compare_folders(base / "group" / "board", proposed / "group" / "board")


def test_a_link_to_a_whole_repository_is_followed(places: tuple[Path, Path]) -> None:
    """It belongs to the person who gives it."""
    write(places[1], "docs/b.md", "# B")
    subprocess.run(["git", "init", "--quiet"], cwd=places[1], check=True)
    link = places[1].with_name("link")
    link.symlink_to(places[1])

    (change,) = compare_folders(places[0], link).outside
    assert change.path == "docs/b.md"


def test_files_that_the_base_does_not_track_are_not_removed(places: tuple[Path, Path]) -> None:
    """They are a maintainer's own notes. Without a commit, nobody can tell."""
    base = places[0]
    write(base, "notes.txt", "merge on Monday")
    subprocess.run(["git", "init", "--quiet"], cwd=base, check=True)
    untold = compare_folders(*places)
    subprocess.run(["git", "add", "submissions", "docs"], cwd=base, check=True)
    told = compare_folders(*places)

    assert [(change.path, change.how) for change in untold.outside] == [("notes.txt", "removed")]
    assert told.outside == ()


def test_a_branch_without_the_newest_commit_of_the_base_is_behind(tmp_path: Path) -> None:
    """What the base changed since then differs, and is no change of the proposal."""
    base, proposed = tmp_path / "base", tmp_path / "proposed"
    write(base, "docs/a.md", "# A")
    git(base, "init", "--quiet")
    git(base, "add", "--all")
    git(base, "commit", "--quiet", "--message", "The board")
    git(base, "clone", "--quiet", str(base), str(proposed))
    write(base, "docs/a.md", "# B")
    git(base, "commit", "--quiet", "--all", "--message", "Newer")
    old = compare_folders(base, proposed)
    git(proposed, "pull", "--quiet")
    write(proposed, "docs/a.md", "# C")
    merged = compare_folders(base, proposed)

    assert [change.path for change in old.outside] == ["docs/a.md"]
    assert (old.behind, merged.behind) == (True, False)


def test_a_repository_that_git_cannot_list_is_refused(places: tuple[Path, Path]) -> None:
    """Without git, files in .venv or results/ would count as made by commands."""
    (places[1] / ".git").mkdir()
    with pytest.raises(FilesError, match="is a repository that git cannot list"):
        compare_folders(*places)


def test_git_lists_the_folder_and_not_the_repository_of_a_hook(
    places: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Git sets GIT_DIR for hooks. The files of that repository are not those of the proposal."""
    for root in places:
        subprocess.run(["git", "init", "--quiet"], cwd=root, check=True)
        subprocess.run(["git", "add", "."], cwd=root, check=True)
    write(places[1], "docs/b.md", "# B")
    write(places[1], ".git/info/exclude", "*.md")
    subprocess.run(["git", "add", "--force", "docs/b.md"], cwd=places[1], check=True)
    monkeypatch.setenv("GIT_DIR", str(places[0] / ".git"))
    write(places[0], ".git/info/exclude", "*.md")

    assert [change.path for change in compare_folders(*places).outside] == ["docs/b.md"]


def test_a_path_that_nobody_can_open_is_refused(
    places: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Git can write longer paths than a program can open. Such a file would stop every command."""
    length = 4090  # with the folder of the board, it is longer than Linux allows
    steps = ["datasets", *["a" * 200] * 20]
    folder = "/".join(steps)[: length - 10].rstrip("/")
    monkeypatch.chdir(places[1])
    for step in folder.split("/"):
        Path(step).mkdir(exist_ok=True)
        monkeypatch.chdir(step)
    Path("x.json").write_text("{}", encoding="utf-8")
    monkeypatch.chdir(places[1])
    subprocess.run(["git", "init", "--quiet"], cwd=places[1], check=True)
    with pytest.raises(FilesError, match=r"datasets/a+…: cannot be read: File name too long"):
        compare_folders(*places)


def test_two_boards_of_one_repository_are_compared_alone(places: tuple[Path, Path]) -> None:
    """They are no base and proposal of the same repository."""
    subprocess.run(["git", "init", "--quiet"], cwd=places[0].parent, check=True)
    write(places[1], "docs/b.md", "# B")
    found = compare_folders(*places)

    assert [change.path for change in found.outside] == ["docs/b.md"]


def test_the_settings_of_a_proposals_git_start_no_program(places: tuple[Path, Path]) -> None:
    """A proposal that was unpacked from an archive may bring its own .git/config."""
    root = places[1]
    subprocess.run(["git", "init", "--quiet"], cwd=root, check=True)
    hook = write(root, ".git/hook", f"#!/bin/sh\ntouch {root.parent}/started\n")
    hook.chmod(0o755)
    subprocess.run(["git", "config", "core.fsmonitor", str(hook)], cwd=root, check=True)
    compare_folders(*places)

    assert not (root.parent / "started").exists()


def test_a_repository_inside_the_proposal_hides_nothing(tmp_path: Path) -> None:
    """Git would take such a folder for a bare repository, with the proposer's settings."""
    boards = [tmp_path / name / "board" for name in ("base", "proposed")]
    for board in boards:
        write(board, "docs/a.md", "# A")
        subprocess.run(["git", "init", "--quiet"], cwd=board.parent, check=True)
    started = tmp_path / "started"
    for name, text in (
        ("HEAD", "ref: refs/heads/main\n"),
        ("objects/keep", "keep"),
        ("refs/keep", "keep"),
        ("config", f"[core]\nworktree = ..\nfsmonitor = touch {started}\n"),
        ("info/exclude", "*\n"),
        ("rules/mine.py", "import os"),
        ("../.github/workflows/x.yml", "on: push"),
    ):
        write(boards[1], name, text)
    found = compare_folders(*boards)

    kinds = {change.path: change.kind for change in found.outside}
    assert kinds["../.github/workflows/x.yml"] == "workflows"
    assert kinds["rules/mine.py"] == "rules"
    assert kinds["HEAD"] == "git settings"
    assert run_git(boards[1], "rev-parse", "--is-bare-repository") is None
    assert not started.exists()


@each_row(
    ("path", "kind"),
    [
        (".github/workflows/x.yml", "workflows"),
        ("scoring/rules/x.py", "rules"),
        ("rules/own.py", "rules"),
        ("site_templates/templates/base.html", "code"),
        ("Makefile", "installation and scripts"),
        ("conftest.py", "installation and scripts"),
        ("prompts/small/labels/a.json", "labels"),
        ("prompts/small/a.md", "prompts"),
        ("datasets/small/suite.toml", "datasets"),
        ("history/index.json", "history"),
        ("recordings.journal", "recordings of maintainers"),
        ("audits/a.json", "audits"),
        ("submissions/.gitattributes", "git settings"),
        (".gitattributes", "git settings"),
        ("docs/.hidden.md", "hidden files"),
        ("docs/.x/a.md", "hidden files"),
        ("README.md", "docs"),
        ("x\ny", "other files"),
    ],
)
def test_every_path_has_a_kind(path: str, kind: str) -> None:
    """A report groups paths by what they hold."""
    assert kind_of(path) == kind


@pytest.mark.parametrize("path", ["submissions/x", "cassettes/j/s/_preferences.json", "docs/a/b"])
def test_some_paths_belong_to_no_submission(path: str) -> None:
    """A file beside the folders, calls of no submission, and all that is elsewhere."""
    assert owner_of(path) is None
