"""The rule that decides whether a FIFO is implemented as a RAM or in registers (R10.2)."""

from __future__ import annotations

_REGISTERS = 1024
"""Most bits of a FIFO that is a shift register."""


def is_ram(depth: int, width: int) -> bool:
    """Return whether a FIFO is a RAM; a token takes one cycle longer through a RAM than through registers (R10.2).

    Examples
    --------
    >>> is_ram(2, 1024), is_ram(32, 32), is_ram(33, 32)
    (False, False, True)
    """
    return depth > 2 and depth * width > _REGISTERS
