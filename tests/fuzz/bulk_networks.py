"""Networks in bulk: each with several vectors of depths, the compiled engine beside a second stepper in machine code.

One of `THOROUGH` networks is checked as a search checks it: SimPy and the compiled engine against the reference, in
every cycle of every firing and token, the classes of all cycles, occupancy and parallelism, with shared resources. All
others have no shared resources; of them the compiled engine and `tests.oracles.stepper` have to agree in the cycle of
every firing at every step, in the finish, in deadlocks, and (with the depths that were drawn) in every cycle in which a
process is held; with the other depths through the door of the searches, `engines.evaluate`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numba import njit

from ppnsim.engines.compiled.tape import BASE, DONE
from ppnsim.engines.compiled.tapes import Tapes
from ppnsim.engines.evaluate import Evaluator
from ppnsim.model.network import Network
from ppnsim.model.run import Run
from ppnsim.model.timeline import NEVER
from tests.engines.test_against_reference import (
    assert_all_agrees,
    classes_of_engine,
    engine_run,
    figures_of_engine,
    figures_of_reference,
    suited,
    timing_of_engine,
    timing_of_reference,
)
from tests.fuzz.seeded import Choices, Strategy
from tests.oracles.reference import simulate
from tests.oracles.stepper import MOST_CYCLES, Kernel, Stepped, Stepper, walk

THOROUGH = 16  # networks, of which one is checked in everything
VECTORS = 8  # of depths, besides the network's own
_LOWERED = 1  # of them, where a latency per firing makes each a network to be lowered anew

Depths = dict[str, int | None]


@dataclass(frozen=True)
class Drawn:
    """A network, other vectors of depths for it, and whether everything about it is checked."""

    network: Network
    vectors: tuple[Depths, ...]
    thorough: bool

    @property
    def last(self) -> Network:
        """The network with the last vector of depths, which a reproducer shows."""
        return self.network.with_depths(self.vectors[-1]) if self.vectors else self.network


def drawn_networks(networks: Callable[..., Strategy]) -> Strategy:
    """Return small networks of a strategy, with vectors of depths."""

    def draw(choices: Choices) -> Drawn:
        thorough = choices.below(THOROUGH) == 0
        network: Network = choices(networks(max_firings=6, max_processes=4, resources=thorough))
        if thorough or choices.below(VECTORS) == 0:
            return Drawn(network, (), thorough)
        number = _LOWERED if _varies(network) else VECTORS
        vectors = tuple({each.name: _depth(choices, each.initial) for each in network.channels} for _ in range(number))
        return Drawn(network, vectors, thorough)

    return Strategy(draw)


def _varies(network: Network) -> bool:
    return any(steps.varies for steps in network.steps.values())


def _depth(choices: Choices, initial: int) -> int | None:
    more = choices.below(6)
    return None if more == 5 else max(1, initial + more)


def agree(drawn: Sequence[Drawn]) -> int:
    """Check networks with all their depths; return how many that makes, each vector of depths being one."""
    return sum(map(_agree, drawn))


def _agree(drawn: Drawn) -> int:
    if drawn.thorough:
        agrees(drawn.network)
        return 1
    network, kernel = drawn.network, compiled_walk()
    stepper = Stepper(network)
    _same(stepper.run(kernel), engine_run(network, "compiled"))
    if drawn.vectors and _varies(network):
        for depths in drawn.vectors:
            _same(stepper.run(kernel, depths), engine_run(network.with_depths(depths), "compiled"))
    elif drawn.vectors:
        _searched(stepper, kernel, Evaluator(network, fast_forward=False), drawn.vectors)
    return 1 + len(drawn.vectors)


def _same(stepped: Stepped, result: Run) -> None:
    assert stepped.finish == result.finish
    assert result.deadlocked == (stepped.finish is None)
    timeline, passed = result.timeline, stepped.passed()
    for name, rows in timeline.passed.items():
        assert np.array_equal(passed[name], rows), name
    stopped = timeline.stopped if result.deadlocked else MOST_CYCLES  # late reads may be held after the finish
    held = stepped.holds(stopped)
    for name, spans in timeline.holds.items():
        ends = ((first, stopped if last == NEVER else last) for first, last in spans.tolist())
        assert held[name] == [t for first, last in ends for t in range(first, last)], name


def _searched(stepper: Stepper, kernel: Kernel, evaluator: Evaluator, vectors: tuple[Depths, ...]) -> None:
    """Compare finishes of an evaluator, and the cycles that it leaves on its tape."""
    tapes: Tapes | None = None
    for depths in vectors:
        stepped, finish = stepper.run(kernel, depths), evaluator.finish(depths)
        assert stepped.finish == finish, depths
        if tapes is None:
            assert evaluator._trials is not None
            tapes = evaluator._trials._tapes[0]
            orders = [order for each in stepper.network.processes for order in stepper.order[each.name]]
            events = np.concatenate(orders)
            firings = np.concatenate([np.arange(len(order)) for order in orders])
            nodes = np.repeat(np.arange(len(orders)), [len(order) for order in orders])
            places = tapes.tape.nodes[nodes, BASE] + firings
        passed = np.where(firings < tapes.tape.nodes[nodes, DONE], tapes.tape.cycles[places], NEVER)
        assert np.array_equal(stepped.events[events], passed), depths


def agrees(network: Network) -> None:
    """Hold both engines against one run of the reference; the second timeline only has to equal the first."""
    ref, result = simulate(network), engine_run(network, "des")
    assert timing_of_engine(network, result) == timing_of_reference(network, ref)
    assert classes_of_engine(network, result) == ref.cycles
    assert figures_of_engine(network, result) == figures_of_reference(ref)
    if network.resources:
        assert_all_agrees(suited(network, "compiled"), "compiled")
        return
    other = engine_run(network, "compiled")
    assert (other.finish, other.deadlock) == (result.finish, result.deadlock)
    for name, passed in result.timeline.passed.items():
        assert np.array_equal(other.timeline.passed[name], passed), name


@cache
def compiled_walk() -> Kernel:
    """Return the stepper's kernel as machine code."""
    made: Kernel = njit(cache=True)(walk)
    return made
