"""Loop programs for tests: small constructors, the thesis's programs, random ones, and a naive interpreter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from hypothesis import strategies as st

from ppnsim.loops.expressions import Affine, All, Compare, Condition, Not, Some, holds
from ppnsim.loops.program import (
    Access,
    Array,
    Execution,
    Guard,
    Loop,
    LoopProgram,
    Node,
    Operation,
    Statement,
)
from tests.helpers.by_seed import by_seed

Index = Affine | int | str
Location = tuple[object, ...]
Role = Literal["parameter", "local"]


# -- constructors -----------------------------------------------------------------------------------------------------


def affine(value: Index) -> Affine:
    return value if isinstance(value, Affine) else Affine.of(value)


def at(array: str, *subscripts: Index) -> Access:
    return Access(array, tuple(affine(subscript) for subscript in subscripts))


def loop(iterator: str, first: Index, last: Index, *body: Node, step: int = 1) -> Loop:
    return Loop(iterator=iterator, first=(affine(first),), last=(affine(last),), step=step, body=body)


def do(
    name: str, *, writes: tuple[Access, ...] = (), reads: tuple[Access, ...] = (), constant: bool = False,
    ii: int | None = None, latency: int | None = None, function: str = "",
) -> Execution:  # fmt: skip
    value = Operation("constant", "int", text="0") if constant else None
    statement = Statement(name=name, writes=writes, reads=reads, value=value, ii=ii, latency=latency, function=function)
    return Execution(statement)


def kernel(name: str, arrays: Mapping[str, tuple[int, ...]], *body: Node, local: tuple[str, ...] = ()) -> LoopProgram:
    declared = tuple(
        Array(name=array, shape=shape, role="local" if array in local else "parameter")
        for array, shape in arrays.items()
    )
    return LoopProgram(name=name, arrays=declared, body=body)


# -- programs of the thesis -------------------------------------------------------------------------------------------


def four_processes() -> LoopProgram:
    """Chapter 4.3: P1 feeds P2 and P3, both feed P4; P4 writes nothing."""
    return kernel(
        "four", {"a": (4,), "x": (4,), "y": (4,)},
        loop("i", 0, 3, do("P1", writes=(at("a", "i"),), ii=2)),
        loop("i", 0, 3, do("P2", reads=(at("a", "i"),), writes=(at("x", "i"),))),
        loop("i", 0, 3, do("P3", reads=(at("a", "i"),), writes=(at("y", "i"),), latency=2)),
        loop("i", 0, 3, do("P4", reads=(at("x", "i"), at("y", "i")))),
    )  # fmt: skip


def predictor() -> LoopProgram:
    """5 x 5 values, 4 x 4 of them transformed; the source reads an input array, the sink writes an output array."""
    i, j = Affine.of("i"), Affine.of("j")
    transform = do("transformer", reads=(at("a", i - 1, j), at("a", i, j - 1)), writes=(at("a", i, j),))
    return kernel(
        "predictor", {"in": (5, 5), "a": (5, 5), "out": (5, 5)},
        loop("i", 0, 4, loop("j", 0, 4, do("source", reads=(at("in", i, j),), writes=(at("a", i, j),)))),
        loop("i", 1, 4, loop("j", 1, 4, transform)),
        loop("i", 1, 4, loop("j", 1, 4, do("sink", reads=(at("a", i, j),), writes=(at("out", i, j),)))),
        local=("a",),
    )  # fmt: skip


def communication(*, in_order: bool, multiplicity: bool, size: int = 5) -> LoopProgram:
    """Figures 6.2 to 6.5: with multiplicity the consumer runs over the triangle y <= x and reads token x each time."""
    x, y = Affine.of("x"), Affine.of("y")
    last = x if multiplicity else affine(0)
    element = x if in_order else size - 1 - x
    consume = do("consumer", reads=(at("a", element),), writes=(at("b", x, y),))
    return kernel(
        "communication", {"in": (size,), "a": (size,), "b": (size, size), "out": (size, size)},
        loop("x", 0, size - 1, do("producer", reads=(at("in", x),), writes=(at("a", x),))),
        loop("x", 0, size - 1, loop("y", 0, last, consume)),
        loop("x", 0, size - 1, loop("y", 0, last, do("sink", reads=(at("b", x, y),), writes=(at("out", x, y),)))),
        local=("a", "b"),
    )  # fmt: skip


def atax(size: int = 32) -> LoopProgram:
    """PolyBench/C 3.1: y = A^T (A x), with tmp local."""
    n = size - 1
    clear = do("clear", writes=(at("tmp", "i"),), constant=True)
    row = do("tmp", reads=(at("tmp", "i"), at("A", "i", "j"), at("x", "j")), writes=(at("tmp", "i"),))
    column = do("y", reads=(at("y", "j"), at("A", "i", "j"), at("tmp", "i")), writes=(at("y", "j"),))
    return kernel(
        "atax", {"A": (size, size), "x": (size,), "y": (size,), "tmp": (size,)},
        loop("i", 0, n, do("zero", writes=(at("y", "i"),), constant=True)),
        loop("i", 0, n, clear, loop("j", 0, n, row), loop("j", 0, n, column)),
        local=("tmp",),
    )  # fmt: skip


def gemm(size: int) -> LoopProgram:
    """C = beta C + alpha A B, the scalars left out."""
    n = size - 1
    product = do("mac", reads=(at("C", "i", "j"), at("A", "i", "k"), at("B", "k", "j")), writes=(at("C", "i", "j"),))
    scale = do("scale", reads=(at("C", "i", "j"),), writes=(at("C", "i", "j"),))
    return kernel(
        "gemm", {"A": (size, size), "B": (size, size), "C": (size, size)},
        loop("i", 0, n, loop("j", 0, n, scale, loop("k", 0, n, product))),
    )  # fmt: skip


# -- the naive interpreter --------------------------------------------------------------------------------------------


def executions(program: LoopProgram) -> Iterator[tuple[Statement, dict[str, int]]]:
    """Yield every execution in program order, with the values of the iterators around it."""
    yield from _executions(program.body, {})


def _executions(nodes: tuple[Node, ...], values: dict[str, int]) -> Iterator[tuple[Statement, dict[str, int]]]:
    for node in nodes:
        if isinstance(node, Execution):
            yield node.statement, values
        elif isinstance(node, Guard):
            yield from _executions(node.body if holds(node.condition, values) else node.otherwise, values)
        else:
            first, last = ([bound.value(values) for bound in bounds] for bounds in (node.first, node.last))
            up = node.step > 0
            trips = range(max(first), min(last) + 1, node.step) if up else range(min(first), max(last) - 1, node.step)
            for value in trips:
                yield from _executions(node.body, values | {node.iterator: value})


def location(access: Access, values: Mapping[str, int]) -> Location:
    return (access.array, *(subscript.value(values) for subscript in access.subscripts))


@dataclass
class Executed:
    """What a program does, found by executing it: (consumer, argument, producer, write) -> pairs, with their times."""

    firings: dict[str, int] = field(default_factory=dict)
    pairs: dict[tuple[str, int, str, int], list[tuple[int, int]]] = field(default_factory=dict)
    times: dict[tuple[str, int, str, int], list[tuple[int, int]]] = field(default_factory=dict)
    unwritten: dict[str, set[tuple[str, int]]] = field(default_factory=dict)


def execute(program: LoopProgram) -> Executed:
    """Execute a program with a tag per location: who wrote it last, in which firing, when."""
    done = Executed(firings=dict.fromkeys((s.name for s in program.statements()), 0))
    writer: dict[Location, tuple[str, int, int, int]] = {}
    for time, (statement, values) in enumerate(executions(program)):
        firing = done.firings[statement.name]
        for argument, access in enumerate(statement.reads):
            if location(access, values) not in writer:
                done.unwritten.setdefault(access.array, set()).add((statement.name, argument))
                continue
            producer, write, wrote, when = writer[location(access, values)]
            key = statement.name, argument, producer, write
            done.pairs.setdefault(key, []).append((firing, wrote))
            done.times.setdefault(key, []).append((time, when))
        for write, access in enumerate(statement.writes):
            writer[location(access, values)] = statement.name, write, firing, time
        done.firings[statement.name] += 1
    return done


# -- random programs --------------------------------------------------------------------------------------------------

_RANK = {"s": 0, "a": 1, "b": 2}


@by_seed
def loop_programs(draw: st.DrawFn, *, depth: int = 3) -> LoopProgram:
    """Draw a program: nests up to ``depth``, guards, all kinds of bounds and strides, empty domains, scalars."""
    counter = [0]
    body = tuple(_node(draw, (), depth, counter) for _ in range(draw(st.integers(1, 3))))
    arrays = tuple(
        Array(name=name, shape=(1,) * rank, role=draw(st.sampled_from(["parameter", "local"])))
        for name, rank in _RANK.items()
    )
    return _fitted(LoopProgram(name="random", arrays=arrays, body=body))


def _fitted(program: LoopProgram) -> LoopProgram:
    """Give each array the shape that its accesses need, with subscripts that count from 0."""
    touched: dict[str, list[tuple[int, ...]]] = {array.name: [] for array in program.arrays}
    for statement, values in executions(program):
        for access in (*statement.reads, *statement.writes):
            touched[access.array].append(tuple(x.value(values) for x in access.subscripts))
    low = {name: [min(each) for each in zip(*elements, strict=True)] for name, elements in touched.items()}
    high = {name: [max(each) for each in zip(*elements, strict=True)] for name, elements in touched.items()}

    def shifted(access: Access) -> Access:
        down = low[access.array] or [0] * len(access.subscripts)
        return Access(access.array, tuple(x - by for x, by in zip(access.subscripts, down, strict=True)))

    arrays = [
        replace(a, shape=tuple(to - by + 1 for by, to in zip(low[a.name], high[a.name], strict=True)) or a.shape)
        for a in program.arrays
    ]
    moved = program.replaced(
        lambda s: replace(s, reads=tuple(map(shifted, s.reads)), writes=tuple(map(shifted, s.writes)))
    )
    return replace(moved, arrays=tuple(arrays))


def _node(draw: st.DrawFn, around: tuple[str, ...], depth: int, counter: list[int]) -> Node:
    kinds = ["statement"] + (["loop"] * 3 if depth and counter[0] < 5 else []) + (["guard"] if around else [])
    kind = draw(st.sampled_from(kinds))
    if kind == "statement":
        return _statement(draw, around, counter)
    if kind == "guard":
        body = (_node(draw, around, depth, counter),) if counter[0] < 5 else (_statement(draw, around, counter),)
        otherwise = (_statement(draw, around, counter),) if draw(st.booleans()) else ()
        return Guard(_condition(draw, around), body, otherwise)
    return _loop(draw, around, depth, counter)


def _loop(draw: st.DrawFn, around: tuple[str, ...], depth: int, counter: list[int]) -> Loop:
    # Iterators bear names that isl would take for its own.
    iterator = ("mod", "j", "min")[len(around)]
    step = draw(st.sampled_from([1, 1, 1, -1, 2, -2, 3]))
    low, high = _bounds(draw, around, 0, 1), _bounds(draw, around, 2, 4)
    body = tuple(_node(draw, (*around, iterator), depth - 1, counter) for _ in range(draw(st.integers(1, 2))))
    first, last = (low, high) if step > 0 else (high, low)
    return Loop(iterator=iterator, first=first, last=last, step=step, body=body)


def _bounds(draw: st.DrawFn, around: tuple[str, ...], low: int, high: int) -> tuple[Affine, ...]:
    bounds = []
    for _ in range(draw(st.sampled_from([1, 1, 2]))):
        bound = Affine.of(draw(st.integers(low, high)))
        if draw(st.booleans()) and around:
            bound = bound + Affine.of(draw(st.sampled_from(around))) * draw(st.sampled_from([1, -1]))
        bounds.append(bound)
    return tuple(bounds)


def _expression(draw: st.DrawFn, around: tuple[str, ...]) -> Affine:
    total = Affine.of(draw(st.integers(-1, 2)))
    for name in around:
        total = total + Affine.of(name) * draw(st.sampled_from([0, 1, 1, -1, 2]))
    change = draw(st.sampled_from(["", "", "", "", "%", "//"]))
    if change:
        by = draw(st.integers(2, 3))
        total = total % by if change == "%" else total // by + draw(st.integers(0, 1))
    return total


def _condition(draw: st.DrawFn, around: tuple[str, ...], depth: int = 2) -> Condition:
    kind = draw(st.sampled_from(["compare", "compare", "all", "some", "not"] if depth else ["compare"]))
    if kind == "compare":
        return Compare(_expression(draw, around), draw(st.sampled_from([">=", "="])))
    if kind == "not":
        return Not(_condition(draw, around, depth - 1))
    parts = tuple(_condition(draw, around, depth - 1) for _ in range(draw(st.integers(0, 2))))
    return All(parts) if kind == "all" else Some(parts)


def _statement(draw: st.DrawFn, around: tuple[str, ...], counter: list[int]) -> Execution:
    name = f"s{counter[0]}"
    counter[0] += 1
    reads = tuple(_access(draw, around) for _ in range(draw(st.sampled_from([0, 1, 1, 2]))))
    writes = tuple(_access(draw, around) for _ in range(draw(st.sampled_from([0, 1, 1, 1, 2]))))
    constant = not reads and draw(st.booleans())
    return do(name, reads=reads, writes=writes, constant=constant)


def _access(draw: st.DrawFn, around: tuple[str, ...]) -> Access:
    array = draw(st.sampled_from(sorted(_RANK)))
    return Access(array, tuple(_expression(draw, around) for _ in range(_RANK[array])))
