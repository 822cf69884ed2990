"""The command ``ppnsim sweep``: answers, files, pictures, exit codes, Ctrl-C."""

import csv
import json
import signal
import time
from pathlib import Path

import pytest

import ppnsim as library
from ppnsim import fork_join
from ppnsim.formats.network_json import dump_network
from tests.helpers.commands import ppnsim, started

GEMM = "scenarios/kernels/gemm.c"
FORK_JOIN = "scenarios/networks/fork_join.toml"


def test_the_answer_the_rows_and_the_file_agree(tmp_path: Path) -> None:
    path, picture = tmp_path / "rows.csv", tmp_path / "sweep.svg"
    command = ["sweep", FORK_JOIN, "--vary", "short_in.depth=1:4", "--vary", "split.ii=1,2", "-o", str(path)]
    shown = ppnsim(*command, "--plot", str(picture))
    assert shown.exit_code == 0
    assert shown.stdout.startswith("fork and join   8 of 8 points   finish 53 to 71 cycles")
    assert picture.read_text().startswith("<?xml")
    again = json.loads(ppnsim(*command, "--json", "-").stdout)
    assert (again["points"], again["ran"], again["known"], again["interrupted"]) == (8, 0, 8, False)
    assert again["best"]["finish"] == 53
    with path.open(newline="") as file:
        written = list(csv.DictReader(file))
    assert [int(row["finish"]) for row in written] == [row["finish"] for row in again["rows"]]
    assert [row["key"] for row in written] == [row["key"] for row in again["rows"]]


def test_deadlocks_are_results() -> None:
    out = ppnsim("sweep", FORK_JOIN, "--style", "frozen", "--vary", "short_in.depth=1:8", "--json", "-")
    result = json.loads(out.stdout)
    assert out.exit_code == 0
    assert result["deadlocked"] == sum(row["finish"] is None for row in result["rows"]) > 0
    assert all(row["deadlocked"] == (row["finish"] is None) for row in result["rows"])


def test_macros_and_parameters_of_a_source_vary() -> None:
    """Each row is the run of the source with that macro, under the options of the command; a note is said once."""
    words = ("-D", "NJ=3", "-D", "NK=2", "--latency", "3")
    out = ppnsim("sweep", GEMM, *words, "--vary", "NI=2,4", "--vary", "*.ii=1,2", "--json", "-")
    rows = json.loads(out.stdout)["rows"]
    assert [(row["NI"], row["*.ii"]) for row in rows] == [(2, 1), (2, 2), (4, 1), (4, 2)]
    for row in rows[::2]:
        alone = json.loads(ppnsim("run", GEMM, *words, "-D", f"NI={row['NI']}", "--json", "-").stdout)
        assert row["finish"] == alone["finish"]
    assert out.stderr.count("function 'kernel_gemm'") == 1
    table = library.sweep(GEMM, {"NI": [2, 4], "*.ii": [1, 2]}, defines={"NJ": "3", "NK": "2"}, latency=3)
    assert table.to_dict()["rows"] == rows


def test_two_parts_and_a_merge_make_the_whole(tmp_path: Path) -> None:
    one, two = str(tmp_path / "one.csv"), str(tmp_path / "two.csv")
    command = ["sweep", FORK_JOIN, "--vary", "short_in.depth=1:5", "--json", "-"]
    results = [
        json.loads(ppnsim(*command, *more).stdout)
        for more in (["--part", "1/2", "-o", one], ["--part", "2/2", "-o", two, "--merge", one])
    ]
    assert [(each["ran"], each["known"], len(each["rows"])) for each in results] == [(3, 0, 3), (2, 3, 5)]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--vary", "short_in.depth"], "--vary short_in.depth: is not of the form NAME.PARAMETER=VALUES"),
        (["--vary", "split.ii=1", "--part", "3/2"], "--part: 3/2 is not a part K/N"),
        (["--vary", "split.ii=1", "--part", "half"], "--part: 'half' is not a part K/N"),
        (["--vary", "split.ii=1", "--merge", "x.csv"], "--merge: needs a file to merge into (--out)"),
        (["--vary", "split.ii=1", "--samples", "0"], "--samples: 0 is below 1 point"),
        (["--vary", "split.ii=1", "-o", "rows.xls"], "rows.xls: '.xls' is none of .csv, .parquet"),
    ],
)
def test_bad_options_are_refused(arguments: list[str], words: str) -> None:
    result = ppnsim("sweep", FORK_JOIN, *arguments)
    assert result.exit_code == 2
    assert words in result.output


def test_refused_points_are_told_and_are_in_csv_and_json(tmp_path: Path) -> None:
    command, table = ["sweep", FORK_JOIN, "--vary", "short_in.depth=0:2"], tmp_path / "rows.csv"
    said = ppnsim(*command, "--csv", str(table))
    assert said.exit_code == 0
    assert "2 of 3 points" in said.stdout
    assert "refused at short_in.depth = 0: channel 'short_in': depth = 0 holds no token" in said.stdout
    head, *rows = csv.DictReader(table.read_text().splitlines())
    assert (head["finish"], head["error"], rows[-1]["finish"]) == ("71", "", "")
    assert rows[-1]["error"].startswith("channel 'short_in': depth = 0")
    (refused,) = json.loads(ppnsim(*command, "--json", "-").stdout)["refused"]
    assert refused == {"short_in.depth": 0, "error": rows[-1]["error"]}
    assert ppnsim(*command[:-1], "short_in.depth=0").exit_code == 2


def test_ctrl_c_keeps_the_rows_and_the_rest_can_follow(tmp_path: Path) -> None:
    network, path = tmp_path / "net.json", tmp_path / "rows.csv"
    network.write_text(json.dumps(dump_network(fork_join(firings=1000))))
    command = ["sweep", str(network), "--vary", "short*.depth=1:400", "-o", str(path), "--json", str(tmp_path / "r")]
    process = started(*command)
    try:
        for _ in range(6000):
            if path.exists() and path.read_text().count("\n") > 4:
                break
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 130
    finally:
        process.kill()
    result = json.loads((tmp_path / "r").read_text())
    assert result["interrupted"]
    assert 4 <= len(result["rows"]) < 400
    again = json.loads(ppnsim(*command[:-2], "--json", "-").stdout)
    assert again["known"] == len(result["rows"])
    assert [row["short*.depth"] for row in again["rows"]] == list(range(1, 401))
