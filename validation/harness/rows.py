"""One row: a printed figure beside ours, and the verdict that follows from the two and from nothing else.

A difference is explained only if the row says beforehand what our figure will be and why; any other figure is
unexplained, so an explanation never covers a later mistake.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import floor

Value = int | Fraction | str


class Verdict(StrEnum):
    """What a row comes to; only `UNEXPLAINED` fails the validation."""

    EXACT = "exact"
    ROUNDING = "within rounding"
    TOLERANCE = "within tolerance"
    EXPLAINED = "differs, explained"
    IMPOSSIBLE = "not reproducible"
    NOT_RUN = "not run"
    UNEXPLAINED = "differs, unexplained"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rounding:
    """The printed figure is ours rounded to its own number of decimals, ``down`` or to the nearest."""

    down: bool
    why: str

    def of(self, ours: Fraction, printed: str) -> Fraction:
        """Return our figure rounded as the printed one is.

        Examples
        --------
        >>> Rounding(down=True, why="thesis 7.1").of(Fraction(9504, 2562), "3.70")
        Fraction(37, 10)
        """
        scale = 10 ** len(printed.partition(".")[2])
        return Fraction(floor(ours * scale + (0 if self.down else Fraction(1, 2))), scale)

    def __str__(self) -> str:
        return f"rounded {'down' if self.down else 'to the nearest'}: {self.why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tolerance:
    """Our figure may differ by this share of the printed one, because the source itself claims no more."""

    share: Fraction
    why: str

    def __str__(self) -> str:
        return f"{float(self.share) * 100:g} %: {self.why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """Our figure where it is known to differ from the printed one, and the reason."""

    ours: Value
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A printed figure beside ours.

    Parameters
    ----------
    group : heading under which the report shows it.
    what, source : the quantity; document with section or table, or data file.
    printed : as the source prints it; numbers as ``14``, ``28.8`` or ``20/14``.
    ours : our figure, None if there is none.
    unit : of both figures.
    allowed : rounding or tolerance that the source's own precision asks for; None = exact.
    explained : our figure and the reason, where the two differ.
    missing : why there is no figure of ours: `Verdict.IMPOSSIBLE` or `Verdict.NOT_RUN`, with the reason in ``note``.
    note : remark for the reader.
    figures : printed figures that this row stands for.
    """

    group: str
    what: str
    source: str
    printed: str
    ours: Value | None = None
    unit: str = ""
    allowed: Rounding | Tolerance | None = None
    explained: Expected | None = None
    missing: Verdict | None = None
    note: str = ""
    figures: int = 1

    @property
    def verdict(self) -> Verdict:
        """The verdict, from the strictest to the most lenient that holds."""
        if self.missing is not None:
            return self.missing
        printed = number(self.printed)
        if self.ours == (self.printed if isinstance(self.ours, str) else printed):
            return Verdict.EXACT
        if printed is not None and isinstance(self.ours, int | Fraction):
            ours = Fraction(self.ours)
            if isinstance(self.allowed, Rounding) and self.allowed.of(ours, self.printed) == printed:
                return Verdict.ROUNDING
            if isinstance(self.allowed, Tolerance) and abs(ours - printed) <= self.allowed.share * abs(printed):
                return Verdict.TOLERANCE
        if self.explained is not None and self.ours == self.explained.ours:
            return Verdict.EXPLAINED
        return Verdict.UNEXPLAINED

    @property
    def deviation(self) -> Fraction | None:
        """Ours minus printed, None where one of them is no number."""
        printed = number(self.printed)
        if printed is None or not isinstance(self.ours, int | Fraction):
            return None
        return Fraction(self.ours) - printed

    @property
    def explanation(self) -> str:
        """Why they differ, why there is no figure, or a remark."""
        reason = self.explained.why if self.explained and self.verdict is Verdict.EXPLAINED else ""
        return "; ".join(part for part in (reason, self.note) if part)


def number(text: str) -> Fraction | None:
    """Return the number that ``text`` prints, None if it prints none.

    Examples
    --------
    >>> number("13/2"), number("28.8"), number("deadlock")
    (Fraction(13, 2), Fraction(144, 5), None)
    """
    try:
        return Fraction(text)
    except ValueError:
        return None


def ratio(value: float) -> Fraction:
    """Return the fraction of whole cycles that a float of ours stands for (denominators below a million).

    Examples
    --------
    >>> ratio(171 / 83)
    Fraction(171, 83)
    """
    return Fraction(value).limit_denominator(10**6)
