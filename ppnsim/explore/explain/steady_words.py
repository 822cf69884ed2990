"""The steady state of a network as a sentence and for JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from ppnsim.analysis.cycle_ratio import CriticalCycle, SteadyState
from ppnsim.units import counted

_MOST = 6  # processes, and waits of a circle, that a sentence lists; --json has all of them


def about_steady_state(state: SteadyState) -> str:
    """Return the period of a steady state, or why there is none, and the circle of waits that sets it."""
    firings = _firings(state.firings)
    if state.period is None:
        return f"without an end ({firings} per iteration) it would stand still: {_around(state.critical)}"
    critical = state.critical
    around = f"{counted(critical.cycles, 'cycle')} in {counted(critical.iterations, 'iteration')}"
    period = counted(state.period, "cycle")
    return f"steady state: {period} per iteration ({firings}); critical cycle, {around}: {_around(critical)}"


def _firings(firings: Mapping[str, int]) -> str:
    """Return the firings of each process, of many how many processes have each number."""
    if len(firings) <= _MOST:
        return ", ".join(f"{count} of {name}" for name, count in firings.items())
    alike: dict[int, list[str]] = {}
    for name, count in firings.items():
        alike.setdefault(count, []).append(name)
    whose = {
        count: names[0] if len(names) == 1 else f"each of {len(names)} processes" for count, names in alike.items()
    }
    return ", ".join(f"{count} of {words}" for count, words in whose.items())


def _around(circle: CriticalCycle) -> str:
    """Return the waits of a circle; of a long one the first, the last and how many there are."""
    if len(circle.binds) <= _MOST:
        return str(circle)
    return f"{len(circle.binds)} waits, from {circle.binds[0]} to {circle.binds[-1]}; --json has them all"


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
