"""One word for one thing: the options that commands share, as the guide's table has them, and what they do."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from ppnsim.cli.app import COMMANDS, command_called
from ppnsim.formats.shipped import directory
from tests.helpers.commands import ppnsim

GUIDE = directory() / "guide" / "options.md"
SHARED = ("--out", "--plot", "--csv", "--json", "--vary", "--simulate", "--window")
PREDICTING = ("estimate", "roofline", "opencl", "memory", "lost", "compare")
NETS = directory() / "networks"
FORK, FILTER = str(NETS / "fork_join.toml"), str(directory() / "platforms" / "image_filter.toml")
VECADD, SPMV = str(directory() / "opencl" / "vecadd.toml"), str(directory() / "rooflines" / "spmv.toml")
NBODY, GEMM = str(directory() / "rooflines" / "nbody.c"), str(directory() / "kernels" / "gemm.c")
PREDICTOR = str(directory() / "kernels" / "predictor.c")


def options_of(command: str) -> set[str]:
    return {name for each in command_called(command).params for name in each.opts}


def test_the_table_of_the_guide_is_that_of_the_commands() -> None:
    head = f"| command | {' | '.join(f'`{name}`' for name in SHARED)} |"
    rows = [head, "|---" * (len(SHARED) + 1) + "|"]
    for command in COMMANDS:
        known = options_of(command)
        rows.append(f"| `{command}` | " + " | ".join("x" if name in known else " " for name in SHARED) + " |")
    table = GUIDE.read_text(encoding="utf-8").partition("<!-- options -->\n\n")[2].partition("\n\n")[0]
    assert table == "\n".join(rows)


def test_predictions_have_one_pattern() -> None:
    for command in PREDICTING:
        asked = {"--plot", "--csv", "--json", "--vary"} | ({"--simulate"} if command != "lost" else set())
        assert asked <= options_of(command), command


TABLES = [
    ("estimate", FORK, "--vary", "split.ii=1,2"),
    ("estimate", FORK, "--simulate"),
    ("estimate", FILTER),
    ("estimate", FILTER, "--simulate"),
    ("roofline", SPMV, "--simulate"),
    ("roofline", NBODY, "--vary", "quanta=16,64"),
    ("opencl", VECADD, "--set", "N=2048", "--vary", "W=16:32:16", "--simulate"),
    ("memory", "DDR4-2400", "--vary", "banks=1,4", "--requests", "1000"),
    ("lost", FORK),
    ("lost", GEMM, "-D", "NJ=8", "-D", "NK=8", "--design", "none", "--vary", "NI=33,35"),
    ("compare", FORK, "--no-simulate", "--vary", "short_in.depth=2,3"),
    ("explain", FORK, "--top", "2"),
    ("size", FORK),
    ("sweep", FORK, "--vary", "short_in.depth=2:3"),
    ("profile", PREDICTOR, "--latency", "3"),
    ("schedule", GEMM, "-D", "NI=4", "-D", "NJ=4", "-D", "NK=4"),
    ("explore-splits", PREDICTOR),
]  # fmt: skip


@pytest.mark.parametrize("line", TABLES, ids=[" ".join(Path(word).name for word in line[:4]) for line in TABLES])
def test_csv_has_the_rows_and_a_picture_is_drawn(line: tuple[str, ...], tmp_path: Path) -> None:
    table, picture = tmp_path / "rows.csv", tmp_path / "picture.svg"
    more = ["--plot", str(picture)] if "--plot" in options_of(line[0]) else []
    done = ppnsim(*line, "--csv", str(table), "--json", str(tmp_path / "answer.json"), *more)
    assert done.exit_code == 0, done.output
    assert f"rows written to {table}" in " ".join(done.stdout.split()).replace("\n", "")
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows and None not in rows[0]
    assert not more or b"<svg" in picture.read_bytes()
    assert json.loads((tmp_path / "answer.json").read_text(encoding="utf-8"))


def test_predicted_simulated_difference_and_cause_stand_in_the_rows(tmp_path: Path) -> None:
    table = tmp_path / "rows.csv"
    for line in ([FILTER, "--simulate"],):
        assert ppnsim("estimate", *line, "--csv", str(table)).exit_code == 0
        with table.open(encoding="utf-8", newline="") as file:
            total = {row["term"]: row for row in csv.DictReader(file)}["t_application"]
        apart = float(total["simulated"]) - float(total["predicted"])
        assert float(total["difference"]) == pytest.approx(apart) and total["because"]
    small = ("opencl", VECADD, "--vary", "N=1024", "--simulate", "--csv", str(table))
    assert ppnsim(*small).exit_code == 0
    with table.open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert float(row["difference"]) == float(row["simulated"]) - float(row["predicted"]) > 0
    assert "the latency of the memory" in row["because"]


def test_sizes_that_vary_are_those_that_formulas_predict() -> None:
    same = ("lost", GEMM, "-D", "NJ=8", "-D", "NK=8", "--design", "none")
    varied = json.loads(ppnsim(*same, "--vary", "NI=33,35", "--json", "-").stdout)
    one_by_one = ppnsim(*same, "-D", "NI=33", "--learn", "NI", "--at", "NI=33", "--at", "NI=35", "--json", "-")
    assert varied == json.loads(one_by_one.stdout)
    both = ppnsim(*same, "--vary", "NI=33", "--learn", "NJ")
    assert both.exit_code == 2 and "--vary: says what --learn and --at say" in both.output
