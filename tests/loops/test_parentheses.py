"""Which operators in which others compilers want parentheses around, pair by pair."""

from __future__ import annotations

from itertools import product

from ppnsim.loops.as_c.operations import _LEVELS, _UNARY, _unclear

WANTED = {  # what gcc's -Wparentheses warns of: the outer one, and those inside of it
    "||": {"&&"},
    "|": {"||", "&&", "^", "&", "==", "<", "<<", "+", "*"},
    "^": {"||", "&&", "|", "&", "==", "<", "<<", "+", "*"},
    "&": {"||", "&&", "|", "^", "==", "<", "<<", "+", "*"},
    "<<": {"||", "&&", "|", "^", "&", "==", "<", "+", "*"},
    "==": {"==", "<"},
    "<": {"==", "<"},
}


def test_parentheses_stand_where_compilers_want_them() -> None:
    signs = ("||", "&&", "|", "^", "&", "==", "<", "<<", "+", "*")
    for outer, inner in product(signs, repeat=2):
        assert _unclear(_LEVELS[outer], _LEVELS[inner]) is (inner in WANTED.get(outer, ())), (outer, inner)
    assert not any(_unclear(_LEVELS[outer], _UNARY) for outer in signs)


def test_operators_bind_as_in_c() -> None:
    groups = [["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<", "<=", ">", ">="], ["<<", ">>"], ["+", "-"],
              ["*", "/", "%"]]  # fmt: skip
    assert {operator: level for level, group in enumerate(groups, 2) for operator in group} == _LEVELS
    assert max(_LEVELS.values()) < _UNARY
