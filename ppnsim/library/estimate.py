"""``ppnsim.estimate``: the two estimates of throughput and the lower bounds, without running an engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Console

from ppnsim.analysis.lower_bounds import Bound, lower_bounds
from ppnsim.analysis.throughput import Estimate, absolute, unbounded
from ppnsim.library.answer import Answer
from ppnsim.library.subject import NetworkFile, NetworkLike, network_file
from ppnsim.report.result import estimate_result
from ppnsim.report.text import print_estimate


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class NetworkEstimate(Answer):
    """What is known of a network without running it.

    Attributes
    ----------
    absolute : one process per statement and FIFOs that never fill.
    unbounded : a process per firing, the limit of the data dependences.
    bounds : cycles below which no run can finish, and why.
    subject : the network.
    """

    absolute: Estimate
    unbounded: Estimate
    bounds: list[Bound]
    subject: NetworkFile

    def to_dict(self) -> dict[str, Any]:
        """Return what the command writes as JSON."""
        result = estimate_result(self.absolute, self.unbounded, self.bounds, file=self.subject.file)
        return result | self.subject.result()

    def print(self, console: Console) -> None:
        """Print the estimates and the bounds."""
        print_estimate(console, self.absolute, self.unbounded, self.bounds)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row for each bound."""
        return [asdict(bound) for bound in self.bounds]


def estimate(network: NetworkLike, **options: Any) -> NetworkEstimate:
    """Estimate throughput analytically, for comparison with a run; depths have no influence.

    Parameters
    ----------
    network : a network, or a path; ``options`` are then what `ppnsim.load` takes.

    Raises
    ------
    InputError
        If the path cannot be read, or the network is too large.

    Examples
    --------
    >>> from ppnsim.model.builders import predictor
    >>> found = estimate(predictor())
    >>> found.absolute.finish, found.unbounded.finish
    (83, 45)
    """
    found = network_file(network, **options)
    one_each, by_data = absolute(found.network), unbounded(found.network)
    bounds = lower_bounds(found.network, one_each, by_data)
    return NetworkEstimate(absolute=one_each, unbounded=by_data, bounds=bounds, subject=found)
