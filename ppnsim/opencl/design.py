"""A design of an OpenCL kernel: which optimisations are applied (SM, MC, PM, VT, UL, SIMD, CU), as a value and as text.

Source: Wang et al., A Performance Analysis Framework for Optimizing OpenCL Applications on FPGAs (2.1, 6.3-6.5).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ppnsim.errors import InputError
from ppnsim.opencl.kernel import Count

FLAGS = ("SM", "MC", "PM", "VT")
BASELINE = "baseline"
LANES = (2, 4, 8, 16)  # what the vendor's attributes accept
UNITS = (2, 3, 4, 6, 8)
MOST_COPIES = 256  # by unrolling, of all loops together
_NUMBERED = re.compile(r"(UL|SIMD|CU)([0-9]{1,9})(?::(.+))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """A combination of optimisations.

    Attributes
    ----------
    flags : those of SM (local memory), MC (coalescing), PM (private memory), VT (vector types) that are applied.
    unroll : factors of partially or completely unrolled loops by name (UL).
    simd, units : lanes of a pipeline, and pipelines (CU).
    """

    flags: frozenset[str] = frozenset()
    unroll: Mapping[str, int] = field(default_factory=dict)
    simd: int = 1
    units: int = 1

    def __str__(self) -> str:
        parts = [flag for flag in FLAGS if flag in self.flags]
        parts += [f"UL{factor}:{loop}" for loop, factor in self.unroll.items() if factor > 1]
        parts += [f"SIMD{self.simd}"] * (self.simd > 1) + [f"CU{self.units}"] * (self.units > 1)
        return "+".join(parts) or BASELINE


def parse_design(text: str) -> Design:
    """Return the design that a text names: optimisations joined by ``+``, unrolled loops by name.

    Raises
    ------
    InputError
        If a part is not an optimisation.

    Examples
    --------
    >>> str(parse_design("SM+UL64:k+SIMD4"))
    'SM+UL64:k+SIMD4'
    """
    flags, unroll, numbers = set(), {}, {"SIMD": 1, "CU": 1}
    for part in text.split("+") if text != BASELINE else ():
        numbered = _NUMBERED.fullmatch(part)
        if part in FLAGS:
            flags.add(part)
        elif numbered and (numbered[1] == "UL") == (numbered[3] is not None):
            if numbered[1] == "UL":
                unroll[numbered[3]] = int(numbered[2])
            else:
                numbers[numbered[1]] = int(numbered[2])
        else:
            forms = f"{', '.join(FLAGS)}, UL<factor>:<loop>, SIMD<lanes>, CU<units>"
            raise InputError(f"'{part}' is not an optimisation (known: {forms})", where=f"design '{text}'")
    return Design(flags=frozenset(flags), unroll=unroll, simd=numbers["SIMD"], units=numbers["CU"])


def factors(trip: Count, most: int) -> list[int]:
    """Return the factors that divide a trip count, 1 first.

    Examples
    --------
    >>> from fractions import Fraction
    >>> factors(12, 8), factors(Fraction(9, 2), 8)
    ([1, 2, 3, 4, 6], [1])
    """
    return [factor for factor in range(1, min(int(trip), most) + 1) if trip % factor == 0] or [1]
