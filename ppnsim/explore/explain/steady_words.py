"""The steady state of a network as a sentence and for JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ppnsim.analysis.cycle_ratio import SteadyState
from ppnsim.units import counted


def about_steady_state(state: SteadyState) -> str:
    """Return the period of a steady state, or why there is none, and the circle of waits that sets it."""
    firings = ", ".join(f"{count} of {name}" for name, count in state.firings.items())
    if state.period is None:
        return f"without an end ({firings} per iteration) it would stand still: {state.critical}"
    critical = state.critical
    around = f"{counted(critical.cycles, 'cycle')} in {counted(critical.iterations, 'iteration')}"
    period = counted(state.period, "cycle")
    return f"steady state: {period} per iteration ({firings}); critical cycle, {around}: {critical}"


def steady_result(state: SteadyState) -> dict[str, Any]:
    """Return a steady state for JSON."""
    return {
        "firings": dict(state.firings),
        "period": None if state.period is None else str(state.period),
        "periods": {name: str(period) for name, period in state.periods.items()},
        "critical_cycle": {
            "cycles": state.critical.cycles,
            "iterations": state.critical.iterations,
            "processes": list(state.critical.processes),
            "channels": list(state.critical.channels),
            "binds": [asdict(bind) for bind in state.critical.binds],
        },
    }
