"""A network of C++ that was written to a file, or taken into Python, knows what is fixed and what shares a depth."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

import ppnsim
from ppnsim.cli.size import told_after
from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.formats.network_graph import from_networkx, to_networkx
from ppnsim.formats.sdf3_dump import dump_sdf3
from ppnsim.library.size import size
from ppnsim.library.subject import NetworkLike, network_file
from ppnsim.library.sweep import sweep
from ppnsim.model.builders import chain, fork_join
from ppnsim.model.network import Network
from ppnsim.source_networks.load import load_source
from ppnsim.source_networks.model import SourceNetwork
from tests.helpers.commands import ppnsim as command
from tests.helpers.hls_sources import written
from tests.hls.test_ports import Chain, designs, text_of

ADD_VECTORS = "scenarios/hls/add_vectors.cpp"

# The buffer of a port matters: `slow` lets `add` wait, and meanwhile the port of `b` could fetch all of it.
LATE = """#include "hls_stream.h"
static void slow(const int a[32], hls::stream<int> &s) {
    int sum = 0; s.write(7);
    for (int i = 0; i < 400; i++) sum += a[i % 32];
    for (int i = 1; i < 8; i++) s.write(sum + i);
}
static void add(hls::stream<int> &s, const int b[8], hls::stream<int> &t) {
    for (int i = 0; i < 8; i++) { int x = b[i]; t.write(x + s.read()); }
}
static void sink(hls::stream<int> &t, int r[8]) { for (int i = 0; i < 8; i++) r[i] = t.read(); }
void k(const int a[32], const int b[8], int r[8]) {
#pragma HLS interface m_axi port=b bundle=g num_read_outstanding=1 max_read_burst_length=2
#pragma HLS dataflow
    hls::stream<int> s, t;
    slow(a, s); add(s, b, t); sink(t, r);
}
"""

# An array of streams, a stream in a function that is called twice, an array and a scalar between tasks.
SHARED = """#include "hls_stream.h"
static void fan(const int a[16], hls::stream<int> s[2], int &last) {
    for (int i = 0; i < 16; i++) { s[0].write(a[i]); if (i % 2) s[1].write(a[i]); } last = a[15]; }
static void join(hls::stream<int> s[2], int last, int c[16]) {
    int v = last;
    for (int i = 0; i < 8; i++) v += s[1].read();
    for (int i = 0; i < 16; i++) c[i] = v + s[0].read(); }
static void put(const int a[16], hls::stream<int> &x) { for (int i = 0; i < 16; i++) x.write(a[i]); }
static void take(hls::stream<int> &x, int b[16]) { for (int i = 0; i < 16; i++) b[i] = x.read(); }
static void pair(const int a[16], int b[16]) {
#pragma HLS dataflow
    hls::stream<int> inner; put(a, inner); take(inner, b); }
void k(const int a[16], int b[16], int d[16]) {
#pragma HLS dataflow
    hls::stream<int> s[2]; int last, c[16];
    fan(a, s, last); join(s, last, c); pair(c, b); pair(a, d);
}
"""


def sourced(folder: Path, text: str) -> SourceNetwork:
    return load_source(str(written(folder, text)))


def ways(network: Network, folder: Path) -> dict[str, Network]:
    """Return a network as it comes back from everywhere it can go."""
    found = {"networkx": from_networkx(to_networkx(network)), "pickle": pickle.loads(pickle.dumps(network))}
    for suffix in ("toml", "json"):
        network.save(folder / f"net.{suffix}")
        found[suffix] = ppnsim.load(folder / f"net.{suffix}")
    return found


def _of_networks(answer: Any) -> Any:
    """Return an answer without what only a source has: its file, and the cycles from start to done."""
    if isinstance(answer, list):
        return [_of_networks(each) for each in answer]
    if not isinstance(answer, dict):
        return answer
    return {
        key: _of_networks(each)
        for key, each in answer.items()
        if key not in ("file", "source", "seconds", "start_to_done")
    }


def answers(given: NetworkLike) -> dict[str, Any]:
    """Return what is said of a network, but where it comes from and how long it took."""
    deep = {depth: network_file(given, depths=depth, style="hls").network for depth in (1, 3, 40)}
    styled = network_file(given).network.with_style("flushable")
    sized = _of_networks(size(given, front=False).to_dict())
    explained = _of_networks(ppnsim.explain(given, depths=16).to_dict())
    swept = sweep(given, {"*.depth": [1, 2, 30]})
    return {
        "deep": deep, "finishes": [run(each, on_deadlock="return").finish for each in deep.values()], "style": styled,
        "size": sized, "explain": explained,
        "sweep": [{key: value for key, value in row.items() if key != "key"} for row in swept.rows()],
    }  # fmt: skip


@pytest.mark.parametrize("text", [None, LATE, SHARED], ids=["add_vectors", "late", "shared"])
def test_what_was_exported_is_answered_as_the_source_is(text: str | None, tmp_path: Path) -> None:
    source = load_source(ADD_VECTORS) if text is None else sourced(tmp_path, text)
    expected = answers(source)
    for name, back in ways(source.network, tmp_path).items():
        assert back == source.network, name
    assert answers(ppnsim.load(tmp_path / "net.toml")) == expected


@settings(deadline=None, max_examples=5, suppress_health_check=[HealthCheck.too_slow])
@given(chains=designs())
def test_drawn_ports_are_known_after_every_way(chains: list[Chain]) -> None:
    with TemporaryDirectory() as folder:
        source = sourced(Path(folder), text_of(chains))
        back = ways(source.network, Path(folder))
    inner = {channel.name for port in source.ports for channel in port.channels}
    ports = {each.name for port in source.ports for each in (port.memory, port.bus)}
    for network in back.values():
        assert network == source.network
        assert {each.name for each in network.channels if each.fixed} == inner
        assert {each.name for each in network.processes if each.fixed} == ports
    sized = size(network, front=False)
    assert set(sized.depths) == {f"s{each.number}" for each in chains}
    assert run(sized.network, on_deadlock="return").finish == sized.answers.found["lossless"].time


def test_depths_without_loss_are_those_of_ports_with_their_buffers(tmp_path: Path) -> None:
    source = sourced(tmp_path, LATE)
    sized = size(source)
    finish = run(source.network.with_depths(lambda _: None)).finish
    endless = run(source.network.never_full()).finish
    assert finish is not None
    assert endless is not None
    assert finish > endless, "the buffer of the port costs nothing here, so that nothing is tested"
    assert sized.answers.unbounded == (finish,)
    for point in sized.answers.front:
        assert run(source.network.with_depths(sized.sizing.problem.chosen(point.vector))).finish == point.time
    assert sized.answers.front[-1].time == finish
    named = size(source, limits={"b: read data": (1, None)}, front=False)  # a name is asked for
    assert named.answers.found["lossless"].time == endless
    assert named.depths["b: read data"] > 2


def test_commands_take_an_exported_network_as_the_source(tmp_path: Path) -> None:
    file = str(written(tmp_path, LATE))
    out = str(tmp_path / "net.toml")
    command("export", file, "-o", out)
    for words in (["run", "--depth", "1"], ["run", "--style", "frozen", "--depth", "unbounded"], ["size"]):
        ours, theirs = (json.loads(command(words[0], each, *words[1:], "--json", "-").stdout) for each in (file, out))
        for key in ("finish", "channels", "lossless", "deadlock_free", "front", "other_styles"):
            assert _of_networks(theirs.get(key)) == _of_networks(ours.get(key)), (words, key)


def test_a_variable_stands_for_its_streams_in_a_file_too(tmp_path: Path) -> None:
    network = sourced(tmp_path, SHARED).network
    assert {name: len(channels) for name, channels in network.groups.items()} == {"s": 2, "inner#1": 2}
    sized = size(network, limits={"inner#1": (3, 9)}, front=False)
    by_group = {name: {sized.depths[each] for each in channels} for name, channels in network.groups.items()}
    assert all(len(depths) == 1 for depths in by_group.values())
    assert by_group["inner#1"] == {3}
    assert {network.with_depths({"s": 5}).channel(name).depth for name in network.groups["s"]} == {5}
    assert run(network, depths={"s": 17}).finish == run(network, depths=dict.fromkeys(network.groups["s"], 17)).finish
    network.save(tmp_path / "net.json")
    swept = command("sweep", str(tmp_path / "net.json"), "--vary", "s.depth=17", "--json", "-")
    assert json.loads(swept.stdout)["rows"][0]["finish"] == run(network, depths={"s": 17}).finish
    first, _ = network.groups["s"]
    alone = size(network, groups=[[first]], front=False)  # a group that is asked for is in place of that of the network
    assert len({alone.depths[each] for each in network.groups["s"]}) == 2


def fixed(network: Network, *names: str) -> Network:
    return network.replace(channels=[replace(each, fixed=each.name in names) for each in network.channels])


def test_a_fixed_channel_is_neither_advised_nor_deepened() -> None:
    stuck = fork_join(firings=20, short_depth=3, style="frozen")
    other = ppnsim.fix_deadlock(run(fixed(stuck, "short_out"), on_deadlock="return"))
    assert list(other.depths) == ["short_in"]
    both = ppnsim.fix_deadlock(run(fixed(stuck, "short_in", "short_out"), on_deadlock="return"))
    assert (both.depths, both.fixed) == ({}, ("short_in", "short_out"))
    assert str(both) == "no depth that is a choice helps: 'short_in' and 'short_out' are full, and fixed"
    (gap,) = size(fixed(stuck, "short_in", "short_out")).answers.gaps
    assert gap.not_searched.startswith("no depth that is a choice helps: a fixed FIFO is too shallow")
    free = ppnsim.explain(fork_join(firings=20, short_depth=2)).to_dict()
    kept = ppnsim.explain(fixed(fork_join(firings=20, short_depth=2), "short_in", "short_out")).to_dict()
    advised = (
        {trial["part"] for trial in each["sensitivity"] if trial["parameter"] == "depth"} for each in (free, kept)
    )
    assert [bool(each & {"short_in", "short_out"}) for each in advised] == [True, False]


def test_a_pattern_leaves_fixed_parts_alone_and_a_name_does_not() -> None:
    network = fixed(chain(firings=9, depth=2), "c1")
    assert sweep(network, {"c*.depth": [5]}).sweep.axes[0].targets == ("c0",)
    assert sweep(network, {"c1.depth": [5]}).sweep.axes[0].targets == ("c1",)
    with pytest.raises(InputError, match=r"'\?1' matches only what is fixed, which patterns leave alone: c1"):
        sweep(network, {"?1.depth": [5]})
    styled = network.replace(processes=[replace(each, fixed=each.name == "p1") for each in network.processes])
    assert [each.style for each in styled.with_style("frozen").processes] == ["frozen", "elastic", "frozen"]


def test_a_network_without_a_choice_has_no_depths_to_find(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    network = fixed(chain(firings=9, depth=2), "c0", "c1")
    network.save(tmp_path / "net.toml")
    monkeypatch.setattr("ppnsim.cli.size.told_after", lambda _: told_after(-10.0))  # as after ten seconds
    done = command("size", str(tmp_path / "net.toml"))
    assert done.exit_code == 0
    assert "there is no depth to choose" in done.stdout
    assert (size(network).depths, size(network).answers.found["lossless"].time) == ({}, run(network).finish)


def test_marks_that_mean_nothing_are_refused() -> None:
    network = chain(firings=9, depth=2)
    for changes, words in (
        ({"group": "c1"}, "group = 'c1' is the name of a channel"),
        ({"group": "g", "fixed": True}, "group = 'g' beside fixed: its depth is not chosen"),
        ({"group": ""}, "group = '' is not a name"),
    ):
        marked = network.replace(channels=[replace(network.channels[0], **changes), *network.channels[1:]])
        with pytest.raises(InputError, match=words):
            marked.checked()
    with pytest.raises(InputError, match="SDF3 has no word for a depth that is no choice"):
        dump_sdf3(fixed(chain(firings=9, ii=0), "c0"))
    with pytest.raises(InputError, match=r"^chain: channel 'c0' is fixed in one scenario"):
        size([network, fixed(network, "c0")])
