"""FIFOs that are other memories at other depths, which nothing that only changes depths changes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from ppnsim.hls.rams import is_ram
from ppnsim.model.network import Network
from ppnsim.source_networks.model import SourceNetwork


def as_pasted(
    network: Network, source: SourceNetwork, depths: Mapping[str, int | None]
) -> tuple[Network, list[str]]:  # fmt: skip
    """Return a network of a source with depths as if the source said them, and the FIFOs that are other memories there.

    A FIFO that is a RAM at its depth passes tokens a cycle later than registers do (R10.2), which nothing that only
    changes depths changes.
    """
    network = network.with_depths(depths)
    fifos = {name for stream in source.streams for name in stream.channels} if source.rams else set()
    forwards = {
        each.name: 2 if is_ram(each.depth or 0, each.width) else None for each in network.channels if each.name in fifos
    }
    changed = [each.name for each in network.channels if each.forward != forwards.get(each.name, each.forward)]
    channels = [replace(each, forward=forwards.get(each.name, each.forward)) for each in network.channels]
    return network.replace(channels=channels).checked() if changed else network, changed


def other_memories(network: Network, source: SourceNetwork, values: str = "these depths") -> str:
    """Return a sentence about FIFOs that are other memories if the source says their depths, "" if there are none.

    ``network`` is that of the source with other depths, ``values`` in words; its memories are still those of the
    source.
    """
    _, changed = as_pasted(network, source, {})
    if not changed:
        return ""
    said = f"with {values} in {source.file}, {', '.join(changed)} would be other memories"
    return f"{said} (a token passes a RAM in 2 cycles, registers in 1); here they stay as they are"


def swept_memories(source: SourceNetwork, varied: Mapping[str, tuple[Collection[str], Collection[int]]]) -> list[str]:
    """Return a sentence for each swept depth at which FIFOs are other memories than in the source.

    Parameters
    ----------
    varied : channels and depths by the name of the parameter; at other sizes of the source there may be others.
    """
    found = []
    own = {channel.name for channel in source.network.channels}
    for name, (channels, depths) in varied.items():
        there = [channel for channel in channels if channel in own]
        at = {depth: source.network.with_depths(dict.fromkeys(there, depth)) for depth in sorted(depths)}
        other = [depth for depth, network in at.items() if as_pasted(network, source, {})[1]]
        if other:
            last = f" to {other[-1]}" if len(other) > 1 else ""
            found.append(other_memories(at[other[-1]], source, f"{name} = {other[0]}{last}"))
    return found
