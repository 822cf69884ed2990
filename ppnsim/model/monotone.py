"""Whether deeper FIFOs can hurt: what every search over depths has to know first."""

from __future__ import annotations

from ppnsim.model.network import Network


def is_monotone(network: Network) -> bool:
    """Return whether deeper FIFOs can never hurt: no flushable process and no shared resource.

    Elastic and frozen processes are max-plus recurrences of their depths. A flushable process keeps bubbles that a
    deeper FIFO made earlier, and who comes first at a resource may change.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> is_monotone(chain(firings=4)), is_monotone(chain(firings=4, style="flushable"))
    (True, False)

    Source: T3.4.
    """
    return all(process.style != "flushable" and process.resource is None for process in network.processes)
