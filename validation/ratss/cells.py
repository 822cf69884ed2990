"""Cells of the paper's tables as rows: inputs, computed cells, quotations, and quotients of cells."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from validation.harness.rows import Expected, Rounding, Row, Tolerance, Value, Verdict

PAPER = "RATSS (Holland et al. 2011)"
DIGITS = Rounding(down=False, why="the table prints three digits")
_QUOTED = "measured on hardware: a quotation"


def plain(cell: str) -> str:
    """Return a cell in scientific notation as the decimal with the same digits.

    Examples
    --------
    >>> plain("1.41E+2"), plain("4.07E-1"), plain("146")
    ('141', '0.407', '146')
    """
    digits, _, power = cell.partition("E")
    if not power:
        return cell
    decimals = max(len(digits.partition(".")[2]) - int(power), 0)
    return f"{Decimal(cell):.{decimals}f}"


def six(value: Fraction) -> Fraction:
    """Return a figure of ours in six digits, which is what reports can show.

    Examples
    --------
    >>> six(Fraction(1, 3))
    Fraction(333333, 1000000)
    """
    return Fraction(f"{float(value):.6g}")


def given(
    group: str, what: str, printed: str, ours: Value, unit: str = "", *, expected: str = "", why: str = ""
) -> Row:
    """Return a cell that is an input; ``expected`` is what our case has where the cell is a misprint."""
    explained = Expected(ours=Fraction(expected), why=why) if expected else None
    return Row(
        group=group, what=what, source=f"{PAPER}, {group}", printed=printed, ours=ours, unit=unit, explained=explained,
        consistent="an input, typed into our case from this cell",
    )  # fmt: skip


def computed(
    group: str, what: str, printed: str, ours: Fraction, unit: str = "s", *,
    expected: str = "", why: str = "", note: str = "",
) -> Row:  # fmt: skip
    """Return a cell that the paper computed; ``expected`` is our figure where another one is known to come out."""
    explained = Expected(ours=Fraction(expected), why=why) if expected else None
    return Row(
        group=group, what=what, source=f"{PAPER}, {group}", printed=plain(printed), ours=six(ours), unit=unit,
        allowed=DIGITS, explained=explained, note=note,
    )  # fmt: skip


def quoted(group: str, what: str, printed: str, unit: str = "s") -> Row:
    """Return a cell that the authors measured."""
    return Row(
        group=group, what=what, source=f"{PAPER}, {group}", printed=plain(printed), unit=unit,
        missing=Verdict.IMPOSSIBLE, note=_QUOTED,
    )  # fmt: skip


def quotient(group: str, what: str, printed: str, over: str, under: str, *, minus_one: bool = True) -> Row:
    """Return a cell that the paper computed from two others: an error in per cent, or a quotient as such.

    What it may differ by follows from half a last digit of each of the three.
    """
    above, below = Fraction(plain(over)), Fraction(plain(under))
    ratio = above / below
    scale = 100 if minus_one else 1
    ours = (ratio - (1 if minus_one else 0)) * scale
    slack = ratio * (_half(over) / above + _half(under) / below) * scale + _half(printed)
    cell = Fraction(printed)
    return Row(
        group=group, what=what, source=f"{PAPER}, {group}", printed=printed, ours=six(ours),
        unit="%" if minus_one else "",
        allowed=Tolerance(share=slack / abs(cell), why=f"half a last digit of {over}, {under} and {printed}"),
        consistent="a quotient of printed cells, in which our model has no part",
    )  # fmt: skip


def _half(cell: str) -> Fraction:
    """Return half of a cell's last digit."""
    return Fraction(1, 2 * 10 ** len(plain(cell).partition(".")[2]))
