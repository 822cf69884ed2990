"""A DRAM behind the ports of a network: the latency of each request, clock by clock, and what has no place in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from ppnsim.errors import InputError
from ppnsim.hls.region.ports import ADAPTER
from ppnsim.hls.schedule.buses import BusPort
from ppnsim.hls.structure.partitions import BUS_STATES
from ppnsim.loops.position import Position
from ppnsim.memory.model.presets import preset
from ppnsim.model.network import Channel, Network, Process
from ppnsim.model.tokens import Rates
from ppnsim.placed.run.behind_ports import with_memory

DRAM = preset("DDR4-2400").dram
CLOCK = float(DRAM.clock_ns)  # of network and memory alike, so that cycles are clocks
OWN = 1 + BUS_STATES - ADAPTER


def behind(addresses: Sequence[int] | None, *, per_piece: int = 1, depth: int = 1, **changed: object) -> BusPort:
    """Return a port that reads at these addresses, one request after the other at depth 1."""
    count = 1 if addresses is None else len(addresses)
    memory = Process(name="memory", firings=count, latency=10, read=0, write=0)
    bus = Process(name="bus", firings=count, read=0, write=0)
    port = BusPort(
        arrays=("a",), task="load", bundle="g", write=False, width=64, bursts=count, outstanding=1, sharing=1,
        longest=1, latency=7, runs=1, per_piece=per_piece, memory=memory, bus=bus,
        channels=(Channel(name="beats", source="memory", target="bus", tokens=Rates(1, 1), depth=depth),),
        addresses=None if addresses is None else np.array(addresses, dtype=np.int64), place=Position("k.cpp", 12, 3),
    )  # fmt: skip
    return replace(port, **changed)  # type: ignore[arg-type]


def network(port: BusPort, *back: Channel) -> Network:
    return Network(processes=[port.memory, port.bus], channels=[*port.channels, *back], clock_ns=CLOCK)


def latencies(port: BusPort, *back: Channel) -> tuple[tuple[int, ...], bool]:
    found, stuck = with_memory(network(port, *back), [port], DRAM)
    latency = found.process("memory").latency
    assert isinstance(latency, tuple) and found.process("bus") == port.bus
    assert found.channels == network(port, *back).channels
    return latency, stuck


def test_an_address_takes_what_its_bank_takes_and_the_adapters_own_cycles() -> None:
    """The first request opens a row, the second finds it open, the third wants another row of the same bank."""
    timing, delays = DRAM.timing, DRAM.delays
    row = next(
        step for step in range(64, DRAM.capacity, 64)
        if DRAM.place(np.array([step]))[0] == 0 and DRAM.place(np.array([step]))[1] == 1
    )  # fmt: skip
    step = Channel(name="credit", source="bus", target="memory", initial=1, depth=1)
    found, stuck = latencies(behind([0, 0, row]), step)
    took = [each - OWN - 1 for each in found]  # a clock until the controller has the request
    assert took[:2] == [timing.trcd_read + delays.read_done, delays.read_done]
    assert took[2] >= timing.trp + took[0] and not stuck


def test_a_beat_of_several_requests_has_the_latency_of_the_last() -> None:
    single, pair = (latencies(behind([0], per_piece=each))[0][0] for each in (1, 2))
    assert single < pair <= single + DRAM.timing.tccd_l + DRAM.timing.trrd_l


def test_depths_that_deadlock_have_the_latencies_of_unbounded_ones_and_say_so() -> None:
    knot = Channel(name="knot", source="bus", target="memory", tokens=Rates(1, 1))
    port = behind([0, 4096])
    found, stuck = with_memory(network(port, knot), [port], DRAM)
    assert stuck and found == network(port, knot)  # no depth helps: as it was
    shallow = Channel(name="c", source="memory", target="bus", tokens=Rates(1, 1), depth=1)
    whole = replace(shallow, name="d", tokens=Rates((0, 2), 1), depth=2)
    waits = replace(shallow, tokens=Rates(1, (0, 2)), depth=1)
    held = replace(port, channels=(waits, whole))
    free = replace(port, channels=(replace(waits, depth=None), replace(whole, depth=None)))
    assert latencies(held) == (latencies(free)[0], True) and not latencies(free)[1]


@pytest.mark.parametrize(("last", "fits"), [(DRAM.capacity - 64, True), (DRAM.capacity - 63, False)])
def test_arguments_fit_in_the_memory_up_to_its_last_byte(last: int, fits: bool) -> None:
    port = behind([0, last])
    if fits:
        assert len(latencies(port)[0]) == 2
        return
    with pytest.raises(InputError) as error:
        with_memory(network(port), [port], DRAM)
    assert str(error.value) == f"the arguments need {DRAM.capacity + 1} bytes, and the memory has {DRAM.capacity}"


def test_an_address_that_data_decides_is_refused_where_it_stands() -> None:
    port = behind(None)
    with pytest.raises(InputError) as error:
        with_memory(network(port), [port], DRAM)
    words = "data decides which elements of 'a' task 'load' accesses, so where they are in the memory is not known"
    assert str(error.value) == f"k.cpp:12:3: {words}"
