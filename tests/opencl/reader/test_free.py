"""Which arithmetic on data costs nothing where it stands, operator by operator; and what a choice of places is."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace as Of
from typing import Any

import pytest

from ppnsim.c.syntax import CType
from ppnsim.loops.expressions import Affine
from ppnsim.opencl.reader.expressions.operators import _REAL_OPS, _WHOLE_OPS, _is_free_in, chosen
from ppnsim.opencl.reader.symbolic.values import Pointer, Value

COMPARISONS = {"<", "<=", ">", ">=", "==", "!="}
INT: Any = CType(kind="integer", text="int", bits=32)


def test_instructions_of_operators_are_those_of_the_model() -> None:
    sums, bits = {"+", "-"} | COMPARISONS, {"<<", ">>", "&", "|", "^", "&&", "||"}
    assert {sign for sign, op in _WHOLE_OPS.items() if op == "int_add"} == sums
    assert {sign for sign, op in _WHOLE_OPS.items() if op == "bitwise"} == bits
    assert {sign: op for sign, op in _WHOLE_OPS.items() if sign not in sums | bits} == {
        "*": "int_mul", "/": "int_div", "%": "int_div"
    }  # fmt: skip
    assert {"*": "fp_mul", "/": "fp_div", **dict.fromkeys(sums, "fp_add")} == _REAL_OPS


def test_sums_multiples_and_bits_are_part_of_an_address_and_comparisons_of_a_test() -> None:
    by_a_constant = {"*", "<<", ">>", "&", "|", "^"}
    for sign, constant in product(_WHOLE_OPS, (False, True)):
        op = _WHOLE_OPS[sign]
        assert _is_free_in("test", sign, op, by_constant=constant) is (sign in COMPARISONS)
        in_address = sign in ("+", "-") or (constant and sign in by_a_constant)
        assert _is_free_in("address", sign, op, by_constant=constant) is in_address
        assert not _is_free_in("data", sign, op, by_constant=constant)
    # Quotients by powers of two are shifts, and remainders masks.
    for sign in ("/", "%"):
        assert _is_free_in("address", sign, "bitwise", by_constant=True)
        assert not _is_free_in("address", sign, "bitwise", by_constant=False)


@pytest.mark.parametrize("same", [True, False])
def test_a_choice_of_two_places_is_that_place_or_data(same: bool) -> None:
    machine: Any = None  # nothing is computed
    memory: Any = Of(name="a")
    one = Pointer(memory, Affine.of(0))
    other = one if same else Pointer(memory, Affine.of(4))
    test = Value(frozenset({3}))
    assert chosen(machine, test, one, other, INT) == (one if same else Value(frozenset({3})))
    number = Value(frozenset({5}))
    assert chosen(machine, test, one, number, INT) == Value(frozenset({3}))
    assert chosen(machine, test, number, one, INT) == Value(frozenset({3}))
