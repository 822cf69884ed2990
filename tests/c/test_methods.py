"""Methods of the library as expressions: the least and the largest of a list."""

from __future__ import annotations

import pytest

from ppnsim.c.clang.methods import extreme
from ppnsim.c.syntax import CType, SyntaxNode
from ppnsim.loops.position import Position

AT, INT = Position("k.cpp", 1, 1), CType("integer", "int", 32)


def listed(count: int) -> SyntaxNode:
    values = tuple(SyntaxNode("integer", AT, INT, value=number, text=str(number)) for number in range(count))
    return SyntaxNode("list", AT, INT, values)


def depth(node: SyntaxNode) -> int:
    return 1 + depth(node.children[1]) if node.kind == "choice" else 0


@pytest.mark.parametrize("count", range(1, 7))
def test_the_extreme_of_a_short_list_is_a_chain_of_choices(count: int) -> None:
    found = extreme(listed(count), "<")
    assert found is not None
    assert depth(found) == count - 1
    if count > 1:
        test, one, other = found.children
        assert (test.kind, test.text, test.children) == ("binary", "<", (one, other))
        assert other.value == count - 1
    wrapped = extreme(SyntaxNode("other", AT, INT, (listed(count),)), ">")
    assert wrapped is not None
    assert depth(wrapped) == count - 1


def test_a_list_that_is_empty_or_long_and_what_is_none_has_no_extreme() -> None:
    assert extreme(listed(0), "<") is None
    assert extreme(listed(7), "<") is None
    assert extreme(SyntaxNode("name", AT, INT), "<") is None
