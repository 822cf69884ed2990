"""``ppnsim.absolute``, ``unbounded``, ``lower_bounds``, ``suspicions``: what theory says of a network."""

from __future__ import annotations

from typing import Any

from ppnsim.analysis import lower_bounds as _bounds
from ppnsim.analysis import throughput as _throughput
from ppnsim.analysis.lower_bounds import Bound
from ppnsim.analysis.throughput import Estimate
from ppnsim.library.subject import NetworkLike, network_file
from ppnsim.model import suspicions as _suspicions
from ppnsim.model.run import Run
from ppnsim.model.suspicions import Suspicion


def absolute(network: NetworkLike, **options: Any) -> Estimate:
    """Return the absolute throughput estimate: one process per statement, unbounded channels.

    Parameters
    ----------
    network : a network, or the path of one; ``options`` are then what `ppnsim.load` takes.

    Examples
    --------
    >>> from ppnsim.model.builders import predictor
    >>> absolute(predictor()).finish
    83
    """
    return _throughput.absolute(network_file(network, **options).network)


def unbounded(network: NetworkLike, **options: Any) -> Estimate:
    """Return the unbounded throughput estimate: a process per firing, unbounded channels.

    Parameters
    ----------
    network : a network, or the path of one; ``options`` are then what `ppnsim.load` takes.

    Examples
    --------
    >>> from ppnsim.model.builders import predictor
    >>> estimate = unbounded(predictor())
    >>> estimate.finish, round(estimate.parallelism.average, 1), estimate.parallelism.maximum
    (45, 3.8, 25)
    """
    return _throughput.unbounded(network_file(network, **options).network)


def lower_bounds(
    network: NetworkLike, one_each: Estimate | None = None, by_data: Estimate | None = None, **options: Any
) -> list[Bound]:
    """Return lower bounds on the finish of every run of the network, the strongest first.

    Parameters
    ----------
    network : a network, or the path of one; ``options`` are then what `ppnsim.load` takes.
    one_each, by_data : its absolute and its unbounded estimate, if they are there already.

    Examples
    --------
    >>> from ppnsim.model.builders import predictor
    >>> [(bound.name, bound.cycles) for bound in lower_bounds(predictor())]
    [('one process per statement', 83), ('longest dependence path', 45), ('busiest process', 29)]
    """
    found = network_file(network, **options).network
    return _bounds.lower_bounds(
        found, one_each or _throughput.absolute(found), by_data or _throughput.unbounded(found)
    )  # fmt: skip


def suspicions(of: NetworkLike | Run, **options: Any) -> tuple[Suspicion, ...]:
    """Return what looks like a mistake in a network, and, of a run that finished, which sources had to wait.

    Parameters
    ----------
    of : a network, a run, or the path of a network; ``options`` are then what `ppnsim.load` takes.

    Examples
    --------
    >>> from ppnsim.model.network import Channel, Network, Process
    >>> network = Network(processes=[Process(name="a", firings=20), Process(name="b", firings=10)],
    ...                   channels=[Channel(name="c", source="a", target="b", depth=2)])
    >>> print(*suspicions(network))
    suspicious: 'c': a writes 20 tokens and b reads 10: 10 are left over (20 firings of b read all of them)
    """
    if isinstance(of, Run):
        return _suspicions.suspicions(of)
    return _suspicions.suspicions(network_file(of, **options).network)
