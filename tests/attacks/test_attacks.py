"""What a review says of proposals that cheat, break or hide something, on a real git repository.

The report of each is kept in reports/, so that a reader can see whether it is clear. To write them
again after an intended change: TOOLBOARD_REWRITE=1 .venv/bin/pytest tests/attacks. Read the diff.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner

from cli.main import app
from replay.cassettes.cassette_file import dump
from tests.attacks.board_repository import BoardRepository, Branch, replies
from tests.attacks.proposals import ATTACKS, ME, Attack, forged_replies, honest
from tests.conftest import PROJECT, Folder, small_board
from tests.replay.judge_server import judge_server

REPORTS = Path(__file__).parent / "reports"

# GitHub drops a summary above 1 MiB, and a comment above 65,536 characters.
MOST_BYTES = 60_500


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> BoardRepository:
    """The board that all proposals change."""
    return BoardRepository(tmp_path_factory.mktemp("attacks"))


def marked(attack: Attack) -> object:
    marks = []
    if attack.waits_for is not None:
        marks = [pytest.mark.xfail(strict=True, reason=attack.waits_for)]
    return pytest.param(attack, id=attack.id, marks=marks)


# A snapshot's name ends in a digest, which changes with the version of the rules.
_SNAPSHOT: Final = re.compile(r"(history/\d{4}-\d{2}-\d{2})-[0-9a-f]{8}")


@pytest.mark.large
@pytest.mark.parametrize("attack", [marked(attack) for attack in ATTACKS])
def test_a_proposal_is_reported(repository: BoardRepository, attack: Attack) -> None:
    """The report names what is wrong, is bounded, and holds no command for a log."""
    branch = repository.branch(attack.id)
    attack.change(branch)
    exit_code, report = branch.review()

    assert exit_code == attack.exit_code, report
    assert [text for text in attack.says if text not in report] == [], report
    assert [text for text in attack.never_says if text in report] == [], report
    assert len(report.encode()) <= MOST_BYTES
    assert re.search(r"^\s*::|##\[|\r", report, re.MULTILINE) is None
    if attack.waits_for is not None:
        return  # it passes now: remove `waits_for` and write its report
    report = _SNAPSHOT.sub(r"\1-00000000", report)
    kept = REPORTS / f"{attack.id}.md"
    if os.environ.get("TOOLBOARD_REWRITE"):
        kept.write_text(report, encoding="utf-8")
    assert report == kept.read_text(encoding="utf-8")


@pytest.mark.large
def test_t01_replies_of_another_judge_wait_for_a_maintainer(tmp_path: Path) -> None:
    """The row is shown without them. A maintainer's list of recordings is no part of a proposal."""
    base, proposed = small_board(tmp_path / "base"), Folder(tmp_path / "proposed")
    with judge_server() as server:
        ask_gpt(base, server.url)
        shutil.copytree(base.root, proposed.root)
        proposed.submission("new", [{"id": "B001", "model_text": "It is Lyon."}])
        recorded = CliRunner(env={"JUDGE_KEY": "x"}).invoke(
            app, ["--workspace", str(proposed.root), "rescore"]
        )
    assert recorded.exit_code == 0, recorded.output
    branch = Branch(base, proposed)
    listed, kept = review(branch)
    (proposed.root / "recordings.json").unlink()
    alone, waiting = review(branch)
    accepted, _ = review(branch, "--maintainer")

    assert (listed, alone, accepted) == (1, 3, 3)
    assert "**recordings of maintainers**: `recordings.json` added" in kept
    assert "🟠 Wait: a maintainer has to record 1 judge call first (270 characters)." in waiting
    assert "waits for a maintainer to record the judge's reply (1)" in waiting
    assert "1 pass" not in kept + waiting


@pytest.mark.large
@pytest.mark.parametrize("attacker", ["attacker", "zattacker"])
def test_t03_a_reply_that_waits_for_a_maintainer_contradicts_nobody(
    tmp_path: Path, attacker: str
) -> None:
    """Neither in the review of an honest reply to the same request, nor after its merge.

    It decides nothing for others either, whichever cassette is earlier in the alphabet.
    """
    base, proposed = small_board(tmp_path / "base"), Folder(tmp_path / "proposed")
    answer = [{"id": "B001", "model_text": "It is Lyon."}]
    with judge_server() as server:
        ask_gpt(base, server.url)
        base.submission(attacker, answer)
        record_as_stranger(base)
        shutil.copytree(base.root, proposed.root)
        planted = proposed.root / f"cassettes/gpt/small/{attacker}.json"
        planted.unlink()
        server.say = lambda _: "different"
        record_as_stranger(proposed)
        planted.rename(planted.with_name("honest.json"))
        shutil.copyfile(base.root / f"cassettes/gpt/small/{attacker}.json", planted)
        more = {"id": "A001", "model_function_call": None, "model_text": "No."}
        proposed.submission("honest", [*answer, more], organization="Honest Labs")
        exit_code, report = review(Branch(base, proposed))
        merged = ["--workspace", str(proposed.root), "rescore"]
        offline = CliRunner().invoke(app, [*merged, "--offline"])
        again = CliRunner(env={"JUDGE_KEY": "x"}).invoke(app, merged)

    assert "error:" not in report  # that the replies differ is a warning
    assert exit_code == 3, report
    assert "a maintainer has to record 1 judge call first" in report
    assert offline.exit_code == 3, offline.output
    assert again.exit_code == 0, again.output


@pytest.mark.large
def test_t03_a_new_call_that_waits_for_a_maintainer_decides_nothing(tmp_path: Path) -> None:
    """Also where another submission has waited for the same call, which nobody had recorded."""
    base, proposed = small_board(tmp_path / "base"), Folder(tmp_path / "proposed")
    answer = [{"id": "B001", "model_text": "It is Lyon."}]
    with judge_server() as server:
        ask_gpt(base, server.url)
        base.submission("other", answer)
        shutil.copytree(base.root, proposed.root)
        more = {"id": "A001", "model_function_call": None, "model_text": "No."}
        proposed.submission("new", [*answer, more], organization="New Labs")
        record_as_stranger(proposed)
    exit_code, report = review(Branch(base, proposed))

    assert exit_code == 3, report
    assert "- 1 new recorded call, 0 recomputed: decided no verdict" in report


def ask_gpt(board: Folder, address: str) -> None:
    """Lets a judge with a key decide, whose server is at the address."""
    judge = f'provider = "openai"\nmodel = "gpt-test"\nbase_url = "{address}/v1"\n'
    panel = 'schema = 1\npanel = ["gpt"]\n\n[judges.gpt]\n'
    board.write("leaderboard.toml", panel + judge + 'api_key_env = "JUDGE_KEY"\n')


def record_as_stranger(board: Folder) -> None:
    """Records every judge call of a board, without the list of what maintainers recorded."""
    recorded = CliRunner(env={"JUDGE_KEY": "x"}).invoke(
        app, ["--workspace", str(board.root), "rescore"]
    )
    assert recorded.exit_code == 0, recorded.output
    (board.root / "recordings.json").unlink()


def review(branch: Branch, *options: str) -> tuple[int, str]:
    """Reviews two folders that are no git checkouts."""
    places = ("--base", str(branch.base.root), "--proposed", str(branch.proposed.root))
    done = branch.base.lb("review", *places, *options)
    return done.exit_code, done.stdout


def swept(board: Folder, tools: int, off: str) -> None:
    """A submission of a sweep. Its call is wrong in a way of its own."""
    call = {"name": "convert_units", "arguments": {"value": 9, "to_unit": off}}
    board.submission(
        f"agent-k{tools}",
        [{"id": "A001", "model_function_call": call, "model_text": None}],
        name=f"Agent with {tools}",
        organization="Castle Labs",
        framework="Framework X",
        settings={"sweep": "agent", "max_tools": tools},
        partial=["small"],
    )


@pytest.mark.large
def test_t14_a_strangers_row_in_a_sweep_is_named(tmp_path: Path) -> None:
    """Its id and card are the submitter's to write, and pages draw all of a sweep in one chart."""
    base, proposed = small_board(tmp_path / "base"), Folder(tmp_path / "proposed")
    swept(base, 8, "x")
    swept(base, 16, "y")
    shutil.copytree(base.root, proposed.root)
    swept(proposed, 32, "z")
    exit_code, report = review(Branch(base, proposed))

    assert exit_code == 0
    assert "🟠 Look first: it joins the sweep of `agent-k8`." in report
    assert "put it in the sweep of `agent-k8`, `agent-k16`, and in the charts" in report
    assert "says: framework `Framework X`; settings `max_tools: 32`, `sweep: agent`." in report


@pytest.mark.large
def test_t12_thousands_of_unneeded_calls_are_named_in_little_time(
    repository: BoardRepository,
) -> None:
    """Each is a problem, and none is compared with every other one."""
    branch = repository.branch("T12-unneeded-calls")
    honest(branch)
    cassette = branch.proposed.root / replies(branch, ME)
    (call,) = json.loads(cassette.read_bytes())["interactions"]
    line = json.dumps(call)
    calls = [json.loads(line.replace("must be", f"must be {number}")) for number in range(15_000)]
    cassette.write_bytes(dump([call, *calls]))
    start = time.process_time()
    exit_code, report = branch.review()

    assert exit_code == 1
    assert "15,000 judge calls that its answers do not need" in report
    assert time.process_time() - start < 15


@pytest.mark.large
def test_t14_an_id_with_a_history_is_named(tmp_path: Path) -> None:
    """The history of the submission that was removed would be that of the new one."""
    base, proposed = small_board(tmp_path / "base"), Folder(tmp_path / "proposed")
    base.submission("old", [{"id": "B001", "model_text": "It is Paris."}], name="Old one")
    base.submission("other", [{"id": "B002", "model_text": "In 1969."}], name="Other")
    for command in (("rescore",), ("snapshot", "--date", "2026-02-01")):
        assert base.lb(*command).exit_code == 0
    shutil.rmtree(base.root / "submissions/old")
    shutil.rmtree(base.root / "results")
    shutil.copytree(base.root, proposed.root)
    proposed.submission("old", [{"id": "B001", "model_text": "In 1969."}], name="Mallory")
    exit_code, report = review(Branch(base, proposed))

    assert exit_code in {0, 3}
    assert "snapshots up to 2026-02-01 list the id `old`, and no submission on the board" in report
    assert "- snapshots up to 2026-02-01 list this id, for `Old one`." in report


@pytest.mark.large
def test_t15_a_call_that_the_base_lacks_stops_nobody(repository: BoardRepository) -> None:
    """An honest proposal is not held up by a judge call that is missing in main."""
    branch = repository.branch("T15-missing-in-main")
    honest(branch)
    kept = repository.base.root / replies(branch, "castle")
    data = kept.read_bytes()
    for board in (branch.base, branch.proposed):
        (board.root / replies(branch, "castle")).unlink()
    try:
        exit_code, report = branch.review()
    finally:
        kept.write_bytes(data)

    assert exit_code == 0, report


@pytest.mark.large
def test_t16_edited_results_and_other_sites_are_refused(repository: BoardRepository) -> None:
    """Nothing is built from results that were edited, and no other folder counts as the site."""
    branch = repository.branch("T16-edited-results")
    honest(branch)
    lb = branch.proposed.lb
    branch.replace("results/scores.json", '"submission":"newcomer"', '"submission":"newcomes"')
    built, verified = lb("build"), lb("verify")
    (branch.proposed.root / "empty").mkdir()
    empty = lb("verify", "--site", str(branch.proposed.root / "empty"))

    assert (built.exit_code, verified.exit_code, empty.exit_code) == (1, 1, 1)
    for done in (built, verified):
        assert "results/scores.json: does not match the manifest" in done.stderr
    assert not (branch.proposed.root / "_site").exists()
    assert "empty: is not a site" in empty.stderr


@pytest.mark.large
def test_t17_an_audit_names_forged_calls(repository: BoardRepository) -> None:
    """A few forged calls among many are not lost in a share of all."""
    branch = repository.branch("T17-audit")
    forged_replies(branch)
    done = branch.proposed.lb("audit")

    assert done.exit_code == 1
    assert f"recorded for {ME}: 100.0 % of the grades changed" in done.stderr


@pytest.mark.parametrize(
    ("command", "folder"), [("build", "_site"), ("serve", "_site"), ("rescore", "results")]
)
@pytest.mark.large
def test_t19_a_link_in_place_of_a_made_folder_is_refused(
    repository: BoardRepository, command: str, folder: str
) -> None:
    """Somebody who merges or checks out such a proposal writes and shows nothing through it."""
    branch = repository.branch(f"T19-{command}")
    honest(branch)
    root = branch.proposed.root
    if (root / folder).exists():
        (root / folder).rename(root / "made")
    (root / folder).symlink_to("made")
    done = branch.proposed.lb(command)

    assert done.exit_code == 1
    assert f"{folder}: is a link" in done.stderr


@pytest.mark.large
@pytest.mark.parametrize(
    ("command", "page"), [(["serve"], "/"), (["serve-apis", "--suite", "apis"], "/healthz")]
)
def test_t19_the_local_servers_answer_to_their_own_names(
    repository: BoardRepository, command: list[str], page: str
) -> None:
    """Another name of this computer and a null byte are refused, without a traceback."""
    branch = repository.branch(f"T19-names-of-{command[0]}")
    honest(branch)
    assert branch.proposed.lb("build").exit_code == 0
    asked = [(page, "localhost"), (page, "evil.example"), ("/%00", "localhost")]
    lb = [sys.executable, "-m", "cli", "--workspace", str(branch.proposed.root)]
    with subprocess.Popen(
        [*lb, *command, "--port", "0"], cwd=PROJECT, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stderr is not None
        first = server.stderr.readline()
        try:
            port = int(first.partition("://127.0.0.1:")[2].partition("/")[0])
            statuses = [status_of(port, *one) for one in asked]
        finally:
            server.send_signal(signal.SIGINT)
            said = server.stderr.read()

    assert statuses[:2] == [200, 400]
    assert statuses[2] in {400, 404}
    assert "Traceback" not in said


def status_of(port: int, path: str, host: str) -> int:
    """The status of the reply to a request with this Host header."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", path, headers={"Host": host})
    status = connection.getresponse().status
    connection.close()
    return status


def test_every_report_belongs_to_a_proposal() -> None:
    """There is a report of each proposal that the review handles, and no other."""
    handled = {f"{attack.id}.md" for attack in ATTACKS if attack.waits_for is None}

    assert {path.name for path in REPORTS.iterdir()} == handled
