"""What rewritings and the writer of C refuse, in whole sentences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest

from ppnsim.errors import InputError
from ppnsim.loops.as_c.source import c_source
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import Loop, LoopProgram
from ppnsim.loops.rewrite.interchange import interchange
from ppnsim.loops.rewrite.partition import MOST_PARTS, cut, edges_of, unfold
from ppnsim.loops.rewrite.skew import skew
from tests.helpers.loop_programs import at, do, kernel, loop

S = do("s", writes=(at("a", "i", "j"),))


def square(assumed: bool = False) -> LoopProgram:
    inner = loop("j", 0, 3, S)
    return kernel("square", {"a": (4, 4)}, loop("i", 0, 3, replace(inner, assumed=assumed)))


def triangle() -> LoopProgram:
    inner = replace(loop("j", 0, 3, S), first=(Affine.of("i"), Affine.of(1)))
    return kernel("triangle", {"a": (4, 4)}, loop("i", 0, 3, inner))


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: c_source(square(), ""), "square: does not come from C, so its source cannot be written"),
    (lambda: cut(square(), "s", 1), "square: cutting into 1 leaves it as it is (planes start at 2)"),
    (
        lambda: cut(square(), "s", MOST_PARTS + 1),
        f"square: cutting into {MOST_PARTS + 1} makes too many processes (at most {MOST_PARTS})",
    ),
    (lambda: cut(square(), "t"), "square: no statement is called 't' (known: s)"),
    (lambda: cut(square(), "s", iterator="k"), "square: statement 's' is in no loop over 'k' (known: i, j)"),
    (lambda: cut(triangle(), "s"), "triangle: loop 'j' has bounds that vary, so it has no middle to cut at"),
    (lambda: unfold(square(), "s", 1), "square: unfolding by 1 leaves it as it is (factors start at 2)"),
    (
        lambda: unfold(square(), "s", MOST_PARTS + 1),
        f"square: unfolding by {MOST_PARTS + 1} makes too many processes (at most {MOST_PARTS})",
    ),
    (
        lambda: unfold(triangle(), "s", 2),
        "triangle: loop 'j' starts at one of 2 expressions, so trips cannot be counted",
    ),
    (
        lambda: interchange(square(assumed=True), "s", "i", "j"),
        "square: the bounds of loop 'j' are data, so it cannot change places",
    ),
    (
        lambda: interchange(square(), "s", "j", "i"),
        "square: loop 'i' is not inside loop 'j' (name the outer one first)",
    ),
    (
        lambda: skew(square(assumed=True), "s", "j", "i"),
        "square: the bounds of loop 'j' are data, so it cannot be skewed",
    ),
    (lambda: skew(square(), "s", "j", "i", 0), "square: skewing 'j' by 0 times 'i' leaves it as it is"),
    (
        lambda: skew(square(), "s", "j", "i", 2**31),
        f"square: skewing 'j' by {2**31} times 'i' makes numbers too large (2**31)",
    ),
    (
        lambda: skew(square(), "s", "i", "j"),
        "square: loop 'i' can only be skewed by a loop around it (none), not by 'j'",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("work", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_what_cannot_be_rewritten_is_refused_in_a_sentence(work: Callable[[], object], words: str) -> None:
    with pytest.raises(InputError) as error:
        work()
    assert str(error.value) == words


@pytest.mark.parametrize("size", [1, 2, 5, 7, 12])
@pytest.mark.parametrize("planes", [2, 3, 4])
@pytest.mark.parametrize("low", [0, -3, 4])
def test_planes_of_a_cut_have_sizes_that_differ_by_one_at_most(size: int, planes: int, low: int) -> None:
    one = Loop(iterator="i", first=(Affine.of(low),), last=(Affine.of(low + size - 1),))
    edges = edges_of(one, planes)
    ends = [low, *edges, low + size]
    sizes = [last - first for first, last in pairwise(ends)]
    assert len(sizes) == planes and sum(sizes) == size and max(sizes) - min(sizes) <= 1


def test_the_most_parts_are_taken() -> None:
    for rewrite in (cut, unfold):
        assert len(rewrite(square(), "s", MOST_PARTS).statements()) == MOST_PARTS
