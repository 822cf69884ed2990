"""Clock uncertainty: the part of each period that the tool keeps for the steps after synthesis (R2.5)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ppnsim.errors import InputError, located
from ppnsim.units import SECONDS, quantity

OPTION = "--clock-uncertainty"


@dataclass(frozen=True, slots=True)
class ClockUncertainty:
    """An uncertainty as written: "27%" of the period, "0.5 ns", or a number of ns; ``where`` is its place."""

    text: str
    where: str = OPTION

    def ns(self, period: float) -> float:
        """Return the nanoseconds that logic cannot use of a period in ns.

        Raises
        ------
        InputError
            If it is neither a time nor a percentage, is negative, or leaves nothing of the period.

        Examples
        --------
        >>> [ClockUncertainty(text).ns(8) for text in ("12.5%", "0.5 ns", "250ps", "2")]
        [1.0, 0.5, 0.25, 2.0]
        """
        with located(self.where):
            found = self._ns(Fraction(str(period)))
            if not 0 <= found < Fraction(str(period)):
                words = f"clock uncertainty '{self.text}' leaves nothing of the clock period of {period:g} ns"
                raise InputError(words if found > 0 else f"clock uncertainty '{self.text}' is below 0")
        return float(found)

    def checked(self) -> None:
        """Refuse a text that is neither a time nor a percentage, before the period is known.

        Raises
        ------
        InputError
            If it is neither.
        """
        with located(self.where):
            self._ns(Fraction(1))

    def words(self, period: float, usual: float) -> str:
        """Return a sentence about the time for logic in a period in ns, with the ``usual`` share if it differs.

        Examples
        --------
        >>> ClockUncertainty("0.5", "run.tcl:7").words(4, 0.27)
        'clock uncertainty of 0.5 ns (12.5 % of the period instead of 27 %, run.tcl:7): a state has 3.5 of 4 ns'
        """
        kept = self.ns(period)
        shares = f"{100 * kept / period:.4g} % of the period instead of {100 * usual:.4g} %"
        words = f"clock uncertainty of {kept:.4g} ns ({shares}, {self.where})"
        return f"{words}: a state has {period - kept:.4g} of {period:.4g} ns"

    def _ns(self, period: Fraction) -> Fraction:
        text = self.text.strip()
        share = text.endswith("%")
        try:
            number = Fraction(text.removesuffix("%").strip())
        except (ValueError, ZeroDivisionError):
            number, unit = quantity(text, SECONDS)
            return number * SECONDS[unit] * 10**9
        return number * period / 100 if share else number


VIVADO = ClockUncertainty("12.5%", "the default of Vivado HLS")
"""The part of a clock that tools before Vitis HLS keep without a setting (R2.5)."""


def uncertainty_of(text: str | None) -> ClockUncertainty | None:
    """Return the requested uncertainty, None without a request.

    Raises
    ------
    InputError
        If it is neither a time nor a percentage.
    """
    found = None if text is None else ClockUncertainty(text)
    if found is not None:
        found.checked()
    return found
