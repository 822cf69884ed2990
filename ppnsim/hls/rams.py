"""Which FIFOs are RAMs (R10.2)."""

from __future__ import annotations

_REGISTERS = 1024
"""Bits up to which a FIFO is a shift register."""


def is_ram(depth: int, width: int) -> bool:
    """Return whether a FIFO is a RAM, in which a token takes a cycle more than in registers (R10.2).

    Examples
    --------
    >>> is_ram(2, 1024), is_ram(32, 32), is_ram(33, 32)
    (False, False, True)
    """
    return depth > 2 and depth * width > _REGISTERS
