"""Sweeps: parameters, keys, files that resume and merge, workers that change nothing, a Dask cluster that loses one."""

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from ppnsim import Channel, InputError, Listed, Network, Process, Rates, chain, fork_join, run
from ppnsim.errors import PpnsimError
from ppnsim.explore.sweep.file import Row, SweepFile
from ppnsim.explore.sweep.parameters import axis_of, varied
from ppnsim.explore.sweep.pictures import sweep_figure
from ppnsim.explore.sweep.report import print_sweep
from ppnsim.explore.sweep.run import Swept, run_sweep
from ppnsim.explore.sweep.sizes import SizedNetworks, SizedSweep
from ppnsim.explore.sweep.sweep import Sweep
from ppnsim.explore.sweep.workers import run_in_processes


def sweep_of(*vary: str, network: Network | None = None, **options: Any) -> Sweep:
    network = fork_join(firings=20) if network is None else network
    return Sweep(network=network, axes=[axis_of(each, network) for each in vary], **options)


def small() -> Network:
    return Network(
        processes=[Process(name="a", firings=6, resource="r"), Process(name="b", firings=6)],
        channels=[Channel(name="c", source="a", target="b", depth=2)],
        resources={"r": 1},
    )


@pytest.mark.parametrize(
    ("vary", "value", "changed"),
    [
        ("c.depth=3", 3, lambda n: n.channel("c").depth),
        ("c.depth=unbounded", None, lambda n: n.channel("c").depth),
        ("c.forward=2", 2, lambda n: n.channel("c").forward),
        ("c.release=0", 0, lambda n: n.channel("c").release),
        ("c.initial=1", 1, lambda n: n.channel("c").initial),
        ("c.produce=2", (2,), lambda n: n.channel("c").tokens.produce),
        ("c.consume=2/0", (2, 0), lambda n: n.channel("c").tokens.consume),
        ("a.ii=4", 4, lambda n: n.process("a").ii),
        ("a.latency=7", 7, lambda n: n.process("a").latency),
        ("b.read=3", 3, lambda n: n.process("b").read),
        ("b.write=3", 3, lambda n: n.process("b").write),
        ("b.firings=5", 5, lambda n: n.process("b").firings),
        ("b.style=frozen", "frozen", lambda n: n.process("b").style),
        ("r.units=2", 2, lambda n: n.resources["r"]),
        ("clock=200 MHz", 5.0, lambda n: n.clock_ns),
    ],
)
def test_every_parameter_changes_what_it_names_and_the_key(vary: str, value: Any, changed: Any) -> None:
    network = small()
    axis = axis_of(vary, network)
    at = varied(network, [axis], axis.values)
    assert changed(network) != value
    assert changed(at) == value
    assert sweep_of(vary, network=network).key(0) != Sweep(network=network, axes=[]).key(0)


@pytest.mark.parametrize(
    ("vary", "words"),
    [
        ("c.depth", "--vary c.depth: is not of the form NAME.PARAMETER=VALUES"),
        ("c.dept=1", "--vary c.dept=1: 'dept' is not a parameter (did you mean 'depth'?)"),
        ("c=1", "--vary c=1: 'c' is a channel; say which of its parameters varies, as c.depth"),
        ("a=1", "--vary a=1: 'a' is a process; say which of its parameters varies, as a.ii"),
        ("cc.depth=1", "--vary cc.depth=1: 'cc' is not a channel, which depth needs (did you mean 'c'?)"),
        ("c.ii=1", "--vary c.ii=1: 'c' is not a process, which ii needs (known: a, b)"),
        ("x*.ii=1", "--vary x*.ii=1: 'x*' is not a process"),
        ("c.depth=4:1", "--vary c.depth=4:1: '4:1' is not a range FIRST:LAST"),
        ("c.depth=1:4:0", "--vary c.depth=1:4:0: '1:4:0' is not a range"),
        ("c.depth=1:9999999", "--vary c.depth=1:9999999: '1:9999999' are 9999999 values (at most 1000000)"),
        ("c.depth=-1", "--vary c.depth=-1: '-1' is not a whole number"),
        ("a.ii=unbounded", "--vary a.ii=unbounded: 'unbounded' is not a whole number"),
        ("a.style=fast", "--vary a.style=fast: style = 'fast' is none of elastic, flushable, frozen"),
        ("clock=5", "--vary clock=5: '5' must be a number and a unit"),
    ],
)
def test_what_cannot_be_varied_is_refused(vary: str, words: str) -> None:
    with pytest.raises(InputError) as raised:
        axis_of(vary, small())
    assert str(raised.value).startswith(words)


@pytest.mark.parametrize("vary", [("c.depth=0:2",), ("a.ii=1:2", "c.depth=2,0,1"), ("c.initial=3,0", "c.depth=1:4")])
def test_a_point_that_breaks_a_rule_is_refused_and_the_others_are_run(vary: tuple[str, ...]) -> None:
    sweep = sweep_of(*vary, network=small())
    swept = run_sweep(sweep)
    for number in sweep.numbers:
        point = sweep.point(number)
        try:
            expected = run(sweep.at(tuple(point.values())), on_deadlock="return").finish
        except InputError as error:
            assert next(each for each in swept.refused if each.values == point).reason == str(error)
        else:
            assert next(row for row in swept.rows if row | point == row)["finish"] == expected
    assert swept.refused
    assert len(swept.rows) + len(swept.refused) == swept.points == len(sweep.numbers)


def test_where_no_point_obeys_the_rules_the_first_says_so_and_no_file_is_left(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^a\.ii = 1, c\.depth = 0: channel 'c': depth = 0 holds no token"):
        run_sweep(sweep_of("a.ii=1:3", "c.depth=0", network=small()), path=tmp_path / "rows.csv")
    assert list(tmp_path.iterdir()) == []


def test_refused_points_keep_no_row_in_a_file_and_are_tried_again(tmp_path: Path) -> None:
    sweep = sweep_of("c.depth=0:2", network=small())
    first, again = (run_sweep(sweep, path=tmp_path / "rows.csv", part=part) for part in ((1, 1), (1, 2)))
    assert (first.ran, again.known, again.ran) == (2, 2, 0)
    assert [row["c.depth"] for row in again.rows] == [1, 2]
    assert (tmp_path / "rows.csv").read_text().count("\n") == 3  # with the head


def test_axes_that_cannot_be_swept_are_refused_before_anything_runs() -> None:
    with pytest.raises(InputError, match=r"^--vary: c\.depth is varied by 2 of the --vary"):
        sweep_of("c.depth=1:3", "c*.depth=1:3", network=small())
    listed = small().replace(
        channels=[Channel(name="c", source="a", target="b", tokens=Listed((0,), ((0, 0),)))]
    )  # fmt: skip
    with pytest.raises(InputError, match="has no rates to vary"):
        run_sweep(sweep_of("c.produce=1,2", network=listed))


def test_rows_are_those_of_single_runs_and_a_deadlock_is_a_row() -> None:
    network = fork_join(firings=20, style="frozen")
    sweep = sweep_of("short*.depth=1:8", "long.latency=4,12", network=network, occupancy=True)
    rows = run_sweep(sweep).rows
    assert len(rows) == 16
    assert {row["deadlocked"] for row in rows} == {True, False}
    for row, number in zip(rows, sweep.numbers, strict=True):
        outcome = run(varied(network, sweep.axes, sweep.values(number)), on_deadlock="return")
        assert (row["finish"], row["deadlocked"]) == (outcome.finish, outcome.deadlocked)
        assert (row["parallelism_average"] is None) == outcome.deadlocked
        assert row["occupancy.short_in"] <= row["short*.depth"]


@pytest.mark.parametrize("latency", [3, (3, 5, 1, 2, 4, 3)])
def test_one_lowered_program_gives_what_a_network_per_point_gives(latency: Any) -> None:
    """Also where the convention turns depths into credits (latencies that differ), and where a point is unbounded."""
    network = small().replace(processes=[Process(name="a", firings=6, latency=latency), Process(name="b", firings=6)])
    for convention in ("ppn", "sdf3"):
        sweep = sweep_of("c.depth=unbounded,1:4", network=network.with_convention(convention))
        for row in run_sweep(sweep).rows:
            depth = None if row["c.depth"] == "unbounded" else row["c.depth"]
            assert row["finish"] == run(network.with_depths({"c": depth}).with_convention(convention)).finish


@pytest.mark.parametrize(
    ("convention", "pays", "kept"),  # firings and tokens: of all points, that the compiled engine pays; of programs
    [("ppn", 500, 1), ("ppn", 500, 10**6), ("ppn", 10**9, 10**6), ("sdf3", 500, 10**6)],
)
def test_points_that_differ_in_depths_share_a_program_and_change_no_row_and_no_key(
    convention: str, pays: int, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ppnsim.explore.sweep.sweep.PAYS", pays)
    monkeypatch.setattr("ppnsim.explore.sweep.families._KEPT", kept)
    network = fork_join(firings=8).with_convention(convention)
    # Two initial tokens do not fit into depth 1: such points are refused.
    vary = ("split.ii=1,2", "long_in.depth=1,unbounded", "short_in.initial=0,2", "clock=5 ns", "short*.depth=1,2,9")
    sweep = sweep_of(*vary, network=network)
    assert sweep._families.pay
    refused = 0
    for number, row in zip(sweep.numbers, sweep.rows(sweep.numbers), strict=True):
        try:
            outcome = run(sweep.at(sweep.values(number)), on_deadlock="return")
        except InputError:
            refused += 1
            assert "key" not in row
            continue
        assert (row["finish"], row["time_ns"], row["key"]) == (outcome.finish, outcome.time_ns, sweep.key(number))
        assert row["engine"] == ("compiled" if pays == 500 else "des")
    assert refused == 4


@pytest.mark.parametrize("vary", ["short*.depth=1:9", "long.latency=1:9"])
@pytest.mark.parametrize("style", ["elastic", "frozen"])  # the latter deadlocks
def test_many_small_points_are_run_by_the_compiled_engine_with_the_same_rows(
    vary: str, style: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = fork_join(firings=20, style=style)
    few = sweep_of(vary, network=network, occupancy=True)
    by_simpy = few.rows(few.numbers)
    monkeypatch.setattr("ppnsim.explore.sweep.sweep.PAYS", 9 * network.events)
    many = sweep_of(vary, network=network, occupancy=True)
    assert [row | {"engine": "compiled"} for row in by_simpy] == many.rows(many.numbers)
    assert {row["engine"] for row in by_simpy} == {"des"}


def test_keys_tell_networks_and_not_spellings() -> None:
    one, other = sweep_of("c0.depth=1:4", network=_two()), sweep_of("c?.depth=3,4", "p.ii=1", network=_two())
    assert one.key(2) == sweep_of("c[0].depth=3", network=_two()).key(0)
    assert one.key(2) != other.key(0)
    assert len({one.key(number) for number in one.numbers}) == 4
    assert sweep_of("c0.depth=1:4", network=_two().with_convention("sdf3")).key(2) != one.key(2)
    assert sweep_of("c0.depth=1:4", network=_two(), occupancy=True).key(2) != one.key(2)
    assert sweep_of("clock=100 MHz", network=_two()).key(0) == sweep_of("clock=10 ns", network=_two()).key(0)
    assert pickle.loads(pickle.dumps(one)).key(2) == one.key(2)


def _two() -> Network:
    return Network(
        processes=[Process(name="p", firings=4), Process(name="q", firings=4)],
        channels=[Channel(name=f"c{n}", source="p", target="q", depth=2, tokens=Rates(1, 1)) for n in range(2)],
    )


def test_samples_are_drawn_without_repetition_and_by_seed() -> None:
    vary = ("short*.depth=1:1000", "long*.depth=1:1000", "split.ii=1:1000")
    sweep = sweep_of(*vary, samples=50, seed=1)
    assert sweep.numbers == sweep_of(*vary, samples=50, seed=1).numbers
    assert sweep.numbers != sweep_of(*vary, samples=50, seed=2).numbers
    assert len({sweep.values(number) for number in sweep.numbers}) == 50
    assert sweep_of("split.ii=1:3", samples=10).numbers == [0, 1, 2]
    with pytest.raises(InputError, match="1000000000 points are too many"):
        sweep_of(*vary)


def test_processes_give_the_rows_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ppnsim.explore.sweep.workers._ALONE", 0.0)
    sweep = sweep_of("short*.depth=1:6", "split.ii=1:3")
    assert run_sweep(sweep, jobs=2).rows == run_sweep(sweep).rows


def test_an_error_in_a_worker_names_the_point(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ppnsim.explore.sweep.workers._ALONE", 0.0)
    sweep = sweep_of("c.initial=3,0", "c.depth=1,4", network=small())
    swept = run_sweep(sweep, jobs=2)
    assert [(row["c.initial"], row["c.depth"]) for row in swept.rows] == [(3, 4), (0, 1), (0, 4)]
    (refused,) = map(str, swept.refused)
    assert refused.startswith("c.initial = 3, c.depth = 1: channel 'c': initial = 3 tokens do not fit")


def test_a_killed_worker_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ppnsim.explore.sweep.workers._ALONE", 0.0)
    sweep = sweep_of("split.firings=20000", "short*.depth=1:20", network=_slow())
    pieces = run_in_processes(sweep, sweep.numbers, jobs=2)
    next(pieces)
    before = set(multiprocessing.active_children())

    def kill() -> None:
        while not (started := set(multiprocessing.active_children()) - before):
            time.sleep(0.05)
        os.kill(started.pop().pid or 0, signal.SIGKILL)

    Thread(target=kill).start()
    with pytest.raises(PpnsimError, match="a worker process was killed"):
        list(pieces)


_PARENT = """
import multiprocessing, time
from ppnsim import fork_join
from ppnsim.explore.sweep import workers
from ppnsim.explore.sweep.parameters import axis_of
from ppnsim.explore.sweep.sweep import Sweep

workers._ALONE = 0.0
network = fork_join(firings=20)
sweep = Sweep(network=network, axes=[axis_of("short*.depth=1:9", network)])
pieces = workers.run_in_processes(sweep, sweep.numbers, jobs=2)
next(pieces), next(pieces)
print(*[child.pid for child in multiprocessing.active_children()], flush=True)
time.sleep(100)
"""


def test_workers_end_with_the_process_that_started_them() -> None:
    parent = subprocess.Popen([sys.executable, "-c", _PARENT], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    children = [int(word) for word in parent.stdout.readline().split()]
    assert children
    parent.kill()
    try:
        # The pipe ends when the last process that may write to it has ended.
        assert parent.communicate(timeout=10)[0] == ""
    except subprocess.TimeoutExpired:
        for child in children:
            os.kill(child, signal.SIGKILL)
        pytest.fail("workers live on")


def _slow() -> Network:
    return fork_join(firings=20_000)


def printed(sweep: Sweep, swept: Swept, output: Path | None) -> str:
    paper = StringIO()
    print_sweep(Console(file=paper, width=1000), sweep, swept, output=output, seconds=0)
    return paper.getvalue()


def test_a_stopped_sweep_without_a_file_says_what_it_lacks_to_go_on() -> None:
    """Rows of --csv look alike, and the same command ran all points again."""
    swept = run_sweep(sweep_of("short*.depth=1:3"))
    words = "the next sweep begins anew: only one with --out goes on where it was (-o rows.csv)\n"
    assert printed(sweep_of("short*.depth=1:3"), replace(swept, interrupted=True), None).endswith(words)
    assert words not in printed(sweep_of("short*.depth=1:3"), swept, None)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_stopped_sweep_goes_on_and_the_file_is_the_same_in_the_end(tmp_path: Path, suffix: str) -> None:
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    whole, path = tmp_path / f"whole{suffix}", tmp_path / f"rows{suffix}"
    vary = ("short*.depth=1:6,unbounded", "split.ii=1:3")
    rows = run_sweep(sweep_of(*vary), path=whole).rows

    def stop(done: int, _: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    first = run_sweep(sweep_of(*vary), path=path, report=stop)
    assert (first.interrupted, first.ran, len(first.rows)) == (True, 5, 5)
    assert printed(sweep_of(*vary), first, path).endswith(f"rows in {path}: the same command goes on from there\n")
    second = run_sweep(sweep_of(*vary), path=path)
    assert (second.known, second.ran, second.rows) == (5, 16, rows)
    assert printed(sweep_of(*vary), second, path).endswith(f"rows in {path}\n")
    assert path.read_bytes() == whole.read_bytes()
    assert [each.name for each in tmp_path.iterdir() if each.suffix not in (".csv", ".parquet")] == []


@pytest.mark.parametrize("written", [False, True])
def test_ctrl_c_while_a_row_is_written_loses_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: bool
) -> None:
    append = SweepFile.append

    def interrupted(file: SweepFile, rows: Sequence[Row]) -> None:
        third = len(file.rows) == 2
        if written or not third:
            append(file, rows)
        if third:
            raise KeyboardInterrupt

    monkeypatch.setattr(SweepFile, "append", interrupted)
    path = tmp_path / "rows.csv"
    found = run_sweep(sweep_of("short*.depth=1:6"), path=path)
    assert (found.interrupted, found.ran, len(found.rows)) == (True, 3, 3)
    assert len(path.read_text().splitlines()) == 1 + 3


def test_rows_are_kept_before_a_million_points_have_their_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keys: list[str] = []

    def counted(said: object) -> str:
        keys.append(repr(said))
        return f"key {len(keys)}"

    monkeypatch.setattr("ppnsim.explore.sweep.sweep._hash", counted)

    def stop(done: int, _: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    many = sweep_of("short_in.depth=1:1000", "long_in.depth=1:1200")
    found = run_sweep(many, path=tmp_path / "rows.csv", report=stop)
    assert (found.interrupted, found.ran, found.points) == (True, 5, 1_200_000)
    assert len(keys) < 20
    assert len((tmp_path / "rows.csv").read_text().splitlines()) == 6


def test_a_row_tells_its_point() -> None:
    swept = sweep_of("short*.depth=1:3,unbounded", "split.ii=1:3", "clock=100 MHz,200 MHz")
    assert [swept.number(swept.point(number)) for number in swept.numbers] == swept.numbers


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_sweep_that_was_killed_loses_no_complete_row(tmp_path: Path, suffix: str) -> None:
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    path, sweep = tmp_path / f"rows{suffix}", sweep_of("short*.depth=1:6")
    with SweepFile(path, sweep.columns) as file:
        file.append(sweep.rows([0, 3]))
    journal = path if suffix == ".csv" else tmp_path / "rows.parquet.journal"
    with journal.open("a", encoding="utf-8") as out:
        out.write("4,40,40.0,fal")  # the line that was being written
    again = run_sweep(sweep, path=path)
    assert (again.known, again.ran) == (2, 4)
    assert again.rows == run_sweep(sweep).rows
    assert run_sweep(sweep, path=path).ran == 0


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_two_writers_lose_no_row_if_both_are_killed(tmp_path: Path, suffix: str) -> None:
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    path, sweep = tmp_path / f"rows{suffix}", sweep_of("short*.depth=1:6")
    journal = path if suffix == ".csv" else tmp_path / "rows.parquet.journal"
    with SweepFile(path, sweep.columns) as first, SweepFile(path, sweep.columns) as second:
        first.append(sweep.rows([0]))
        second.append(sweep.rows([1]))
        with journal.open("a", encoding="utf-8") as out:
            out.write("4,40,40.0,fal")  # a third one was killed
        first.append(sweep.rows([2]))
        with SweepFile(path, sweep.columns) as third:
            third.append(sweep.rows([3]))
            third.finish([sweep.key(3)])
        second.append(sweep.rows([4]))
        # Neither finishes.
    again = run_sweep(sweep, path=path)
    assert (again.known, again.ran) == (5, 1)
    assert again.rows == run_sweep(sweep).rows


_WRITER = """
import sys
from pathlib import Path
from ppnsim.explore.sweep.file import SweepFile

path, name = Path(sys.argv[1]), sys.argv[2]
for turn in range(20):
    with SweepFile(path, {"number": int, "key": str}) as file:
        for number in range(5):
            file.append([{"number": number, "key": f"{name}-{turn}-{number}"}])
        if turn % 2:
            file.finish([f"{name}-{turn}-{number}" for number in range(5)])
"""


def test_writers_at_the_same_time_wait_for_each_other(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    writers = [subprocess.Popen([sys.executable, "-c", _WRITER, str(path), name]) for name in "abc"]
    assert [writer.wait(timeout=60) for writer in writers] == [0, 0, 0]
    assert len(SweepFile(path, {"number": int, "key": str}).rows) == 3 * 20 * 5
    assert list(tmp_path.iterdir()) == [path]


def test_two_machines_share_a_sweep_and_their_files_merge(tmp_path: Path) -> None:
    sweep = sweep_of("short*.depth=1:7")
    one, two, whole = tmp_path / "one.csv", tmp_path / "two.csv", tmp_path / "whole.csv"
    assert [run_sweep(sweep, path=path, part=(k, 2)).ran for k, path in ((1, one), (2, two))] == [4, 3]
    merged = run_sweep(sweep, path=one, merge=[two])
    assert (merged.ran, merged.known) == (0, 7)
    run_sweep(sweep, path=whole)
    assert one.read_bytes() == whole.read_bytes()


def test_rows_of_other_sweeps_stay_in_the_file_and_other_columns_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    run_sweep(sweep_of("short*.depth=1:3"), path=path)
    swept = run_sweep(sweep_of("short*.depth=3:5"), path=path)
    assert (swept.known, swept.ran, len(swept.rows)) == (1, 2, 3)
    assert [line.split(",")[0] for line in path.read_text().splitlines()[1:]] == ["1", "2", "3", "4", "5"]
    with pytest.raises(InputError, match=r"rows\.csv: has the columns of another sweep"):
        run_sweep(sweep_of("split.ii=1:2"), path=path)
    with pytest.raises(InputError, match=r"^--merge .*nowhere\.csv: no such file$"):
        run_sweep(sweep_of("split.ii=1:2"), path=tmp_path / "new.csv", merge=[tmp_path / "nowhere.csv"])
    for name, words in [
        ("rows.txt", "'.txt' is none of .csv, .parquet"),
        ("no/rows.csv", "no/rows.csv: cannot be written"),
    ]:
        with pytest.raises(InputError, match=words):
            run_sweep(sweep_of("split.ii=1:2"), path=tmp_path / name)
    path.write_text(path.read_text().replace("\n1,", "\n1,x"))
    with pytest.raises(InputError, match=r"rows\.csv: cannot be read"):
        run_sweep(sweep_of("short*.depth=1:3"), path=path)


def test_pictures_have_a_line_for_each_other_value_or_a_map() -> None:
    def drawn(*vary: str, style: Any = "elastic") -> Any:
        sweep = sweep_of(*vary, network=fork_join(firings=20, style=style))
        axes = {axis.name: axis.values for axis in sweep.axes}
        return sweep_figure("f", axes, run_sweep(sweep).rows)

    lines = drawn("short*.depth=1:6", "split.ii=1,2,3").axes[0]
    assert [text.get_text() for text in lines.get_legend().get_texts()] == [f"split.ii = {ii}" for ii in (1, 2, 3)]
    assert list(lines.lines[0].get_ydata())[:3] == [92, 70, 55]
    heat = drawn("short*.depth=1:6", "long*.depth=1:4", style="frozen").axes[0]
    assert heat.images[0].get_array().shape == (4, 6)
    assert heat.get_title(loc="left") == "crossed: deadlock"
    many = drawn("short*.depth=1:4", "long*.depth=1:4", "split.ii=1,2").axes[0]
    named = [f"long*.depth = {depth}, split.ii = {ii}" for depth in range(1, 5) for ii in (1, 2)]
    assert [text.get_text() for text in many.get_legend().get_texts()] == named
    most = drawn("short*.depth=1:6", "long*.depth=1:5", "split.ii=1,2,3").axes[0]
    assert [text.get_text() for text in most.get_legend().get_texts()] == [
        "all points",
        "best of long*.depth, split.ii",
    ]
    assert list(most.lines[0].get_ydata())[:3] == [92, 70, 55]
    words = drawn("short*.depth=1,4,unbounded").axes[0]
    assert [label.get_text() for label in words.get_xticklabels()] == ["1", "4", "unbounded"]


@pytest.fixture
def cluster() -> Iterator[Any]:
    """Two workers, processes of their own, on this machine."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as both:
        yield both


@pytest.mark.filterwarnings("ignore")  # of Dask, about what its workers leave behind when they are killed
def test_a_cluster_that_loses_a_worker_loses_no_row(cluster: Any, tmp_path: Path) -> None:
    sweep = sweep_of("short*.depth=1:20", "long*.depth=2,3", network=fork_join(firings=1000))
    killed: list[int] = []

    def kill_one(done: int, _: int) -> None:
        if not killed and done >= 3:
            worker = next(iter(cluster.workers.values()))
            killed.append(worker.process.pid)
            os.kill(worker.process.pid, signal.SIGKILL)

    swept = run_sweep(sweep, dask=cluster.scheduler_address, path=tmp_path / "rows.csv", report=kill_one)
    assert killed
    assert swept.ran == 40
    assert swept.rows == run_sweep(sweep).rows


def forks(sizes: Mapping[str, int]) -> Network:
    return chain(firings=4, length=sizes["N"], depth=1)


def test_sizes_of_a_source_vary_with_what_its_network_has_at_each() -> None:
    sized = SizedNetworks(load=forks, vary=["N=2:4", "c*.depth=1,3"])
    sweep = SizedSweep(network=sized.first, axes=sized.axes, sized=sized)
    rows = run_sweep(sweep).rows
    assert [(row["N"], row["c*.depth"]) for row in rows] == [(n, d) for n in (2, 3, 4) for d in (1, 3)]
    for row in rows:
        assert row["finish"] == run(chain(firings=4, length=row["N"], depth=row["c*.depth"])).finish
    assert len({row["key"] for row in rows}) == 6
    assert pickle.loads(pickle.dumps(sweep)).rows(sweep.numbers) == rows
    with pytest.raises(InputError, match=r"^--occupancy: .*another size may have other channels"):
        SizedSweep(network=sized.first, axes=sized.axes, sized=sized, occupancy=True)
    with pytest.raises(InputError, match=r"^--vary: N is varied by 2 of the --vary"):
        SizedNetworks(load=forks, vary=["N=2:4", "N=3"])
    with pytest.raises(InputError, match=r"^N = 0: "):
        SizedNetworks(load=forks, vary=["N=0"])
    sized = SizedNetworks(load=forks, vary=["N=0:2"])
    swept = run_sweep(SizedSweep(network=sized.first, axes=sized.axes, sized=sized))
    assert [row["N"] for row in swept.rows] + [each.values["N"] for each in swept.refused] == [1, 2, 0]
    assert str(swept.refused[0]).count("N = 0") == 1


def test_long_arrays_of_tokens_that_differ_in_the_middle_have_other_keys() -> None:
    keys = set()
    for middle in (1500, 1499):
        writes = np.arange(3000)
        writes[1500] = middle
        reads = np.stack([np.arange(3000)] * 2, axis=1)
        tokens: Any = Listed(writes, reads)  # type: ignore[arg-type]
        processes = [Process(name=name, firings=3000) for name in "ab"]
        network = Network(processes=processes, channels=[Channel(name="c", source="a", target="b", tokens=tokens)])
        keys.add(sweep_of("c.depth=1:3", network=network).key(1))
    assert len(keys) == 2


def test_lines_of_a_sweep_are_named_by_the_parameters_that_they_do_not_run_along() -> None:
    rows = [{"a": a, "b": b, "finish": 10 * b + a} for a in (1, 2, 4) for b in (7, 8)]
    (plot,) = sweep_figure("f", {"a": [1, 2, 4], "b": [7, 8]}, rows).axes
    assert [(line.get_label(), list(map(float, line.get_ydata()))) for line in plot.lines] == [  # type: ignore[arg-type]
        ("b = 7", [71, 72, 74]), ("b = 8", [81, 82, 84]),
    ]  # fmt: skip
    assert [text.get_text() for text in plot.get_legend().get_texts()] == ["b = 7", "b = 8"]  # type: ignore[union-attr]
    (alone,) = sweep_figure("f", {"a": [1, 2, 4]}, [row for row in rows if row["b"] == 7]).axes
    assert alone.get_legend() is None and str(alone.lines[0].get_label()).startswith("_")


def test_lines_that_are_the_same_stay_visible_and_crosses_say_whose_deadlock_it_is() -> None:
    found = fork_join(firings=20).sweep({"short*.depth": range(1, 9), "*.style": ["elastic", "flushable", "frozen"]})
    plot = found.figure().axes[0]
    lines = {line.get_label(): line for line in plot.lines}
    elastic, flushable, frozen = (lines[f"*.style = {style}"] for style in ("elastic", "flushable", "frozen"))
    # A wider line for what lies below looked like an emphasis: the line on top has gaps instead.
    assert elastic.get_linewidth() == flushable.get_linewidth() == frozen.get_linewidth()
    assert elastic.get_linestyle() == "-" and {each.get_linestyle() for each in (flushable, frozen)} == {"-", "--"}
    stuck = {row["short*.depth"] for row in found.rows() if row["finish"] is None}
    drawn = [line for line in plot.lines if line.get_marker() == "x"]
    crosses, key = drawn[0], drawn[1]
    assert set(np.asarray(crosses.get_xdata())) == stuck and crosses.get_color() == frozen.get_color()
    assert key.get_label() == "deadlock, in the colour of its line" and len(drawn) == 2
    top = plot.get_ylim()[1]
    assert np.max(crosses.get_ydata()) < top * 0.97


def test_a_parameter_of_all_processes_is_spelt_with_a_star() -> None:
    with pytest.raises(InputError, match=r"'style' is that of a process: write \*.style for all, or name one"):
        fork_join(firings=20).sweep({"style": ["elastic"]})


_HELD_BACK = """
import signal, subprocess, sys
from ppnsim.explore.sweep.workers import interrupts_held_back

signal.signal(signal.SIGINT, signal.default_int_handler)
asked = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))"
try:
    with interrupts_held_back():
        signal.raise_signal(signal.SIGINT)
        print(subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True).stdout, end="")
except KeyboardInterrupt:
    print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no signal masks")
def test_a_worker_that_starts_does_not_hear_of_ctrl_c_and_its_parent_does_after() -> None:
    found = subprocess.run([sys.executable, "-c", _HELD_BACK], capture_output=True, text=True)
    assert found.stdout == "True\nFalse\n"
