"""What speaks for each operator of the device tables: loops and functions that use it, with its states in them or not.

``python -m validation.designs.operators DIR`` schedules the published designs, the functions that have a report and the
kernels of PolyBench, and prints a row for each entry of the two tables that all others are like. With ``--record`` it
keeps them in ``operators.md``.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from ppnsim.boards.board import OperatorEntry
from ppnsim.boards.files import load_board
from ppnsim.errors import PpnsimError
from ppnsim.hls.graph.graph import Graph
from ppnsim.hls.library.library import Library, load_library
from ppnsim.hls.schedule.model import StateMachine
from validation.designs.asked import asked
from validation.designs.depths import reports_of
from validation.designs.own import FITTED, own_design
from validation.designs.real import LIST, machine_of
from validation.designs.section import OTHERS, designs
from validation.hls.cases import Case, cases
from validation.hls.cases import schedule as schedule_case
from validation.hls.section import is_fitted

RECORD = Path(__file__).with_name("operators.md")
ULTRASCALE, ZYNQ = "xcvu9p", "xc7z020"
"""The tables with operators of their own: those of other UltraScale+ and 7-series devices are like them."""
Key = tuple[str, tuple[str, ...], int]
"""What tells an entry of a table: its name, types, and most bits."""
IN, OUT, OTHER, FUNCTIONS = "in sample", "out of sample", "other families", "functions"
ABOUT = """# What speaks for each operator

Each entry of the operator tables ([UltraScale+](../../ppnsim/boards/tables/xcvu9p.toml),
[7-series](../../ppnsim/boards/tables/xc7z020.toml)) with the pipelined loops that use it: `a / b / c` are a loops that
confirm it, since one of their iterations takes exactly the states of the report, b are one or two states off, and c by
more, which contradicts it, though what is wrong in such a loop may be any other operator or rule. Loops in sample are
of the designs that numbers may be fitted to, all others only test them. Functions confirm if their cycles are within
1 % of their report, at the clock given; b are within 10 %, and c beyond. An entry without a row here has its evidence
in its `provenance`, which also says what each number was taken from.
Devices without operators of their own have those of the table that they are `like`, with delays scaled to their speed
grade. `python -m validation.designs.operators DIR --record` writes this.

"""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A loop or a function: the column in which it counts, the entries that it uses, and how far we are off.

    ``off``: 0 confirms the entries, 1 is near, 2 contradicts them.
    """

    column: str
    uses: frozenset[Key]
    off: int


def entries_of(graphs: Iterable[Graph], library: Library) -> frozenset[Key]:
    """Return the entries of a device's table from which the operators of some graphs are taken."""
    nodes = (node for graph in graphs for node in graph.nodes if node.kind == "op" and node.wide is not None)
    asked_for = {(node.name, node.wide) for node in nodes if node.wide is not None}
    return frozenset(key_of(library.entry(name, of)) for name, of in asked_for)


def key_of(entry: OperatorEntry) -> Key:
    """Return what tells an entry of a table."""
    return entry.name, entry.types, entry.max_bits


def graphs_of(machine: StateMachine) -> Iterator[Graph]:
    """Yield the graphs of all loops of a kernel and of the code around them."""
    yield from (nest.body.graph for nest in machine.nests)
    yield from (region.graph for region in machine.regions)
    for part in machine.parts:
        yield from graphs_of(part)


def loops_of_design(folder: Path, design: dict[str, Any]) -> list[Evidence]:
    """Return the loops of a published design that we have, too."""
    checkout, library = folder / "UCLA-VAST+Stream-HLS", load_library(design["part"], design["clock_ns"])
    found = own_design(design, checkout, reports_of(checkout / design["source"]))
    other = design["design"] in {each["design"] for each in designs(OTHERS)}
    column = OTHER if other else IN if design["design"].rsplit("/", 1)[-1] in FITTED else OUT
    return [
        Evidence(column, entries_of([loop.nest.body.graph], library), _off(loop.latency - loop.our_latency))
        for loop in found.loops if loop.nest is not None
    ]  # fmt: skip


def loops_of_kernel(case: Case) -> list[Evidence]:
    """Return the loops of a kernel of PolyBench."""
    machine, ours = schedule_case(case)
    nests = sorted(machine.nests, key=lambda nest: nest.body.pipeline.loops[-1].position.line)
    if len(ours) != len(case.loops):
        return []
    library = load_library(ZYNQ, 10.0)
    return [
        Evidence(
            IN if is_fitted(case) else OUT, entries_of([nest.body.graph], library), _off(nest.body.depth - loop.depth)
        )
        for nest, loop in zip(nests, case.loops, strict=True)
    ]


def function_of(folder: Path, entry: dict[str, Any]) -> list[Evidence]:
    """Return a function with a report of its source; none if it is refused."""
    library = load_library(entry["device"], entry["clock_ns"])
    try:
        machine = machine_of(entry, folder / entry["repo"].replace("/", "+"))
    except PpnsimError:
        return []
    error = abs(machine.cycles / entry["ref_cycles_max"] - 1)
    return [
        Evidence(
            f"{FUNCTIONS}, {round(entry['clock_ns'])} ns",
            entries_of(graphs_of(machine), library),
            (error > 0.01) + (error > 0.1),
        )
    ]


def rows(table: str, found: Sequence[Evidence]) -> Iterator[str]:
    """Yield the table of the entries of a device, with a column for each kind of evidence."""
    columns = list(dict.fromkeys(case.column for case in sorted(found, key=lambda case: _order(case.column))))
    counts: dict[Key, Counter[tuple[str, int]]] = defaultdict(Counter)
    for case in found:
        for key in case.uses:
            counts[key][case.column, case.off] += 1
    yield "| operator | types | bits | " + " | ".join(columns) + " |\n" + "|---" * (3 + len(columns)) + "|"
    for entry in load_board(table, table).operators:
        own = counts[key_of(entry)]
        if own:
            seen = ([own[each, off] for off in range(3)] for each in columns)
            cells = (" / ".join(map(str, each)) if any(each) else "" for each in seen)
            bits = f"to {entry.max_bits}" if entry.max_bits else "all others"
            yield f"| {entry.name} | {', '.join(entry.types)} | {bits} | {' | '.join(cells)} |"


def _off(states: int) -> int:
    return 0 if not states else 1 if abs(states) <= 2 else 2


def _order(column: str) -> tuple[int, str]:
    return next((at for at, each in enumerate((IN, OUT, OTHER)) if column == each), len(column)), column


def main(arguments: Sequence[str]) -> None:
    """Print the tables; ``--record`` keeps them."""
    given = asked("validation.designs.operators", __doc__, arguments, words=False, record=f"keep it in {RECORD.name}")
    functions = [
        each for each in json.loads(LIST.read_text(encoding="utf-8"))["functions"]
        if each.get("ref_cycles_max") and not each.get("other")
    ]  # fmt: skip
    with get_context("fork").Pool(2, maxtasksperchild=8) as pool:
        loops = pool.map(partial(loops_of_design, given.folder), [*designs(), *designs(OTHERS)], 1)
        loops += pool.map(partial(function_of, given.folder), functions, 1)
        kernels = pool.map(loops_of_kernel, cases(), 1)
    lines = [
        "## UltraScale+\n\nLoops of designs at 3.33 ns (xcu280, xcu200), functions on xcu55c, xcvu9p and xck26.\n",
        *rows(ULTRASCALE, [case for each in loops for case in each]),
        "\n## 7-series\n\nLoops of 42 kernels of PolyBench on xc7z020 at 10 ns.\n",
        *rows(ZYNQ, [case for each in kernels for case in each]),
    ]
    text = ABOUT + "\n".join(lines) + "\n"
    sys.stdout.write(text)
    if given.record:
        RECORD.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
