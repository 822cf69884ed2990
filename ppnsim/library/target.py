"""What a kernel is scheduled for: a device at a clock, which has its unit."""

from __future__ import annotations

from ppnsim.boards.default import CLOCK, DEVICE
from ppnsim.hls.library.library import Library, load_library
from ppnsim.hls.library.uncertainty import uncertainty_of
from ppnsim.units import period_with_unit


def library_of(
    device: str | None = None, clock: str | None = None, clock_uncertainty: str | None = None
) -> Library:  # fmt: skip
    """Return the operators of a device, a board, or a table of your own (.toml), at a clock with its unit.

    None stands for `DEVICE`, `CLOCK`, and the uncertainty of the device's table; an empty name or clock is refused.
    """
    named, period = DEVICE if device is None else device, CLOCK if clock is None else clock
    return load_library(named, period_with_unit(period, "--clock:"), uncertainty_of(clock_uncertainty))
