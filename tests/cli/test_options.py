"""One word for one thing: the options that commands share, as the guide's table has them, and what they do."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from ppnsim.cli.app import COMMANDS, command_called
from ppnsim.cli.options.needed import AGAINST, NEEDED
from ppnsim.errors import InputError
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


FILES = {
    "memory": "DDR4-2400", "scenarios": "predictor", "lesson": "3", "explore-directives": GEMM, "schedule": GEMM,
    "platform": FILTER,
}  # fmt: skip
VALUES = {
    "--pictures": "svg", "--window": "0:9", "--port": "0", "--seed": "1", "--depth": "3", "--depths": "sized.json",
    "--loop": "28", "--most": "3", "--requests": "500", "--time-limit": "3", "--jobs": "2", "--tolerance": "0.1",
    "--dask": "tcp://nobody:1", "--convention": "sdf3",
}  # fmt: skip

REQUIRED = {
    "sweep": ["--vary", "split.ii=1"],
    "export": ["-o", "x.csv"],
    "draw": ["-o", "x.svg"],
    "derive": ["-o", "x.json"],
}


def given(*options: str) -> list[str]:
    return [word for option in options for word in (option, VALUES.get(option)) if word is not None]


def alone() -> list[tuple[str, str, str]]:
    """Return command, option, and the words of the others of which one is needed."""
    pairs = [(name, option, others) for name, each in NEEDED.items() for option, others in each.items()]
    pairs += [(name, "--time-limit", ("--testbench",)) for name in ("run", "size", "explain", "derive", "export")]
    return [(name, option, " or ".join(others)) for name, option, others in pairs]


@pytest.mark.parametrize(("name", "option", "others"), alone())
def test_an_option_that_changes_nothing_alone_is_refused_by_name(name: str, option: str, others: str) -> None:
    with pytest.raises(InputError, match=f"^{option}: changes nothing without {others}$"):
        ppnsim(name, FILES.get(name, FORK), *given(option), *REQUIRED.get(name, []))


@pytest.mark.parametrize(("name", "options"), [(name, pair) for name, each in AGAINST.items() for pair in each.items()])
def test_of_two_options_that_say_against_each_other_one_is_to_be_left_out(name: str, options: tuple[str, str]) -> None:
    option, other = options
    with pytest.raises(InputError, match=f"^{option}: changes nothing beside {other}: leave one of the two out$"):
        more = ["--plot", "x.svg"] if name == "schedule" else REQUIRED.get(name, [])
        ppnsim(name, FILES.get(name, FORK), *given(option, other), *more)


def test_every_option_of_these_tables_exists() -> None:
    for table in (NEEDED, AGAINST):
        for name, each in table.items():
            params = command_called(name).params
            known = {word for option in params for word in (*option.opts, *option.secondary_opts)}
            needed = {word for others in each.values() for word in ([others] if isinstance(others, str) else others)}
            assert {*each, *needed} <= known


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (("lost", FORK, "--device", "xc7z020", "--clock", "5ns"), "--device, --clock can only be used with C sources"),
        (("run", FILTER, "--no-fast-forward"), "--no-fast-forward can only be used with a network"),
        (("size", FORK, "--together"), "--together: changes nothing for one file"),
        (("compare", FORK, "--model", "bounds", "--global", "4"), "--global cannot be used with a file that is not"),
        (("compare", FILTER, "--tolerance", "0.5"), "--tolerance: changes nothing without --model or --vary"),
        (("lesson", "--no-open"), "--no-open: is about a page (.html), and the list of lessons is none"),
        (("lesson", "3", "-o", "x.ipynb", "--open"), "--open: is about a page (.html), and 'x.ipynb' is none"),
        (("platform", FILTER, "--toml", "--json", "-"), "--toml: standard output takes either this or --json -"),
        (
            ("compare", FORK, "--csv", "-", "--json", "-"),
            "--csv: only one of --csv and --json can be - (standard output)",
        ),
        (("export", FORK, "-o", "-", "--format", "csv"), "--out -: standard output takes a network (json, toml, sdf3)"),
    ],
)
def test_an_option_that_a_file_gives_nothing_to_do_is_refused_by_name(line: tuple[str, ...], words: str) -> None:
    try:
        done = ppnsim(*line)
        said, code = done.output, done.exit_code
    except InputError as error:
        said, code = str(error), error.exit_code
    assert (code, words in said) == (2, True), said


def test_standard_output_takes_tables_and_networks_and_nothing_beside(tmp_path: Path) -> None:
    swept = ppnsim("sweep", FORK, "--vary", "short_in.depth=1:3", "--csv", "-").stdout
    assert [row["finish"] for row in csv.DictReader(swept.splitlines())] == ["71", "57", "55"]
    for line, suffix in (
        (("export", FORK), "json"), (("export", FORK, "--format", "toml"), "toml"), (("derive", PREDICTOR), "json"),
    ):  # fmt: skip
        written = tmp_path / f"net.{suffix}"
        assert ppnsim(*line, "-o", str(written)).exit_code == 0
        assert ppnsim(*line, "-o", "-").stdout == written.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "whose"),
    [
        ("run {f} --depth c=3 --depth c=30", "--depth: 'c=3' and 'c=30' are two values for 'c'"),
        ("run {f} --depth 3 --depth c=4 --depth 30", "--depth: '3' and '30' are two values for all"),
        ("run {f} --initial c=3 --initial c=0", "--initial: 'c=3' and 'c=0' are two values for 'c'"),
        ("size {g} -D N=4 -D N", "-D: 'N=4' and 'N' are two values for 'N'"),
        ("opencl {g} --set n=4 --set n=4", "--set: 'n=4' and 'n=4' are two values for 'n'"),
        ("profile {g} --latency s=4 --latency t=4 --latency s=5", "--latency: 's=4' and 's=5' are two values for 's'"),
        ("derive {g} -o n.json --ii 2 --ii 3", "--ii: '2' and '3' are two values for all"),
    ],
)
def test_two_values_for_one_name_are_refused_with_both(words: str, whose: str) -> None:
    with pytest.raises(InputError, match=f"^{whose}, of which one would count: give one$"):
        ppnsim(*words.format(f=FORK, g=GEMM).split())


def test_values_that_something_else_takes_the_place_of_are_told(tmp_path: Path) -> None:
    for what in ("depth", "initial"):
        same = "sweep", FORK, "--depth", "3", "--vary", f"short_in.{what}=2,3"
        note = f"note: --vary gives short_in.{what} its values; the one that is given beside it does not count"
        assert note in ppnsim(*same, f"--{what}", "short_in=2").stderr
    (tmp_path / "sized.json").write_text('{"short_in": 4, "long_in": 5}', encoding="utf-8")
    sized = ppnsim("sweep", FORK, "--depths", str(tmp_path / "sized.json"), "--vary", "short_in.depth=2,3").stderr
    assert "--vary gives short_in.depth its values" in sized and "long_in" not in sized
    kernel = tmp_path / "k.c"
    kernel.write_text("void k(int a[4]) { for (int i = 0; i < 4; i++) a[i] = i; }\n", encoding="utf-8")
    unsaid = ppnsim("run", str(kernel), "--convention", "sdf3").stderr
    assert "note: no channel has a depth, and --convention says what depths count" in unsaid
    assert (
        "--convention ppn is what depths of this file count anyway" in ppnsim("run", FORK, "--convention", "ppn").stderr
    )
    assert "note: --style changes nothing without --simulate" in ppnsim("estimate", FORK, "--style", "frozen").stderr
