"""Small networks of every kind, sized: the depths, what proves them, the trade-off, and how many vectors it took."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import ppnsim
from ppnsim.errors import PpnsimError
from ppnsim.model.network import Network
from tests.golden.records import unlike
from tests.helpers.drawn import drawn_networks

_ASKED: tuple[dict[str, Any], ...] = (
    {"budget": 150},
    {"budget": 60, "cost": "bits", "within": 0.1},
    {"budget": 60, "objective": "period", "front": False},
    {"budget": 7, "cost": "fpga", "front": False},
)
_LEFT_OUT = ("seconds", "ppnsim", "version", "file", "name", "objective", "cost", "interrupted")
_LONG = 300


def sized() -> str:
    """Return how some networks are sized, and what of it can be explained."""
    lines = []
    for seed, network in drawn_networks(30):
        if network.events > 400:
            continue
        lines.append(f"network {seed}: {len(network.channels)} channels, {network.events} firings and tokens")
        for asked in _ASKED:
            lines += [f"  {asked}", *(f"    {each}" for each in _told(network, asked))]
    return "".join(f"{line}\n" for line in lines)


def _told(network: Network, asked: dict[str, Any]) -> Iterator[str]:
    try:
        found = ppnsim.size(network, **asked)
    except PpnsimError as refused:
        yield f"refused: {refused}"
        return
    for key, value in found.to_dict().items():
        if key not in _LEFT_OUT and value is not None:
            line = f"{key}: {value}"
            yield line if len(line) < _LONG else f"{line[:_LONG]} ... {sha256(line.encode()).hexdigest()[:12]}"


def test_networks_are_sized_as_recorded() -> None:
    assert unlike("sized") == [], "if it is meant: python -m tests.golden sized"
