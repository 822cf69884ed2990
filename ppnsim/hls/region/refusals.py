"""Errors for regions that cannot become a process network, although each of their tasks has a schedule."""

from __future__ import annotations

from ppnsim.errors import InputError


class NoNetwork(InputError):
    """A region that cannot become a network: its token counts are unknown, or several tasks change an array."""


class DataDecides(NoNetwork):
    """Accesses to a FIFO, or to an element of an ``array`` of FIFOs, that depend on data."""

    def __init__(self, words: str, array: str, where: str = "") -> None:
        super().__init__(words, where=where)
        self.array = array
