"""The section ``timing``: the small cases of TIMING.md (T8.1 to T8.3) in all three pipeline styles, with deadlocks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from matplotlib.axes import Axes

from ppnsim.engines.run import run
from ppnsim.model.builders import chain, fork_join
from ppnsim.model.network import STYLES, Channel, Network, Process, Style
from validation.harness.drawing import COLOURS, MARKERS, draw
from validation.harness.rows import Row, Value, number
from validation.harness.section import Picture, Section, Task

# Finish in cycles for frozen, flushable, elastic, as the tables of TIMING.md print it; 20 firings.
_ORDER: tuple[Style, ...] = ("frozen", "flushable", "elastic")
CHAIN: tuple[tuple[int, tuple[int, int, int], tuple[str, str, str]], ...] = (
    (1, (1, 1, 1), ("55", "51", "51")),
    (2, (1, 1, 1), ("32", "32", "32")),
    (3, (1, 1, 1), ("32", "32", "32")),  # "2 or more"
    (2, (1, 1, 3), ("70", "70", "70")),
    (2, (1, 4, 1), ("89", "89", "89")),
)
FORK_JOIN: tuple[tuple[int, tuple[str, str, str]], ...] = (
    (1, ("deadlock", "122", "92")),
    (2, ("deadlock", "70", "70")),
    (3, ("deadlock", "55", "55")),
    (4, ("deadlock", "44", "44")),
    (6, ("55", "40", "40")),
    (8, ("37", "37", "37")),
    (9, ("37", "37", "37")),  # "8 and more"
    (16, ("37", "37", "37")),
)
COUNTER_EXAMPLE: dict[Style, tuple[str, str, str]] = {"flushable": ("29", "30", "30"), "elastic": ("29", "29", "29")}


def counter_example(first_depth: int, style: Style) -> Network:
    """Return the network in which a deeper FIFO makes the flushable pipeline slower."""
    latencies = {"a": 1, "b": 3, "c": 5}
    return Network(
        processes=[Process(name=name, firings=8, latency=cycles, style=style) for name, cycles in latencies.items()],
        channels=[
            Channel(name="a-b", source="a", target="b", depth=first_depth),
            Channel(name="b-c", source="b", target="c", depth=1),
            Channel(name="a-c", source="a", target="c", depth=3),
        ],
    )


def _finish(network: Network) -> Value:
    result = run(network, engine="des", on_deadlock="return")
    return "deadlock" if result.finish is None else result.finish


def _row(group: str, what: str, printed: str, ours: Value, unit: str = "cycles") -> Row:
    return Row(group=group, what=what, source="TIMING.md, " + group, printed=printed, ours=ours, unit=unit)


def _chain_rows() -> list[Row]:
    rows = []
    for depth, iis, printed in CHAIN:
        what = f"depth {depth}" + ("" if set(iis) == {1} else f", ii {'/'.join(map(str, iis))}")
        for style, figure in zip(_ORDER, printed, strict=True):
            ours = _finish(chain(firings=20, ii=iis, depth=depth, style=style))
            rows.append(_row("three-process chain", f"{what}, {style}", figure, ours))
    return rows


def _fork_join_rows() -> list[Row]:
    return [
        _row(
            "fork and join", f"short branch depth {depth}, {style}", figure,
            _finish(fork_join(firings=20, short_depth=depth, style=style)),
        )
        for depth, printed in FORK_JOIN
        for style, figure in zip(_ORDER, printed, strict=True)
    ]  # fmt: skip


def _counter_example_rows() -> list[Row]:
    return [
        _row("flushable slows down", f"a-b at depth {depth}, {style}", figure, _finish(counter_example(depth, style)))
        for style, printed in COUNTER_EXAMPLE.items()
        for depth, figure in zip((1, 2, 3), printed, strict=True)
    ]


def _consequence_rows(style: Style) -> list[Row]:
    """Return the pace of a full FIFO: two processes, a shift register between them."""
    rows, group = [], "channel, consequences"
    for depth, pace in ((1, "2"), (2, "1")):
        # Frozen pipelines drain only when they are fed, so the pace is read in the middle of a long run.
        timeline = run(chain(firings=60, length=2, latency=1, depth=depth, style=style), engine="des").timeline
        writes = timeline.token_writes("c0")
        rows.append(_row(group, f"cycles per token at depth {depth}, {style}", pace, int(writes[40] - writes[39])))
    timeline = run(chain(firings=60, length=2, ii=(1, 3), latency=1, depth=2, style=style), engine="des").timeline
    reads, writes = timeline.token_reads("c0"), timeline.token_writes("c0")
    room = int(writes[42] - reads[40])
    rows.append(_row(group, f"full FIFO: write after the read that made room, {style}", "1", room))
    return rows


def _tasks(_quick: bool) -> list[Task]:
    return [
        Task(label="chain", work=_chain_rows),
        Task(label="fork and join", work=_fork_join_rows),
        Task(label="counter-example", work=_counter_example_rows),
        *(Task(label=f"channel, {style}", work=partial(_consequence_rows, style)) for style in STYLES),
    ]


def _pictures(rows: Sequence[Row]) -> list[Picture]:
    ours = {row.what: row.ours for row in rows if row.group == "fork and join"}
    caption = "Fork and join: finish over the depth of the short branch; lines printed, marks ours, x = deadlock."
    return [Picture(name="fork-join", caption=caption, figure=draw(partial(_fork_join, ours)))]


def _fork_join(ours: dict[str, Value | None], axes: Axes) -> None:
    depths = [depth for depth, _ in FORK_JOIN]
    for index, (style, colour, marker) in enumerate(zip(_ORDER, COLOURS, MARKERS, strict=False)):
        printed = [number(figures[index]) for _, figures in FORK_JOIN]
        axes.plot(depths, [float("nan") if p is None else float(p) for p in printed], color=colour, linewidth=1)
        for depth in depths:
            value = ours.get(f"short branch depth {depth}, {style}")
            at, mark = (float(value), marker) if isinstance(value, int) else (10 + 4 * index, "x")
            axes.plot(depth, at, mark, color=colour, fillstyle="none", markersize=6 + 2 * index)
        axes.plot([], [], marker, color=colour, fillstyle="none", label=style)
    axes.set(xlabel="depth of the short branch (tokens)", ylabel="finish (cycles)", ylim=(0, 130), xticks=depths)
    axes.legend(frameon=False)


_ABOUT = (
    "Source: TIMING.md, the definition that every engine implements. 20 firings, latency 3 unless stated. The fork and "
    "join has latency 1, its long process 12, and depth 2 on the long branch.",
    "All rows are exact: equal, or a deadlock where a deadlock is printed. 'n or more' is checked at n and beyond.",
)
SECTION = Section(
    name="timing", title="The small cases of the timing rules", about=_ABOUT, tasks=_tasks, pictures=_pictures
)
