"""The schedule of a kernel as plain numbers and names for JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ppnsim.hls.advice import bound_of
from ppnsim.hls.ends import start_to_start
from ppnsim.hls.extremes import Extremes
from ppnsim.hls.formulas import formula_result
from ppnsim.hls.loop_names import labels_of, loop_names
from ppnsim.hls.region import report as of_region
from ppnsim.hls.report import ScheduledKernel
from ppnsim.hls.schedule.model import ScheduledNest


def schedule_result(kernel: ScheduledKernel, *, file: str) -> dict[str, Any]:
    """Return a schedule for JSON; loops are in the order of the source."""
    machine, area, device = kernel.machine, kernel.area, kernel.library.device
    # Tasks run at the same time: the sum of their cycles is not the cycles of the region.
    around = {} if machine.tasks else {
        "overlapped_cycles": kernel.overlapped_cycles, "other_cycles": kernel.other_cycles,
    }  # fmt: skip
    dead = machine.outcome is not None and machine.outcome.deadlocked
    known = None if dead else machine.cycles
    extremes = kernel.extremes or Extremes(known, known)
    known_labels = labels_of(kernel.program)
    result = {
        "file": file, "function": kernel.program.name, "device": device.name, "clock_ns": kernel.library.clock_ns,
        "clock_uncertainty_ns": kernel.library.uncertainty_ns,
        "cycles": known, "time_ns": None if dead else kernel.time_ns,
        "best_cycles": extremes.best, "worst_cycles": extremes.worst,
        "loops": [
            _loop(kernel, nest, name, known_labels)
            for nest, name in zip(kernel.nests, loop_names(kernel.program, kernel.nests), strict=True)
        ],
        "sequential_loops": [
            loop.result() | {"label": known_labels.get((loop.name, loop.line), loop.name)} for loop in kernel.sequential
        ],
        **around,
        "resources": {
            "lut": area.lut, "ff": area.ff, "dsp": area.dsp, "bram_18k": area.bram, "units": area.units,
            "fits": not area.beyond(device),
            "device": {"lut": device.lut, "ff": device.ff, "dsp": device.dsp, "bram_18k": device.bram},
        },
        "without_effect": kernel.without_effect,
        "assumptions": kernel.assumptions,
    }  # fmt: skip
    if (interval := start_to_start(machine)) is not None:
        result["interval"] = interval
    if extremes.why:
        result["unknown_cycles"] = extremes.why
    if kernel.formula is not None:
        result |= formula_result(kernel.formula)
    if machine.region:
        finish = None if dead or machine.outcome is None else machine.outcome.finish
        result["dataflow"] = {
            "start_to_done": result["cycles"], "finish": finish,
            **of_region.region_result(machine, kernel.uses, kernel.fix),
        }  # fmt: skip
    return result


def _loop(
    kernel: ScheduledKernel, nest: ScheduledNest, label: str, labels: Mapping[tuple[str, int], str]
) -> dict[str, Any]:  # fmt: skip
    pipeline, schedule = nest.body.pipeline, nest.body.schedule
    trip: Any = nest.least
    if nest.least != nest.most:
        trip = {"min": nest.least, "max": nest.most, "average": nest.iterations / nest.visits}
    return {
        "name": nest.name, "label": label, "line": kernel.line_of(nest), "ii": schedule.ii,
        **({"ii_asked": asked} if (asked := kernel.missed(nest)) else {}),
        "ii_bound_by": bound_of(nest, labels),
        "depth": nest.body.depth, "trip": trip, "visits": nest.visits, "iterations": nest.iterations,
        "cycles": nest.cycles, "share": kernel.share(nest), "flattened": len(pipeline.loops) > 1,
        "unrolled_inside": pipeline.unrolled, "assumed": any(loop.assumed for loop in pipeline.loops),
        "reported": nest.body.reported.where if nest.body.reported else None,
    }  # fmt: skip
