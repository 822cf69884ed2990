"""The door for searches: one network, thousands of depth vectors, nothing but the finish or the period of each."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction

from ppnsim.engines.compiled import long_run
from ppnsim.engines.compiled.budget import Budget
from ppnsim.engines.compiled.engine import unsupported
from ppnsim.engines.compiled.tapes import Depths
from ppnsim.engines.compiled.trials import Trials
from ppnsim.engines.program import Program
from ppnsim.engines.run import run
from ppnsim.errors import UnsupportedByEngine
from ppnsim.model.network import Network
from ppnsim.model.steady import Steady

_LARGE = 20_000_000  # firings, which take about a GB on one tape
_TRIED = 2_000_000  # of them, for a repetition of a large network
_PAYS = 10_000  # firings and tokens, of several runs one after the other
_WALKED = 1_000_000  # of them: to look for repetitions takes longer than to walk so many


class Evaluator:
    """A network whose depths are tried out.

    Runs that come to repeat themselves are cut short, exactly (`engines.compiled.trials`); others are walked to their
    end. Networks that only SimPy can run are run by it.

    Parameters
    ----------
    network : a network, or one already lowered.
    fast_forward : whether runs may be cut short.

    Examples
    --------
    >>> from ppnsim.model.builders import fork_join
    >>> trial = Evaluator(fork_join(firings=1000))
    >>> trial.finish({"short_in": 4, "short_out": 4}), trial.finish({"short_in": 1, "short_out": 1})
    (1710, 4257)
    >>> trial.period({"short_in": 1, "short_out": 1})
    Fraction(17, 4)
    """

    def __init__(self, network: Network | Program, *, fast_forward: bool = True) -> None:
        self.network = network.network if isinstance(network, Program) else network.checked()
        self._own_depths = {channel.name: channel.depth for channel in self.network.channels}
        self._program: Program | Network | None = None
        self._trials: Trials | None = None
        self._short_trials: Trials | None = None  # of a network that is better walked in place than on one tape
        # With a latency per firing the edges themselves depend on the depths: such a network is lowered each time.
        if unsupported(self.network) or any(steps.varies for steps in self.network.steps.values()):
            self._program = Program.of(self.network) if self.network.passings <= _LARGE else self.network
        else:
            large = self.network.passings > _LARGE
            # Those of a large network are the last resort, when it cannot be walked in place.
            budget = Budget(self.network.passings)
            self._trials = Trials(self.network, fast_forward=fast_forward, budget=None if large else budget)
            if large:
                self._short_trials = Trials(self.network, fast_forward=fast_forward, most=_TRIED, budget=budget)

    @property
    def firings_per_iteration(self) -> dict[str, int]:
        """The firings of each process in a graph iteration; empty for a network that does not repeat."""
        repetition = self._trials.repetition if self._trials else None
        if repetition is None:
            return {}
        return {name: self.network.firings_in(name, count) for name, count in repetition.firings.items()}

    def finish(self, depths: Depths | None = None) -> int | None:
        """Return the finish in cycles with other depths (None = unbounded), None after a deadlock.

        Raises
        ------
        UnsupportedByEngine
            If there are too many firings to keep the cycle of each, and that is what it takes: no period shows, and
            the network does not repeat, or has no generated code (`engines.compiled.rounds`).
        """
        if depths and self.network.credits:
            return self._at(depths).finish()
        if self._program is not None:
            return run(self._program, depths=depths, on_deadlock="return").finish
        changed = self._own_depths | dict(depths or {})
        if self._short_trials is not None:
            if (settled := self._short_trials.cut_short(changed)) is not None:
                return settled.finish
            with suppress(UnsupportedByEngine):  # what has no generated code may repeat itself late, or fit on a tape
                return long_run.finish(self.network, changed)
        assert self._trials is not None
        settled = self._trials.cut_short(changed)
        if settled is None and self._trials.too_large:
            return long_run.finish(self.network, changed)
        return (settled or self._trials.whole(changed)).finish

    def steady(self, depths: Depths | None = None) -> Steady | None:
        """Return the steady state of the network, however many firings it declares.

        None if it has none: it deadlocks, does not repeat, or shows no period in 65536 graph iterations.
        """
        if depths and self.network.credits:
            return self._at(depths).steady()
        changed = self._own_depths | dict(depths or {})
        return self._trials.steady(changed) if self._trials else None

    def _at(self, depths: Depths) -> Evaluator:
        """Return the evaluator of the network with depths that are credits: tokens of other channels."""
        return Evaluator(self.network.with_depths(depths))

    def period(self, depths: Depths | None = None) -> Fraction | None:
        """Return the cycles per graph iteration in the steady state, None if there is none."""
        steady = self.steady(depths)
        return steady.period if steady else None


def finishes(network: Network) -> Callable[[Depths], int | None]:
    """Return a function that gives the finish of a network with other depths for some channels, for a few of them.

    Small networks are run by SimPy, as loading the kernels takes longer.

    Examples
    --------
    >>> from ppnsim.model.builders import fork_join
    >>> finish = finishes(fork_join(firings=20))
    >>> finish({"short_in": 1, "short_out": 1}), finish({"short_in": None, "short_out": None})
    (92, 37)
    """
    if any(each.resource is not None for each in network.processes) or network.events <= _PAYS:
        return lambda depths: run(network.with_depths(depths), on_deadlock="return").finish
    if network.written is not network:
        return lambda depths: run(network.with_depths(depths), engine="compiled", on_deadlock="return").finish
    return Evaluator(network, fast_forward=network.events > _WALKED).finish
