"""The colours of channels: the same in all pictures of a network."""

from __future__ import annotations

from ppnsim.model.network import Network
from ppnsim.plots.style import PALETTE

_ROUNDS = ("", "..", "oo")  # the palette with dots, then with rings, when there are more causes than colours
COLOURS = tuple((colour, dots) for dots in _ROUNDS for colour in PALETTE)


def channel_colours(network: Network) -> dict[str, tuple[str, str]]:
    """Return the colour and the hatch of each channel, in their order; of a network with too many channels none.

    Examples
    --------
    >>> from ppnsim.model.builders import fork_join
    >>> [colour for colour, _ in channel_colours(fork_join(firings=4)).values()] == list(PALETTE[:4])
    True
    """
    names = [channel.name for channel in network.channels]
    return dict(zip(names, COLOURS, strict=False)) if len(names) <= len(COLOURS) else {}
