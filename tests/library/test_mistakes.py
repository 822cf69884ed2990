"""More than a hundred mistakes in Python: each is one `InputError` that says what to write instead."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import ppnsim
from ppnsim.calls import CallError, public
from ppnsim.errors import InputError
from ppnsim.formats.shipped import directory
from ppnsim.methods import NetworkMethods, RunMethods, TimelineMethods
from tests.golden.records import unlike
from tests.golden.told import ROOT
from tests.library.test_refusals import REFUSED

P: Any = ppnsim  # of any type: a type checker would refuse what follows, before it runs
SHIPPED = directory()
FORK, NODES = str(SHIPPED / "networks" / "fork_join.toml"), SHIPPED / "networks" / "two_fpgas.toml"
GEMM, CPP = SHIPPED / "kernels" / "gesummv.c", SHIPPED / "hls" / "subtract_mean.cpp"
NET: Any = ppnsim.fork_join(firings=20)
RUN: Any = NET.run()
A, B = P.Process(name="a", firings=4), P.Process(name="b", firings=4)


def process(**said: Any) -> Any:
    return P.Network(processes=[P.Process(**{"name": "a", "firings": 4} | said)]).run()


def channel(**said: Any) -> Any:
    named = {"name": "c", "source": "a", "target": "b"} | said
    return P.Network(processes=[A, B], channels=[P.Channel(**named)]).run()


def graph(**said: Any) -> Any:
    found: Any = nx.DiGraph()
    found.add_node("a", firings=4)
    found.add_node("b", firings=4)
    found.add_edge("a", "b", **said)
    return P.Network.from_networkx(found)


def without_return(split_firings: int) -> None:
    _ = split_firings + 1


SDF = {"a": 1, "b": 1}
MISTAKES: list[tuple[Callable[[], object], str]] = [
    # names of arguments
    (lambda: P.chain(5), "chain: 5 has no name: write chain(firings=5)"),
    (lambda: P.chain(firings=5, lenght=3), "no option is called 'lenght' (did you mean 'length'?)"),
    (lambda: P.chain(), "chain: firings is missing (a whole number)"),
    (lambda: P.fork_join(5), "write fork_join(firings=5)"),
    (lambda: P.predictor(5), "write predictor(size=5)"),
    (lambda: NET.size(targt=40), "size: no option is called 'targt' (did you mean 'target'?)"),
    (lambda: NET.run(dephts=3), "run: no option is called 'dephts' (did you mean 'depths'?)"),
    (lambda: NET.run(3), "3 has no name: write run(..., depths=3)"),
    (lambda: NET.size(json=1), "to_dict()"),
    (lambda: P.compare(NET, "absolute", csv="x.csv"), "functions write no files, their answers do: to_frame().to_csv"),
    (lambda: RUN.gantt(windw=3), "(did you mean 'window'?)"),
    (lambda: RUN.timeline.to_frame(3), "3 is one argument too many"),
    (lambda: P.run(), "run: network is missing (network: a network, or the path of a file"),
    (lambda: P.load(), "load: path is missing (path: the file;"),
    (lambda: P.load(FORK, itertions=3), "(did you mean 'iterations'?)"),
    (lambda: P.sweep(FORK), 'sweep: vary is missing (vary: values by name of the parameter, as {"c.depth"'),
    (lambda: NET.save(), "save: path is missing"),
    (lambda: P.styles(3), "3 is one argument too many (it takes none)"),
    (lambda: P.Process("a", 3), "write Process(name='a')"),
    (lambda: P.Process(name="a"), "firings is missing (firings: how often it executes, at least 1)"),
    (lambda: P.Network(processes=[], style="hls"), "called 'style': each process has its own, Process(..., style="),
    (lambda: P.Network(processes=[], depths={"c": 3}), "network.with_depths(...) changes them"),
    (lambda: P.lost(CPP, depths={"kept": 64}, designs=["none"]), "what designs schedules has no FIFOs"),
    (lambda: P.lost(GEMM, defines={"N": "4"}, depths={"a": 4}), "this kernel has no FIFOs"),
    (lambda: P.Process(nme="a", firings=3), "no option is called 'nme' (did you mean 'name'?)"),
    (lambda: channel(dept=3), "no option is called 'dept' (did you mean 'depth'?)"),
    (lambda: channel(prodce=2), "no option is called 'prodce' (did you mean 'produce'?)"),
    (lambda: channel(produce=2, tokens=P.Rates(2)), "produce and consume say what tokens = Rates(...) says: give one"),
    (lambda: P.Channel("c", "a", "b"), "write Channel(name='c')"),
    (lambda: P.Channel(name="c"), "channel 'c': source or from_ is needed: the process at this end, once"),
    (lambda: P.Channel(name="c", from_="a"), "channel 'c': target or to is needed"),
    (lambda: P.Channel(name="c", from_="a", source="a", to="b"), "are both given: the process at this end, once"),
    (lambda: P.Network([A]), "write Network(processes=["),
    (lambda: P.Network(), "Network: processes is missing"),
    (lambda: P.Network(processes=[A], chanels=[]), "(did you mean 'channels'?)"),
    (lambda: NET.replace(prcesses=[]), "(did you mean 'processes'?)"),
    (lambda: P.Rates(prodce=3), "Rates: no option is called 'prodce' (did you mean 'produce'?)"),
    (lambda: P.Listed(), "Listed: writes is missing"),
    (lambda: P.Distribution("normal"), "Distribution: parameters is missing"),
    # kinds of values
    (lambda: P.run(3), "run: 3 cannot be run: give a network, what ppnsim.load returns, or the path of a file"),
    (lambda: P.run(None), "None cannot be run: give a network"),
    (lambda: P.explain(None), "explain: network = None cannot be used (network: a network, a run of one, or a path"),
    (lambda: P.lost(3), "lost: network = 3 cannot be used (network: a network, a run of one, or a path"),
    (lambda: P.estimate(3), "3 is neither a network nor the path of one: write ppnsim.load(path)"),
    (lambda: P.absolute(3), "absolute: network = 3 cannot be used (network: a network, or the path of one"),
    (lambda: P.suspicions(3), "(of: a network, a run, or the path of a network"),
    (lambda: P.report(3), "(shown: a network, a run, a placed network, a platform with an application, or a path"),
    (lambda: P.size([3]), "size: network[0] = 3 cannot be used (network: a network, or a path"),
    (lambda: P.sweep(3, {"a.ii": [1]}), "(network: a network, one placed on nodes, or a path"),
    (lambda: P.gantt(3), "gantt: run = 3 cannot be used (run: a run, or a network or a path, which is then run)"),
    (lambda: P.load(3), "load: path = 3 is not a text or a path (path: the file;"),
    (lambda: P.memory(3), "memory: name = 3 is not a text, a path or a Dram (name: a preset (`ppnsim.mem"),
    (lambda: P.roofline(NET), "roofline: file = <Network 'fork and join': 4 processes"),
    (lambda: P.opencl(NET), "(file: a kernel in OpenCL C (.cl) or in TOML)"),
    (lambda: P.profile(NET), "(source: path of a C source"),
    (lambda: P.schedule(3), "(source: path of a C or C++ source"),
    (lambda: P.transform(3), "transform: source = 3 is not a text or a path"),
    (lambda: P.explore_splits(3), "(source: path of a C source"),
    (lambda: P.platform(3), "(given: path of a platform in TOML or of a network placed on nodes, preset:NAME"),
    (lambda: P.scenarios(3), "scenarios: names = 3 is not a text"),
    (lambda: P.lesson("x"), "lesson: number = 'x' is not a whole number or None (number: from 1 to 10"),
    (lambda: P.compare(3), "a int cannot be compared with a model: give a network"),
    (lambda: P.compare(FORK, 5), "(model: absolute, unbounded, bounds, busiest (networks)"),
    (lambda: P.compare(FORK, [5]), "compare: model[0] = 5 is not a text, a path or a function"),
    (lambda: P.compare(FORK, tolerance="x"), "tolerance = 'x' is not a number (tolerance: relative error"),
    (lambda: NET.run(style=3), "style = 3 is not a text or None (style: pipeline style of all processes: elastic"),
    (lambda: NET.run(fast_forward="no"), "fast_forward = 'no' is not True or False"),
    (lambda: NET.run(progress=3), "progress = 3 is not a function or None"),
    (lambda: NET.run(depths=[1, 2]), "(depths: other depths in tokens: one for all channels, or by channel"),
    (lambda: NET.run(depths={"short_in": "deep"}), "depths['short_in'] = 'deep' is not a whole number, None or"),
    (lambda: NET.run(on_deadlock="retrun"), "is not 'raise' or 'return' (did you mean 'return'?)"),
    (lambda: NET.size(target="a"), "target = 'a' cannot be used (target: also find the smallest depths"),
    (lambda: NET.size(target=True), "target = True cannot be used (target: also find"),
    (lambda: NET.size(objective="finnish"), "is not 'finish' or 'period' (did you mean 'finish'?)"),
    (lambda: NET.size(limits={"short_in": (1, 2, 3)}), "limits['short_in'] = (1, 2, 3)"),
    (lambda: NET.size(groups=["short_in"]), "groups[0] = 'short_in' is not a list"),
    (lambda: NET.size(front="no"), "front = 'no' is not True or False"),
    (lambda: NET.size(within="5%"), "within = '5%' is not a number (within: be content with what is proven"),
    (lambda: RUN.gantt(window=5), '(window: cycles (first, last + 1) to be shown, or "0:40", "1us:2us"; default all)'),
    (lambda: RUN.gantt(window=("a", "b")), '(window: cycles (first, last + 1) to be shown, or "0:40", "1us:2us"'),
    (lambda: RUN.occupancy(channels=3), "(channels: name of the one to be shown, or names; default all)"),
    (lambda: RUN.to_frame("chanels"), "to_frame: table = 'chanels' is not 'processes', 'channels'"),
    (lambda: RUN.explain(top="x"), "top = 'x' is not a whole number (top: changes to try"),
    (lambda: RUN.gantt().save(3), "3 is not a path: write save('picture.svg')"),
    (lambda: P.sweep(FORK, {"short_in.depth": [2]}, part=3), "part = 3 is not a tuple of 2 (part: (k, n) runs every"),
    (lambda: P.memory("HBM2", requests="x"), "requests = 'x' is not a whole number (requests: of every point"),
    (lambda: P.Network.from_networkx(5), "5 is not a directed graph: write networkx.DiGraph() or networkx"),
    (lambda: P.sdf(SDF, {"c": ("a", 1, 1, "b")}, firings=SDF), '(channels: by name, {"c": ("a", 2, 1, "b", 0)}'),
    (lambda: P.run(GEMM, clock=200), "clock = 200 has no unit: is it '200 ns' or '200 MHz'?"),
    (lambda: P.run(GEMM, defines=3), "3 is not a dictionary of macros: write defines={'N': '8'}"),
    # parts of a network
    (lambda: P.Network(processes=[{"name": "a", "firings": 4}]), "write ppnsim.Process(name='a', firings=4)"),
    (lambda: P.Network(processes=3), "processes = 3 is not a list: write processes=[ppnsim.Process("),
    (lambda: P.Network(processes={"a": A}), "is not a list: write processes=[ppnsim.Process("),
    (lambda: P.Network(processes=[A], channels=[{"from": "a"}]), "write ppnsim.Channel(from_='a')"),
    (lambda: P.Network(processes=[A], clock=200), "clock = 200 has no unit: is it '200 ns' or '200 MHz'?"),
    (lambda: P.Network(processes=[A], clock_ns="x").run(), "write clock_ns=5.0, or clock='200 MHz'"),
    (lambda: P.Network(processes=[A], resources=3), "write resources={'bus': 1}"),
    (lambda: P.Network(processes=[A], resources={"x": "y"}), "a whole number of units, as 'bus': 1"),
    (lambda: P.Network(processes=[A], name=3).run(), "name = 3 is not a text: write name='3'"),
    (lambda: process(name=3), "name = 3 is not a text: write name='3'"),
    (lambda: process(latency=("x",) * 4), "latency[0] = 'x' is not a whole number"),
    (lambda: process(latency=(1.5,) * 4), "latency[0] = 1.5 is not a whole number"),
    (lambda: process(firings=4.0), "firings = 4.0 is not a whole number: write 4"),
    (lambda: process(firings=True), "firings = True is not a whole number"),
    (lambda: process(latency=2.0), "latency = 2.0 is not a whole number, one for each firing, nor a"),
    (lambda: process(latency=np.array([2.0] * 4)), "latency[0] = 2.0 is not a whole number: write 2"),
    (lambda: channel(depth=np.inf), "depth = inf is not a whole number ('unbounded' or None has no end)"),
    (lambda: channel(depth=pd.NA), "depth = <NA> is not a whole number ('unbounded' or None has no end)"),
    (lambda: channel(depth="4"), "depth = '4' is not a whole number: write 4"),
    (lambda: P.chain(firings=4, depth=np.inf), "depth = inf is not a whole number, None or 'unbounded'"),
    (lambda: P.chain(firings=4, ii=np.array([1.5])), "chain: ii = array([1.5]) is not a whole number or a list"),
    (lambda: NET.with_depths(np.inf), "inf is neither a whole number of tokens nor 'unbounded', which has no end"),
    (lambda: NET.with_depths(np.array([3, 4])), "nor these by channel, {'c': 4}"),
    (lambda: NET.with_depths(pd.Series({"short_in": 3.0})), "channel 'short_in': 3.0 is neither a whole number of"),
    (lambda: NET.with_depths(pd.DataFrame({"a": [3]})), "no channel is called 'a' (known: long_in, long_out,"),
    (lambda: process(fixed="x"), "fixed = 'x' is neither True nor False"),
    (lambda: process(schedule=3), "write Process.scheduled(name=..., steps=9)"),
    (lambda: process(style="frozn"), "(did you mean 'frozen'?)"),
    (lambda: channel(source=3), "from = '3' is not a process (known: a, b)"),
    (lambda: channel(tokens=(1, 2)), "tokens = (1, 2) is none of Rates, Listed, Runs"),
    (lambda: channel(tokens=P.Listed(3, 4)), "as Listed(writes=(0, 1), reads=((0, 0), (1, 1)))"),
    (lambda: channel(tokens=P.Listed((0.5,), ((0, 0),))), "as Listed(writes=(0, 1), reads=((0, 0), (1, 1)))"),
    (lambda: channel(tokens=P.Runs((0, 1, 4), (0, 1, 4))), "as Runs(writes=((0, 1, 4),), reads=((0, 1, 4),))"),
    (lambda: channel(write_steps=[1]), "is not a StepList (StepList.of([0, 4])"),
    (lambda: channel(group=3), "group = 3 is not a name (write group='wide')"),
    (lambda: P.Rates(1.5, 1), "produce = 1.5 is neither a whole number of tokens per firing nor one for each phase"),
    (lambda: P.Rates("x"), "write Rates(2, 1), Rates(2, (1, 3)) or Rates(2, '2 x 0, 1')"),
    (lambda: graph(dept=2), "unknown key 'dept' (did you mean 'depth'?)"),
    (lambda: graph(depth=0), "depths start at 1"),
    (lambda: P.Recorder("x").execute("nope"), "declare it first, recorder.statement('nope')"),
    (lambda: P.sdf(SDF, {}, firings={"a": 1}), "sdf: firings: 'b' has none: write {'b': 4}"),
    (lambda: P.sdf(SDF, {}, firings=SDF, capacities={"x": 2}), "sdf: capacities: 'x' is not there"),
    # what is empty, twice, or not there
    (lambda: P.compare(FORK, []), "model: [] names no model: name one, or leave it out"),
    (lambda: P.compare(FORK, vary={"short_in.depth": []}), "write {'short_in.depth': [1, 2, 4]}"),
    (lambda: P.compare(FORK, vary={"short_in.depth": [2, 2]}), "has the value 2 twice (give each once)"),
    (lambda: P.compare(FORK, vary={"short_in.depth": len}), "is not a list of values: write {'short_in.depth': [1,"),
    (lambda: P.sweep(FORK, {}), "names nothing to vary: write {'c.depth': range(1, 65)}"),
    (lambda: P.sweep(FORK, {"short_in.depth": []}), "has no values: write {'short_in.depth': [1, 2, 4]}"),
    (lambda: P.sweep(FORK, {"short_in.depth": [2, 2]}), "has the value 2 twice (give each once)"),
    (lambda: P.sweep(FORK, {"short_in.depth": [2]}, jobs=0), "0 is below 1 process at a time (None: as many as cores)"),
    (lambda: P.sweep(lambda _: 3, {"n": [2]}), "n = 2: the function of the sizes returns 3, which is not a network"),
    (lambda: P.sweep(lambda _: 1 // 0, {"n": [2]}), "raises ZeroDivisionError: integer division or modulo by zero (it"),
    (lambda: P.sweep(lambda: NET, {"n": [2]}), "(it takes a dictionary of them and returns a network)"),
    (lambda: P.memory("HBM2", vary={"banks": []}), "'banks' has no values: write {'banks': [1, 2, 4]}"),
    (lambda: P.memory("HBM2", vary={"banks": [0]}), "--vary banks: 0 is below 1"),
    (lambda: P.memory("HBM2", vary={"banks": [1, 1]}), "has the value 1 twice"),
    (lambda: P.memory("HBM2", vary={"bank": [1]}), "(did you mean 'banks'?)"),
    (lambda: P.memory("HBM3"), "(did you mean 'HBM2'?)"),
    (lambda: P.report([]), "shown: [] shows nothing: give a network, a run, or the path of a file"),
    (lambda: P.size([]), "network: [] holds no network to size: give one, or the path of one"),
    (lambda: NET.size(budget=0), "budget: 0 is below 1 depth vector to run"),
    (lambda: RUN.occupancy(channels=[]), "channels: [] names no channel: leave it out for all of them"),
    (lambda: P.compare(FORK, without_return), "has no answer at any point: it returns no number (end it with"),
    (lambda: P.compare(FORK, lambda **_: "12"), "returns '12', which is not a number (a model returns one"),
    (lambda: P.predict(FORK, "absolut"), "(did you mean 'absolute'?)"),
    (lambda: P.load(FORK, "Netwrk"), "no file holds a 'Netwrk' (did you mean 'Network'?)"),
    (lambda: NET.channel(3), "no channel is called '3' (known: long_in, long_out, short_in, short_out)"),
    (lambda: NET.with_depths({"shrt_in": 4}), "(did you mean 'short_in'?)"),
    (lambda: P.run(CPP, style="elastic"), "'subtract_mean' is a dataflow region, whose tasks are scheduled"),
    (lambda: P.size(NODES), "(it is for ppnsim run, draw, sweep, platform, compare and report)"),
    # places
    (lambda: NET.save("no/where/x.toml"), "no/where/x.toml: cannot be written (No such file or directory)"),
    (lambda: NET.size(front=False).save("no/where/x.toml"), "cannot be written (No such file or directory)"),
    (lambda: NET.size(front=False).save("x.cpp"), "is not a C or C++ source, which pragmas could be written to: write"),
    (lambda: NET.draw().save("no/where/x.svg"), "picture 'no/where/x.svg': cannot be written (No such file"),
    (lambda: RUN.gantt().save("x.txt"), "(known: pdf, png, svg)"),
]  # fmt: skip


@pytest.mark.parametrize(("mistake", "remedy"), MISTAKES, ids=[str(number) for number in range(len(MISTAKES))])
def test_a_mistake_is_one_input_error_with_its_remedy(
    mistake: Callable[[], object], remedy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as error:
        mistake()
    assert remedy in str(error.value)
    assert "\n" not in str(error.value)
    assert list(tmp_path.iterdir()) == []


def told() -> str:
    """Return what each mistake is answered with, from the first word to the last."""
    with TemporaryDirectory() as here, chdir(here):
        return "".join(f"{_answer(mistake).replace(here, 'HERE')}\n" for mistake, _ in (*MISTAKES, *REFUSED))


def _answer(mistake: Callable[[], object]) -> str:
    try:
        return f"no mistake: {mistake()}"
    except InputError as error:
        return str(error).replace(str(ROOT), "ROOT")


def test_mistakes_are_answered_as_recorded_from_the_first_word_to_the_last() -> None:
    assert unlike("mistakes_in_python") == [], "if it is meant: python -m tests.golden mistakes_in_python"


def test_there_are_more_than_a_hundred() -> None:
    assert len(MISTAKES) > 120


def test_all_that_is_public_is_refused_in_a_sentence() -> None:
    """Each function, and each method that is one, says of a wrong name what is right."""
    functions = [getattr(P, name) for name in vars(ppnsim)["_HOMES"] if not isinstance(getattr(P, name), type)]
    for owner in (NetworkMethods, RunMethods, TimelineMethods):
        functions += [getattr(owner, name) for name in vars(owner) if not name.startswith("_")]
    assert [each for each in functions if not hasattr(each, "__wrapped__")] == []


def test_a_fault_inside_of_a_function_stays_what_it_is() -> None:
    def broken(count: int) -> int:
        return count + "x"  # type: ignore[operator]

    with pytest.raises(TypeError) as error:
        public(broken)(3)
    assert not isinstance(error.value, InputError)
    assert traceback.extract_tb(error.value.__traceback__)[-1].name == "broken"


def test_values_of_a_sweep_go_by_name_and_an_option_is_told_by_the_function_that_was_called() -> None:
    network: Any = ppnsim.fork_join(firings=4)
    sweep: Any = ppnsim.sweep
    with pytest.raises(CallError, match=r"^sweep: .*: write sweep\(\.\.\., \{'long_in.depth': range\(0, 5\)\}\)$"):
        network.sweep("long_in.depth", range(5))
    with pytest.raises(CallError, match=r"write sweep\(\.\.\., \{'long_in.depth': \[1, 2\]\}\)$"):
        sweep(network, "long_in.depth", [1, 2])
    with pytest.raises(CallError, match=r"^run: no option is called 'depth' \(did you mean 'depths'\?\)$"):
        ppnsim.run(directory() / "networks" / "fork_join.toml", depth=4)


def test_a_clock_with_its_unit_replaces_that_of_a_network() -> None:
    assert ppnsim.fork_join(firings=4).replace(clock="3 ns").clock_ns == 3
    with pytest.raises(InputError, match="must be a number and a unit"):
        ppnsim.fork_join(firings=4).replace(clock="3")
    with pytest.raises(InputError, match=r"^'' is not the name of a file$"):
        ppnsim.load("")
