"""Bodies of thousands of unrolled statements: pairs of locations that say nothing new are not asked about."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import replace
from io import StringIO
from pathlib import Path
from unittest.mock import Mock, patch

import pytest
from rich.console import Console

from ppnsim.c import branches
from ppnsim.c.load import load_kernels
from ppnsim.c.policy import TIMED
from ppnsim.errors import InputError, TooMuchWork
from ppnsim.formats.shipped import directory
from ppnsim.hls.graph import memory_order, order
from ppnsim.hls.graph.dependences import Dependences
from ppnsim.hls.graph.exclusive import OpenBranch
from ppnsim.hls.graph.graph import BackEdge, Graph
from ppnsim.hls.graph.loads import Loads
from ppnsim.hls.graph.operators import Operators
from ppnsim.hls.graph.values import Values
from ppnsim.hls.library.library import load_library
from ppnsim.hls.library.types import BIT
from ppnsim.hls.recent_results import Recent
from ppnsim.hls.region import accesses
from ppnsim.hls.rules import TOOL
from ppnsim.hls.structure import flat, locations
from ppnsim.hls.structure.aliases import surely_apart
from ppnsim.hls.structure.locations import GuardedStatement, Role
from ppnsim.hls.structure.roles import roles
from ppnsim.hls.structure.trees import Pipeline, changed, statements_of, steps_of
from ppnsim.hls.structure.unrolling import values_of
from ppnsim.library.schedule import schedule
from ppnsim.loops import work
from ppnsim.loops.expressions import Affine, All
from ppnsim.loops.program import Access, Execution, Loop, Statement
from ppnsim.source_networks import scheduling

LOOP = Loop(iterator="i", first=(Affine.of(0),), last=(Affine.of(7),))


def of_registers(accesses: list[Access], before: list[Access]) -> tuple[list[Role], int]:
    """The roles of elements that are registers, and how many pairs are compared for them."""
    steps, starts = (
        [GuardedStatement(Statement(name=str(each), reads=(each,) * updated, writes=(each,))) for each in of]
        for of, updated in ((accesses, 1), (before, 0))
    )
    with patch.object(locations, "surely_apart", wraps=surely_apart) as compared:
        found = roles([LOOP], steps, starts, set(), {"r"})
    return [found[each] for each in accesses], compared.call_count


def test_registers_are_compared_with_those_that_move_otherwise() -> None:
    fixed = [Access("r", (Affine.of(n),)) for n in range(50)]
    moving, chosen = Access("r", (Affine.of("i"),)), Access("r", random=True)
    assert of_registers(fixed, fixed[:1]) == ([Role("accumulate", True, False, True), *[Role("accumulate")] * 49], 0)
    met, compared = of_registers([*fixed, moving], [])
    assert met[:50] == [Role("move", distance=1)] * 50  # may be the element that moves
    assert compared <= 51
    assert of_registers([fixed[0], chosen], [])[0][0] == Role("move", distance=1)


def test_a_stored_register_asks_only_loads_that_may_be_of_it() -> None:
    fixed = [Access("r", (Affine.of(n),)) for n in range(50)]
    moving, chosen, plain = Access("r", (Affine.of("i"),)), Access("r", random=True), Access("m", (Affine.of(1),))
    graph, whole = Graph(), Pipeline((LOOP,), ())
    for access in (*fixed, moving, chosen, plain, Access("m", (Affine.of(2),)), fixed[7]):
        graph.nodes[graph.add("load", access.array, BIT)].access = access
    found = Dependences(whole, (), {each: Role("move") for each in fixed}, tuple(fixed), TOOL, frozenset("r"))
    loads = Loads(graph.nodes, found)
    assert [node.index for node in loads.beside(fixed[7])] == [7, 50, 51, 54]
    assert [node.index for node in loads.beside(moving)] == [*range(52), 54]
    assert [node.index for node in loads.beside(plain)] == [52, 53]
    # What is left out has no distance.
    left = [node for node in loads.beside(moving) if node not in loads.beside(fixed[7])]
    assert {found.distance(fixed[7], Role("move"), node.access) for node in left if node.access} == {None}


def test_accesses_over_buses_are_listed_up_to_a_limit(tmp_path: Path) -> None:
    text = """void fill(int *a, int b[64]) { for (int r = 0; r < 9; r++) {
    #pragma HLS loop_flatten off
        for (int i = 0; i < 64; i++) b[i] += a[i]; } }
    void add(int b[64], int *c) { for (int i = 0; i < 64; i++) c[i] = b[i]; }
    void k(int *a, int *c) {
    #pragma HLS interface m_axi port=a bundle=one
    #pragma HLS interface m_axi port=c bundle=two
    #pragma HLS dataflow
        int b[64]; fill(a, b); add(b, c); }"""
    (tmp_path / "k.cpp").write_text(text, encoding="utf-8")
    listed = schedule(tmp_path / "k.cpp", function="k").to_dict()
    with patch.object(accesses, "MOST_ON_BUSES", 9 * 64 - 1):
        limited = schedule(tmp_path / "k.cpp", function="k").to_dict()
    assert "only 575 are looked at" not in str(listed)
    assert "accesses 576 elements over buses: only 575 are looked at" in str(limited)


def test_the_bounds_of_a_loop_are_read_once_for_all_of_its_copies() -> None:
    one = Execution(Statement(name="s", writes=(Access("a", (Affine.of("i"), Affine.of("j"))),)))
    inner = Loop(iterator="j", first=(Affine.of(0),), last=(Affine.of(7),), body=(one,))
    with patch.object(flat, "values_of", wraps=values_of) as read:
        copies = flat.flat((replace(LOOP, body=(inner,)),))
    assert (len(set(copies)), read.call_count) == (64, 2)


def test_copies_in_which_nothing_differs_are_one_step_which_is_changed_once() -> None:
    places = {"x": (), "a": (Affine.of("i"),)}
    statements = [Statement(name=name, writes=(Access(name, at),)) for name, at in places.items()]
    loop = replace(LOOP, body=tuple(Execution(each) for each in statements))
    steps = steps_of(flat.flat((loop,)))
    change = Mock(side_effect=lambda each: replace(each, ii=1))
    (pipeline,) = changed([Pipeline((loop,), tuple(steps))], change)
    assert isinstance(pipeline, Pipeline)
    assert [len(pipeline.steps), len(locations.distinct(pipeline.steps)), change.call_count] == [16, 9, 9]
    assert [each.name for each in statements_of([pipeline])] == ["x", *["a"] * 8]


def test_an_access_behind_itself_needs_no_search_for_a_circle() -> None:
    graph = Graph()
    token = graph.add("op", "take", BIT)
    last = graph.add("op", "add", BIT, (token, graph.add("phi", "sum", BIT)))
    graph.back += [BackEdge(token, token, 1, "register", ""), BackEdge(last, 1, 1, "value", "")]
    with patch.object(order, "_reached", wraps=order._reached) as search:
        assert order.on_recurrences(graph) == {token, 1, last}
    assert search.call_count == 2  # from the sum, and back


def test_a_store_in_branches_forgets_what_it_may_change_and_looks_for_it_once_in_its_own_array() -> None:
    at = [Access("a", (each,)) for each in (Affine.of(0), Affine.of(1), Affine.of("i"))]
    others = {Access("b", (Affine.of(n),)): n for n in range(50)}
    known = {**dict.fromkeys(at, 7), **others}
    values = Values(Operators(load_library("xc7z020", 10), {}))
    for access, node in known.items():
        values.know(access, node)
    values.branches.open = [OpenBranch(All(()), dict(known), raw=dict(known), other=True) for _ in range(3)]
    with patch.object(memory_order, "surely_apart", wraps=surely_apart) as compared:
        values.overwrite(at[0])
    assert values.known == {at[0]: 7, at[1]: 7, **others}
    assert all(each.raw == each.before == {at[1]: 7, **others} for each in values.branches.open)
    assert compared.call_count == 1  # the element that moves; a constant place is equal or apart


def test_work_is_limited_by_what_is_placed_and_each_schedule_has_its_own() -> None:
    gemm = directory() / "kernels" / "gemm.c"
    with patch.object(work, "MOST", 12_000):  # it takes 9799
        for _ in range(2):
            schedule(gemm)
    with (
        patch.object(work, "MOST", 500),
        pytest.raises(InputError, match=r"gemm\.c:\d+:\d+: .*too much work.*unroll loops less.*--function"),
    ):
        schedule(gemm)


def test_copies_whose_subscripts_are_resolved_cost_about_what_their_graph_costs(tmp_path: Path) -> None:
    text = "void f(int a[64], int b[64], int t[64]) { for (int i = 0; i < 64; i++) {\n#pragma HLS pipeline\n"
    copies = "int sum = 0; for (int k = 0; k < 64; k++) sum += a[k] * t[b[i]]; b[i] = sum; } }"
    (path := tmp_path / "f.c").write_text(text + copies, encoding="utf-8")
    with work.limited(), patch.object(work, "MOST", 66 * (work.STATEMENT + 4 * work.READ) + 4_000):
        (nest,) = schedule(path, function="f").kernels[0].nests
    assert nest.iterations == 64


def test_a_range_that_is_too_much_work_is_said_to_be_open() -> None:
    # cholesky takes 11847 with both ends of its range if no schedule of a body is kept.
    with (
        patch.object(work, "MOST", 10_500),
        patch.object(scheduling, "has_as_much", lambda: True),
        patch.object(Recent, "of", lambda _, __, make: make()),
    ):
        found = schedule(directory() / "kernels" / "cholesky.c")
    found.print(Console(file=(out := StringIO()), width=10_000))
    assert "or more cycles" in out.getvalue()
    told = found.to_dict()
    assert told["worst_cycles"] is None
    assert "too much work (over 10,500 operations" in told["unknown_cycles"]


_BRANCHES = """void f(int a[9], int n) {
    if (n) { for (int i = 0; i < 9; i++) a[i] = n; } else { for (int i = 0; i < 8; i++) a[i] = a[i] / n; } }"""


def test_branches_whose_cycles_are_too_much_work_are_chosen_by_iterations_which_is_said(tmp_path: Path) -> None:
    (path := tmp_path / "k.c").write_text(_BRANCHES, encoding="utf-8")
    by_cycles = schedule(path, worst=True)
    assert [each for each in by_cycles.assumed if "line 2" in each] == [
        "the else of the if in line 2 is always executed: data decides, and loops are in it"
    ]
    with patch.object(branches, "BRANCHES", 10):
        by_iterations = schedule(path, worst=True)
    (words,) = [each for each in by_iterations.assumed if "line 2" in each]
    assert words.startswith("the body of the if in line 2 is always executed: data decides, and loops are in it; ")
    assert words.endswith("its branches are compared by iterations, since to count their cycles is too much work")
    assert by_iterations.kernels[0].machine.cycles < by_cycles.kernels[0].machine.cycles


def test_branches_that_exceed_the_limit_of_all_work_are_refused(tmp_path: Path) -> None:
    (path := tmp_path / "k.c").write_text(_BRANCHES, encoding="utf-8")

    def too_much(*_: object) -> int:
        work.spend(work.MOST)
        return 1

    with pytest.raises(TooMuchWork), work.limited():
        load_kernels(str(path), policy=replace(TIMED, cycles=lambda *_: too_much))


def test_a_second_count_is_left_out_if_half_of_the_limit_is_spent() -> None:
    with patch.object(scheduling, "has_as_much", lambda: False):
        found = schedule(directory() / "kernels" / "cholesky.c", worst=True).to_dict()
    assert found["best_cycles"] is None
    assert found["worst_cycles"] == found["cycles"]
    assert "iterations it is not scheduled again, which would be too much work" in found["unknown_cycles"]


@pytest.mark.parametrize("counted", ["READ_NODE", "LOWERED", "EXECUTED", "STRUCTURED", "COMPARED", "STATEMENT"])
def test_each_phase_counts_towards_the_one_limit(tmp_path: Path, counted: str) -> None:
    (path := tmp_path / "k.c").write_text(
        _BRANCHES.replace(
            "int n) {",
            "int n) { int m = 0;for (int k = 0; k < 5; k++) if (k % 2) m += 3; for (int k = 0; k < m; k++) a[k] += 1;",
        ),
        encoding="utf-8",
    )
    users = [module for name, module in sys.modules.items() if name.startswith("ppnsim.") and hasattr(module, counted)]
    with ExitStack() as patched:
        for module in users:
            patched.enter_context(patch.object(module, counted, work.MOST + 1))
        patched.enter_context(pytest.raises(TooMuchWork, match=r"k\.c:\d+:\d+: .*too much work"))
        schedule(path, function="f")


def test_what_becomes_too_large_is_not_pipelined(tmp_path: Path) -> None:
    # sort_procedure of boyiwei/Sort-Acceleration (2022.2), around loops of 500000 iterations: "Pipelined no".
    text = """void f(int x[500000], int y[500000]) {
        for (int i = 0; i < 8; i++) {
    #pragma HLS pipeline
            for (int j = 0; j < 500000; j++) y[j] = x[j] >> i; } }"""
    (tmp_path / "k.cpp").write_text(text, encoding="utf-8")
    found = schedule(tmp_path / "k.cpp")
    assert [(loop["ii"], loop["iterations"]) for loop in found.to_dict()["loops"]] == [(1, 4_000_000)]
    assert "pipeline of the loop in line 2: with all loops in it unrolled" in str(found.to_dict()["without_effect"])


@pytest.mark.parametrize("inside", ["", "#pragma HLS pipeline off\n"])
def test_a_pipeline_that_outgrows_what_is_followed_is_said_right_after_the_cycles(tmp_path: Path, inside: str) -> None:
    path = tmp_path / "large.cpp"
    path.write_text(
        "void k(int A[8][1024], int B[8][1024]) {\n  for (int i = 0; i < 8; i++) {\n#pragma HLS pipeline\n"
        f"    for (int j = 0; j < 1024; j++) for (int l = 0; l < 512; l++) {{\n{inside}"
        "      B[i][j] += A[i][l]; }\n  }\n}\n"
    )
    found, text = schedule(path), StringIO()
    found.print(Console(file=text, width=1000))
    head, said, *rest = text.getvalue().splitlines()
    assert "cycles" in head
    assert said.startswith(f"not as asked: {path}:3:1: pipeline of the loop in line 2: ")
    assert not any("250000" in line for line in rest)
    assert "250000 statements" in found.to_dict()["without_effect"][0]
