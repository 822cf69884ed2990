"""The section ``kernels``: the thesis's figures from C source, and every PolyBench kernel from loops to engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from ppnsim.analysis.throughput import absolute, unbounded
from ppnsim.c.load import load_programs
from ppnsim.derive.derive import derive, with_streams
from ppnsim.derive.estimate.estimate import ProgramEstimate, estimate_program
from ppnsim.engines.run import run
from ppnsim.loops.rewrite.partition import cut, unfold
from validation.harness.rows import Row
from validation.harness.section import Picture, Section, Task
from validation.polybench.averages import average_rows

FOLDER = Path(__file__).parents[2] / "scenarios" / "kernels"
_THESIS_ONLY = ("predictor", "iom_", "oom_", "hierarchy", "four_processes", "atax_thesis")
_QUICK = 3_000  # firings of a network that --quick still runs

# Kernel -> latency, absolute and unbounded finish, recomputed by the rules of the thesis (cycles of 10 ns).
FINISHES: dict[str, tuple[int, str, str | None]] = {
    "four_processes": (3, "14", "8"),
    "predictor": (3, "83", "45"),
    "predictor_inner": (3, "50", None),
    "predictor_outer": (3, "50", None),
    "predictor_both": (3, "50", None),
    "predictor_sink": (3, "50", None),
    "predictor_source": (3, "45", None),
    "predictor_all": (3, "45", None),
    "iom_minus": (3, "19", None),
    "iom_plus": (3, "29", None),
    "oom_minus": (3, "23", None),
    "oom_plus": (3, "33", None),
    "hierarchy": (2, "1035", "36"),
    "atax_thesis": (3, "5042", "330"),
}


def _estimate(name: str, latency: int) -> ProgramEstimate:
    (program,) = load_programs(str(FOLDER / f"{name}.c"))
    return estimate_program(program, latency=latency, io=name == "atax_thesis")


def _thesis_rows() -> list[Row]:
    rows = []
    for name, (latency, one_each, by_data) in FINISHES.items():
        estimate = _estimate(name, latency)
        found = (("absolute", one_each, estimate.absolute), ("unbounded", by_data, estimate.unbounded))
        rows += [
            Row(
                group="thesis, from C", what=f"{name}.c: {which} finish", source="thesis, recomputed by its rules",
                printed=printed, ours=throughput.finish, unit="cycles",
            )
            for which, printed, throughput in found
            if printed is not None
        ]  # fmt: skip
    return rows


def _atax_rows() -> list[Row]:
    """Return atax unfolded by 32 and cut in two: all statements but the stream of A and the sink."""
    (program,) = load_programs(str(FOLDER / "atax_thesis.c"))
    unfolded = cut_in_two = with_streams(program)
    for statement in ("in_x", "y", "tmp", "y_2"):
        unfolded, cut_in_two = unfold(unfolded, statement, 32), cut(cut_in_two, statement)
    rows = []
    for how, changed, figures in (
        ("modulo unfolding by 32", unfolded, ("1198", "66", "130")),
        ("plane cutting", cut_in_two, ("2562", "16", "10")),
    ):
        network = derive(changed, latency=3)
        estimate = absolute(network)
        ours = (estimate.finish, estimate.parallelism.maximum, len(network.processes))
        for what, printed, figure in zip(("finish", "maximum parallelism", "processes"), figures, ours, strict=True):
            rows.append(
                Row(
                    group="atax from C, transformed", what=f"{how}: {what}", source="thesis, recomputed by its rules",
                    printed=printed, ours=figure,
                )
            )  # fmt: skip
    return rows


def _kernel_rows(name: str, quick: bool) -> list[Row]:
    """Return whether loops, network and engine give the same finish, and what the network is made of."""
    (program,) = load_programs(str(FOLDER / f"{name}.c"))
    estimate = estimate_program(program, latency=3)
    if quick and estimate.executions > _QUICK:
        return []
    network = derive(program, latency=3)
    kinds = Counter(network.counts[channel.name].kind for channel in network.channels)
    made = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    one_each, by_data = estimate.absolute, estimate.unbounded
    note = (
        f"{len(network.processes)} processes; channels {made}; parallelism mean {one_each.average:.1f} of "
        f"{by_data.average:.1f}, maximum {one_each.maximum} of {by_data.maximum}"
    )
    figures = (
        ("absolute: walk of the loops, engine on the network", one_each.finish, run(network).finish),
        ("unbounded: walk of the loops, estimate of the network", by_data.finish, unbounded(network).finish),
    )
    return [
        Row(
            group="PolyBench algorithms, MINI, from C", what=f"{name}.c, {what}", source="our own kernels",
            printed=str(walked), ours=ours, unit="cycles", note=note, consistent="two ways of ours to one figure",
        )
        for what, walked, ours in figures
    ]  # fmt: skip


def _tasks(quick: bool) -> list[Task]:
    names = sorted(path.stem for path in FOLDER.glob("*.c") if not path.stem.startswith(_THESIS_ONLY))
    return [
        Task(label="thesis", work=_thesis_rows),
        Task(label="atax transformed", work=_atax_rows),
        Task(label="averages", work=partial(average_rows, FOLDER, names, quick=quick)),
        *(Task(label=name, work=partial(_kernel_rows, name, quick)) for name in names),
    ]


def _pictures(_rows: Sequence[Row]) -> list[Picture]:
    return []


_ABOUT = (
    "The kernels of scenarios/kernels, read by the C front-end. The thesis's figures must come out of source as they "
    "do out of the recorded loops of section cprof.",
    "PolyBench: not the thesis's loops (its version is 3.1, ours mostly 4.2.1, and its values per benchmark are only "
    "in bar charts), so that only averages have a printed figure beside them. What is held against each other per "
    "kernel are ways to the same number: a walk through the loops with shadow times, the recurrences on the derived "
    "network, and the SimPy engine with FIFOs that never fill. Latency 3, ii 1, all inputs there at time 0.",
)
SECTION = Section(
    name="kernels", title="Kernels from C source", about=_ABOUT, tasks=_tasks, pictures=_pictures
)  # fmt: skip
