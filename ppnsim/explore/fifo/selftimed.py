"""How large each channel gets when nothing ever waits for room: found by running."""

from __future__ import annotations

from ppnsim.engines.compiled.engine import unsupported
from ppnsim.engines.run import run
from ppnsim.model.network import Network
from ppnsim.model.summary import most_held


def selftimed_sizes(network: Network) -> dict[str, int]:
    """Return the most tokens that each channel holds in self-timed execution, with FIFOs that never fill.

    With these depths the network runs exactly as with unbounded ones; smaller ones may do as well.

    Raises
    ------
    DeadlockError
        If the data goes round in a circle.

    Examples
    --------
    >>> from ppnsim import predictor
    >>> selftimed_sizes(predictor())["transformer->sink"]
    2
    """
    # Kernels that run as Python pay from the first firing on, where nobody sees which engine it was.
    engine = "compiled" if unsupported(network) is None else "des"
    outcome = run(network.never_full(), engine=engine)
    return {channel.name: most_held(outcome, channel.name) for channel in network.channels}
