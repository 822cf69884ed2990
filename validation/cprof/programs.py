"""The programs of the thesis, their loops executed in Python.

Latencies are 3 unless the thesis says otherwise. A statement that reads an input array has read = 1 and one that writes
an output array has write = 1 although no channel is there.
"""

from __future__ import annotations

from collections.abc import Callable

from ppnsim.model.network import Network
from ppnsim.model.recorder import Recorder

Partition = Callable[[int, int], str]

LATENCY = 3
ELEMENTS = 5  # X of the communication models
ATAX = 32  # NX = NY of PolyBench/C 3.1 atax, MINI_DATASET
HIERARCHY = (9, 1000, 2)  # calls in a row, elements (MAX_O), function latency


def whole(_i: int, _j: int) -> str:
    """Keep a statement one process."""
    return ""


def by_i(i: int, _j: int) -> str:
    """Unroll the outer loop: a process per i."""
    return f"_i{i}"


def by_j(_i: int, j: int) -> str:
    """Unroll the inner loop: a process per j."""
    return f"_j{j}"


def by_both(i: int, j: int) -> str:
    """Unroll both loops: a process per execution."""
    return f"_{i}_{j}"


def by_half(_i: int, j: int) -> str:
    """Cut the iteration domain into two planes across the inner loop."""
    return "_low" if j < ATAX // 2 else "_high"


class _Program(Recorder):
    """A recorder that declares a statement when it first executes."""

    def call(self, name: str, *, reads: list[object], writes: list[object], **numbers: int) -> None:
        if name not in self._statements:
            self.statement(name, **({"latency": LATENCY} | numbers))
        self.execute(name, reads=reads, writes=writes)


def four_processes() -> Network:
    """Return the example of chapter 4.3: P1 feeds P2 and P3, both feed P4; four iterations."""
    program = _Program("four processes")
    for i in range(4):
        program.call("P1", reads=[], writes=[("a", i)], ii=2, latency=1)
    for i in range(4):
        program.call("P2", reads=[("a", i)], writes=[("x", i)], latency=1)
    for i in range(4):
        program.call("P3", reads=[("a", i)], writes=[("y", i)], latency=2)
    for i in range(4):
        program.call("P4", reads=[("x", i), ("y", i)], writes=[], latency=1)
    return program.network()


def predictor(source: Partition = whole, transformer: Partition = whole, sink: Partition = whole) -> Network:
    """Return the predictor (5 x 5 values, 4 x 4 transformed), its statements split into processes as given."""
    program = _Program("predictor")
    for i in range(5):
        for j in range(5):
            program.call("source" + source(i, j), reads=[], writes=[("a", i, j)], read=1)
    for i in range(1, 5):
        for j in range(1, 5):
            reads: list[object] = [("a", i - 1, j), ("a", i, j - 1)]
            program.call("transformer" + transformer(i, j), reads=reads, writes=[("a", i, j)])
    for i in range(1, 5):
        for j in range(1, 5):
            program.call("sink" + sink(i, j), reads=[("a", i, j)], writes=[], write=1)
    return program.network()


def communication(*, in_order: bool, multiplicity: bool) -> Network:
    """Return a producer, consumer and sink that communicate in one of the four ways (figures 6.2 to 6.5).

    With multiplicity the consumer runs over the triangle y <= x and reads the token of x each time.
    """
    program = _Program("communication model")
    for x in range(ELEMENTS):
        program.call("producer", reads=[], writes=[("a", x)], read=1)
    domain = [(x, y) for x in range(ELEMENTS) for y in range(x + 1 if multiplicity else 1)]
    for x, y in domain:
        element = x if in_order else ELEMENTS - 1 - x
        program.call("consumer", reads=[("a", element)], writes=[("b", x, y)])
    for x, y in domain:
        program.call("sink", reads=[("b", x, y)], writes=[], write=1)
    return program.network()


def hierarchy() -> Network:
    """Return the flattened hierarchy program as far as timing goes: nine calls in a row over arrays of 1000."""
    calls, elements, latency = HIERARCHY
    program = _Program("hierarchy")
    for call in range(calls):
        ends = ({"read": 1} if call == 0 else {}) | ({"write": 1} if call == calls - 1 else {})
        for i in range(elements):
            reads: list[object] = [(call - 1, i)] if call else []
            program.call(f"call{call}", reads=reads, writes=[(call, i)], latency=latency, **ends)
    return program.network()


def atax(split: Partition = whole) -> Network:
    """Return atax with its streams: y = A^T (A x), every statement but the A stream and the sink split as given.

    tmp is a local array whose zeroing is folded into the first read of its recurrence; the zeroing of y reads nothing.
    """
    program, n = _Program("atax"), range(ATAX)
    for i in n:
        for j in n:
            program.call("A", reads=[], writes=[("A", i, j)], read=1)
    for j in n:
        program.call("x" + split(0, j), reads=[], writes=[("x", j)], read=1)
    for j in n:
        program.call("zero" + split(0, j), reads=[], writes=[("y", j)])
    for i in n:
        for j in n:
            program.call("tmp" + split(i, j), reads=[("tmp", i), ("A", i, j), ("x", j)], writes=[("tmp", i)])
        for j in n:
            program.call("y" + split(i, j), reads=[("y", j), ("A", i, j), ("tmp", i)], writes=[("y", j)])
    for j in n:
        program.call("sink", reads=[("y", j)], writes=[], write=1)
    return program.network()
