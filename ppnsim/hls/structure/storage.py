"""How the arrays of a kernel are kept: in block RAM, in registers, behind a bus, as FIFOs (R6.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

BUS_STATES = 7
"""States that the adapter of an AXI bus adds to its latency (readreq of Vitis HLS is 71 states at latency 64)."""
BUS_LATENCY = 64
"""Latency of an AXI bus if nobody says what it is (the default of the vendor's kernel flow)."""


@dataclass(frozen=True, slots=True)
class Storage:
    """An array's memory.

    ``ram``: data is there ``latency`` states after its address. ``registers``: every element is one. ``fifo``: its
    elements come one after the other. ``bus``: each access is a transfer of ``bundle``. ``ports`` is 0 for those of the
    device's memories; ``split``: so many read and so many write.
    """

    kind: Literal["ram", "registers", "fifo", "bus"] = "ram"
    latency: int = 1
    ports: float = 0
    split: bool = False
    bundle: str = ""


RAM, REGISTERS = Storage(), Storage("registers", 0)
