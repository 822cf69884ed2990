"""What a run on tapes came to."""

from __future__ import annotations

from dataclasses import dataclass

from ppnsim.arrays import Int64Array
from ppnsim.engines.compiled.repetition import Repetition
from ppnsim.engines.compiled.rows import FrameRows
from ppnsim.engines.compiled.tapes import Tapes
from ppnsim.model.network import Network
from ppnsim.model.steady import LeftOut, Steady


@dataclass(frozen=True, slots=True)
class Settled:
    """A run on tapes: whether all firings ended, and, if it was cut short, the steady state and what was left out.

    ``after`` is the end of the last whole repetition, ``rounds`` how many repetitions are missing there. Where parts
    repeat each for itself, ``later`` are the cycles by which each node of the tapes comes later in the whole run.
    """

    tapes: Tapes
    ended: bool
    repetition: Repetition | FrameRows | None = None
    steady: Steady | None = None
    after: int = 0
    rounds: int = 0
    later: Int64Array | None = None

    @property
    def finish(self) -> int | None:
        """The finish of the whole run, None if it does not end."""
        if not self.ended:
            return None
        return self.tapes.finish(self.later) + (self.rounds * self.steady.cycles if self.steady else 0)


def left_out_of(network: Network, rows: Repetition | FrameRows, steady: Steady, after: int, rounds: int) -> LeftOut:
    """Return what the run of a network leaves out: ``rounds`` repetitions of its steady state, behind one that ends."""
    missing = rounds * steady.iterations
    return LeftOut(
        network=network, steady=steady, after=after, rounds=rounds,
        firings={name: each * steady.iterations for name, each in rows.firings.items()},
        held={channel.name: rows.fewer_tokens(channel.name, missing) for channel in network.channels},
    )  # fmt: skip
