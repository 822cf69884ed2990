"""Initial tokens of channels, changed by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from numbers import Integral

from ppnsim.errors import InputError
from ppnsim.model.network import Network

_MOST = 2**53  # as files have them


def with_initial(network: Network, tokens: Mapping[str, int]) -> Network:
    """Return a copy in which channels hold other numbers of tokens at cycle 0.

    A name is that of a channel or a group, or a pattern, ``fifo_*``; what names a channel itself wins.

    Raises
    ------
    InputError
        If a name is not that of a channel, or a number is none. That the tokens fit is checked when the copy is run.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> [channel.initial for channel in chain(firings=4, length=3).with_initial({"c*": 1, "c1": 2}).channels]
    [1, 2]
    """
    if not tokens:
        return network
    named = network.written.by_channel(tokens)
    for name, count in named.items():
        if not isinstance(count, Integral) or isinstance(count, bool) or count < 0:
            raise InputError(f"initial = {count!r} is not a number of tokens (0, 1, 2, ..)", where=f"channel '{name}'")
        if count > _MOST:
            words = f"initial = {count} is out of range (whole numbers up to 2**53 are taken)"
            raise InputError(words, where=f"channel '{name}'")
    channels = [replace(each, initial=int(named.get(each.name, each.initial))) for each in network.written.channels]
    return network.with_convention("ppn").replace(channels=channels).with_convention(network.convention)
