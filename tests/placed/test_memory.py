"""Memory ports of processes: the clocks of the compiled bank queue, limits that are kept, and what they cost."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from ppnsim.errors import InputError
from ppnsim.memory.model.dram import MemoryGroup
from ppnsim.memory.model.presets import preset
from ppnsim.memory.model.traffic import Traffic
from ppnsim.memory.run.traffic import run_memory
from ppnsim.model.network import Channel, Network, Process
from ppnsim.model.timeline import NEVER
from ppnsim.placed.model.links import ClockedNode
from ppnsim.placed.model.memory_ports import MemoryPort
from ppnsim.placed.model.placement import Placement
from ppnsim.placed.report.terms import binding, process_use
from ppnsim.placed.run.network import run_placed
from ppnsim.placed.run.record import PlacedRun

DRAM = preset("DDR4-2400").dram
# A clock that the memory has, too, so that cycles and clocks are the same.
MEMORY_CLOCK = DRAM.clock_ns * 1000


def reader(*, outstanding: int, firings: int = 300, write: bool = False, period: Fraction = MEMORY_CLOCK) -> Placement:
    """One process and one port; a firing moves one burst."""
    return Placement(
        network=Network(processes=[Process(name="p", firings=firings)], channels=[]),
        nodes=(ClockedNode(name="n", period=period),),
        links=(),
        node_of={"p": "n"},
        memories=(MemoryGroup(name="m", dram=DRAM),),
        ports=(MemoryPort(process="p", memory="m", write=write, bytes=64, outstanding=outstanding),),
    )


def copier(*, outstanding: int, firings: int = 200, size: int = 64) -> Placement:
    """Two processes with a channel between them; one reads and one writes the same memory."""
    network = Network(
        processes=[Process(name="a", firings=firings), Process(name="b", firings=firings)],
        channels=[Channel(name="c", source="a", target="b", depth=4)],
    )
    port = MemoryPort(process="a", memory="m", write=False, bytes=size, outstanding=outstanding)
    return replace(
        reader(outstanding=outstanding), network=network, node_of={"a": "n", "b": "n"},
        ports=(port, replace(port, process="b", write=True, start=1 << 20)),
        nodes=(ClockedNode(name="n", period=Fraction(5000)),),
    )  # fmt: skip


# Beyond two, banks answer out of order: the closed loop goes on with any answer, the FIFO of a port with the oldest.
@pytest.mark.parametrize("outstanding", [1, 2])
def test_a_reader_at_the_clock_of_the_memory_is_a_closed_loop(outstanding: int) -> None:
    run = run_placed(reader(outstanding=outstanding))
    alone = run_memory(DRAM, Traffic(pattern="seq", outstanding=outstanding, requests=300))
    assert np.array_equal(run.asked["p reads m"].taken, alone.taken[:300])
    assert np.array_equal(run.asked["p reads m"].done, alone.done[:300])


def test_a_writer_at_the_clock_of_the_memory_is_a_closed_loop() -> None:
    run = run_placed(reader(outstanding=1, write=True))
    alone = run_memory(DRAM, Traffic(pattern="seq", requests=300, write_fraction=Fraction(1)))
    assert np.array_equal(np.diff(run.asked["p writes m"].taken), np.diff(alone.taken[:300]))


def test_a_full_write_buffer_holds_back_the_process_and_loses_nothing() -> None:
    run = run_placed(reader(outstanding=4, write=True))
    taken = run.asked["p writes m"].taken
    assert len(taken) == 300
    assert (np.diff(taken) >= 1).all()
    assert np.diff(taken).max() > 20  # the buffer is full of writes that wait for their rows
    assert process_use(run, "p").blocked["p writes m"] > 0.3


def test_a_firing_starts_at_the_first_edge_after_its_data() -> None:
    run = run_placed(reader(outstanding=1, firings=20, period=Fraction(5000)))
    done = run.asked["p reads m"].done * float(MEMORY_CLOCK)
    assert run.start("p").tolist() == [-(-round(time) // 5000) * 5000 for time in done]


@pytest.mark.parametrize("size", [1, 64, 200])
def test_the_limit_is_kept_and_every_byte_is_moved(size: int) -> None:
    run = run_placed(copier(outstanding=5, size=size))
    for port in run.placement.ports:
        asked, taken, done = run.asked[port.name]
        assert len(asked) == 200 * -(-size // 64)
        assert (done > taken).all()
        counts = run.placement.running.counts[port.name]
        assert counts.written == counts.read_count == len(asked)
        ends = np.sort(done * float(MEMORY_CLOCK))
        # A request is made when a slot is free, so when the one that is 5 before it at the latest has been completed.
        assert (asked[5:] >= ends[:-5] - 1).all()
    assert run.finish is not None


def test_more_outstanding_requests_hide_the_latency_until_something_else_binds() -> None:
    runs = {n: run_placed(copier(outstanding=n)) for n in (1, 2, 4, 64)}
    finishes = [run.finish for run in runs.values()]
    assert None not in finishes
    assert sorted(finishes, reverse=True) == finishes  # type: ignore[type-var]
    assert term(runs[1]) == ("outstanding", "a reads m")
    assert term(runs[64])[0] in ("banks", "bus")


def term(run: PlacedRun) -> tuple[str, str]:
    found = binding(run)
    assert found is not None
    return found.kind, found.name


def test_ports_of_one_memory_slow_each_other() -> None:
    both, one = copier(outstanding=8), copier(outstanding=8)
    alone = run_placed(replace(one, ports=one.ports[:1])).finish
    together = run_placed(both).finish
    assert alone is not None
    assert together is not None
    assert together > alone


def test_where_a_memory_has_nothing_to_do_with_it_nothing_changes() -> None:
    placed = copier(outstanding=8)
    without = replace(placed, ports=(), memories=())
    run, idle = run_placed(without), run_placed(replace(without, memories=placed.memories))
    assert idle.finish == run.finish
    assert all(np.array_equal(idle.passed[name], rows) for name, rows in run.passed.items())
    assert not any((rows == NEVER).any() for rows in run.passed.values())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"bytes": 0}, "process 'p': reads: bytes = 0 moves nothing (at least 1 a firing)"),
        ({"outstanding": 0}, "process 'p': reads: outstanding = 0 is below the 1 request of a firing "
                             "(64 bytes, 64 each): it could never start"),
        ({"bytes": 65, "outstanding": 1}, "process 'p': reads: outstanding = 1 is below the 2 requests of a firing "
                                          "(65 bytes, 64 each): it could never start"),
        ({"pattern": "seq"}, "process 'p': reads: pattern = 'seq' is not a pattern (known: rand, stream, strideN)"),
        ({"memory": "mm"}, "process 'p': reads: 'mm' is not a memory (did you mean 'm'?)"),
        ({"process": "q"}, "process 'q': reads: there is no such process (known: p)"),
        ({"start": -1}, f"process 'p': reads: start = -1 is beyond the {DRAM.capacity} bytes of the memory"),
    ],
)  # fmt: skip
def test_a_port_that_cannot_be_is_refused(changes: dict[str, object], message: str) -> None:
    good = reader(outstanding=4)
    with pytest.raises(InputError) as error:
        replace(good, ports=(replace(good.ports[0], **changes),))  # type: ignore[arg-type]
    assert str(error.value) == message


def test_a_memory_of_another_node_is_out_of_reach() -> None:
    good = reader(outstanding=4)
    nodes = (*good.nodes, ClockedNode(name="other", period=MEMORY_CLOCK))
    with pytest.raises(InputError, match="process 'p': is on 'n', and memory 'm' is reached from 'other' only"):
        replace(good, nodes=nodes, memories=(MemoryGroup(name="m", dram=DRAM, on="other"),))


def test_a_port_is_one_burst_after_the_other_from_address_0_unless_it_says_otherwise() -> None:
    port = MemoryPort(process="p", memory="m", write=False, bytes=64, outstanding=4)
    assert (port.pattern, port.start, port.seed) == ("stream", 0, 1)
    assert (port.name, port.where) == ("p reads m", "process 'p': reads")
    assert (replace(port, write=True).name, replace(port, write=True).where) == ("p writes m", "process 'p': writes")
