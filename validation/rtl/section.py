"""The section ``rtl``: published HLS dataflow designs, our cycles beside those of their RTL co-simulation."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes

from ppnsim.engines.run import run
from ppnsim.explore.fifo.sizing import FifoSizing, problem_of
from ppnsim.model.network import Channel, Network, Process
from ppnsim.model.tokens import Runs
from validation.harness.drawing import COLOURS, FAINT, draw
from validation.harness.rows import Row, Tolerance
from validation.harness.section import Picture, Section, Task

DATA = Path(__file__).with_name("streamhls_rtl.json")
CLAIM = Tolerance(share=Fraction(2, 1000), why="what TIMING.md claims for this convention")
SIZED = "the same with the smallest FIFOs"
_SMALL = 2000  # firings of a process in a design that a quick run sizes
_SHIFT_REGISTER_BITS = 1024  # up to here, or up to depth 2, a FIFO is a shift register; beyond it is a RAM


@cache
def designs() -> list[dict[str, Any]]:
    """Return the designs as the data file has them."""
    loaded: list[dict[str, Any]] = json.loads(DATA.read_text(encoding="utf-8"))
    return loaded


def design_network(design: dict[str, Any]) -> Network:
    """Return a design under the convention of T9.1: reads at stage 1, writes at stage IL - 3, frozen.

    All lanes of a channel do the same in the same cycle, so one stands for all. A node without channel end at its last
    stage still runs to it: latency IL, and no read or write stage of its own beside that.
    """
    nodes = design["processes"]
    return Network(
        name=design["design"],
        processes=[
            Process(
                name=node["name"], firings=node["N"], ii=node["II"], latency=node["IL"], read=0, write=0, style="frozen"
            )
            for node in nodes
        ],
        channels=[
            Channel(
                name=f"{nodes[fifo['writer']]['name']}->{nodes[fifo['reader']]['name']}.{number}",
                source=nodes[fifo["writer"]]["name"],
                target=nodes[fifo["reader"]]["name"],
                tokens=Runs(_runs(fifo["write_iters"]), _runs(fifo["read_iters"])),
                depth=fifo["depth"],
                forward=1 if _is_shift_register(fifo) else 2,
                release=1,
                width=fifo["width_bits"],
                from_offset=nodes[fifo["writer"]]["IL"] - 3,
                to_offset=1,
            )
            for number, fifo in enumerate(design["channels"])
        ],
    )


def _runs(runs: Sequence[Sequence[int]]) -> tuple[tuple[int, int, int], ...]:
    return tuple((first, step, count) for first, step, count in runs)


def _is_shift_register(fifo: dict[str, Any]) -> bool:
    return bool(fifo["depth"] <= 2 or fifo["depth"] * fifo["width_bits"] <= _SHIFT_REGISTER_BITS)


def name_of(design: dict[str, Any]) -> str:
    """Return the part of a design's path that tells it from the others."""
    return "/".join(str(design["design"]).split("/")[-3:]).removeprefix("synthetic/")


def design_rows(design: dict[str, Any], engine: str) -> list[Row]:
    """Return the row of one design."""
    finish = run(design_network(design), engine=engine).finish
    return [
        Row(
            group="RTL co-simulation",
            what=name_of(design),
            source="validation/rtl/streamhls_rtl.json",
            printed=str(design["rtl_cosim_cycles"]),
            ours=None if finish is None else finish + 1,
            unit="cycles",
            allowed=CLAIM,
        )
    ]


def sized_rows(design: dict[str, Any]) -> list[Row]:
    """Return the row of one design with the smallest FIFOs that lose nothing against unbounded ones."""
    network = design_network(design)
    answers = FifoSizing(problem=problem_of([network]), with_front=False).run()
    lossless = answers.found["lossless"]
    depths = dict(zip((channel.name for channel in network.channels), lossless.vector, strict=True))
    finish = run(network, engine="des", depths=depths).finish
    declared = sum(channel.depth or 0 for channel in network.channels)
    return [
        Row(
            group=SIZED, what=name_of(design), source="validation/rtl/streamhls_rtl.json",
            printed=str(design["rtl_cosim_cycles"]), ours=None if finish is None else finish + 1, unit="cycles",
            allowed=CLAIM, note=f"{lossless.cost} tokens, proven to be the fewest without loss, instead of {declared}",
        )
    ]  # fmt: skip


def _tasks(quick: bool) -> list[Task]:
    engine = "compiled" if quick else "des"
    tasks = [Task(label=name_of(design), work=partial(design_rows, design, engine)) for design in designs()]
    small = [design for design in designs() if not quick or max(node["N"] for node in design["processes"]) < _SMALL]
    return tasks + [Task(label=f"{name_of(design)}, sized", work=partial(sized_rows, design)) for design in small]


def _pictures(rows: Sequence[Row]) -> list[Picture]:
    rows = [row for row in rows if row.group != SIZED]
    caption = "Our cycles minus those of the RTL co-simulation, in cycles and per cent; grey: 0.2 %."
    return [Picture(name="rtl", caption=caption, figure=draw(partial(_bars, rows), height=0.32 * len(rows) + 1))]


def _bars(rows: Sequence[Row], axes: Axes) -> None:
    shares = [float((row.deviation or 0) / Fraction(row.printed)) * 100 for row in rows]
    axes.axvspan(-0.2, 0.2, color="#EEF1F4")
    axes.barh(range(len(rows)), shares, color=COLOURS[0])
    for at, (row, share) in enumerate(zip(rows, shares, strict=True)):
        side = "left" if share >= 0 else "right"
        label = f"{int(row.deviation):+d}" if row.deviation else "0"
        axes.annotate(
            label, (share, at), (3 if share >= 0 else -3, 0), textcoords="offset points",
            ha=side, va="center", fontsize=7, color=FAINT,
        )  # fmt: skip
    axes.set_yticks(range(len(rows)), [f"{row.what}  {row.printed}" for row in rows], fontsize=8)
    axes.invert_yaxis()
    axes.axvline(0, color=FAINT, linewidth=0.7)
    axes.set(xlabel="deviation (%)", xlim=(-0.25, 0.25))


_ABOUT = (
    "Source: 17 HLS dataflow designs of Stream-HLS (MIT licence, FPGA 2025 artefacts) with RTL co-simulated cycles. In "
    "sample: the convention below was found on these designs.",
    "Convention (end of TIMING.md): a node of N iterations, initiation interval II and iteration latency IL is a "
    "frozen process; iteration i, stage s happens at cycle 1 + i II + s. FIFO reads sit at stage 1, writes at stage "
    "IL - 3. A token can be read 1 cycle after its write when depth <= 2 or depth x width <= 1024 bits (shift "
    "register), else 2 (RAM); a slot is free 1 cycle after its read. The count starts at 1, so our finish, which "
    "counts from 0, is given plus 1. Identical lanes of a channel are one channel.",
    "Sized: the fewest tokens with which the design is as fast as with unbounded FIFOs (`ppnsim size`), run by SimPy. "
    "A token takes as long through a FIFO as at the published depth, although a smaller one may be a shift register. "
    "The designs as published are run by SimPy, too; with --quick by the compiled engine.",
    "Tolerance 0.2 %: what TIMING.md claims for the convention, fixed before the comparison; a design beyond it "
    "would be listed as unexplained. Most designs differ by 1 or 2 cycles, the two chains of seven multiplications by "
    "12, one initiation interval of their nodes.",
)
SECTION = Section(
    name="rtl",
    title="RTL co-simulation of published HLS designs",
    about=_ABOUT,
    tasks=_tasks,
    pictures=_pictures,
    in_sample=lambda _: True,
)
