"""The parts that build a body's graph, each by itself: order of accesses, words, ports, dependences (R2, R4)."""

from __future__ import annotations

import pytest

from ppnsim.hls.graph.builder import GraphBuilder, statement_graph
from ppnsim.hls.graph.dependences import Dependences
from ppnsim.hls.graph.graph import Graph
from ppnsim.hls.graph.loaded_words import Words
from ppnsim.hls.graph.memory_order import MemoryOrder
from ppnsim.hls.graph.operators import Operators
from ppnsim.hls.graph.ports import Ports
from ppnsim.hls.library.library import load_library
from ppnsim.hls.library.types import Format
from ppnsim.hls.rules import TOOL
from ppnsim.hls.structure.locations import GuardedStatement, Role
from ppnsim.hls.structure.partitions import REGISTERS, Storage
from ppnsim.hls.structure.trees import Pipeline
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import Access, Array, Loop, Operation, Statement

ROW, COLUMN = Affine.of("i"), Affine.of("j")
LIBRARY = load_library("xc7z020", 10)
ARRAYS = {name: Array(name=name, shape=(8, 8), role="parameter", type="int") for name in "AB"}


def access(*subscripts: Affine, array: str = "A") -> Access:
    return Access(array, subscripts)


def stores(*accesses: Access, order: MemoryOrder) -> list[int]:
    """Return the nodes of stores, one after the other."""
    found = []
    for each in accesses:
        node = order.graph.add("store", str(each), Format.of("int"), (0,), access=each)
        order.store(each, node)
        found.append(node)
    return found


def test_a_second_store_to_an_element_comes_a_state_after_the_first() -> None:
    order = MemoryOrder(Graph())
    first, second = stores(access(ROW, COLUMN), access(ROW, COLUMN), order=order)
    assert order.graph.after == {second: [(first, 1)]}


def test_stores_that_differ_by_a_constant_keep_no_order() -> None:
    order = MemoryOrder(Graph())
    stores(access(ROW, COLUMN), access(ROW, COLUMN + 1), order=order)
    assert not order.graph.after


def test_arrays_whose_accesses_never_meet_keep_no_order() -> None:
    order = MemoryOrder(Graph(), apart=frozenset("A"))
    stores(access(ROW, COLUMN), access(COLUMN, ROW), order=order)
    assert not order.graph.after


def test_a_store_is_dropped_unless_a_load_came_after_it() -> None:
    order = MemoryOrder(Graph())
    (first,) = stores(access(ROW, COLUMN), order=order)
    load = order.graph.add("load", "A", Format.of("int"))
    order.load(access(COLUMN, ROW), load)  # may be the same element
    order.drop(access(ROW, COLUMN))
    assert order.graph.nodes[first].kind == "store"
    (second,) = stores(access(ROW, COLUMN), order=order)
    order.drop(access(ROW, COLUMN))
    assert order.graph.nodes[second].kind == "dead"


def test_elements_of_a_word_are_stored_together() -> None:
    words = Words(lambda each: (each.array, each.subscripts[0]))
    assert words.store(access(ROW, COLUMN), 4) is None
    assert words.store(access(ROW, COLUMN + 1), 5) == 4
    words.load(access(ROW, COLUMN), 6)
    assert (words.loaded(access(ROW, COLUMN + 1)), words.loaded(access(ROW + 1, COLUMN))) == (6, None)
    words.overwrite(access(ROW, COLUMN))
    assert words.loaded(access(ROW, COLUMN + 1)) == 6  # a store changes its own element, not the others of the word
    words.overwrite(access(ROW + 1, COLUMN))  # which may be the same row: its word is no longer known
    assert words.loaded(access(ROW, COLUMN + 1)) is None


@pytest.mark.parametrize(
    ("kept", "port", "states"),
    [
        (Storage(), "A", 1),
        (Storage(split=True, latency=2), "A (read)", 2),
        (Storage("bus", 71, bundle="gmem"), "gmem (read)", 71),
        (REGISTERS, "", 0),
    ],
)
def test_a_load_takes_the_port_and_the_states_of_its_memory(kept: Storage, port: str, states: int) -> None:
    operators = Operators(LIBRARY, ARRAYS)
    node = operators.graph.nodes[Ports(operators, {"A": kept}).load(access(ROW, COLUMN), ())]
    assert (node.port, node.states) == (port, states)


def test_a_value_that_was_stored_is_not_loaded() -> None:
    builder = GraphBuilder(Ports(Operators(LIBRARY, ARRAYS)))
    copy = Operation("read", "int", read=0)
    into, out = access(ROW, COLUMN), access(ROW, COLUMN, array="B")
    for source, target in ((out, into), (into, access(ROW, COLUMN + 1))):
        builder.add(GuardedStatement(Statement(name="s", reads=(source,), writes=(target,), value=copy)))
    assert [str(node.access) for node in builder.finish().nodes if node.kind == "load"] == [str(out)]


def test_what_computes_the_same_is_there_once() -> None:
    read = Operation("read", "int", read=0)
    total = Operation("+", "int", (read, read))
    value = Operation("*", "int", (total, total))
    both = Statement(name="s", reads=(access(ROW, COLUMN),), writes=(access(ROW, COLUMN, array="B"),), value=value)
    kinds = [node.name for node in statement_graph(both, LIBRARY, ARRAYS).nodes if node.wide is not None]
    assert kinds == ["add", "mul"]


LOOP = Loop(iterator="j", first=(Affine.of(0),), last=(Affine.of(7),))


def dependences(store: Access, role: Role, **more: object) -> Dependences:
    """Return the dependences of a loop over j that writes one location."""
    return Dependences(Pipeline((LOOP,), ()), (), {store: role}, (store,), TOOL, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("load", "distance"),
    [
        (access(ROW, COLUMN - 2), 2),  # stored two iterations before
        (access(ROW, COLUMN + 1), None),  # not stored yet
        (access(ROW + 1, COLUMN - 1), None),  # another row
        (Access("A", random=True), 1),  # any element
    ],
)
def test_a_load_depends_on_the_store_as_many_iterations_before(load: Access, distance: int | None) -> None:
    store, role = access(ROW, COLUMN), Role("move")
    assert dependences(store, role).distance(store, role, load) == distance


def test_an_array_of_registers_depends_element_by_element() -> None:
    store, role = access(COLUMN), Role("move")
    found = dependences(store, role, registers=frozenset("A"))
    loads = access(COLUMN - 3), access(COLUMN + 3), access(ROW)
    assert [found.distance(store, role, load) for load in loads] == [3, None, 1]


def test_only_the_single_store_of_an_array_has_a_reuse_register() -> None:
    one, two = access(ROW, Affine.of(0)), access(COLUMN, Affine.of(0))
    assert dependences(one, Role("reuse", distance=1)).reused == {one}
    roles = {one: Role("reuse", distance=1), two: Role("reuse", distance=1)}
    assert not Dependences(Pipeline((LOOP,), ()), (), roles, (one, two), TOOL).reused
