"""Sums of atoms: whatever is simplified has the value that C computes."""

from collections.abc import Callable
from operator import add, and_, ge, gt, le, lt, mul, ne, or_, sub, xor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine
from ppnsim.opencl.reader.symbolic.atoms import ZERO, Atoms


def quotient(a: int, b: int) -> int:
    """Return a / b rounded towards 0, as C does."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


C: dict[str, Callable[[int, int], int]] = {
    "+": add, "-": sub, "*": mul, "/": quotient, "%": lambda a, b: a - b * quotient(a, b), "<": lt, "<=": le, ">": gt,
    ">=": ge, "!=": ne, "&": and_, "|": or_, "^": xor, "<<": lambda a, b: a << b, ">>": lambda a, b: a >> b,
}  # fmt: skip
SUMS = st.tuples(st.integers(-8, 8), st.integers(-8, 8), st.integers(-16, 16))


@given(st.sampled_from(sorted(C)), SUMS, SUMS, st.booleans(), st.integers(-5, 5), st.integers(-5, 5))
def test_an_operator_on_sums_has_the_value_that_c_computes(
    operator: str, left: tuple[int, int, int], right: tuple[int, int, int], constant: bool, i: int, j: int
) -> None:
    one, other = (Affine.of("i") * a + Affine.of("j") * b + c for a, b, c in (left, right))
    if constant or operator in ("<<", ">>"):
        other = Affine.of(abs(right[2]))
    atoms, symbols = Atoms(), {"i": np.array([i]), "j": np.array([j])}
    a, b = (int(atoms.value(each, symbols).item()) for each in (one, other))
    if operator in ("/", "%") and b == 0:
        return
    assert atoms.value(atoms.apply(operator, one, other), symbols).item() == C[operator](a, b)


@pytest.mark.parametrize(
    ("operator", "by", "text"),
    [
        ("/", 4, "2*i + 1"), ("/", 3, "(8*i + 4 / 3)"), ("%", 4, "0"), ("%", 8, "(8*i + 4 % 8)"), ("<<", 1, "16*i + 8"),
        (">>", 2, "2*i + 1"), (">>", 0, "8*i + 4"), ("|", 0, "8*i + 4"), ("&", 0, "(8*i + 4 & 0)"),
    ],
)  # fmt: skip
def test_a_constant_keeps_a_sum_a_sum_where_it_divides_all_of_it(operator: str, by: int, text: str) -> None:
    assert str(Atoms().apply(operator, Affine.of("i") * 8 + 4, Affine.of(by))) == text


def test_division_by_zero_is_refused() -> None:
    with pytest.raises(InputError, match="divides by 0"):
        Atoms().apply("/", Affine.of(1), ZERO)
