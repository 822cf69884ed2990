"""``ppnsim.draw``: a picture of a network."""

from __future__ import annotations

from os import PathLike
from typing import Any

from ppnsim.engines.run import run as simulate_network
from ppnsim.files import load
from ppnsim.hls.project.suffixes import is_source
from ppnsim.library.subject import Depths, NetworkLike, network_file
from ppnsim.model.run import Run
from ppnsim.placed.model.placement import Placement
from ppnsim.plots.network import draw_network
from ppnsim.plots.shown import NotebookFigure, shown


def draw(
    network: NetworkLike | Run | Placement, *, simulate: bool = False, depths: Depths | None = None,
    style: str | None = None, **options: Any,
) -> NotebookFigure:  # fmt: skip
    """Draw a network: processes with their numbers, channels with kind and depth.

    Parameters
    ----------
    network : a network, also placed on nodes, a run of one, or a path; ``options`` are then what `ppnsim.load` takes.
    simulate : run it first, and show how full each channel got; a run shows that by itself.
    depths, style : as of `ppnsim.run`.

    Raises
    ------
    InputError
        If the path cannot be read.

    Examples
    --------
    >>> from ppnsim.model.builders import predictor
    >>> figure = draw(predictor(), simulate=True)
    >>> path = figure.save("predictor.svg")  # doctest: +SKIP
    """
    if isinstance(network, str | PathLike) and not is_source(network):
        network, options = load(network, "Network", "Placement", **options), {}
    places = network.node_of if isinstance(network, Placement) else None
    given = network.network if isinstance(network, Run | Placement) else network
    found = network_file(given, depths=depths, style=style, **options)
    if isinstance(network, Run):
        return shown(draw_network(network.network, run=network, places=found.places()))
    outcome = simulate_network(found.network, on_deadlock="return") if simulate else None
    drawn = found.network.written if outcome is None else found.network
    return shown(draw_network(drawn, run=outcome, places=found.places() if places is None else dict(places)))
