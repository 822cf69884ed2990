"""isl's functions evaluated at many points at once in numpy, and single points of isl's sets.

Only this file and `polyhedra` import islpy.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import islpy as isl
import numpy as np
from numpy.typing import NDArray

from ppnsim.arrays import Int64Array
from ppnsim.errors import InputError

_IN, _DIV = isl.dim_type.in_, isl.dim_type.div
_COLUMNS = isl.dim_type.cst, isl.dim_type.param, isl.dim_type.set, _DIV


def first_points(points: isl.Set) -> isl.Set:
    """Return the lexicographically first point of a set, or the whole set where isl's search fails at a quotient."""
    try:
        first = points.lexmin()
    except isl.Error:
        return points
    return points if first.sample_point().is_void() else first


def coordinates(point: isl.Set) -> list[int]:
    """Return the coordinates of a point of a set."""
    sample = point.sample_point()
    return [int(sample.get_coordinate_val(isl.dim_type.set, k).to_python()) for k in range(point.dim(isl.dim_type.set))]


def evaluated(function: isl.Map, points: Int64Array) -> tuple[Int64Array, Int64Array]:
    """Return which points have a value, as ascending rows of ``points``, and the values, shape (rows, dimensions).

    The map is a function: it has at most one value at a point.
    """
    columns = list(points.T)
    rows, vectors = [], []
    for domain, piece in _pieces(function):
        inside = np.flatnonzero(_inside(domain, columns, len(points)))
        here = [column[inside] for column in columns]
        values = [_floor(piece.get_aff(k), here, len(inside)) for k in range(piece.dim(isl.dim_type.out))]
        rows.append(inside)
        vectors.append(np.array(values, dtype=np.int64).reshape(-1, len(inside)).T)
    row = np.concatenate(rows)
    order = np.argsort(row, kind="stable")
    return row[order], np.concatenate(vectors)[order]


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
    """Add the place in the source to errors of isl, which name no operand."""
    try:
        yield
    except isl.Error as error:
        raise InputError(f"isl: {error}", where=where) from None  # isl's own cannot even be compared
