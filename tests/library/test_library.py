"""The Python library: what a command says, its function says; public names are on a page; import is quick."""

from __future__ import annotations

import csv
import doctest
import json
import pickle
import pydoc
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from typer.testing import CliRunner

import ppnsim
from ppnsim import Channel, InputError, Network, Process
from ppnsim.cli.app import COMMANDS, app
from ppnsim.formats.shipped import directory
from ppnsim.library import run_export
from ppnsim.library.names import page
from tests.helpers.strategies import networks
from tests.library import user_script

NETS, KERNELS = directory() / "networks", directory() / "kernels"
FORK, PREDICTOR, GEMM = str(NETS / "fork_join.toml"), str(KERNELS / "predictor.c"), str(KERNELS / "gesummv.c")
VECADD, SPMV = str(directory() / "opencl" / "vecadd.toml"), str(directory() / "rooflines" / "spmv.toml")
NBODY = str(directory() / "rooflines" / "nbody.c")
FILTER = str(directory() / "platforms" / "image_filter.toml")
TWO_FPGAS, MEAN = str(NETS / "two_fpgas.toml"), str(directory() / "hls" / "subtract_mean.cpp")
MESSAGES = str(Path(__file__).parents[1] / "golden" / "files" / "messages.json")
SMALL = {"N": "4"}
LEFT_OUT = {"seconds", "output"}

Asked = tuple[list[str], Callable[[Path], Any]]
CASES: dict[str, Asked] = {
    "run": ([str(NETS / "two_fpgas.toml")], lambda _: ppnsim.run(NETS / "two_fpgas.toml")),
    "explain": ([FORK, "--top", "1"], lambda _: ppnsim.explain(FORK, top=1)),
    "estimate": ([FORK], lambda _: ppnsim.estimate(FORK)),
    "size": ([FORK, "--no-front"], lambda _: ppnsim.size(FORK, front=False)),
    "sweep": ([FORK, "--vary", "short_in.depth=2:4"], lambda _: ppnsim.sweep(FORK, {"short_in.depth": range(2, 5)})),
    "lost": ([FORK], lambda _: ppnsim.lost(FORK)),
    "profile": ([PREDICTOR, "--latency", "3"], lambda _: ppnsim.profile(PREDICTOR, latency=3)),
    "transform": ([PREDICTOR], lambda _: ppnsim.transform(PREDICTOR)),
    "explore-splits": ([PREDICTOR], lambda _: ppnsim.explore_splits(PREDICTOR)),
    "explore-directives": ([GEMM, "-D", "N=4"], lambda _: ppnsim.explore_directives(GEMM, defines=SMALL)),
    "schedule": ([GEMM, "-D", "N=4"], lambda _: ppnsim.schedule(GEMM, defines=SMALL)),
    "memory": (["DDR4-2400"], lambda _: ppnsim.memory("DDR4-2400")),
    "opencl": ([VECADD], lambda _: ppnsim.opencl(VECADD)),
    "roofline": ([SPMV], lambda _: ppnsim.roofline(SPMV)),
    "platform": ([FILTER], lambda _: ppnsim.platform(FILTER)),
    "compare": (
        [FORK, "--model", "absolute", "--vary", "short_in.depth=2:3"],
        lambda _: ppnsim.compare(FORK, "absolute", vary={"short_in.depth": range(2, 4)}),
    ),
    "export": ([FORK, "-o", "net.json"], lambda folder: ppnsim.export(FORK, folder / "net.json")),
    "styles": ([], lambda _: ppnsim.styles()),
    "scenarios": (["predictor"], lambda _: ppnsim.scenarios("predictor")),
}  # fmt: skip
WRITTEN: dict[str, tuple[list[str], str, Callable[[Path], Any]]] = {
    "derive": ([PREDICTOR, "-o", "a.json"], "json", lambda out: ppnsim.derive(PREDICTOR).save(out)),
    "draw": ([FORK, "-o", "a.svg"], "svg", lambda out: ppnsim.draw(FORK).save(out)),
    "lesson": (["1", "-o", "a.md"], "md", lambda out: ppnsim.lesson(1, out)),
    "report": ([FORK, "-o", "a.html"], "html", lambda out: ppnsim.report(FORK, out)),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_its_function_with_the_same_result(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert callable(getattr(ppnsim, name.replace("-", "_")))
    if name in WRITTEN:
        arguments, suffix, function = WRITTEN[name]
        assert CliRunner().invoke(app, [name, *arguments]).exit_code == 0
        function(tmp_path / f"b.{suffix}")
        told, ours = ((tmp_path / f"{each}.{suffix}").read_text(encoding="utf-8") for each in "ab")
        assert told == ours
        return
    arguments, function = CASES[name]
    result = CliRunner().invoke(app, [name, *arguments, "--json", "told.json"])
    assert result.exit_code == 0, result.output
    told = json.loads((tmp_path / "told.json").read_text(encoding="utf-8"))
    assert _bare(told) == _bare(json.loads(json.dumps(function(tmp_path).to_dict())))


@pytest.mark.parametrize(
    ("file", "window"), [(FORK, None), (FORK, "5:30"), (MEAN, None), (TWO_FPGAS, "1us:2us"), (MESSAGES, None)]
)
def test_save_writes_what_run_out_does(file: str, window: str | None, tmp_path: Path) -> None:
    asked = [] if window is None else ["--window", window]
    assert CliRunner().invoke(app, ["run", file, "--out", str(tmp_path / "a"), *asked]).exit_code in (0, 3)
    assert ppnsim.run(file, on_deadlock="return").save(tmp_path / "b", window=window) == tmp_path / "b"
    names = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert names == sorted(path.name for path in (tmp_path / "b").iterdir()) and "report.html" in names
    for name in names:
        told, ours = ((tmp_path / each / name).read_text(encoding="utf-8") for each in "ab")
        if name == "result.json":
            assert {**_bare(json.loads(told)), "file": ""} == {**_bare(json.loads(ours)), "file": ""}
            continue
        # Only a path has bytes of its own; an object says that it comes from Python.
        for each in (r'\["input","[^"]*"\],?', r'\["SHA-256 of the input","[^"]*"\],?'):
            told, ours = re.sub(each, "", told), re.sub(each, "", ours)
        assert told == ours


def _bare(told: Any) -> Any:
    """Return a result without what differs between two runs of the same: seconds, and where it was written."""
    if isinstance(told, dict):
        return {key: _bare(value) for key, value in told.items() if key not in LEFT_OUT}
    return [_bare(each) for each in told] if isinstance(told, list) else told


PREDICTED: dict[str, Asked] = {
    "estimate of a platform": (
        ["estimate", FILTER, "--vary", "node.map.count=2,4"],
        lambda _: ppnsim.estimate(FILTER, vary={"node.map.count": [2, 4]}),
    ),
    "a platform beside its simulation": (
        ["estimate", FILTER, "--simulate"], lambda _: ppnsim.estimate(FILTER, simulate=True)
    ),
    "a network beside its simulation": (
        ["estimate", FORK, "--simulate", "--vary", "short_in.depth=2,3"],
        lambda _: ppnsim.estimate(FORK, simulate=True, vary={"short_in.depth": [2, 3]}),
    ),
    "a sweep in another style": (
        ["sweep", FORK, "--vary", "short_in.depth=2:4", "--style", "frozen"],
        lambda _: ppnsim.sweep(FORK, {"short_in.depth": range(2, 5)}, style="frozen"),
    ),
    "estimates over a sweep": (
        ["estimate", FORK, "--vary", "split.ii=1,2"], lambda _: ppnsim.estimate(FORK, vary={"split.ii": [1, 2]})
    ),
    "ports of a kernel in C": (
        ["compare", NBODY, "--model", "roofline", "--vary", "quanta=16,64"],
        lambda _: ppnsim.compare(NBODY, "roofline", vary={"quanta": [16, 64]}),
    ),
    "a curve at values": (
        ["memory", "DDR4-2400", "--vary", "banks=1,4", "--requests", "1000"],
        lambda _: ppnsim.memory("DDR4-2400", vary={"banks": [1, 4]}, requests=1000),
    ),
    "sizes in bits for the steady state, as near as asked": (
        ["size", FORK, "--no-front", "--cost", "bits", "--objective", "period", "--within", "5%", "--seconds", "60"],
        lambda _: ppnsim.size(FORK, front=False, cost="bits", objective="period", within=0.05, seconds=60),
    ),
    "a schedule by an older release, at its most": (
        ["schedule", GEMM, "-D", "N=4", "--release", "2022.2", "--worst"],
        lambda _: ppnsim.schedule(GEMM, defines=SMALL, release="2022.2", worst=True),
    ),
    "an execution beside its prediction": (
        ["opencl", VECADD, "--set", "N=2048", "--vary", "W=32,64", "--simulate"],
        lambda _: ppnsim.opencl(VECADD, settings={"N": 2048}, vary={"W": [32, 64]}, simulate=True),
    ),
}  # fmt: skip


TABLES: dict[str, Asked] = {
    "size": ([FORK], lambda _: ppnsim.size(FORK)),
    "sweep": ([FORK, "--vary", "short_in.depth=2:4"], lambda _: ppnsim.sweep(FORK, {"short_in.depth": range(2, 5)})),
    "compare": ([FORK, "--vary", "long*.depth=2:3"], lambda _: ppnsim.compare(FORK, vary={"long*.depth": [2, 3]})),
    "schedule": ([GEMM, "-D", "N=4"], lambda _: ppnsim.schedule(GEMM, defines=SMALL)),
    "explain": ([FORK, "--top", "1"], lambda _: ppnsim.explain(FORK, top=1)),
    "lost": ([FORK], lambda _: ppnsim.lost(FORK)),
}


@pytest.mark.parametrize("name", TABLES)
def test_the_main_table_has_the_columns_and_rows_of_the_csv(name: str, tmp_path: Path) -> None:
    arguments, function = TABLES[name]
    result = CliRunner().invoke(app, [name, *arguments, "--csv", str(tmp_path / "table.csv")])
    assert result.exit_code == 0, result.output
    with (tmp_path / "table.csv").open(encoding="utf-8", newline="") as file:
        head, *lines = csv.reader(file)
    frame = function(tmp_path).to_frame()
    head = [each for each in head if each != "key"]  # by which only the file of a sweep knows its points again
    assert list(frame.reset_index().columns)[-len(head) :] == head or list(frame.columns) == head
    assert len(frame) == len(lines)


@pytest.mark.parametrize("case", PREDICTED)
def test_predictions_beside_simulations_are_the_same_by_both_doors(case: str, tmp_path: Path) -> None:
    arguments, function = PREDICTED[case]
    place = tmp_path / "told.json"
    result = CliRunner().invoke(app, [*arguments, "--json", str(place)])
    assert result.exit_code == 0, result.output
    found = function(tmp_path)
    assert _bare(json.loads(place.read_text(encoding="utf-8"))) == _bare(json.loads(json.dumps(found.to_dict())))
    assert len(found.rows()) > 0


def test_older_names_work_and_say_the_newer_one() -> None:
    with pytest.warns(DeprecationWarning, match=r"ppnsim.serve is ppnsim.report\(\.\.\., serve=True\)"):
        assert callable(ppnsim.serve)


def test_a_prediction_is_what_compare_lays_beside_a_simulation(tmp_path: Path) -> None:
    told = tmp_path / "told.json"
    asked = ["compare", FORK, "--model", "bounds", "--vary", "split.ii=1,2", "--no-simulate", "--json", str(told)]
    assert CliRunner().invoke(app, asked).exit_code == 0
    predicted = ppnsim.predict(FORK, "bounds", vary={"split.ii": [1, 2]})
    assert json.loads(told.read_text(encoding="utf-8")) == json.loads(json.dumps(predicted.to_dict()))
    beside = ppnsim.compare(FORK, "bounds", vary={"split.ii": [1, 2]})
    assert predicted.to_frame()["predicted.bounds"].equals(beside.to_frame()["predicted.bounds"])
    assert (predicted.value, predicted.unit) == (beside.models[0].points[0].predicted, "cycles")
    platform = ppnsim.predict(FILTER)
    assert (platform.value, platform.unit) == (ppnsim.estimate(FILTER).seconds, "s")
    assert ppnsim.predict(FORK, lambda split_firings: 2 * split_firings).value == 40


def test_what_a_newcomer_tries_first_works(tmp_path: Path) -> None:
    network = ppnsim.load(NETS / "fork_join.toml")
    run = network.run()
    assert str(ppnsim.lesson()).splitlines()[0] == ppnsim.lesson(1).title
    assert ppnsim.lesson(1)._repr_markdown_().startswith(f"# {ppnsim.lesson(1).title}")
    assert ppnsim.fix_deadlock(network.with_style("frozen")).depths == {"short_out": 9}
    with pytest.raises(InputError, match="does not deadlock"):
        ppnsim.fix_deadlock(network)
    for picture in (run.gantt, run.occupancy, run.parallelism):
        both = [picture(window=window).axes[0].get_xlim() for window in ("10:20", (10, 20), "50ns:100ns")]
        assert both[0] == both[1] == both[2] != picture().axes[0].get_xlim()
        with pytest.raises(InputError, match="is not of the form A:B"):
            picture(window="20")
    assert run.gantt(window=(50, None)).axes[0].get_xlim()[0] >= 49
    assert network.gantt(window=(0, 9)).axes[0].get_xlim() == run.gantt(window=(0, 9)).axes[0].get_xlim()
    assert len(network.occupancy().axes) == len(run.occupancy().axes) and network.parallelism().axes
    assert network.compare("absolute").models[0].worst.simulated == 55 and network.predict("bounds").value == 37
    page = network.report()
    assert page.html == run.report().html == ppnsim.report(run).html
    assert page._repr_html_().startswith("<iframe") and page.path is None
    assert page.save(tmp_path / "page.html").read_text(encoding="utf-8") == page.html


def test_the_ends_of_a_channel_are_called_as_in_files() -> None:
    channel = ppnsim.Channel(name="c", from_="a", to="b", depth=2)
    assert replace(channel, depth=3) == ppnsim.Channel(name="c", source="a", target="b", depth=3)
    assert pickle.loads(pickle.dumps(channel)) == channel
    wrong: list[dict[str, Any]] = [{"from_": "a"}, {"source": "a", "from_": "a", "to": "b"}]
    for ends in wrong:
        with pytest.raises(TypeError, match="channel 'c'"):
            ppnsim.Channel(name="c", **ends)


def test_a_run_says_what_the_command_says(tmp_path: Path) -> None:
    for depth in (2, 8):
        place = tmp_path / f"{depth}.json"
        CliRunner().invoke(app, ["run", FORK, "--depth", str(depth), "--json", str(place)])
        told, ours = json.loads(place.read_text(encoding="utf-8")), ppnsim.run(FORK, depths=depth).to_dict()
        assert {**told, "file": ""} == {**json.loads(json.dumps(ours)), "file": ""}


def test_the_page_of_public_names_is_that_of_the_docstrings() -> None:
    shown = (Path(ppnsim.__file__).parent / "PYTHON.md").read_text(encoding="utf-8")
    homes = vars(ppnsim)["_HOMES"]
    assert shown == page(homes), "python -m ppnsim.library.names > ppnsim/PYTHON.md"
    assert [name for name in homes if f"| `{name}` | " not in shown] == []
    assert " |  |" not in shown  # a name without a sentence


def test_help_fits_two_screens() -> None:
    text = pydoc.render_doc(ppnsim)
    assert text.count("\n") <= 100
    assert [name for name in vars(ppnsim)["_HOMES"] if name not in text] == []


def test_a_name_that_is_a_room_too_means_the_function() -> None:
    from ppnsim.derive.derive import derive

    assert (ppnsim.derive.__module__, derive.__module__) == ("ppnsim.library.derive", "ppnsim.derive.derive")


def test_a_script_of_a_user_runs(tmp_path: Path) -> None:
    said = user_script.main(tmp_path)
    assert "the same: True True" in said
    assert said[-1].startswith("'pixels' at depth 16 or more")
    assert len(Path(user_script.__file__).read_text(encoding="utf-8").splitlines()) <= 60


def test_importing_ppnsim_imports_nothing_slow() -> None:
    code = "import ppnsim, sys; print([m for m in ('numpy', 'pandas', 'networkx', 'matplotlib') if m in sys.modules])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


@given(networks())
def test_a_network_travels_as_a_graph_and_as_a_pickle(network: Network) -> None:
    travelled = pickle.loads(pickle.dumps(network))
    assert travelled == network
    assert hash(travelled) == hash(network)
    assert Network.from_networkx(network.to_networkx()) == network
    assert network != network.replace(name="another")


@pytest.mark.parametrize("clock", ["5 ns", "2.5 ns", "300 MHz", "1.2 GHz", "333333 kHz", "0.5 ns", "1 us", "7 MHz"])
def test_the_words_of_a_file_are_the_attributes(clock: str, tmp_path: Path) -> None:
    """It had ``clock_ns``, ``source`` and ``target`` alone, whatever it was built with and its file says."""
    parts = [ppnsim.Process(name=name, firings=2) for name in "ab"]
    network = Network(processes=parts, channels=[ppnsim.Channel(name="c", from_="a", to="b")], clock=clock)
    assert Network(processes=parts, clock=network.clock).clock_ns == network.clock_ns
    (channel,) = network.channels
    assert (channel.from_, channel.to) == ("a", "b")
    text = network.save(tmp_path / "n.toml").read_text(encoding="utf-8")
    assert f'clock = "{network.clock}"\n' in text or network.clock_ns == 10
    assert ppnsim.load(tmp_path / "n.toml") == network


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("two_fpgas", "<Placement: network 'two FPGAs' on left, right>"),
        ("image_filter", "<PlatformFile: 'image filter', nodes 1 x host, 2 x map; stages filter>"),
        ("spmv.toml", "<RooflineFile: accelerator 'SpMV, CSR, baseline', A in ddr, x in hbm, ptr in hbm, y in hbm>"),
        ("nbody.toml", "<RooflineFile: accelerator 'N-body, AWS F1', nbody.c>"),
        ("vecadd.cl", "<OpenclFile: kernel 'vecadd', "),
    ],
)
def test_what_a_file_holds_is_shown_in_a_line(name: str, shown: str) -> None:
    """In a notebook it was all that the file says, two thousand letters."""
    assert repr(ppnsim.load(ppnsim.scenarios()[name])).startswith(shown)


@pytest.mark.parametrize("source", [FORK, ppnsim.load(FORK), PREDICTOR])
def test_a_comparison_takes_depths_and_a_style_as_the_command_does(source: Any, tmp_path: Path) -> None:
    """Python had no word for ``compare --style`` and ``--depth``."""
    depths = {"short_in": 16, "short_out": 9} if source is not PREDICTOR else {"source->transformer.0": 1}
    ours = ppnsim.compare(source, "absolute", style="stp", depths=depths).to_dict()
    options = [text for name, depth in depths.items() for text in ("--depth", f"{name}={depth}")]
    file = PREDICTOR if source is PREDICTOR else FORK
    arguments = ["compare", file, "--model", "absolute", "--style", "stp", *options, "--json", str(tmp_path / "a.json")]
    assert CliRunner().invoke(app, arguments).exit_code == 0
    told = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    assert ours["points"] == told["points"]
    assert ppnsim.predict(source, "absolute", depths=depths).value == told["points"][0]["predicted.absolute"]


def test_words_of_the_command_line_are_those_of_the_library_or_say_what_is() -> None:
    with pytest.raises(
        InputError, match=r"^vary: the ports at several values are what ppnsim.compare\('.*', 'roofline'"
    ):
        ppnsim.roofline(SPMV, vary={"argument.A.locality": [64]})
    with pytest.raises(InputError, match="roofline: no option is called 'divice' "):
        ppnsim.roofline(SPMV, divice="xcu250")
    with pytest.raises(InputError, match=r"latency is for the network of a C or C\+\+ source .*, not for its kernels"):
        ppnsim.lost(GEMM, latency=3)
    with pytest.raises(InputError, match=r"^depths and style can only be used with networks"):
        ppnsim.compare(FILTER, style="stp")
    for options in ({"function": "vecadd", "device": "DE5-Net"}, {"kernel": "vecadd", "board": "DE5-Net"}):
        assert ppnsim.opencl(directory() / "opencl" / "vecadd.cl", **options).to_dict()  # type: ignore[arg-type]
    with pytest.raises(InputError, match="opencl: device and board say the same: give one"):
        ppnsim.opencl(VECADD, device="DE5-Net", board="DE5-Net")


def test_what_writes_a_file_returns_it_and_refuses_what_cannot_be_written(tmp_path: Path) -> None:
    network, nowhere = ppnsim.fork_join(firings=4), tmp_path / "no" / "where"
    rewritten = ppnsim.transform(KERNELS / "gemm.c")
    saved = {
        "a.toml": network.save, "b.json": network.size().save, "c.svg": network.draw().save, "d.c": rewritten.save,
        "e.html": ppnsim.report(network).save,
    }  # fmt: skip
    for name, save in saved.items():
        assert save(tmp_path / name) == tmp_path / name and (tmp_path / name).stat().st_size
        with pytest.raises(InputError, match="cannot be written"):
            save(nowhere / name)


def test_a_run_and_an_answer_travel_as_pickles() -> None:
    forked = ppnsim.fork_join(firings=20)
    done = [
        ppnsim.run(forked), ppnsim.run(forked.with_style("frozen"), on_deadlock="return"),
        ppnsim.run(ppnsim.chain(firings=50_000, depth=2), engine="compiled"),
    ]  # fmt: skip
    assert done[1].deadlocked
    assert done[2].left_out is not None
    answers = [
        ppnsim.size(forked, front=False), ppnsim.explain(forked, top=9), ppnsim.explore_splits(PREDICTOR),
        ppnsim.run(ppnsim.scenarios()["two_fpgas"]), ppnsim.run(ppnsim.scenarios()["image_filter"]),
    ]  # fmt: skip
    for one in (*done, *answers):
        travelled = pickle.loads(pickle.dumps(one))
        assert travelled == one
        assert hash(travelled) == hash(one)
    assert done[0] != ppnsim.run(forked.with_depths({"short_in": 9}))
    assert done[0] != ppnsim.run(forked, engine="compiled"), "another engine is another run"


def test_of_a_long_run_as_much_is_written_out_as_was_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = ppnsim.run(ppnsim.chain(firings=50_000, depth=2), engine="compiled")
    assert done.left_out is not None
    end = done.left_out.after + 1
    monkeypatch.setattr(run_export, "_LARGEST", 1000)
    for last in (end - 1, end):
        ppnsim.export(done, tmp_path / f"{last}.csv", window=(0, last))
    with pytest.raises(InputError, match=f"up to cycle {done.left_out.after} any --window can be, and the rest"):
        ppnsim.export(done, tmp_path / "more.csv", window=(0, end + 1))
    starts = (tmp_path / f"{end}.csv").read_text().count("\n")
    assert starts > (tmp_path / f"{end - 1}.csv").read_text().count("\n"), "the last cycle is in it"


def test_behind_what_was_recorded_of_a_run_it_is_walked_again_to_be_written_out(tmp_path: Path) -> None:
    network, files = ppnsim.chain(firings=600, depth=2), [tmp_path / "short.csv", tmp_path / "whole.csv"]
    done = [ppnsim.run(network, engine="compiled", fast_forward=short) for short in (True, False)]
    assert [each.left_out is not None for each in done] == [True, False]
    for each, file in zip(done, files, strict=True):
        ppnsim.export(each, file, window=(300, None))
    assert files[0].read_text() == files[1].read_text()
    assert files[0].read_text().count("\n") == 924


def test_answers_are_equal_however_long_they_took() -> None:
    sized, profiled = ppnsim.size(FORK, front=False), ppnsim.profile(PREDICTOR)
    assert (sized, profiled) == (ppnsim.size(FORK, front=False), ppnsim.profile(PREDICTOR))
    assert sized == replace(sized, seconds=sized.seconds + 1)
    assert sized != replace(sized, cost="bits")
    two = [ppnsim.opencl(VECADD, settings={"N": size}) for size in (4096, 8192)]
    assert two[0] != two[1], "seconds that are predicted are what it says"


def test_a_sizing_without_a_front_has_a_row_for_each_answer() -> None:
    sized = ppnsim.size(FORK, front=False)
    assert [(row["question"], row["total"], row["finish"]) for row in sized.rows()] == [
        (name, sum(found["depths"].values()), found["finish"])
        for name in ("deadlock_free", "lossless")
        if (found := sized.to_dict()[name])
    ]
    assert sized.to_frame()["short_in"].tolist() == [row["short_in"] for row in sized.rows()]
    assert "question" not in ppnsim.size(FORK).to_frame().columns


def test_all_names_come_with_an_asterisk() -> None:
    names: dict[str, object] = {}
    exec("from ppnsim import *", names)
    assert set(vars(ppnsim)["_HOMES"]) <= set(names)
    assert names["run"] is ppnsim.run


def test_a_clock_without_a_unit_is_refused() -> None:
    for wrong in (
        lambda: Network(processes=[], clock=200),  # type: ignore[arg-type]
        lambda: ppnsim.schedule(GEMM, clock=200),  # type: ignore[arg-type]
        lambda: ppnsim.load_network(PREDICTOR, clock=200),
    ):
        with pytest.raises(InputError, match="clock = 200 has no unit: is it '200 ns' or '200 MHz'"):
            wrong()
    assert Network(processes=[], clock="200 MHz").clock_ns == 5


def test_answers_begin_with_what_was_asked_for() -> None:
    network = ppnsim.load(FORK)
    assert repr(network.run()).startswith("<Run: finish 55 cycles")
    assert "<pre>" in network.estimate()._repr_html_()
    assert network.run().gantt(window=(0, 30))._repr_png_().startswith(b"\x89PNG")


def test_a_parameter_that_is_set_becomes_a_number_of_the_transformed_text(tmp_path: Path) -> None:
    (tmp_path / "k.c").write_text("void k(int n, int a[9]) { for (int i = 0; i < n; i++) a[i] = i; }\n")
    found = ppnsim.transform(tmp_path / "k.c", settings={"n": 7})
    assert sum(found.executions.values()) == 7


def test_an_interval_that_is_given_holds_for_the_processes_of_a_source(tmp_path: Path) -> None:
    (tmp_path / "k.c").write_text("void k(int a[9]) { for (int i = 0; i < 9; i++) a[i] = i; }\n")
    given = {each.ii for each in ppnsim.load(tmp_path / "k.c", ii=3).processes if not each.name.startswith("out_")}
    assert given == {3}


def test_scripts_of_the_readme_of_version_0_1_still_run() -> None:
    found = doctest.testfile("readme_0_1.txt", package="tests.library")
    assert (found.failed, found.attempted) == (0, 13)


def test_a_run_prints_and_answers_as_all_answers_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)  # the width of a terminal is not that of a text
    run = ppnsim.run(FORK)
    command = CliRunner().invoke(app, ["run", FORK])
    assert str(run).splitlines()[1:] == [line.rstrip() for line in command.stdout.rstrip().splitlines()[1:]]
    assert command.stdout.startswith(str(run).partition("\n")[0])
    assert [row["process"] for row in run.rows()] == list(run.to_frame().index)
    assert run.figure().axes


def test_a_deadlock_of_a_source_names_its_lines() -> None:
    with pytest.raises(ppnsim.DeadlockError, match="kept: declared line 42, written line 18, read line 34"):
        ppnsim.run(directory() / "hls" / "subtract_mean.cpp")


def test_a_channel_with_the_name_of_a_figure_takes_the_place_of_none() -> None:
    processes = [Process(name="a", firings=5, latency=2), Process(name="b", firings=5)]
    channels = [Channel(name="finish", source="a", target="b"), Channel(name="x", source="a", target="b")]
    sized = ppnsim.size(Network(processes=processes, channels=channels))
    assert [row["finish"] for row in sized.rows()] == [point["finish"] for point in sized.to_dict()["front"]]
    assert {"finish.depth", "x"} <= set(sized.rows()[0])
