"""The exact value-based flow between the accesses of a loop program, by isl; only this file imports islpy.

Parameters of a program are bound before it gets here, so that no set has any.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce

import islpy as isl
import numpy as np
from numpy.typing import NDArray

from ppnsim.affine.access_table import Ends
from ppnsim.affine.notation import Nest, Side, execution_order, nests
from ppnsim.affine.program import LoopProgram
from ppnsim.errors import InputError
from ppnsim.model.sequence import Int64Array

_IN, _OUT, _DIV = isl.dim_type.in_, isl.dim_type.out, isl.dim_type.div
_SIDES: tuple[Side, Side] = "R", "W"
_COLUMNS = isl.dim_type.cst, isl.dim_type.param, isl.dim_type.set, _DIV


@dataclass(frozen=True, slots=True)
class Relation:
    """Which firing of a producer wrote what each firing of a consumer reads: a piecewise quasi-affine function."""

    _where: str
    _writer: isl.Map
    _steps: tuple[tuple[int, ...], tuple[int, ...]]

    def in_order(self) -> bool:
        """Return whether no reads r1 < r2 want writes w(r1) > w(r2), each side in its execution order."""
        with naming(self._where):
            reader, writer = (isl.Map(execution_order(steps)) for steps in self._steps)
            signed = self._writer.apply_domain(reader).apply_range(writer)
            earlier = isl.Map.lex_lt(signed.get_space().domain())
            return signed.lex_gt_map(signed).intersect(earlier).is_empty()

    def multiplicity(self) -> bool:
        """Return whether some written value is read more than once."""
        with naming(self._where):
            return not self._writer.is_injective()

    def evaluate(self, points: Int64Array) -> tuple[Int64Array, Int64Array]:
        """Return which consumer firings read from this producer, and the iteration vectors that wrote for them.

        ``points`` are the consumer's iteration vectors, shape (firings, loops). Returned are rows of it, ascending,
        shape (reads,), and the producer's vectors, shape (reads, loops).
        """
        columns = list(points.T)
        rows, vectors = [], []
        with naming(self._where):
            for domain, function in _pieces(self._writer):
                inside = np.flatnonzero(_inside(domain, columns, len(points)))
                here = [column[inside] for column in columns]
                values = [_floor(function.get_aff(k), here, len(inside)) for k in range(function.dim(_OUT))]
                rows.append(inside)
                vectors.append(np.array(values, dtype=np.int64).reshape(-1, len(inside)).T)
        row = np.concatenate(rows)
        order = np.argsort(row, kind="stable")
        return row[order], np.concatenate(vectors)[order]


def flow(program: LoopProgram, ends: Iterable[Ends]) -> dict[Ends, Relation]:
    """Return the exact value-based flow of a program: for every read, the last write before it in program order.

    A statement reads before it writes, and of two writes to one element in a firing the later one counts. Random
    accesses have no relation (`random_access`).

    ``ends`` are the accesses between which a value is handed on at all, as (producer, consumer, read, write): a write
    that is the last one before no read can be left out without a change to the rest, and isl's time grows with the
    cube of the writes to an array.

    Raises
    ------
    InputError
        If a bound or an access is not what isl can take; the message names the statement and the access.
    """
    statements, writes = nests(program), {}
    writers: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for producer, consumer, argument, number in sorted(ends):
        writers.setdefault((consumer, argument), []).append((producer, number))
        if (producer, number) not in writes:
            writes[producer, number] = ScheduledAccess.of(statements[producer], "W", number)
    relations = {}
    for (consumer, argument), sources in writers.items():
        read = ScheduledAccess.of(statements[consumer], "R", argument)
        where = read.nest.where("R", argument)
        with naming(where):
            found = _sources(read, [writes[source] for source in sources])
        for write, writer in found:
            steps = read.nest.steps, write.nest.steps
            relations[write.nest.number, consumer, argument, write.number] = Relation(where, writer, steps)
    return relations


@dataclass(frozen=True, slots=True)
class ScheduledAccess:
    """An access: firings to elements, and firings to times in program order, or with loops in another order."""

    nest: Nest
    side: Side
    number: int
    array: str
    elements: isl.Map
    times: isl.Map

    @classmethod
    def of(cls, nest: Nest, side: Side, number: int, levels: Sequence[int] = ()) -> ScheduledAccess:
        """Return an access of a statement; ``levels`` is the order of its loops (`Nest.schedule`)."""
        text = nest.access(side, number)
        with naming(nest.where(side, number)):
            elements = isl.Map(text)
            times = isl.Map(nest.schedule(side, number, levels)).intersect_domain(elements.domain())
        return cls(nest, side, number, nest.accesses(side)[number].array, elements, times)


def reversal(
    one: ScheduledAccess, other: ScheduledAccess, one_moved: ScheduledAccess, other_moved: ScheduledAccess
) -> tuple[list[int], list[int]] | None:
    """Return iterations of two accesses that touch one element, one before other, which moving turns round.

    The first such pair where isl finds it, else any, but always the same one; None if there is none.
    """
    where = one.nest.where(one.side, one.number)
    with naming(where):
        same = one.elements.apply_range(other.elements.reverse())
        before, after = one.times.lex_lt_map(other.times), one_moved.times.lex_gt_map(other_moved.times)
        turned = same.intersect(before).intersect(after)
        if turned.is_empty():
            return None
        at = _coordinates(_first(turned.wrap()))
    return at[: turned.dim(_IN)], at[turned.dim(_IN) :]


def _sources(read: ScheduledAccess, writes: list[ScheduledAccess]) -> list[tuple[ScheduledAccess, isl.Map]]:
    """Return the writes that a read gets values from, each with its map from reader to writer.

    Each read takes the latest of the times before its own at which its element is written. isl's UnionAccessInfo
    answers the same question, but gives up (an isl error) on some accesses with quotients or remainders.
    """
    same_time = isl.Map.identity(read.times.get_space().range().map_from_set())
    before = read.times.lex_gt_map(same_time)
    written_at = [write.elements.reverse().apply_range(write.times) for write in writes]
    written = [read.elements.apply_range(times).intersect(before) for times in written_at]
    latest = _lexmax(reduce(isl.Map.union, written).coalesce()).coalesce()
    found = []
    for write, times in zip(writes, written, strict=True):
        here = latest.intersect(times)
        if not here.is_empty():
            found.append((write, here.apply_range(write.times.reverse()).coalesce()))
    return found


def _lexmax(times: isl.Map) -> isl.Map:
    try:
        return times.lexmax()
    except isl.Error:  # isl's own search trips over some quotients too: then take away what something later beats
        return times.subtract(times.apply_range(isl.Map.lex_gt(times.get_space().range())))


@dataclass(frozen=True, slots=True)
class Outside:
    """An access, by numbers, and the values of the iterators around it at which it leaves its array."""

    statement: int
    side: Side
    number: int
    vector: tuple[int, ...]


def first_outside(program: LoopProgram) -> Outside | None:
    """Return the first access in program order that is to an element outside its array; None if there is none."""
    shapes = {array.name: array.shape for array in program.arrays}
    found: list[tuple[list[int], Outside]] = []
    for nest in nests(program):
        for side, number in [(each, k) for each in _SIDES for k in nest.affine(each)]:
            with naming(nest.where(side, number)):
                elements = isl.Map(nest.access(side, number))
                beyond = elements.subtract_range(_box(shapes[nest.accesses(side)[number].array])).domain()
                if beyond.is_empty():
                    continue
                times = isl.Map(nest.schedule(side, number)).intersect_domain(beyond)
                first = times.range().lexmin()
                vector = _coordinates(times.intersect_range(first).domain())
                found.append((_coordinates(first), Outside(nest.number, side, number, tuple(vector))))
    return min(found, key=lambda entry: entry[0])[1] if found else None


def _box(shape: Sequence[int]) -> isl.Set:
    names = [f"e{k}" for k in range(len(shape))]
    inside = " and ".join(f"0 <= {name} < {size}" for name, size in zip(names, shape, strict=True)) or "true"
    return isl.Set(f"{{ [{', '.join(names)}] : {inside} }}")


def _first(points: isl.Set) -> isl.Set:
    """Return the lexicographically first point of a set, or all of it where isl's search trips over a quotient."""
    try:
        first = points.lexmin()
    except isl.Error:
        return points
    return points if first.sample_point().is_void() else first


def _coordinates(point: isl.Set) -> list[int]:
    sample = point.sample_point()
    return [int(sample.get_coordinate_val(isl.dim_type.set, k).to_python()) for k in range(point.dim(isl.dim_type.set))]


def _pieces(relation: isl.Map) -> list[tuple[isl.Set, isl.MultiAff]]:
    pieces: list[tuple[isl.Set, isl.MultiAff]] = []
    isl.PwMultiAff.from_map(relation).foreach_piece(lambda domain, function: pieces.append((domain, function)))
    return pieces


def _inside(domain: isl.Set, columns: list[Int64Array], count: int) -> NDArray[np.bool_]:
    inside = np.zeros(count, dtype=np.bool_)
    for basic in domain.compute_divs().get_basic_sets():
        terms = [*columns, *(_floor(basic.get_div(k), columns, count) for k in range(basic.dim(_DIV)))]
        here = np.ones(count, dtype=np.bool_)
        for row in _rows(basic.equalities_matrix(*_COLUMNS)):
            here &= _sum(row, terms, count) == 0
        for row in _rows(basic.inequalities_matrix(*_COLUMNS)):
            here &= _sum(row, terms, count) >= 0
        inside |= here
    return inside


def _rows(matrix: isl.Mat) -> list[list[int]]:
    columns = range(matrix.cols())
    return [[int(matrix.get_element_val(row, k).to_python()) for k in columns] for row in range(matrix.rows())]


def _sum(row: list[int], terms: list[Int64Array], count: int) -> Int64Array:
    total = np.full(count, row[0], dtype=np.int64)
    for factor, term in zip(row[1:], terms, strict=True):
        if factor:
            total += factor * term
    return total


def _floor(aff: isl.Aff, columns: list[Int64Array], count: int) -> Int64Array:
    """Return a quasi-affine expression, rounded down, at the points whose coordinates are ``columns``."""
    by = int(aff.get_denominator_val().to_python())
    row, terms = [aff.get_constant_val()], list(columns)
    row += [aff.get_coefficient_val(_IN, k) for k in range(len(columns))]
    for k in range(aff.dim(_DIV)):
        factor = aff.get_coefficient_val(_DIV, k)
        if not factor.is_zero():  # every quotient lists itself among its own, with factor 0
            row.append(factor)
            terms.append(_floor(aff.get_div(k), columns, count))
    return _sum([int((value * by).to_python()) for value in row], terms, count) // by


@contextmanager
def naming(where: str) -> Iterator[None]:
    """Turn isl's errors, which name no operand, into ours."""
    try:
        yield
    except isl.Error as error:
        raise InputError(f"isl: {error}", where=where) from None  # isl's own cannot even be compared
