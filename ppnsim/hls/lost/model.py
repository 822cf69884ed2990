"""Lost-cycle formulas: the lost cycles of a design by its loop bounds, learned from a few small sizes (section 4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from itertools import product

from ppnsim.analysis.formulas import Fit, Formula, fit, monomials
from ppnsim.analysis.lost_cycles import CycleSplit
from ppnsim.errors import InputError

Observe = Callable[[Mapping[str, int]], CycleSplit]
FACTOR = "U"  # the name of the variable for the factor of an unrolled loop
PARTS = tuple(each.name for each in fields(CycleSplit))


@dataclass(frozen=True, slots=True, kw_only=True)
class LostCycleModel:
    """Formulas in the loop bounds.

    Attributes
    ----------
    loops, unrolled : names of the bounds, and of the loop whose factor ``U`` is a variable too, or None.
    formulas : by part of a `CycleSplit`.
    explored, checked : numbers of sizes to which the formulas were fitted, and at which they were found exact.
    """

    loops: tuple[str, ...]
    unrolled: str | None
    formulas: Mapping[str, Formula]
    explored: int
    checked: int

    def at(self, sizes: Mapping[str, int]) -> CycleSplit:
        """Return the split that the formulas predict for these bounds (and the factor ``U``).

        Raises
        ------
        InputError
            If a prediction is not a whole number of cycles: the formulas do not hold for these bounds.
        """
        point = _point(sizes, self.unrolled)
        found = {part: formula.at(point) for part, formula in self.formulas.items()}
        for part, cycles in found.items():
            if cycles.denominator > 1:
                at = ", ".join(f"{name} = {size}" for name, size in sizes.items())
                raise InputError(f"{part}: {cycles} is not a whole number of cycles at {at}")
        return CycleSplit(**{part: int(cycles) for part, cycles in found.items()})


def learn(
    observe: Observe, loops: Sequence[str], *, unrolled: str | None = None, bounds: Sequence[int] = range(2, 9),
    degrees: int = 3,
) -> LostCycleModel:  # fmt: skip
    """Return formulas that hold for a design, from as few small sizes as determine them.

    The basis holds all products of one power of each bound; its degree grows until formulas that are fitted to one set
    of sizes are exact at larger ones, which they were not fitted to.

    Parameters
    ----------
    observe : the split of the design for given bounds: a walk of the nest, a schedule, or the report of a tool.
    loops : names of the bounds.
    unrolled : the loop that is partially unrolled, by factors ``U`` from 2 on; its rounds join the basis.
    bounds : values of a bound (with ``unrolled``: and of its rounds) to look at, the first ones to fit, later ones to
        check; as many as the largest power and 3.
    degrees : largest power of one bound to try.

    Raises
    ------
    InputError
        If no such formula exists; the message names the part and a size at which it fails.

    Examples
    --------
    >>> model = learn(lambda n: CycleSplit(useful=n["I"] * n["J"], control=2 * n["I"] + 1), ["I", "J"])
    >>> print(model.formulas["control"], model.explored, model.at({"I": 64, "J": 64}).useful, sep="; ")
    2*I + 1; 4; 4096
    """
    for degree in range(1, degrees + 1):
        sizes = _sizes(loops, unrolled, bounds[: degree + 1])
        splits = [observe(size) for size in sizes]
        points = [_point(size, unrolled) for size in sizes]
        groups = [[name, f"{name}/{FACTOR}"] if name == unrolled else [name] for name in loops]
        basis = monomials(groups, degree)
        fits = {part: fit(points, [getattr(split, part) for split in splits], basis) for part in PARTS}
        fresh = _sizes(loops, unrolled, [bounds[degree + 1], bounds[degree + 2]])
        wrong = _first_wrong(fits, sizes + fresh, observe, unrolled)
        if not wrong:
            return LostCycleModel(
                loops=tuple(loops), unrolled=unrolled, formulas={part: each.formula for part, each in fits.items()},
                explored=len(sizes), checked=len(fresh),
            )  # fmt: skip
    raise InputError(f"no formula in products of the bounds up to power {degrees} holds: {wrong}")


def _first_wrong(
    fits: Mapping[str, Fit], sizes: Sequence[dict[str, int]], observe: Observe, unrolled: str | None
) -> str:
    """Return the first size at which a formula fails, "" if all hold everywhere."""
    for size in sizes:
        seen = observe(size)
        for part, each in fits.items():
            predicted = each.formula.at(_point(size, unrolled))
            if predicted != getattr(seen, part):
                return f"{part} at {size} is {getattr(seen, part)}, predicted {float(predicted):g}"
    return ""


def _sizes(loops: Sequence[str], unrolled: str | None, values: Sequence[int]) -> list[dict[str, int]]:
    """Return every combination of values; an unrolled loop has that many rounds of that many copies."""
    names = [*loops, *([FACTOR] if unrolled else [])]
    sizes = [dict(zip(names, chosen, strict=True)) for chosen in product(values, repeat=len(names))]
    for size in sizes:
        if unrolled:
            size[unrolled] *= size[FACTOR]
    return sizes


def _point(sizes: Mapping[str, int], unrolled: str | None) -> dict[str, int | Fraction]:
    point: dict[str, int | Fraction] = dict(sizes)
    if unrolled:
        point[f"{unrolled}/{FACTOR}"] = Fraction(sizes[unrolled], sizes[FACTOR])
    return point
