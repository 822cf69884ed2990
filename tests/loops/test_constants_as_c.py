"""Constants as they are written in C, and whole-number values in pieces, held to what C computes."""

from __future__ import annotations

import pytest

from ppnsim.c.lowering.values.conditions import positive
from ppnsim.c.lowering.values.piecewise import Choice, Value, quotient, remainder
from ppnsim.loops.as_c.types import constant_text
from ppnsim.loops.expressions import Affine, All, Compare, Condition, Not, Some


@pytest.mark.parametrize(
    ("text", "of", "written"),
    [
        ("-2147483648", "int", "(-2147483647 - 1)"), ("-2147483647", "int", "-2147483647"),
        ("-9223372036854775808", "long long", "(-9223372036854775807LL - 1)"), ("2147483648", "long", "2147483648L"),
        ("inf", "double", "(1.0 / 0.0)"), ("-inf", "float", "-(1.0 / 0.0)"), ("nan", "double", "(0.0 / 0.0)"),
        ("limit", "int", "limit"), ("3", "__int128", "3"), ("1", "bool", "true"), ("0", "bool", "false"),
        ("-7", "short", "(short)-7"),
    ],
)  # fmt: skip
def test_a_constant_is_written_with_what_gives_it_its_type(text: str, of: str, written: str) -> None:
    assert constant_text(text, of) == written


def _at(value: Value, i: int) -> int:
    if isinstance(value, Choice):
        assert isinstance(value.condition, Compare)
        return _at(value.yes if value.condition.left.value({"i": i}) >= 0 else value.no, i)
    assert isinstance(value, Affine)
    return value.value({"i": i})


@pytest.mark.parametrize("ends", [(-9, 0), (-9, -1), (0, 9), (-9, 9)])
@pytest.mark.parametrize("by", [1, 2, 3, 7])
def test_quotients_round_towards_zero_wherever_the_values_lie(ends: tuple[int, int], by: int) -> None:
    i = Affine.of("i")
    for at in range(ends[0], ends[1] + 1):
        assert _at(quotient(i, by, {"i": ends}), at) == int(at / by)
        assert at - by * int(at / by) == _at(remainder(i, by, {"i": ends}), at)


A, B = Compare(Affine.of("i")), Compare(Affine.of("j") - 3)
NOT_A, NOT_B = Compare(-Affine.of("i") - 1), Compare(-Affine.of("j") + 2)
SAME = Compare(Affine.of("i"), "=")


@pytest.mark.parametrize(
    ("test", "turned"),
    [
        (A, A), (Not(A), NOT_A), (Not(Not(A)), A), (Not(SAME), Not(SAME)), (Not(Not(Not(SAME))), Not(SAME)),
        (Not(All((A, B))), Some((NOT_A, NOT_B))), (Not(Some((A, Not(B)))), All((NOT_A, B))),
        (Some((Not(All((A, SAME))), B)), Some((Some((NOT_A, Not(SAME))), B))),
    ],
)  # fmt: skip
def test_a_not_is_moved_inwards(test: Condition, turned: Condition) -> None:
    assert positive(test) == turned
