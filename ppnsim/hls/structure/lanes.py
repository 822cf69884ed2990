"""Arrays that stand for the vendor's vector and bus types, and the names under which users see them (R6.3, R6.4)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from ppnsim.hls.structure.locations import GuardedStatement
from ppnsim.loops.program import Access, Array, Execution, Guard, LoopProgram, Node, Operation, Statement

LANES = "ppnsim_lane"
"""The member of our replacement for the vendor's ``hls::vector``."""
BUS = "ppnsim_bus"
"""The member of our replacement for the vendor's ``hls::burst_maxi``."""


def is_lanes(array: Array) -> bool:
    """Return whether an array holds the lanes of an ``hls::vector``; its last subscript is the lane."""
    return lanes_of(array) > 0


def is_bus(array: Array) -> bool:
    """Return whether an array is the memory behind an ``hls::burst_maxi``."""
    return array.member is not None and (BUS in array.member[1].split(".") or array.member[0].endswith(f"_{BUS}"))


def lanes_of(array: Array) -> int:
    """Return how many of an array's last subscripts are lanes: 2 for a vector of vectors.

    Examples
    --------
    >>> lanes_of(Array(name="v", type="int", bits=32, shape=(8, 4, 2), member=("v_ppnsim_lane", "ppnsim_lane")))
    2
    """
    if array.member is None:
        return 0
    path = "_".join(array.member) if array.member[1] == LANES else array.member[1].replace(".", "_")
    shorter = re.sub(f"((^|_){LANES})+$", "", path)
    return (len(path) - len(shorter) + 1) // (len(LANES) + 1)


def read_in_place(steps: Iterable[GuardedStatement], buses: Mapping[str, Array]) -> frozenset[Access]:
    """Return the lanes on buses that operators read where they are; a copy of a vector reads it as a whole.

    R6.9: such a vector may begin inside of a word of the bus, so that it is read as two.
    """
    found = set[Access]()
    for each in (step.statement for step in steps):
        if each.value is not None and each.value.kind != "read":
            found |= {read for read in each.reads if read.array in buses and is_lanes(buses[read.array])}
    return frozenset(found)


def with_vectors(program: LoopProgram) -> LoopProgram:
    """Return a program in which arrays of lanes have the vectors' names (``v[i][3]``), and bus arrays the ports'."""
    taken = {array.name for array in program.arrays}
    names: dict[str, str] = {}
    for array in (each for each in program.arrays if is_lanes(each) or is_bus(each)):
        name = array.name.removesuffix(f"_{LANES}").removesuffix(f"_{BUS}").replace(f"_{BUS}.", ".")
        if name not in taken:
            names[array.name] = name
            taken.add(name)
    if not names:
        return program

    def named(access: Access) -> Access:
        return replace(access, array=names[access.array]) if access.array in names else access

    def value_of(tree: Operation) -> Operation:
        place = None if tree.place is None else named(tree.place)
        return replace(tree, operands=tuple(map(value_of, tree.operands)), place=place)

    def statement_of(each: Statement) -> Statement:
        return replace(
            each, reads=tuple(map(named, each.reads)), writes=tuple(map(named, each.writes)),
            value=None if each.value is None else value_of(each.value), index=tuple(map(value_of, each.index)),
        )  # fmt: skip

    def node_of(node: Node) -> Node:
        if isinstance(node, Execution):
            return Execution(statement_of(node.statement))
        body = tuple(map(node_of, node.body))
        if isinstance(node, Guard):
            return replace(node, body=body, otherwise=tuple(map(node_of, node.otherwise)))
        return replace(node, body=body, reads=tuple(map(named, node.reads)))

    arrays = tuple(replace(array, name=names.get(array.name, array.name)) for array in program.arrays)
    return replace(program, arrays=arrays, body=tuple(map(node_of, program.body)))
