"""Trip counts and shares of branches, against executing loops in Python."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import count
from operator import ge, gt, le, lt, ne
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ppnsim.errors import InputError
from ppnsim.opencl.kernel import Block, BlockStep, Kernel, KernelBranch, KernelLoop
from ppnsim.opencl.run import simulate
from tests.helpers.by_seed import by_seed
from tests.helpers.opencl_kernels import BOARD, kernel_of, ops, steps_of


def naive(first: int, bound: int, step: int, holds: Any) -> int | None:
    """Return how often a for loop runs, None if it does not end."""
    for number in count():
        if not holds(first + number * step, bound):
            return number
        if number > 500:
            return None
    raise AssertionError


HOLDS = {"<": lt, "<=": le, ">": gt, ">=": ge, "!=": ne}

SMALL = st.integers(-9, 9)


@settings(max_examples=40, deadline=None)
@given(first=st.tuples(SMALL, SMALL), bound=st.tuples(SMALL, SMALL), step=SMALL, test=st.sampled_from(sorted(HOLDS)))
@example(first=(0, 0), bound=(0, 1), step=1, test="<")
@example(first=(9, 0), bound=(0, 1), step=-1, test="!=")
def test_trip_counts_are_those_of_all_work_items(
    first: tuple[int, int], bound: tuple[int, int], step: int, test: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("loop")
    head = f"int i = {first[0]} + {first[1]} * g; i {test} {bound[0]} + {bound[1]} * g; i += {step}"
    body = f"for ({head}) a[i] = 1; b[g] = 2;"
    counts = [naive(first[0] + first[1] * g, bound[0] + bound[1] * g, step, HOLDS[test]) for g in range(8)]
    if None in counts:
        with pytest.raises(InputError, match="this loop never ends"):
            kernel_of(body, folder, sizes=(8,))
        return
    loops = kernel_of(body, folder, sizes=(8,)).loops()
    assert loops.get("i", 0) == Fraction(sum(each for each in counts if each is not None), 8)


def triangle(n: int) -> Iterator[int]:
    """Yield the trips of the innermost loop of each visit in `test_nested_loops_are_counted_by_their_visits`."""
    for g in range(n):
        if g % 3:
            for j in range(g):
                yield len(range(j, g, 2))


@pytest.mark.parametrize("n", [4, 7, 32])
def test_nested_loops_are_counted_by_their_visits(n: int, tmp_path: Path) -> None:
    body = "if (g % 3) for (int j = 0; j < g; j++) { a[j] = 1; for (int k = j; k < g; k += 2) b[k] += a[j]; }"
    kernel = kernel_of(body, tmp_path, sizes=(n,))
    trips = list(triangle(n))
    visits = sum(1 for g in range(n) if g % 3)
    assert kernel.loops() == {"j": Fraction(len(trips), visits), "k": Fraction(sum(trips), len(trips))}
    (branch,) = [node for node in kernel.body if isinstance(node, KernelBranch)]
    assert branch.share == Fraction(visits, n)
    executed = simulate(kernel, BOARD).executions
    assert list(executed.values()) == [n, len(trips), sum(trips)]


@pytest.mark.parametrize(
    ("loop", "trips"),
    [
        ("for (int s = 64; s > 0; s >>= 1) a[s] = 1;", 7), ("for (int s = 1; s < 100; s *= 3) a[s] = 1;", 5),
        ("int i = 10; while (i--) a[i] = 1;", 10), ("int i = 0; do { a[i] = 1; i += 3; } while (i < 10);", 4),
        ("int i = 0; do { a[i] = 1; i += 3; } while (i < 0);", 1),
        ("for (int i = 0, j = 9; i < j; i++, --j) a[i] = j;", 5),
        ("for (int i = 0; i < 8 && i < n; i++) a[i] = 1;", 5),
        ("for (int i = 0; ; i++) { a[i] = 1; if (i == 6) break; }", 7),
        ("int i = 0; while (1) { a[i] = 1; i += 2; if (i > n) { break; } }", 3),
        ("int i = 0; for (; i < 9; ) { a[i] = 1; i = i + 2; }", 5),
        ("for (int i = 0, t = 0; t < 20; i++, t += i) a[t] = 1;", 6),
        ("for (int i = 0; i < 12; i++) { if (i > n) continue; a[i] = 1; }", 12),
    ],
)  # fmt: skip
def test_loops_of_any_kind_are_executed(loop: str, trips: int, tmp_path: Path) -> None:
    (found,) = kernel_of(loop, tmp_path, {"n": 5}).loops().values()
    assert found == trips


def test_a_loop_that_never_runs_leaves_nothing(tmp_path: Path) -> None:
    kernel = kernel_of("for (int i = 4; i < n; i++) a[i] = 1; b[0] = 2;", tmp_path, {"n": 4})
    assert (kernel.loops(), len(steps_of(kernel))) == ({}, 1)


def test_what_a_pragma_says_of_data_counts(tmp_path: Path) -> None:
    body = "\n#pragma ppnsim tripcount(2 * n + 1)\nfor (int i = c[0]; i < c[1]; i++) a[i] = 1;\n"
    body += "#pragma ppnsim share(0.25)\nif (a[0] > 1) b[0] = 1;"
    kernel = kernel_of(body, tmp_path, {"n": 5})
    assert kernel.loops() == {"i": 11}
    (branch,) = [node for node in kernel.body if isinstance(node, KernelBranch)]
    assert branch.share == Fraction(1, 4)


def test_a_bound_that_is_data_costs_no_branch_and_a_test_of_data_does(tmp_path: Path) -> None:
    pragma = "\n#pragma ppnsim tripcount(4)\n"
    counted = kernel_of(f"{pragma} for (int i = c[g]; i < c[g + 1]; i++) a[i] = 1;", tmp_path)
    searched = kernel_of(f"int i = 0; {pragma} while (c[i] != 7) i++; c[9] = i;", tmp_path)
    assert ops(counted) == ["load", "load", "store"]
    assert ops(searched) == ["load", "branch", "store"]
    assert not counted.vectorise


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 40), st.integers(1, 6), st.integers(1, 9))
def test_execution_makes_the_average_trips_of_all_work_items(n: int, step: int, times: int) -> None:
    block = Block(name="b", steps=(BlockStep(name="s", op="int_add"),))
    loop = KernelLoop(name="l", trip=Fraction(n, step), body=(block,))
    assert simulate(Kernel(name="f", work_items=step * times, body=(loop,)), BOARD).executions == {"b": n * times}


# Nests of loops and conditions on the numbers of work items and iterations, as C and as what they execute.
Nest = tuple[Any, ...]


def sums(names: tuple[str, ...]) -> st.SearchStrategy[str]:
    """Return sums of such numbers, as C and Python both have them."""
    term = st.tuples(st.sampled_from(names), st.integers(-2, 2)).map(lambda pair: f"{pair[0]} * {pair[1]}")
    both = st.tuples(st.lists(term, max_size=2), st.integers(-3, 6).map(str))
    return both.map(lambda parts: " + ".join([*parts[0], parts[1]]))


@by_seed
def nests(draw: st.DrawFn, names: tuple[str, ...] = ("g", "h"), depth: int = 0) -> list[Nest]:
    made: list[Nest] = []
    for _ in range(draw(st.integers(1, 2))):
        kind = draw(st.sampled_from(("store", "for", "if"))) if depth < 3 else "store"
        if kind == "store":
            made.append(("store",))
        elif kind == "if":
            test = f"{draw(sums(names))} {draw(st.sampled_from(('<', '>=', '==', '!=')))} {draw(sums(names))}"
            made.append(("if", test, draw(nests(names, depth + 1)), draw(nests(names, depth + 1))))
        else:
            name, step = f"i{len(names)}", draw(st.sampled_from((1, 2, 3)))
            made.append(
                ("for", name, draw(sums(names)), draw(sums(names)), step, draw(nests((*names, name), depth + 1)))
            )
    return made


def text_of(nest: list[Nest]) -> str:
    """Return C with a store in every place, each to an array element of its own line."""
    text = ""
    for each in nest:
        if each[0] == "store":
            text += "a[n++] = 1;\n"
        elif each[0] == "if":
            text += f"if ({each[1]}) {{\n{text_of(each[2])}}} else {{\n{text_of(each[3])}}}\n"
        else:
            head = f"int {each[1]} = {each[2]}; {each[1]} < {each[3]}; {each[1]} += {each[4]}"
            text += f"for ({head}) {{\n{text_of(each[5])}}}\n"
    return text


def stores_of(nest: list[Nest], numbers: dict[str, int]) -> int:
    """Return how many stores a work item executes."""
    found = 0
    for each in nest:
        if each[0] == "store":
            found += 1
        elif each[0] == "if":
            found += stores_of(each[2 if eval(each[1], {}, numbers) else 3], numbers)
        else:
            for value in range(eval(each[2], {}, numbers), eval(each[3], {}, numbers), each[4]):
                found += stores_of(each[5], {**numbers, each[1]: value})
    return found


def total(nodes: tuple[Any, ...]) -> Fraction:
    """Return how many stores a work item executes on average, by trip counts and shares."""
    found = Fraction(0)
    for node in nodes:
        if isinstance(node, Block):
            found += sum(step.op == "store" for step in node.steps) * Fraction(node.trip)
        elif isinstance(node, KernelLoop):
            found += node.trip * total(node.body)
        else:
            found += node.share * total(node.then) + (1 - node.share) * total(node.otherwise)
    return found


@settings(max_examples=30, deadline=None)
@given(nests())
def test_counts_of_any_nest_are_those_of_executing_it(
    tmp_path_factory: pytest.TempPathFactory, nest: list[Nest]
) -> None:
    expected = Fraction(sum(stores_of(nest, {"g": g, "h": h}) for g in range(4) for h in range(3)), 12)
    folder = tmp_path_factory.mktemp("nest")
    if not expected:
        with pytest.raises(InputError, match="has no block"):
            kernel_of(text_of(nest), folder, sizes=(4, 3))
        return
    assert total(kernel_of(text_of(nest), folder, sizes=(4, 3), groups=(2, 1)).body) == expected
