"""Why a region is no process network, though each of its tasks can be scheduled."""

from __future__ import annotations

from ppnsim.errors import InputError


class NoNetwork(InputError):
    """How many tokens pass is not known, or several tasks change an array: its tasks cannot be run as a network."""


class DataDecides(NoNetwork):
    """Data decides about the accesses to a FIFO, or to one of an ``array`` of them."""

    def __init__(self, words: str, array: str, where: str = "") -> None:
        super().__init__(words, where=where)
        self.array = array
