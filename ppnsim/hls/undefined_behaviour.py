"""Undefined behaviour in a kernel: elements outside of arrays, divisions by 0, arrays without elements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter

from ppnsim.errors import InputError
from ppnsim.hls.library.types import Format
from ppnsim.hls.shown_lines import lines_in_words
from ppnsim.hls.structure.counting import constant_trips
from ppnsim.loops.expressions import Affine, Condition, Ranges
from ppnsim.loops.program import ADDRESSES, Loop, LoopProgram, Operation, Statement

_Range = tuple[int, int]
_SAYS = "C does not say what happens there, nor does this answer"


def undefined(program: LoopProgram) -> tuple[str, ...]:
    """Return a sentence for each place with undefined behaviour in C, as far as constants alone show it.

    Examples
    --------
    >>> from ppnsim.loops.program import Access, Array, Execution
    >>> write = Statement(name="a", writes=(Access("a", (Affine.of(70),)),))
    >>> program = LoopProgram(name="k", arrays=(Array(name="a", shape=(64,)),), body=(Execution(write),))
    >>> undefined(program)[0].partition(":")[0]
    "line 0 accesses element 70 of 'a', which has 64"
    """
    empty = (
        f"'{each.name}' (line {each.position.line}) has no elements: {_SAYS}"
        for each in program.arrays if each.role == "local" and not all(each.shape)
    )  # fmt: skip
    shapes = {each.name: each.shape for each in program.arrays}
    inside = (
        f"{lines_in_words([statement.position], program)} {words}"
        for around, some in groupby(program.placed(), itemgetter(1)) for ranges in [_ranges(around)]
        for statement, _, _ in some for words in _of(statement, ranges, shapes)
    )  # fmt: skip
    return tuple(dict.fromkeys((*empty, *inside)))


def _of(statement: Statement, ranges: Ranges | None, shapes: Mapping[str, tuple[int, ...]]) -> Iterator[str]:
    trees = (*statement.index, *([] if statement.value is None else [statement.value]))
    surely = [each for tree in trees for each in _surely(tree)]
    if any(map(_divides_by_0, surely)):
        yield f"divides by 0: {_SAYS}"
    sometimes = {each.read for tree in trees for each in tree.walk()} - {each.read for each in surely}
    for access in (*(each for at, each in enumerate(statement.reads) if at not in sometimes), *statement.writes):
        for part, size in zip(access.subscripts, shapes[access.array], strict=False):
            ends = None if access.random else _ends(part, ranges)
            known = size != ADDRESSES
            if ends is not None and size and (ends[0] < 0 or (ends[1] >= size and known)):
                beyond = ends[0] if ends[0] < 0 else ends[1]
                has = f", which has {size}" * known
                yield f"accesses element {beyond} of '{access.array}'{has}: {_SAYS}"


def _ranges(around: Sequence[Loop | Condition]) -> Ranges | None:
    """Return the ranges of the iterators of loops with known bounds; None if there are conditions around."""
    if not all(isinstance(each, Loop) for each in around):
        return None
    ranges = {each.iterator: _of_iterator(each) for each in around if isinstance(each, Loop)}
    return {name: found for name, found in ranges.items() if found is not None}


def _ends(part: Affine, ranges: Ranges | None) -> _Range | None:
    """Return the least and the largest value of a subscript that depends only on loops with known bounds."""
    if part.is_constant:
        return part.constant, part.constant
    plain = ranges is not None and all(isinstance(atom, str) and atom in ranges for atom, _ in part.terms)
    return part.extent(ranges) if ranges is not None and plain else None


def _of_iterator(loop: Loop) -> _Range | None:
    """Return the least and the largest value of an iterator whose bounds are constants."""
    trips = None if loop.assumed else constant_trips(loop)
    if not trips or len(loop.first) > 1 or not loop.first[0].is_constant:
        return None
    first = loop.first[0].constant
    return first, first + (trips - 1) * loop.step


def _surely(tree: Operation) -> Iterator[Operation]:
    """Yield the parts of an expression that are always computed: no branch of ``?:``, no right side of ``&&``."""
    yield tree
    for operand in tree.operands[:1] if tree.kind in ("?:", "&&", "||") else tree.operands:
        yield from _surely(operand)


def _divides_by_0(tree: Operation) -> bool:
    if tree.kind not in ("/", "%") or tree.operands[1].kind != "constant":
        return False
    try:
        return not Format.of(tree.type).real and int(tree.operands[1].text) == 0
    except (InputError, ValueError):
        return False
