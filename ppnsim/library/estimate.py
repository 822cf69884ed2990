"""``ppnsim.estimate``: the two estimates of throughput and the lower bounds, without running an engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any, overload

from rich.console import Console

from ppnsim.analysis.lower_bounds import Bound, lower_bounds
from ppnsim.analysis.throughput import LARGEST, Estimate, absolute, unbounded
from ppnsim.errors import InputError
from ppnsim.files import load
from ppnsim.hls.project.suffixes import is_source
from ppnsim.library.answer import Answer
from ppnsim.library.compare import ComparedModels, compare
from ppnsim.library.platform_predictions import PlatformPredictions, platform_predictions
from ppnsim.library.platform_terms import PlatformTerms, platform_terms
from ppnsim.library.subject import NetworkFile, NetworkLike, network_file
from ppnsim.model.network import Network
from ppnsim.platform.files.toml import PlatformFile
from ppnsim.report.result import estimate_result
from ppnsim.report.text import print_estimate
from ppnsim.source_networks.model import SourceNetwork

if TYPE_CHECKING:
    from ppnsim.plots.shown import NotebookFigure

Progress = Callable[[int, int], None]
Vary = Mapping[str, Any]
MODELS = ("absolute", "unbounded", "bounds")
"""What a network is estimated by."""


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

    def __repr__(self) -> str:
        finish = f"absolute {self.absolute.finish}, unbounded {self.unbounded.finish} cycles"
        return f"<NetworkEstimate: {finish}, network '{self.subject.network.name}'>"

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row for each bound."""
        return [asdict(bound) for bound in self.bounds]

    def figure(self) -> NotebookFigure:
        """Return the estimates and the bounds as bars."""
        from ppnsim.plots.beside import beside_figure  # matplotlib takes a while to import
        from ppnsim.plots.shown import shown

        found: dict[str, float | None] = {"absolute": self.absolute.finish, "unbounded": self.unbounded.finish}
        figures = {name: {"predicted": cycles} for name, cycles in found.items()}
        figures |= {each.name: {"predicted": each.cycles} for each in self.bounds}
        title = f"{self.subject.network.name} · finish, predicted"
        return shown(beside_figure(title, figures, along="finish [cycles]"))


@overload
def estimate(network: Network | SourceNetwork | NetworkFile) -> NetworkEstimate: ...
@overload
def estimate(network: PlatformFile) -> PlatformPredictions: ...
@overload
def estimate(
    network: object, *, vary: Vary | None = ..., simulate: bool = ..., progress: Progress | None = ..., **options: Any
) -> Any: ...  # fmt: skip
def estimate(
    network: object, *, vary: Vary | None = None, simulate: bool = False, progress: Progress | None = None,
    **options: Any,
) -> Any:  # fmt: skip
    """Estimate analytically how long a network or an application on a platform takes, for comparison with a run.

    A network has two estimates, on which depths have no influence, and lower bounds (`NetworkEstimate`). An application
    on a platform is predicted by RATSS's equations (Holland et al. 2011; `PlatformPredictions`). With ``vary`` or
    ``simulate`` the answer is that of `ppnsim.compare`; a platform that is simulated as it is, term by term
    (`PlatformTerms`).

    Parameters
    ----------
    network : a network, a platform with an application, or a path; ``options`` are then what `ppnsim.load` takes.
    vary : values by name of a parameter, as of `ppnsim.compare`; all combinations are estimated.
    simulate : simulate, too: predicted, simulated, their difference and its cause.
    progress : called with points done and points in all.

    Raises
    ------
    InputError
        If the path cannot be read, there is no such parameter, or the network is too large.

    Examples
    --------
    >>> from ppnsim.model.builders import predictor
    >>> found = estimate(predictor())
    >>> found.absolute.finish, found.unbounded.finish
    (83, 45)
    >>> estimate(predictor(), simulate=True).to_frame()["simulated"].tolist()
    [83]
    """
    held: Any = network
    changes = {name for name in ("depths", "style", "convention") if name in options}
    if isinstance(network, str | PathLike) and not is_source(network):
        held = load(
            network, "Network", "PlatformFile", **{each: options[each] for each in options if each not in changes}
        )
    if isinstance(held, PlatformFile):
        if options:
            raise InputError(f"{', '.join(options)} can only be used with a network; this is a platform")
        return _of_platform(network, held, vary, simulate=simulate, progress=progress)
    if not (vary or simulate):
        return of_network(network, **options)  # type: ignore[arg-type]
    if changes:
        held, options = network_file(network, **options), {}  # type: ignore[arg-type]
    asked = held if changes else network
    return compare(asked, MODELS, vary=vary or (), simulate=simulate, progress=progress, **options)


def of_network(network: NetworkLike, **options: Any) -> NetworkEstimate:
    """Estimate a network as it is (`estimate`)."""
    found = network_file(network, most=LARGEST, **options)
    one_each, by_data = absolute(found.network), unbounded(found.network)
    bounds = lower_bounds(found.network, one_each, by_data)
    return NetworkEstimate(absolute=one_each, unbounded=by_data, bounds=bounds, subject=found)


def _of_platform(
    given: object, held: PlatformFile, vary: Vary | None, *, simulate: bool, progress: Progress | None
) -> PlatformPredictions | PlatformTerms | ComparedModels:  # fmt: skip
    place = given if isinstance(given, str | PathLike) else held
    if not simulate:
        return platform_predictions(place, vary=vary)
    if vary:
        return compare(place, vary=vary, progress=progress)
    return platform_terms(place, progress=progress)
