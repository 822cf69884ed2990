"""One row: a printed figure beside ours, and the verdict that follows from the two and from nothing else.

A difference is explained only if the row says beforehand what our figure will be and why. A figure within a rounding or
a tolerance must also be the one that is recorded in ``pins.json``. So neither an explanation nor a tolerance covers a
later mistake.
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
    CONSISTENT = "consistent (ours against ours)"
    EXPLAINED = "differs, explained"
    NOT_UNDERSTOOD = "differs, not understood"
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
    """Our figure where it is known to differ from the printed one, and the reason.

    ``ours`` is written down as a number, never computed from the figure that it judges. ``understood`` is False where
    ``why`` says what is known and the cause is open.
    """

    ours: Value
    why: str
    understood: bool = True


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
    figures : printed figures that this row stands for; a row is one independent figure.
    consistent : "" for a figure from outside; else why the printed figure is our own, or was put in and comes out.
    basis : further figures of ours, which must be the recorded ones: those that the words of ``ours`` follow from
        ("yes", "memory bound"), or the law of ours that stands as ``printed``.
    pinned : our figure, or its basis, as ``pins.json`` has it; the runner sets it.
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
    consistent: str = ""
    basis: Value | None = None
    pinned: Value | None = None

    @property
    def key(self) -> str:
        """What tells it from the other rows of its section."""
        return f"{self.group} | {self.what}"

    @property
    def verdict(self) -> Verdict:
        """The verdict, from the strictest to the most lenient that holds."""
        if self.missing is not None:
            return self.missing
        if self.explained is not None and self.ours != self.explained.ours:
            return Verdict.UNEXPLAINED
        near = self.near
        if self.pinned is not None:
            recorded = same(self.recordable, self.pinned)
        else:
            recorded = near is Verdict.EXACT and self.basis is None
        if near is not None and recorded:
            return Verdict.CONSISTENT if self.consistent else near
        if self.explained is not None and (recorded or self.basis is None):
            return Verdict.EXPLAINED if self.explained.understood else Verdict.NOT_UNDERSTOOD
        return Verdict.UNEXPLAINED

    @property
    def recordable(self) -> Value | None:
        """What ``pins.json`` records of the row."""
        return self.ours if self.basis is None else self.basis

    @property
    def near(self) -> Verdict | None:
        """How near the two figures are: exact, within rounding, within tolerance, or None."""
        printed = number(self.printed)
        if self.ours is None:
            return None
        if self.ours == (self.printed if isinstance(self.ours, str) else printed):
            return Verdict.EXACT
        if printed is None or not isinstance(self.ours, int | Fraction):
            return None
        ours = Fraction(self.ours)
        if isinstance(self.allowed, Rounding) and self.allowed.of(ours, self.printed) == printed:
            return Verdict.ROUNDING
        if isinstance(self.allowed, Tolerance) and abs(ours - printed) <= self.allowed.share * abs(printed):
            return Verdict.TOLERANCE
        return None

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
        verdict = self.verdict
        parts = [self.note]
        if self.explained and verdict in (Verdict.EXPLAINED, Verdict.NOT_UNDERSTOOD):
            parts = [self.explained.why, self.note]
        elif verdict is Verdict.CONSISTENT:
            parts = [self.consistent, self.note]
        elif verdict is Verdict.UNEXPLAINED and self.near is not None:
            recorded = "nothing is recorded" if self.pinned is None else f"{self.pinned} is recorded"
            parts = [f"{recorded} as our figure (python -m validation --pin records it)", self.note]
        return "; ".join(part for part in parts if part)


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


def figures(*values: Fraction | float) -> Value:
    """Return figures of ours as the basis of some words: short fractions whole, others in nine digits.

    Examples
    --------
    >>> figures(Fraction(1, 3), 19.2), figures(19.2)
    ('1/3 19.2', Fraction(96, 5))
    """
    short = [isinstance(value, int | Fraction) and Fraction(value).denominator < 1000 for value in values]
    texts = [str(value) if whole else f"{float(value):.9g}" for value, whole in zip(values, short, strict=True)]
    return " ".join(texts) if len(texts) > 1 else Fraction(texts[0])


def ratio(value: float) -> Fraction:
    """Return the fraction of whole cycles that a float of ours stands for (denominators below a million).

    Examples
    --------
    >>> ratio(171 / 83)
    Fraction(171, 83)
    """
    return Fraction(value).limit_denominator(10**6)


def same(ours: Value | None, pinned: Value | None) -> bool:
    """Return whether our figure is the recorded one: whole numbers and texts exactly, others in twelve digits.

    Examples
    --------
    >>> same(83, 83), same(84, 83), same(Fraction(1, 3), Fraction("0.33333333333333")), same(83, None)
    (True, False, True, False)
    """
    if isinstance(ours, Fraction) and isinstance(pinned, int | Fraction):
        recorded = Fraction(pinned)
        return abs(ours - recorded) <= abs(recorded) / 10**12
    return ours is not None and ours == pinned
