"""The colours of channels and resources: the same in all pictures of a network, those of the page included."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from ppnsim.model.cycles import Label
from ppnsim.model.network import Network

# Okabe and Ito's palette, then three of Tol's muted one; alternating light and dark, which survives a grey printer.
PALETTE = (
    "#E69F00", "#0072B2", "#56B4E9", "#D55E00", "#009E73",
    "#CC79A7", "#882255", "#F0E442", "#332288", "#999933",
)  # fmt: skip
EXECUTE, ACCESS, DELAY = "#40566E", "#9DB4CA", "#E6ECF2"  # a firing: executing, reading or writing, held up
OTHER = "#6E6E6E"  # causes beyond the palette
_ROUNDS = ("", "..", "oo")  # the palette with dots, then with rings, when there are more causes than colours
COLOURS = tuple((colour, dots) for dots in _ROUNDS for colour in PALETTE)

Cause = tuple[bool, str]  # whether it is a resource, which may have the name of a channel; the name
Paint = tuple[str, str]  # a colour, and the hatch on it


def channel_colours(network: Network) -> dict[str, Paint]:
    """Return the colour and the hatch of each channel, in their order; of a network with too many channels none.

    Examples
    --------
    >>> from ppnsim.model.builders import fork_join
    >>> [colour for colour, _ in channel_colours(fork_join(firings=4)).values()] == list(PALETTE[:4])
    True
    """
    names = [channel.name for channel in network.channels]
    return dict(zip(names, COLOURS, strict=False)) if len(names) <= len(COLOURS) else {}


def cause_colours(network: Network, cycles: Mapping[Label, int]) -> dict[Cause, Paint]:
    """Return the colour of each cause of waits: with more of them than colours, those that cost most cycles have one.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> found = cause_colours(chain(firings=4, length=2), {("resource", "adder"): 3, ("done", None): 9})
    >>> [found[each][0] == PALETTE[number] for number, each in enumerate([(False, "c0"), (True, "adder")])]
    [True, True]
    """
    weight: Counter[Cause] = Counter()
    for (kind, cause), number in cycles.items():
        if cause is not None:
            weight[kind == "resource", cause] += number
    own = channel_colours(network)
    given = {(False, name): paint for name, paint in own.items()}
    left = iter([each for each in COLOURS if each not in own.values()])
    for key, _ in weight.most_common():
        if key not in given and (free := next(left, None)) is not None:
            given[key] = free
    return given
