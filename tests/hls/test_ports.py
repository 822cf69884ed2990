"""Ports on buses against a naive stepper (R12), and what of them is said and refused."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.hls.region import outcome
from ppnsim.hls.region.ports import _stretches
from ppnsim.library.schedule import schedule
from ppnsim.library.size import size
from ppnsim.library.subject import network_file
from ppnsim.memory.model.presets import preset
from ppnsim.memory.model.traffic import Traffic
from ppnsim.memory.run.requesters import run_memory_in_simpy
from ppnsim.source_networks.load import load_source
from ppnsim.source_networks.model import SourceNetwork
from ppnsim.source_networks.ports import port_uses
from ppnsim.source_networks.report import start_to_done_of
from tests.helpers.by_seed import by_seed
from tests.helpers.commands import ppnsim
from tests.helpers.hls_sources import written
from tests.oracles.bus_stepper import SteppedFifo, SteppedPort, SteppedTask, stepped

_TYPES = {1: "char", 4: "int", 8: "long long"}


class Chain:
    """A task that reads an argument into a FIFO, and one that writes what comes out of it to another argument."""

    def __init__(self, draw: st.DrawFn, number: int, width: int) -> None:
        self.number, self.width = number, width
        self.count, self.stride = draw(st.integers(1, 24)), draw(st.sampled_from((1, 1, 1, 2)))
        self.offset, self.depth = draw(st.integers(0, 40)), draw(st.integers(1, 4))
        self.buses = tuple(draw(st.sampled_from(("p", "q"))) for _ in range(2))
        self.latency = tuple(draw(st.integers(0, 9)) for _ in range(2))
        self.longest = tuple(draw(st.sampled_from((1, 2, 3, 4, 16))) for _ in range(2))
        self.outstanding = tuple(draw(st.integers(1, 5)) for _ in range(2))

    @property
    def size(self) -> int:
        return self.offset + self.stride * self.count

    def tasks(self) -> str:
        n, of = self.number, _TYPES[self.width]
        place = f"{self.offset} + {self.stride} * i"
        return (
            f"static void get{n}({of} a{n}[{self.size}], hls::stream<{of}> &s{n}) {{\n"
            f"  for (int i = 0; i < {self.count}; i++) s{n}.write(a{n}[{place}]); }}\n"
            f"static void put{n}(hls::stream<{of}> &s{n}, {of} b{n}[{self.size}]) {{\n"
            f"  for (int i = 0; i < {self.count}; i++) b{n}[{place}] = s{n}.read(); }}\n"
        )

    def pragmas(self) -> str:
        lines = ""
        for side, name in enumerate("ab"):
            word = ("read", "write")[side]
            lines += (
                f"#pragma HLS interface m_axi port={name}{self.number} bundle={self.buses[side]} "
                f"latency={self.latency[side]} max_{word}_burst_length={self.longest[side]} "
                f"num_{word}_outstanding={self.outstanding[side]}\n"
            )
        return lines + f"#pragma HLS stream variable=s{self.number} depth={self.depth}\n"

    def body(self) -> str:
        n = self.number
        return f"get{n}(a{n}, s{n}); put{n}(s{n}, b{n});\n"


@by_seed
def designs(draw: st.DrawFn) -> list[Chain]:
    width = draw(st.sampled_from(tuple(_TYPES)))
    return [Chain(draw, number, width) for number in range(draw(st.integers(1, 3)))]


def text_of(chains: list[Chain]) -> str:
    arguments = ", ".join(f"{_TYPES[each.width]} {name}{each.number}[{each.size}]" for each in chains for name in "ab")
    streams = "".join(f"hls::stream<{_TYPES[each.width]}> s{each.number};\n" for each in chains)
    pragmas, body = ("".join(getattr(each, what)() for each in chains) for what in ("pragmas", "body"))
    tasks = "".join(each.tasks() for each in chains)
    return f'#include "hls_stream.h"\n{tasks}void k({arguments}) {{\n#pragma HLS dataflow\n{streams}{pragmas}{body}}}\n'


def by_stepper(chains: list[Chain], source: SourceNetwork, memory: str | None) -> int | None:
    """Return the finish by the stepper; the steps of accesses to FIFOs are those of the schedule."""
    dram = preset(memory).dram if memory else None
    tasks, fifos, base = [], {}, 0
    for each in chains:
        fifo = source.network.channel(f"s{each.number}")
        assert fifo.write_steps is not None
        assert fifo.read_steps is not None
        sides = fifo.write_steps.expand().tolist(), fifo.read_steps.expand().tolist()
        fifos[fifo.name] = SteppedFifo(each.depth)
        for side, steps in enumerate(sides):
            states = 1 + 7 + each.latency[side]
            sharing = sum(other.buses[side] == each.buses[side] for other in chains)
            port = SteppedPort(
                bundle=each.buses[side], write=bool(side), steps=[step - (0 if side else states) for step in steps],
                addresses=[base + each.width * (each.offset + each.stride * i) for i in range(each.count)],
                width=each.width, longest=each.longest[side], share=max(1, each.outstanding[side] // sharing),
                latency=states - 3 * side, piece=dram.request_bytes if dram else 0,
            )  # fmt: skip
            base += -(-each.size * each.width // 4096) * 4096
            name = f"{('get', 'put')[side]}{each.number}"
            schedule = source.network.process(name).schedule
            assert schedule is not None
            at = dict.fromkeys(steps, fifo.name)
            tasks.append(SteppedTask(schedule.steps, at if side else {}, {} if side else at, [port]))
    return stepped(tasks, fifos, dram=dram, cycle_ps=Fraction(10_000))


FEW = settings(deadline=None, max_examples=5, suppress_health_check=[HealthCheck.too_slow])
MANY = settings(FEW, max_examples=100)


@pytest.mark.parametrize("memory", [None, "DDR4-2400"])
@FEW
@given(chains=designs())
def test_finish_is_that_of_the_stepper(memory: str | None, chains: list[Chain]) -> None:
    check(memory, chains)


@pytest.mark.slow
@pytest.mark.parametrize("memory", [None, "DDR4-2400", "U280-HBM"])
@MANY
@given(chains=designs())
def test_many_finishes_are_those_of_the_stepper(memory: str | None, chains: list[Chain]) -> None:
    check(memory, chains)


def check(memory: str | None, chains: list[Chain]) -> None:
    with TemporaryDirectory() as folder:
        source = load_source(str(written(Path(folder), text_of(chains))), memory=memory)
    found = run(source.network)
    assert found.finish == by_stepper(chains, source, memory)
    if not source.network.resources:
        assert run(source.network, engine="compiled").finish == found.finish


# -- one port ---------------------------------------------------------------------------------------------------------

COPY = """#include "hls_stream.h"
#include "ap_int.h"
static void load({of} a[{size}], hls::stream<{of}> &s) {{ {loads} }}
static void store(hls::stream<{of}> &s, {of} out[{size}]) {{ for (int i = 0; i < {size}; i++) out[i] = s.read(); }}
void k({of} a[{size}], {of} out[{size}]) {{
#pragma HLS interface m_axi port=a bundle=g {clauses}
#pragma HLS dataflow
hls::stream<{of}> s; load(a, s); store(s, out); }}
"""


def copied(
    folder: Path, clauses: str = "", loads: str = "", of: str = "int", size: int = 64, memory: str | None = None
) -> SourceNetwork:
    loads = loads or f"for (int i = 0; i < {size}; i++) s.write(a[i]);"
    text = COPY.format(clauses=clauses, loads=loads, of=of, size=size)
    return load_source(str(written(folder, text)), memory=memory)


def test_reads_that_nothing_limits_take_what_the_schedule_says(tmp_path: Path) -> None:
    # R6.4: a state for the address, 72 states of the request, 64 elements, then FIFO and store.
    assert run(copied(tmp_path).network).finish == 1 + 72 + 64 + 1


@pytest.mark.parametrize(("burst", "outstanding"), [(16, 1), (8, 2), (1, 3)])
def test_a_window_of_bursts_is_a_latency_apart(tmp_path: Path, burst: int, outstanding: int) -> None:
    clauses = f"max_read_burst_length={burst} num_read_outstanding={outstanding}"
    source = copied(tmp_path, clauses, size=192)
    starts = run(source.network).timeline.start("memory of a")
    # 68 cycles in the memory, one until the bus has it, one for each beat, and one until the credit is back.
    later = starts[outstanding:]
    assert set((later[outstanding:] - later[:-outstanding]).tolist()) == {68 + 1 + burst + 1}


def test_no_burst_under_way_is_one(tmp_path: Path) -> None:
    """Ports that a kernel only reads say ``num_write_outstanding=0``, which was refused."""
    one, none = (copied(tmp_path, f"max_read_burst_length=8 num_read_outstanding={n}", size=192) for n in (1, 0))
    assert run(none.network).finish == run(one.network).finish


@pytest.mark.parametrize(
    ("loads", "bursts"),
    [
        ("for (int i = 0; i < 64; i++) s.write(a[i]);", 4),
        ("for (int i = 0; i < 64; i++) s.write(a[63 - i]);", 64),
        ("for (int i = 0; i < 32; i++) s.write(a[2 * i]); for (int i = 0; i < 32; i++) s.write(a[i]);", 34),
        ("int w = 0; for (int i = 0; i < 64; i++) { if (i % 16 < 8) w = a[i]; s.write(w); }", 32),
        ("for (int i = 0; i < 64; i++) s.write(a[a[i] & 63]);", 128),
        ("for (int i = 0; i < 4; i++) {\n#pragma HLS pipeline off\ns.write(a[i]); "
         "for (int j = 0; j < 15; j++) {\n#pragma HLS pipeline\ns.write(a[i * 15 + j]); } }", 4 + 4),
    ],
    ids=["forwards", "backwards", "two loops", "condition", "data", "visits"],
)  # fmt: skip
def test_bursts_are_runs_of_consecutive_elements_in_a_visit(tmp_path: Path, loads: str, bursts: int) -> None:
    (port,) = copied(tmp_path, loads=loads).ports
    assert port.bursts == bursts


def test_a_burst_ends_at_a_page_and_at_its_length(tmp_path: Path) -> None:
    loads = "for (int i = 1000; i < 1064; i++) s.write(a[i]); for (int i = 64; i < 1064; i++) s.write(1);"
    (port,) = copied(tmp_path, "max_read_burst_length=100", loads, size=1064).ports
    assert port.bursts == 2  # 24 elements up to byte 4096, and 40


def test_what_a_dram_adds_is_its_own_latency(tmp_path: Path) -> None:
    # R12.5
    source = copied(tmp_path, memory="DDR4-2400")
    (port,) = source.ports
    # Four requests of 64 bytes. A closed bank of DDR4-2400 answers after 39 clocks (M8.1): 32.5 ns, 4 cycles of 10 ns.
    # Four states of the adapter come before that, the other ones are the way of tokens.
    assert port.addresses is not None
    assert port.addresses.tolist() == [0, 64, 128, 192]
    latency = source.network.process("memory of a").latency
    assert isinstance(latency, tuple)
    assert latency[0] == 4 + 4


def test_a_port_that_is_always_ready_gets_what_the_memory_gives_to_its_traffic(tmp_path: Path) -> None:
    text = COPY.format(clauses="", loads="for (int i = 0; i < 800; i++) s.write(a[i]);", of="ap_uint<512>", size=800)
    source = load_source(str(written(tmp_path, text)), memory="DDR4-2400", device="xcu280", clock="2 ns")
    answered = run(source.network).timeline.write("memory of a")
    closed = run_memory_in_simpy(preset("DDR4-2400").dram, Traffic(pattern="seq", outstanding=256, requests=500))
    # Banks answer in their own order and a port in that of its requests: what waits for the first ones comes later.
    assert 0.85 < 64 * 800 / (2 * float(answered[-1])) / closed.bandwidth_gbps < 1


def test_beats_wider_than_a_request_are_several_requests(tmp_path: Path) -> None:
    source = copied(tmp_path, of="ap_uint<1024>", memory="DDR4-2400")
    (use,) = port_uses(source, run(source.network))
    assert (use.requests, use.beats, use.bytes) == (128, 64, 64 * 128)


def test_a_deadlock_has_the_latencies_of_unbounded_fifos(tmp_path: Path) -> None:
    text = """#include "hls_stream.h"
    static void load(int a[64], hls::stream<int> &s, hls::stream<int> &t) {
      for (int i = 0; i < 64; i++) { int v = a[i]; s.write(v); t.write(v); } }
    static void both(hls::stream<int> &s, hls::stream<int> &t, int out[64]) {
      int sum = 0; for (int i = 0; i < 64; i++) sum += t.read();
      for (int i = 0; i < 64; i++) out[i] = s.read() + sum; }
    void k(int a[64], int out[64]) {
    #pragma HLS interface m_axi port=a
    #pragma HLS dataflow
    hls::stream<int> s, t; load(a, s, t); both(s, t, out); }"""
    source = load_source(str(written(tmp_path, text)), memory="DDR4-2400")
    assert run(source.network, on_deadlock="return").deadlocked
    assert "DDR4-2400: these depths deadlock, so its latencies are those of unbounded FIFOs" in source.notes
    free = source.network.with_depths(lambda _: None)
    alone = copied(tmp_path, memory="DDR4-2400").network
    assert free.process("memory of a").latency == alone.process("memory of a").latency


# -- what is said and refused -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clauses", "loads", "of", "message"),
    [
        ("", "int i = 0; for (int n = 0; n < 64; n++) { int v = 0; if (i > 3) v = a[n]; i += v; s.write(v); }", "int",
         "kernel.cpp: no memory can be put behind 'a': data decides whether it is accessed"),
        ("", "for (int i = 0; i < 64; i++) s.write(a[a[i] & 63]);", "int",
         "data decides which elements of 'a' task 'load' accesses, so where they are in the memory is not known"),
        ("max_read_burst_length=512", "", "int", ":6:1: max_read_burst_length = 512 is more than the 256 beats"),
        ("num_read_outstanding=-1", "", "int", "num_read_outstanding = -1 is not a whole number from 0 on"),
    ],
)  # fmt: skip
def test_what_has_no_place_in_a_memory_is_refused(
    tmp_path: Path, clauses: str, loads: str, of: str, message: str
) -> None:
    with pytest.raises(InputError) as raised:
        copied(tmp_path, clauses, loads, of, memory="DDR4-2400")
    assert message in str(raised.value)


def test_an_unknown_memory_and_one_behind_nothing_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'DDR4-2399' is not a preset of a memory"):
        copied(tmp_path, memory="DDR4-2399")
    text = COPY.format(clauses="", loads="for (int i = 0; i < 64; i++) s.write(a[i]);", of="int", size=64)
    plain = written(tmp_path, text.replace("#pragma HLS interface m_axi port=a bundle=g", ""))
    with pytest.raises(
        InputError, match=r"kernel\.cpp: no task accesses an argument with '#pragma HLS interface m_axi'"
    ):
        load_source(str(plain), memory="DDR4-2400")
    with pytest.raises(InputError, match="--memory means nothing"):
        text = "void k(int a[4]) { for (int i = 0; i < 4; i++) a[i] = i; }"
        load_source(str(written(tmp_path, text)), memory="DDR4-2400")


def test_json_table_and_notes_tell_of_ports(tmp_path: Path) -> None:
    text = COPY.format(clauses="", loads="for (int i = 0; i < 64; i++) s.write(a[i]);", of="int", size=64)
    file = str(written(tmp_path, text))
    found = ppnsim("run", file, "--memory", "DDR4-2400", "--json", "-")
    source = json.loads(found.stdout)["source"]
    assert source["memory"] == "DDR4-2400"
    (port,) = source["ports"]
    finish = json.loads(found.stdout)["finish"]
    assert {key: port[key] for key in ("arguments", "task", "bundle", "direction", "requests", "bursts", "beats")} == {
        "arguments": ["a"], "task": "load", "bundle": "g", "direction": "read", "requests": 4, "bursts": 4, "beats": 64,
    }  # fmt: skip
    assert port["bytes"] == 256
    assert port["gbps"] == pytest.approx(256 / (finish * 10))
    words = "g reads a: 4 bursts of up to 16 beats of 4 bytes, 16 under way, DDR4-2400 behind it"
    assert words in source["notes"]


VISITS = """#include "hls_stream.h"
#include "ap_int.h"
static void load(const int *in, hls::stream<int> &a) {{ for (int i = 0; i < 40; i++) {{
#pragma HLS pipeline II=1
  a.write(in[i]); }} }}
static void rows(hls::stream<int> &s) {{ for (int j = 0; j < 4; j++) s.write(j); }}
static void store(hls::stream<int> &a, hls::stream<int> &s, int *out) {{ {store} }}
void k(const int *in, int *out) {{
{bus}
#pragma HLS dataflow
hls::stream<int> a, s; load(in, a); rows(s); store(a, s, out); }}
"""
"""A task whose code is ``store`` writes what another one reads over a bus; the callers or the task say which bus."""
ROW = """for (int i = 0; i < 10; i++) {
#pragma HLS pipeline II=1
out[j * 10 + i] = a.read() + m; } """
IN_VISITS = f"for (int j = 0; j < 4; j++) {{ int m = s.read(); {ROW} }}"
ONE_BY_ONE = """for (int j = 0; j < 4; j++) { int m = s.read(); for (int i = 0; i < 10; i++) {
#pragma HLS pipeline off
out[j * 10 + i] = a.read() + m; } }"""
BUSES = "#pragma HLS interface m_axi port=in bundle=g{}\n#pragma HLS interface m_axi port=out bundle=h{}"
LISTED = f"ap_uint<8> t[512] = {{1, 2}}; for (int i = 0; i < 40; i++) {{ t[i & 31] = t[i + 9] + 1; }} {IN_VISITS}"


@pytest.mark.parametrize(
    ("store", "bus", "device", "cycles"),
    [
        # Each visit waits for the response, which comes 69 cycles after the last of ten beats.
        (IN_VISITS, BUSES.format("", ""), "xc7z020", 438),
        (IN_VISITS, BUSES.format(" latency=5", " latency=5 max_write_burst_length=4"), "xc7z020", 119),
        (IN_VISITS, BUSES.format("", "").replace("h", "g"), "xcu280", 198),
        (ONE_BY_ONE, BUSES.format("", ""), "xc7z020", 287),  # one request and one response for all (R6.21)
        (LISTED, BUSES.format("", ""), "xcu280", 640),  # a short list fills its array from release 2023.2 on
        (IN_VISITS, "", "xc7z020", 438),  # the buses are those of the caller
    ],
)  # fmt: skip
def test_schedule_and_run_are_of_one_model(tmp_path: Path, store: str, bus: str, device: str, cycles: int) -> None:
    """The two waited for the responses to writes in places of their own, and read directives of callers and lists."""
    caller = f"void top(const int *in, int *out) {{\n{BUSES.format('', '')}\nk(in, out); }}\n"
    file = str(written(tmp_path, VISITS.format(store=store, bus=bus) + ("" if bus else caller)))
    machine = schedule(file, device=device, function="k").kernels[0].machine
    source = load_source(file, device=device, function="k")
    found = run(source.network)
    assert start_to_done_of(source, found) == machine.cycles
    assert cycles == machine.cycles


def test_reports_know_nothing_of_the_beats_that_a_response_waits_for(tmp_path: Path) -> None:
    file = str(written(tmp_path, VISITS.format(store=IN_VISITS, bus=BUSES.format("", ""))))
    usual, most = (schedule(file, worst=worst).kernels[0].machine.cycles for worst in (False, True))
    assert (usual, most) == (438, 411)
    assert "tasks wait for each other, for bus h or for room in a FIFO" in str(schedule(file))


def test_a_schedule_names_the_bus_that_holds_its_task_up(tmp_path: Path) -> None:
    loads = "for (int i = 0; i < 64; i++) s.write(a[i]);"
    slow = COPY.format(clauses="num_read_outstanding=1 max_read_burst_length=2", loads=loads, of="int", size=64)
    found = ppnsim("schedule", str(written(tmp_path, slow))).stdout
    assert "bottleneck: bus g reads a; task load waits " in found
    fast = COPY.format(clauses="", loads=loads, of="int", size=64)
    assert "bottleneck: task load (line 3) takes 136 cycles" in ppnsim("schedule", str(written(tmp_path, fast))).stdout


def test_explain_names_the_port_and_size_keeps_it(tmp_path: Path) -> None:
    loads = "for (int i = 0; i < 64; i++) s.write(a[i]);"
    slow = COPY.format(clauses="num_read_outstanding=1 max_read_burst_length=1", loads=loads, of="int", size=64)
    file = str(written(tmp_path, slow))
    assert "are latency of memory of a" in ppnsim("explain", file, "--top", "0").stdout
    sized = json.loads(ppnsim("size", file, "--no-front", "--memory", "DDR4-2400", "--json", "-").stdout)
    assert sized["lossless"]["depths"] == {"s": 1}  # the memory gives less than a token in two cycles


def test_a_depth_for_all_leaves_the_room_and_the_credits_of_ports(tmp_path: Path) -> None:
    source = copied(tmp_path, "num_read_outstanding=2 max_read_burst_length=4")
    inner = {channel.name for port in source.ports for channel in port.channels}
    assert inner
    for depth in (1, 1000):
        found = network_file(source, depths=depth).network
        assert {each.name: each.depth for each in found.channels} == {
            each.name: each.depth if each.name in inner else depth for each in source.network.channels
        }
    finish = json.loads(ppnsim("run", source.file, "--depth", "1", "--json", "-").stdout)["finish"]
    assert finish == run(source.network, depths={"s": 1}).finish


def test_a_style_for_all_leaves_ports_elastic(tmp_path: Path) -> None:
    for memory in (None, "DDR4-2400"):
        source = copied(tmp_path, memory=memory)
        styled = network_file(source, style="hls").network
        assert styled == source.network  # tasks are scheduled, which is frozen already
        words = ["run", source.file, "--style", "frozen", *(["--memory", memory] if memory else []), "--json", "-"]
        assert json.loads(ppnsim(*words).stdout)["finish"] == run(source.network).finish
    assert size(source, front=False).other_styles == {"deadlock_free": (), "lossless": ()}


def test_stretches_are_the_firings_that_they_stand_for() -> None:
    for count in range(8):
        for firings in combinations(range(9), count):
            found = list(_stretches(firings))
            assert [first + step * k for first, step, many in found for k in range(many)] == list(firings)
            assert len(found) <= max(1, count - 1)


SHARED = """#include "hls_stream.h"
static void get(int a[64], hls::stream<int> &s) { for (int i = 0; i < 64; i++) s.write(a[i]); }
static void put(hls::stream<int> &s, hls::stream<int> &t, int out[64]) {
  for (int i = 0; i < 64; i++) out[i] = s.read() + t.read(); }
void k(int a[64], int b[64], int out[64]) {
#pragma HLS interface m_axi port=a bundle=g
#pragma HLS interface m_axi port=b bundle=g
#pragma HLS dataflow
hls::stream<int> s, t; get(a, s); get(b, t); put(s, t, out); }
"""


def test_a_long_run_of_tasks_that_wait_for_a_bus_is_made_without_that_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = str(written(tmp_path, SHARED))
    whole = schedule(source, function="k").kernels[0].machine
    monkeypatch.setattr(outcome, "MOST_BESIDE", 100)
    alone = schedule(source, function="k").kernels[0].machine
    assert alone.cycles < whole.cycles  # two words an iteration over a bus of one word a cycle
    assert not any("waits for a bus" in each for each in whole.said)
    (said,) = (each for each in alone.said if "waits for a bus" in each)
    assert said.startswith("assumed: no task waits for a bus that it shares ('g reads'): a run of ")
