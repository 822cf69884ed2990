"""A predicted, tuned, swept or executed OpenCL kernel as tables for the terminal and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape

from ppnsim.opencl.block import Count
from ppnsim.opencl.board import RESOURCES
from ppnsim.opencl.tune import Tuned
from ppnsim.report.text import duration, plain_line, plain_table


def tuned_result(tuned: Tuned) -> dict[str, Any]:
    """Return what is predicted of a design.

    Examples
    --------
    >>> from ppnsim.opencl.tune import look
    >>> from ppnsim.opencl.board import Board
    >>> from ppnsim.opencl.design import Design
    >>> from ppnsim.opencl.block import Block, BlockStep
    >>> from ppnsim.opencl.kernel import Kernel
    >>> block = Block(name="b", steps=(BlockStep(name="l", op="load", bytes=4, along=("items",)),))
    >>> kernel = Kernel(name="f", work_items=1000, body=(block,))
    >>> result = tuned_result(look(kernel, Board(), Design()))
    >>> result["design"], result["cycles"], result["blocks"][0]["bound_by"]
    ('baseline', 1000.0, 'computation')
    """
    told = tuned.told
    return {
        "design": str(tuned.design), "cycles": float(told.cycles), "seconds": float(told.seconds),
        "frequency_mhz": float(told.frequency), "fits": told.fits,
        "utilisation": {name: float(used) for name, used in zip(RESOURCES, told.utilisation, strict=True)},
        "potentials": {name: float(value) for name, value in tuned.left.by_name().items()},
        "blocks": [
            {
                "name": block.name, "trip": _number(block.trip), "around": _number(block.around),
                "critical_path": block.cycle, "cycles": float(block.cycles), "computation": float(block.computation),
                "memory": float(block.memory), "transactions": float(block.transactions), "bound_by": block.bound_by,
            }
            for block in told.blocks.values()
        ],
        "why": tuned.why,
    }  # fmt: skip


def print_opencl(console: Console, result: dict[str, Any]) -> None:
    """Print the answer, the blocks, the potentials, and what to do next."""
    plain_line(
        console,
        f"{result['name']}   {result['design']}   predicted {result['cycles']:,.0f} cycles "
        f"({_time(result)} at {result['frequency_mhz']:.0f} MHz)" + ("" if result["fits"] else "   does not fit"),
    )
    table = plain_table("block", "trips", "critical path", "computation", "memory", "bound by", right=(1, 2, 3, 4))
    for block in result["blocks"]:
        counts = [each if isinstance(each, int) else f"{each:.4g}" for each in (block["around"], block["trip"])]
        trips = f"{counts[0]} x {counts[1]}" if block["around"] > 1 else str(counts[1])
        table.add_row(
            escape(block["name"]), trips, str(block["critical_path"]), f"{block['computation'] * block['around']:,.0f}",
            f"{block['memory'] * block['around']:,.0f}", block["bound_by"],
        )  # fmt: skip
    console.print(table)
    plain_line(console, "potentials: " + ", ".join(f"{name} {left:.2f}" for name, left in result["potentials"].items()))
    used = ", ".join(f"{name} {100 * share:.0f} %" for name, share in result["utilisation"].items())
    plain_line(console, f"device: {used}")
    if result["simulated"] is not None:
        cycles = result["simulated"]["cycles"]
        plain_line(console, f"executed: {cycles:,} cycles, {_ratio(cycles, result['cycles'])} of the prediction")
    advice = result["advice"]
    if advice is None:
        plain_line(console, "nothing that fits is worth doing next")
    else:
        plain_line(console, f"next: {advice['design']} ({advice['why']}), {_time(advice)}")


def print_path(console: Console, name: str, path: Sequence[dict[str, Any]]) -> None:
    """Print the tuning path: potentials, speed-up, cycles executed if there are any, and why each step was taken."""
    executed = path[0]["simulated"] is not None
    heads = ("time", "speed-up", *(("cycles", "executed") if executed else ()))
    table = plain_table("step", "design", *path[0]["potentials"], *heads, right=(0, *range(2, 6 + len(heads))))
    for number, step in enumerate(path):
        potentials = (f"{left:.2f}" for left in step["potentials"].values())
        faster = f"{path[0]['seconds'] / step['seconds']:.4g}x"
        cycles = (f"{step['cycles']:,.0f}", f"{step['simulated']['cycles']:,}") if executed else ()
        table.add_row(str(number), escape(step["design"]), *potentials, _time(step), faster, *cycles)
    plain_line(console, f"tuning path of {name}")
    console.print(table)
    for number, step in enumerate(path[1:], start=1):
        plain_line(console, f"step {number}: {step['why']}")


def print_best(console: Console, found: dict[str, Any]) -> None:
    """Print the best of all combinations."""
    best = found["best"]
    plain_line(
        console,
        f"of {found['looked_at']:,} combinations {found['fit']:,} fit; the fastest is {best['design']}, "
        f"{_time(best)}; the path ends {100 * found['path_behind']:.3g} % above it",
    )


def print_sweep(console: Console, name: str, rows: Sequence[dict[str, Any]]) -> None:
    """Print a sweep: predicted and executed cycles side by side."""
    table = plain_table(name, "predicted", "executed", "ratio", "B_itpp", right=(0, 1, 2, 3, 4))
    for row in rows:
        executed = "-" if row["simulated"] is None else f"{row['simulated']:,}"
        ratio = "-" if row["simulated"] is None else _ratio(row["simulated"], row["cycles"])
        table.add_row(str(row["value"]), f"{row['cycles']:,.0f}", executed, ratio, f"{row['itpp']:.2f}")
    console.print(table)


def _number(count: Count) -> float:
    """Return a trip count as JSON has it: whole if it is."""
    return count if isinstance(count, int) else float(count)


def _ratio(ours: float, predicted: float) -> str:
    return f"{ours / predicted:.3f}" if predicted else "-"


def _time(result: dict[str, Any]) -> str:
    return duration(float(f"{result['seconds'] * 1e9:.4g}"))
