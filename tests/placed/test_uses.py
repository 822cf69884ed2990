"""Shares of processes and links in one small run, counted by hand; placements of a sweep, word for word."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from ppnsim import Channel, Network, Process
from ppnsim.errors import InputError
from ppnsim.model.timeline import NEVER
from ppnsim.placed.model.links import ClockedNode, Link
from ppnsim.placed.model.placement import Placement, one_node
from ppnsim.placed.report.terms import LinkUse, ProcessUse, binding, link_use, process_use, round_trip
from ppnsim.placed.run.network import run_placed
from ppnsim.placed.run.record import PlacedRun
from ppnsim.placed.sweep.parameters import placed_axis_of, varied_placement
from ppnsim.placed.sweep.sweep import PlacedSweep

LINK = Link(name="l", ends=("a", "b"), latency=20_000, overhead=1000, gap=Fraction(15_000), per_byte=Fraction(500))
NODES = tuple(ClockedNode(name=name, period=Fraction(10_000)) for name in "ab")


def placement(depth: int | None = 3, firings: int = 6) -> Placement:
    """P on a writes every cycle if it can, q on b reads every third cycle; tokens of 4 bytes, clocks of 10 ns."""
    network = Network(
        processes=[Process(name="p", firings=firings), Process(name="q", firings=firings, ii=3)],
        channels=[Channel(name="c", source="p", target="q", depth=depth)],
    )
    return Placement(network=network, nodes=NODES, links=(LINK,), node_of={"p": "a", "q": "b"}, packet={})


@pytest.fixture(scope="module")
def run() -> PlacedRun:
    return run_placed(placement())


def test_a_link_is_taken_by_its_messages_from_the_first_to_the_end_of_the_last(run: PlacedRun) -> None:
    """Six messages of g + 3 G = 16.5 ns from 20 ns to 150 + 16.5 ns; o is shorter and keeps nothing back."""
    assert [message.started for message in run.messages] == [20_000, 36_500, 53_000, 90_000, 120_000, 150_000]
    use = link_use(run, LINK, "a")
    assert (use.source, use.overhead, use.largest) == ("a", 0, "gap")
    assert use.taken == pytest.approx(6 * 16_500 / 146_500)
    assert use.gap == pytest.approx(6 * 15_000 / 146_500) and use.bytes == pytest.approx(6 * 1500 / 146_500)
    assert link_use(run, LINK, "b") == LinkUse(source="b", taken=0, overhead=0, gap=0, bytes=0)


def test_a_process_is_taken_by_its_intervals_and_waits_for_the_rest(run: PlacedRun) -> None:
    """P starts from cycle 0 to 11 six firings; q starts three cycles apart without waiting, from 5 to 20."""
    assert run.passed["p"][0].tolist() == [0, 1, 2, 3, 8, 11] and run.passed["q"][0].tolist() == [5, 8, 11, 14, 17, 20]
    assert process_use(run, "p") == ProcessUse(taken=5 / 11, blocked={"c": 6 / 11}, starved={})
    assert process_use(run, "q") == ProcessUse(taken=1, blocked={}, starved={})
    assert round_trip(run, "c") == pytest.approx(90_000)  # nine cycles of the writer
    found = binding(run)
    assert found is not None and (found.kind, found.name, found.share) == ("process", "q", 1)


@pytest.mark.parametrize("firings", [1, 2])
def test_one_start_takes_no_time(firings: int) -> None:
    use = process_use(run_placed(placement(firings=firings)), "p")
    assert use.taken == (0 if firings == 1 else 1) and use.blocked == {}
    alone = run_placed(one_node(Network(processes=[Process(name="p", firings=3, ii=0)])))
    assert process_use(alone, "p") == ProcessUse(taken=0, blocked={}, starved={})  # all in one cycle


def test_what_never_happened_has_no_share(run: PlacedRun) -> None:
    nothing = replace(run, passed={name: np.full_like(rows, NEVER) for name, rows in run.passed.items()}, finish=None)
    assert process_use(nothing, "p").taken == 0
    assert round_trip(nothing, "c") is None and binding(nothing) is None


def rows(*axes: str, of: Placement | None = None) -> list[tuple[object, ...]]:
    base = of or placement()
    sweep = PlacedSweep(
        network=base.network, placement=base, axes=[placed_axis_of(axis, base) for axis in axes]
    )  # fmt: skip
    names = [axis.name for axis in sweep.axes]
    found = sweep.rows(sweep.numbers)
    return [tuple(row[name] for name in (*names, "finish_s", "messages", "busy.l")) for row in found]


def test_a_row_of_a_sweep_has_seconds_messages_and_the_busier_direction() -> None:
    """Messages of two tokens take 15 + 7 x 0.5 ns of the port; a packet larger than the FIFO is a deadlock."""
    one, two, four = rows("c.packet=1,2,4")
    assert one == (1, pytest.approx(220e-9), 6, pytest.approx(6 * 16_500 / 220_000))
    assert two[2] == 3 and two[3] == pytest.approx(3 * 18_500e-12 / float(str(two[1])))
    assert four == (4, None, 0, None)


def test_placements_are_words() -> None:
    base = placement()
    axis = placed_axis_of("mapping=all", base)
    assert axis.values == ("a: p q", "a: p; b: q", "a: q; b: p", "b: p q")
    moved = varied_placement(base, [axis], ["a: q; b: p"])
    assert moved.node_of == {"p": "b", "q": "a"}
    assert varied_placement(base, [placed_axis_of("q.node=a", base)], ["a"]).node_of == {"p": "a", "q": "a"}
    assert rows("q.node=a,b")[0][2:] == (0, 0)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("c.packet=0", "'0' is not a whole number from 1 on"),
        ("c.packet=1,,2", "'' is not a whole number from 1 on"),
        ("c.packet=1.5", "'1.5' is not a whole number from 1 on"),
        ("c.packet=1000000000000000", "'1000000000000000' is not a whole number from 1 on"),
        ("q.node=c", "'c' is not a node (known: a, b)"),
        ("d.packet=1", "'d' is not a channel (known: c)"),
        ("mapping=a", "'a' must be all, or say where each process is, like 'left: a b; right: c'"),
        ("mapping=a: p", "process 'q' is on no node (every process needs one)"),
        ("mapping=a: p q; b: p", "process 'p' is placed twice (on 'a' and on 'b')"),
        ("mapping=a: p r", "'r' is not a process (known: p, q)"),
    ],
)
def test_axes_that_are_none_are_refused(text: str, words: str) -> None:
    with pytest.raises(InputError) as error:
        placed_axis_of(text, placement())
    assert str(error.value) == f"--vary {text}: {words}"


def test_the_largest_packet_has_15_digits() -> None:
    assert placed_axis_of("c.packet=999999999999999", placement()).values == (999_999_999_999_999,)
