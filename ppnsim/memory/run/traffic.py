"""The one door to the bank queue: traffic on a memory, run to the clock."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ppnsim.arrays import read_only
from ppnsim.errors import InputError, did_you_mean
from ppnsim.machine_code.kernels import machine_code
from ppnsim.memory.model.dram import Dram
from ppnsim.memory.model.traffic import Traffic
from ppnsim.memory.run.compiled.queue import new_source, run_clocks
from ppnsim.memory.run.compiled.state import new_state
from ppnsim.memory.run.record import MemoryRun, drawn

_ENGINES = ("auto", "des", "compiled")
_AT_A_TIME = 1_000_000  # clocks between two looks at Ctrl-C


def run_memory(
    dram: Dram, traffic: Traffic, *, engine: str = "auto", progress: Callable[[int, int], None] | None = None
) -> MemoryRun:
    """Run traffic on a memory, with all banks closed at clock 0.

    Requesters go on until the last completion that counts, so nothing is measured while queues run empty. ``engine``
    is ``compiled`` (also for ``auto``) or ``des``, the definition in SimPy; both give the same clocks.

    Raises
    ------
    InputError
        If the configuration or the traffic breaks a rule, or the engine is unknown.

    Examples
    --------
    >>> from ppnsim.memory.model.presets import preset
    >>> run = run_memory(preset("DDR4-2400").dram, Traffic(pattern="chain", requests=500))
    >>> int(run.latencies.min()), round(run.bandwidth_gbps, 2)
    (39, 1.31)
    """
    dram, traffic = dram.checked(), traffic.checked(dram)
    if engine not in _ENGINES:
        raise InputError(f"engine '{engine}' is unknown{did_you_mean(engine, _ENGINES)}")
    if engine == "des":
        from ppnsim.memory.run.requesters import run_memory_in_simpy

        return run_memory_in_simpy(dram, traffic)
    return _compiled(dram, traffic, progress)


def _compiled(dram: Dram, traffic: Traffic, progress: Callable[[int, int], None] | None) -> MemoryRun:
    run = machine_code(run_clocks)
    requests, arrival = drawn(dram, traffic)
    pace = traffic.port.gap(dram) if traffic.port else Fraction(0)
    chains = traffic.outstanding if traffic.pattern == "chain" else 0
    source = new_source(
        len(requests.bank), limit=traffic.outstanding, chains=chains, burst=traffic.burst,
        pace=(pace.numerator, pace.denominator), arrival=arrival,
    )  # fmt: skip
    state = new_state(dram.delays, requests)
    done = 0
    while done < traffic.requests:
        done = run(dram.delays, state, source, traffic.requests, _AT_A_TIME)
        if progress is not None:
            progress(min(done, traffic.requests), traffic.requests)
    # What has its clock of completion fixed but not reached is under way still.
    state.done[state.done > source.control[0]] = -1
    state.done[source.taken < 0] = -1
    taken, ended = read_only(source.taken), read_only(state.done)
    return MemoryRun(dram=dram, traffic=traffic, requests=requests, taken=taken, done=ended)
