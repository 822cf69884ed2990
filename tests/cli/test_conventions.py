"""Every door gives one answer to one question: what depths count goes with a network wherever it goes."""

from __future__ import annotations

import csv
import json
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ppnsim
from ppnsim.errors import InputError
from ppnsim.formats.network_graph import from_networkx, to_networkx
from ppnsim.library.save import save
from ppnsim.model.builders import sdf
from ppnsim.model.network import Network
from tests.helpers.commands import ppnsim as command

FORK_JOIN = str(Path(__file__).parents[2] / "scenarios" / "networks" / "fork_join.toml")
# By hand, of A (2 cycles) -2-> ab -3-> B (5 cycles), each one firing at a time, 10 iterations: A claims 2 slots when it
# starts, and B gives 3 back when it ends. With 7 slots B is never kept waiting: 4 + 20 * 5 = 104 cycles. With 4 slots A
# starts one at a time, and an iteration is 2 + 2 + 5 + 2 + 5 = 16 cycles of no overlap.
GRAPH = {4: 160, 5: 142, 6: 122, 7: 104, None: 104}
ACTORS = """<sdf3 type="sdf" version="1.0"><applicationGraph name="mini"><sdf name="mini" type="mini">
<actor name="A" type="A"><port name="o" type="out" rate="2"/><port name="s" type="out" rate="1"/>
<port name="i" type="in" rate="1"/></actor>
<actor name="B" type="B"><port name="i" type="in" rate="3"/><port name="s" type="out" rate="1"/>
<port name="t" type="in" rate="1"/></actor>
<channel name="ab" srcActor="A" srcPort="o" dstActor="B" dstPort="i"/>
<channel name="aa" srcActor="A" srcPort="s" dstActor="A" dstPort="i" initialTokens="1"/>
<channel name="bb" srcActor="B" srcPort="s" dstActor="B" dstPort="t" initialTokens="1"/></sdf><sdfProperties>
<actorProperties actor="A"><processor type="p" default="true"><executionTime time="2"/></processor></actorProperties>
<actorProperties actor="B"><processor type="p" default="true"><executionTime time="5"/></processor></actorProperties>
</sdfProperties></applicationGraph></sdf3>"""


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an SDF3 graph without depths."""
    file = tmp_path_factory.mktemp("graph") / "g3.xml"
    file.write_text(ACTORS, encoding="utf-8")
    return file


def told(*words: Any) -> Any:
    done = command(*map(str, words), "--json", "-")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def depths_of(depth: int | None) -> list[str]:
    return ["--depth", f"ab={'unbounded' if depth is None else depth}"]


def by_export(file: Path, depth: int | None) -> int:
    table = file.with_name("firings.csv")
    command("export", str(file), "--iterations", "10", *depths_of(depth), "-o", str(table))
    with table.open(encoding="utf-8") as rows:
        return max(int(row["end"]) for row in csv.DictReader(rows))


def by_copy(suffix: str) -> Callable[[Path, int | None], int]:
    """The depth is given to a copy of the graph that was written without one."""

    def run(file: Path, depth: int | None) -> int:
        copy = file.with_name(f"copy{suffix}")
        done = command("export", str(file), "--iterations", "10", "-o", str(copy))
        assert done.exit_code == 0, done.output
        iterations = ["--iterations", "10"] if suffix == ".xml" else []
        return int(told("run", copy, *iterations, *depths_of(depth))["finish"])

    return run


def sized(found: Any, depth: int | None) -> int:
    """The finish of the point of a front whose depth of `ab` is this, where the front has one."""
    points = {row["depths"]["ab"]: row["finish"] for row in found["front"]}
    return int(points.get(depth, GRAPH[depth]))


def value(depth: int | None) -> str:
    return "unbounded" if depth is None else str(depth)


COMMANDS: dict[str, Callable[[Path, int | None], int]] = {
    "run": lambda file, depth: told("run", file, "--iterations", 10, *depths_of(depth))["finish"],
    "run, other engine": lambda file, depth: told(
        "run", file, "--iterations", 10, "--engine", "compiled", *depths_of(depth)
    )["finish"],
    "sweep": lambda file, depth: told("sweep", file, "--iterations", 10, "--vary", f"ab.depth={value(depth)}")["rows"][
        0
    ]["finish"],
    "compare": lambda file, depth: told(
        "compare", file, "--iterations", 10, "--model", "absolute", "--vary", f"ab.depth={value(depth)}"
    )["points"][0]["simulated"],
    "compare --depth": lambda file, depth: told(
        "compare", file, "--iterations", 10, "--model", "absolute", *depths_of(depth)
    )["points"][0]["simulated"],
    "estimate": lambda file, depth: told(
        "estimate", file, "--iterations", 10, "--simulate", "--vary", f"ab.depth={value(depth)}"
    )["points"][0]["simulated"],
    "explain": lambda file, depth: told("explain", file, "--iterations", 10, *depths_of(depth))["finish"],
    "lost": lambda file, depth: told("lost", file, "--iterations", 10, *depths_of(depth))["finish"],
    "size": lambda file, depth: sized(told("size", file, "--iterations", 10), depth),
    "export": by_export,
    "a copy in TOML": by_copy(".toml"),
    "a copy in JSON": by_copy(".json"),
    "a copy in SDF3": by_copy(".xml"),
}


def loaded(file: Path) -> Network:
    return ppnsim.load_network(file, iterations=10)


LIBRARY: dict[str, Callable[[Path, int | None], Any]] = {
    "run": lambda file, depth: ppnsim.run(file, iterations=10, depths={"ab": depth}).finish,
    "run, told": lambda file, depth: ppnsim.run(file, iterations=10, convention="sdf3", depths={"ab": depth}).finish,
    "explain": lambda file, depth: ppnsim.explain(file, iterations=10, depths={"ab": depth}).to_dict()["finish"],
    "lost": lambda file, depth: ppnsim.lost(file, iterations=10, depths={"ab": depth}).to_dict()["finish"],
    "estimate": lambda file, depth: simulated(
        ppnsim.estimate(file, iterations=10, simulate=True, depths={"ab": depth})
    ),
    "compare": lambda file, depth: simulated(
        ppnsim.compare(file, "absolute", iterations=10, vary={"ab.depth": [depth]})
    ),
    "sweep": lambda file, depth: finish_in(ppnsim.sweep(file, {"ab.depth": [depth]}, iterations=10)),
    "network.with_depths": lambda file, depth: loaded(file).with_depths({"ab": depth}).run().finish,
    "network.run": lambda file, depth: loaded(file).run(depths={"ab": depth}).finish,
    "network.sweep": lambda file, depth: finish_in(loaded(file).sweep({"ab.depth": [depth]})),
    "network.size": lambda file, depth: sized(loaded(file).size().to_dict(), depth),
    "told to a network": lambda file, depth: (
        ppnsim.run(loaded(file).written, convention="sdf3", depths={"ab": depth}).finish
    ),
    "pickle": lambda file, depth: pickle.loads(pickle.dumps(loaded(file))).with_depths({"ab": depth}).run().finish,
    "networkx": lambda file, depth: from_networkx(to_networkx(loaded(file))).with_depths({"ab": depth}).run().finish,
}


def simulated(found: Any) -> Any:
    return found.to_dict()["points"][0]["simulated"]


def finish_in(found: Any) -> int:
    return int(found.to_frame()["finish"][0])


@pytest.mark.parametrize("door", COMMANDS)
@pytest.mark.parametrize("depth", [4, None])
def test_commands_take_depths_as_the_file_means_them(door: str, depth: int | None, graph: Path) -> None:
    assert COMMANDS[door](graph, depth) == GRAPH[depth]


@pytest.mark.parametrize("door", LIBRARY)
@pytest.mark.parametrize("depth", GRAPH)
def test_functions_take_depths_as_the_file_means_them(door: str, depth: int | None, graph: Path) -> None:
    assert LIBRARY[door](graph, depth) == GRAPH[depth]


def test_sizes_of_a_path_and_of_a_network_are_the_same(graph: Path) -> None:
    assert ppnsim.size(graph, iterations=10).depths == loaded(graph).size().depths == {"ab": 7, "aa": 2, "bb": 2}
    plain = ppnsim.size(loaded(graph), convention="ppn").depths
    assert plain == ppnsim.size(graph, iterations=10, convention="ppn").depths != loaded(graph).size().depths


# A latency that varies is what a firing takes, and what it claims for so long: split 1 + 1, long 1 + latency + 1, join
# 1 + 1 cycles, and depths 2; an edited file says the same.
@pytest.mark.parametrize("latency", [1, 4])
def test_a_parameter_that_varies_is_that_of_an_edited_file(latency: int, tmp_path: Path) -> None:
    plain = ppnsim.load_network(FORK_JOIN)
    save(
        plain.replace(processes=[replace(p, latency=latency) if p.name == "long" else p for p in plain.processes]),
        tmp_path / "edited.toml",
    )
    asked = ("--convention", "sdf3")
    wanted = told("run", tmp_path / "edited.toml", *asked)["finish"]
    vary = ("--vary", f"long.latency={latency}")
    compared = told("compare", FORK_JOIN, *asked, "--model", "absolute", *vary)["points"][0]
    swept = told("sweep", FORK_JOIN, *asked, *vary)["rows"][0]["finish"]
    given = ppnsim.load_network(FORK_JOIN, convention="sdf3")
    assert [compared["simulated"], swept, finish_in(given.sweep({"long.latency": [latency]}))] == [wanted] * 3
    assert latency != 1 or (wanted, compared["predicted.absolute"]) == (53, 26)


@pytest.mark.parametrize("style", ["elastic", "flushable", "frozen"])
@pytest.mark.parametrize("suffix", [".toml", ".json"])
def test_a_file_reads_back_as_the_same_network(style: str, suffix: str, tmp_path: Path) -> None:
    """Also where depths are credits, which a file does not hold."""
    network = ppnsim.load_network(FORK_JOIN, convention="sdf3").with_style(style)
    save(network, tmp_path / f"net{suffix}")
    again = ppnsim.load_network(tmp_path / f"net{suffix}")
    assert again == network == pickle.loads(pickle.dumps(network)) == from_networkx(to_networkx(network))
    assert (hash(again), again.channels) == (hash(network), network.channels)
    assert again != again.written and again.with_convention("ppn") == again.written
    plain = ppnsim.load_network(tmp_path / f"net{suffix}", convention="ppn")
    assert (plain.convention, plain.channels) == ("ppn", network.written.channels)


def test_a_convention_that_is_none_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "net.toml").write_text('convention = "sdf4"\n[process.a]\nfirings = 4\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"convention = 'sdf4' is none of ppn, sdf3 \(did you mean 'sdf3'\?\)"):
        ppnsim.load(tmp_path / "net.toml")


@settings(deadline=None, max_examples=25)
@given(
    rates=st.tuples(st.integers(1, 3), st.integers(1, 3)), times=st.tuples(st.integers(0, 4), st.integers(0, 4)),
    depths=st.lists(st.one_of(st.none(), st.integers(3, 8)), min_size=1, max_size=3, unique=True),
    style=st.sampled_from(["elastic", "frozen"]), initial=st.integers(0, 3), lists=st.booleans(),
)  # fmt: skip
def test_a_changed_network_is_the_network_that_says_so(
    rates: tuple[int, int], times: tuple[int, int], depths: list[int | None], style: str, initial: int, lists: bool
) -> None:
    """Of any depth, style and latency: with what was there before forgotten, as a file has it."""
    produce, consume = rates
    firings = {"a": 4 * consume, "b": 4 * produce}
    bare = sdf({"a": times[0], "b": times[1]}, {"c": ("a", produce, consume, "b", initial)}, firings=firings)
    processes = [
        replace(each, ii=1, latency=tuple(range(each.firings)) if lists else times[0] + 1) for each in bare.processes
    ]
    plain = bare.replace(processes=processes)
    if not lists:
        plain = plain.with_style(style)
    network = plain.with_convention("sdf3")
    finishes = []
    for depth in depths:
        fresh = plain.with_depths({"c": depth}).with_convention("sdf3")
        network = network.with_depths({"c": depth})
        assert (network, network.channels, network.processes) == (fresh, fresh.channels, fresh.processes)
        finishes.append(ppnsim.run(fresh, on_deadlock="return").finish)
        assert ppnsim.run(network, engine="compiled", on_deadlock="return").finish == finishes[-1]
    swept = ppnsim.sweep(plain.with_convention("sdf3"), {"c.depth": depths}).rows()
    compared = ppnsim.compare(plain.with_convention("sdf3"), "absolute", vary={"c.depth": depths}).rows()
    assert [row["finish"] for row in swept] == finishes == [row["simulated"] for row in compared]
