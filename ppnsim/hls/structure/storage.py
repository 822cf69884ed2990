"""How the arrays of a kernel are kept: in block RAM, in registers, behind a bus, as FIFOs (R6.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

BUS_STATES = 7
"""States that the adapter of an AXI bus adds to its latency (readreq of Vitis HLS is 71 states at latency 64)."""
BUS_LATENCY = 64
"""Latency of an AXI bus without a ``latency`` clause (the default of the vendor's kernel flow)."""


@dataclass(frozen=True, slots=True)
class Storage:
    """An array's memory.

    ``ram``: data arrives ``latency`` states after its address. ``registers``: every element is a register. ``fifo``:
    elements come one after the other. ``bus``: each access is a transfer of ``bundle``. ``ports`` is 0 for as many
    ports as the device's memories have; ``split``: so many ports that read, and as many that write.
    """

    kind: Literal["ram", "registers", "fifo", "bus"] = "ram"
    latency: int = 1
    ports: float = 0
    split: bool = False
    bundle: str = ""


RAM, REGISTERS = Storage(), Storage("registers", 0)
