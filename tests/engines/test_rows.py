"""Frames are run with few of their rows: finish, cycles and figures are those of all their rows, run one by one."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from ppnsim.engines.compiled import trials
from ppnsim.engines.compiled.engine import run_cut_short
from ppnsim.engines.compiled.trials import Trials
from ppnsim.engines.run import run
from ppnsim.model.network import Channel, Network, Process, Style
from ppnsim.model.step_lists import StepList
from ppnsim.model.summary import summary_of
from ppnsim.model.tokens import Rates, Runs

STYLES: list[tuple[Style, ...]] = [
    ("elastic",), ("frozen",), ("elastic", "frozen"), ("elastic", "frozen", "flushable"),
]  # fmt: skip
DEPTHS = (1, 2, 2, 3, 5, 9, 40, None)


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "_ROWS_PAY", 0)
    monkeypatch.setattr(trials, "_FIRST_ROWS", 2)


def frame(rng: random.Random) -> Network:
    """Return a pipeline of windows, forks and points over a small frame, of random depths, latencies and styles."""
    processes, channels = list[Process](), list[Channel]()
    styles: tuple[Style, ...] = rng.choice(
        [("elastic",), ("frozen",), ("elastic", "frozen"), ("elastic", "frozen", "flushable")]
    )

    def add(name: str, width: int, height: int, *sources: tuple[str, str | int]) -> None:
        processes.append(
            Process(
                name=name, firings=width * height, latency=rng.randint(1, 9), ii=rng.choice((1, 1, 1, 2)),
                style=rng.choice(styles),
            )
        )  # fmt: skip
        for number, (source, produce) in enumerate(sources):
            channels.append(
                Channel(
                    name=f"{name}{number}", source=source, target=name, tokens=Rates(produce, 1),
                    depth=rng.choice(DEPTHS),
                )
            )  # fmt: skip

    width, height = rng.randint(5, 12), rng.randint(30, 60)
    add("camera", width, height)
    ends: list[tuple[str, str | int]] = [("camera", 1)]
    for number in range(rng.randint(1, 4)):
        if rng.random() < 0.4 and len(ends) == 1 and width > 4:
            name, lines = f"window{number}", rng.choice((2, 3))
            add(name, width, height, *ends)
            rows = f"{lines - 1} x ({width} x 0), {height - lines + 1} x ({lines - 1} x 0, {width - lines + 1} x 1)"
            ends, width, height = [(name, rows)], width - lines + 1, height - lines + 1
        elif rng.random() < 0.4 and len(ends) == 1:
            add(f"fork{number}", width, height, *ends)
            ends = []
            for branch in ("left", "right"):
                add(f"{branch}{number}", width, height, (f"fork{number}", 1))
                ends.append((f"{branch}{number}", 1))
        else:
            add(f"point{number}", width, height, *ends)
            ends = [(f"point{number}", 1)]
    add("sink", width, height, *ends)
    return Network(processes=processes, channels=channels).checked()


def bursts(beats: int, *, depth: int, size: int = 4) -> Network:
    """Return a scheduled task that asks for all bursts at once, and reads each as it comes in."""
    number = beats // size
    load = Process.scheduled(name="load", steps=beats + 9, start_steps=StepList(((0, 1, beats),)))
    copy = Process.scheduled(name="copy", steps=beats + 3, start_steps=StepList(((0, 1, beats),)))
    memory, port = Process(name="memory", firings=number, latency=7), Process(name="port", firings=beats, latency=0)
    asked, written = StepList(((0, 0, number),)), StepList(((8, 1, beats),))
    return Network(
        processes=[load, copy, memory, port],
        channels=[
            Channel(name="requests", source="load", target="memory", depth=None, write_steps=asked),
            Channel(
                name="bursts", source="memory", target="port", depth=2,
                tokens=Runs(((0, 1, number),), ((0, size, number),)),
            ),
            Channel(name="data", source="port", target="load", depth=depth, read_steps=StepList(((7, 1, beats),))),
            Channel(name="px", source="load", target="copy", depth=depth, write_steps=written,
                    read_steps=StepList(((1, 1, beats),))),
        ],
    ).checked()  # fmt: skip


def _tried(network: Network) -> tuple[bool, bool, bool]:
    """Compare the rows of a network with all of it; return whether it was cut short, at paces of parts, or stands."""
    attempt = Trials(network)
    depths = {channel.name: channel.depth for channel in network.channels}
    settled = attempt._cut_rows(depths)
    if settled is None:
        return False, False, False
    assert settled.finish == attempt.whole(depths).finish
    return True, settled.later is not None, not settled.ended


def test_frames_finish_as_they_do_row_by_row() -> None:
    seen = [_tried(frame(random.Random(seed))) for seed in range(150)]
    cut, apart, _ = (sum(column) for column in zip(*seen, strict=True))
    assert min(cut, apart) > 5, (cut, apart)


@pytest.mark.parametrize("depth", [1, 10, 30, 40])
@pytest.mark.parametrize("style", ["elastic", "frozen"])
def test_a_window_beside_a_fifo_deadlocks_in_few_rows_where_all_rows_do(depth: int, style: Style) -> None:
    width, height = 10, 60
    names = {"fork": 1, "window": 4, "point": 2, "join": 1}
    processes = [
        Process(name=name, firings=width * height, latency=latency, style=style) for name, latency in names.items()
    ]
    late = f"2 x ({width} x 0), {height - 2} x ({width} x 1)"
    early = f"{height - 2} x ({width} x 1), 2 x ({width} x 0)"
    processes[-1] = replace(processes[-1], firings=width * (height - 2))
    channels = [
        Channel(name="lines", source="fork", target="window", depth=2),
        Channel(name="pixels", source="fork", target="point", depth=2),
        Channel(name="edges", source="window", target="join", depth=2, tokens=Rates(late, 1)),
        Channel(name="same", source="point", target="join", depth=depth, tokens=Rates(early, 1)),
    ]
    cut, _, stands = _tried(Network(processes=processes, channels=channels).checked())
    assert (cut, stands) == (True, depth < 20)  # of two lines


def test_a_frame_that_deadlocks_behind_its_rows_is_told_as_a_deadlock() -> None:
    # Its rows repeat themselves; only what is written all at once in the last place comes too late for the other way.
    names = ("fork", "window", "point", "join")
    late = Rates("58 x (0, 2, 8 x 1), 19 x 0, 20", 1)
    channels = [
        Channel(name="lines", source="fork", target="window", depth=2),
        Channel(name="pixels", source="fork", target="point", depth=2),
        Channel(name="edges", source="window", target="join", depth=20, tokens=late),
        Channel(name="same", source="point", target="join", depth=4),
    ]
    network = Network(processes=[Process(name=name, firings=600) for name in names], channels=channels).checked()
    settled = Trials(network).cut_short({channel.name: channel.depth for channel in channels})
    assert settled is not None and settled.steady is not None and not settled.ended
    assert run_cut_short(network, deadlocks=True) is None
    outcome = run(network, engine="compiled", on_deadlock="return")
    assert outcome.deadlock is not None
    assert {each.process for each in outcome.deadlock.cycle} == set(names)


@pytest.mark.parametrize("depth", [2, None])
def test_a_deadlock_is_told_from_few_rows_where_they_end_nothing(depth: int | None) -> None:
    """A camera that nobody holds up ends sooner with few rows, and all of them are in its FIFO before it stands."""
    names = ("camera", "fork", "window", "join")
    late, early = (Rates(f"{zeros}{ones}", 1) for zeros, ones in (("20 x 0, ", "580 x 1"), ("580 x 1", ", 20 x 0")))
    processes = [Process(name=name, firings=580 if name == "join" else 600) for name in names]
    channels = [
        Channel(name="frame", source="camera", target="fork", depth=depth),
        Channel(name="lines", source="fork", target="window", depth=2),
        Channel(name="edges", source="window", target="join", depth=2, tokens=late),
        Channel(name="same", source="fork", target="join", depth=4, tokens=early),
    ]
    network = Network(processes=processes, channels=channels).checked()
    settled = Trials(network)._cut_rows({channel.name: channel.depth for channel in channels})
    assert settled is not None and not settled.ended
    told = run_cut_short(network, deadlocks=True)
    assert told is None or told.deadlock == run(network, engine="des", on_deadlock="return").deadlock
    assert bool(told) == (depth is not None)


def test_bursts_asked_for_at_once_do_not_hinder_rows() -> None:
    for depth in (1, 2, 5, 70):
        cut, apart, stands = _tried(bursts(400, depth=depth))
        assert (cut, apart, stands) == (True, False, False)


def _whole(network: Network) -> bool:
    short = run_cut_short(network)
    whole = run(network, engine="compiled", on_deadlock="return", fast_forward=False)
    if short is None:
        return False
    assert short.finish == whole.finish
    for name, rows in whole.timeline.passed.items():
        assert np.array_equal(short.timeline.passed[name], rows)
    for part in ("processes", "occupancy", "parallelism"):
        assert getattr(summary_of(short), part) == getattr(summary_of(whole), part)
    return True


def test_runs_of_frames_have_all_cycles_and_figures_of_all_their_rows() -> None:
    assert sum(_whole(frame(random.Random(seed))) for seed in range(40)) > 5
    # All requests are in their channel at first, those of the rows that are left out, too.
    assert _whole(bursts(400, depth=3))
    summary = summary_of(run_cut_short(bursts(400, depth=3)) or run(bursts(8, depth=3)))
    assert summary.occupancy["requests"] == 100


def test_frames_of_simpy_agree() -> None:
    cut = [
        (run(network, engine="des").finish, short.finish)
        for network in (frame(random.Random(1000 + seed)) for seed in range(30))
        if (short := run_cut_short(network)) is not None
    ]
    assert len(cut) > 5
    assert all(by_simpy == by_rows for by_simpy, by_rows in cut)


def test_what_has_no_rows_is_run_as_a_whole() -> None:
    irregular = Rates(1, tuple(random.Random(3).choice((0, 1, 2)) for _ in range(200)))
    processes = [Process(name="a", firings=300), Process(name="b", firings=200)]
    network = Network(processes=processes, channels=[Channel(name="c", source="a", target="b", tokens=irregular)])
    assert Trials(network.checked()).rows is None


@pytest.mark.parametrize("starts", [(0, 1, 40), (3, 3, 12), (380, 1, 20), (399, 1, 1), (0, 1, 1), (2, 2, 190)])
def test_firings_that_all_start_before_or_behind_the_rows_are_not_in_them(starts: tuple[int, int, int]) -> None:
    begun = StepList((starts,))
    ends = [Process.scheduled(name=name, steps=400, start_steps=begun) for name in ("a", "b")]
    accesses = StepList(((45, 1, 330),))
    fifo = Channel(name="c", source="a", target="b", depth=4, write_steps=accesses, read_steps=accesses)
    network = Network(processes=ends, channels=[fifo])
    whole, cut = run(network, engine="des"), run_cut_short(network)
    assert cut is not None
    assert cut.left_out is not None
    assert cut.timeline == whole.timeline
    assert summary_of(cut).processes == summary_of(whole).processes
    assert summary_of(cut).parallelism == summary_of(whole).parallelism
