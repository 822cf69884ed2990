"""Why a region is no process network, though each of its tasks can be scheduled."""

from __future__ import annotations

from ppnsim.errors import InputError


class NoNetwork(InputError):
    """How many tokens pass is not known, or several tasks change an array: its tasks cannot be run as a network."""
