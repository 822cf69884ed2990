"""Expressions with iterators replaced: the values, and the same object where there is nothing to replace."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ppnsim.hls.graph.graph import Graph
from ppnsim.hls.graph.order import order_of
from ppnsim.hls.library.library import load_library
from ppnsim.hls.library.types import Format
from ppnsim.loops.expressions import Affine

NAMES = "ijk"
simple = st.builds(
    lambda factors, constant: sum((Affine.of(n) * f for n, f in zip(NAMES, factors, strict=True)), Affine.of(constant)),
    st.tuples(*[st.integers(-2, 2)] * 3),
    st.integers(-5, 5),
)
expressions = st.recursive(
    simple,
    lambda inner: (
        st.builds(lambda a, b: a // b, inner, st.integers(1, 4))
        | st.builds(lambda a, b: a % b, inner, st.integers(1, 4))
        | st.builds(lambda a, b, c: a + b * c, inner, inner, st.integers(-2, 2))
    ),
    max_leaves=4,
)
values = st.fixed_dictionaries(dict.fromkeys(NAMES, st.integers(-9, 9)))


@given(expressions, st.dictionaries(st.sampled_from(NAMES), expressions, max_size=2), values)
def test_a_replaced_expression_has_the_value_of_what_it_is_replaced_by(
    given_one: Affine, by: dict[str, Affine], at: dict[str, int]
) -> None:
    inner = at | {name: each.value(at) for name, each in by.items()}
    found = given_one.replaced(by)
    assert found.value(at) == given_one.value(inner)
    assert all(coefficient for _, coefficient in found.terms)
    if not given_one.iterators() & by.keys():
        assert found is given_one


@given(st.lists(st.lists(st.integers(0, 30), max_size=3), min_size=1, max_size=12))
def test_nodes_are_placed_the_longest_path_first(operands: list[list[int]]) -> None:
    graph, word = Graph(), Format("int", 32)
    for n, before in enumerate(operands):
        graph.add("op", "add", word, tuple(each % n for each in before) if n else (), delay=1.0)
    order = order_of(graph, load_library("xcu280", 3.33))
    left = set(range(len(operands)))
    for n in order.placed:
        ready = [m for m in left if not left.intersection(graph.nodes[m].operands)]
        assert n == min(ready, key=lambda m: (-order.height[m], m))
        left.remove(n)
    assert not left
