"""Skewing and interchange against executing the program before and after, iteration by iteration."""

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, product

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from ppnsim.analysis.throughput import absolute
from ppnsim.derive.derive import derive
from ppnsim.derive.estimate.estimate import estimate_program
from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine, Compare
from ppnsim.loops.program import Access, Array, Execution, Guard, Loop, LoopProgram, Node, Operation
from ppnsim.loops.rewrite.elimination import NotSolvableError, other_way_round
from ppnsim.loops.rewrite.interchange import interchange, interchanged
from ppnsim.loops.rewrite.skew import skew, substituted
from tests.helpers.by_seed import by_seed
from tests.helpers.loop_programs import Location, affine, at, do, execute, executions, kernel, location, loop, predictor

many = settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)
I, J = Affine.of("i"), Affine.of("j")  # noqa: E741
Iteration = tuple[str, frozenset[tuple[str, int]]]


@by_seed
def nests(draw: st.DrawFn) -> LoopProgram:
    """Draw a perfect nest of two or three loops (i, j, k): triangles, several bounds, loops that count down."""
    names = "ijk"[: draw(st.integers(2, 3))]

    def bounds(around: str, low: int, high: int) -> tuple[Affine, ...]:
        found = []
        for _ in range(draw(st.sampled_from([1, 1, 2]))):
            value = Affine.of(draw(st.integers(low, high)))
            if around and draw(st.booleans()):
                value = value + Affine.of(draw(st.sampled_from(around))) * draw(st.sampled_from([1, -1, 2]))
            found.append(value)
        return tuple(found)

    def subscript() -> Affine:
        value = Affine.of(draw(st.integers(-1, 1)))
        for name in names:
            value = value + Affine.of(name) * draw(st.sampled_from([0, 0, 1, 1, -1, 2]))
        return value % 3 if draw(st.integers(0, 7)) == 0 else value

    def statement(name: str) -> Node:
        reads, writes = (
            tuple(at("a", subscript(), subscript()) if draw(st.booleans()) else at("b", subscript()) for _ in range(n))
            for n in (draw(st.integers(0, 2)), draw(st.integers(0, 1)))
        )
        found = do(name, reads=reads, writes=writes)
        return Guard(Compare(subscript()), (found,)) if draw(st.integers(0, 3)) == 0 else found

    body: tuple[Node, ...] = tuple(statement(f"s{k}") for k in range(draw(st.integers(1, 2))))
    for level in reversed(range(len(names))):
        low, high = bounds(names[:level], -1, 1), bounds(names[:level], 1, 3)
        step = draw(st.sampled_from([1, 1, 1, -1, -1, 2, -2]))
        first, last = (low, high) if step > 0 else (high, low)
        body = (Loop(iterator=names[level], first=first, last=last, step=step, body=body),)
    arrays = Array(name="a", shape=(9, 9)), Array(name="b", shape=(9,))
    return LoopProgram(name="nest", arrays=arrays, body=body)


@by_seed
def swaps(draw: st.DrawFn) -> tuple[LoopProgram, str, str]:
    """Draw a nest, skewed or not, and two loops in it, one directly in the other."""
    program = draw(nests())
    names = [part.iterator for part in next(iter(program.placed()))[1] if isinstance(part, Loop)]
    number = draw(st.integers(0, len(names) - 2))
    outer, inner = names[number : number + 2]
    factor = draw(st.sampled_from([0, 0, 1, 2, -1]))
    program = skew(program, "s0", inner, outer, factor) if factor else program
    reject_strides(program, outer, inner)
    return program, outer, inner


def reject_strides(program: LoopProgram, outer: str, inner: str) -> None:
    """Draw again if the loops cannot change places because of a stride and a slanted bound together."""
    try:
        interchanged(program, "s0", outer, inner)
    except InputError as error:
        assume("has stride" not in str(error))
        raise


def iterations(program: LoopProgram) -> list[Iteration]:
    return [(statement.name, frozenset(values.items())) for statement, values in executions(program)]


def touched(program: LoopProgram) -> dict[Iteration, list[tuple[Location, bool]]]:
    """Return the locations of each iteration, and whether it writes there."""
    found = {}
    for statement, values in executions(program):
        reads = [(location(access, values), False) for access in statement.reads]
        writes = [(location(access, values), True) for access in statement.writes]
        found[statement.name, frozenset(values.items())] = reads + writes
    return found


def turned_round(before: LoopProgram, after: LoopProgram) -> bool:
    """Whether two iterations that touch one location, one of them writing, come in another order."""
    places, position = touched(before), {each: number for number, each in enumerate(iterations(after))}
    return any(
        position[one] > position[other]
        for one, other in combinations(iterations(before), 2)
        for place, writes in places[one]
        for other_place, also in places[other]
        if place == other_place and (writes or also)
    )


def values_read(program: LoopProgram) -> tuple[dict[tuple[Iteration, int], object], dict[Location, object]]:
    """Return which iteration wrote what each read gets, and which one wrote each location last."""
    read: dict[tuple[Iteration, int], object] = {}
    writer: dict[Location, object] = {}
    for statement, values in executions(program):
        here = statement.name, frozenset(values.items())
        for argument, access in enumerate(statement.reads):
            read[here, argument] = writer.get(location(access, values))
        for number, access in enumerate(statement.writes):
            writer[location(access, values)] = here, number
    return read, writer


@given(nests(), st.sampled_from([1, -1, 2, -3]))
@many
def test_skewing_leaves_all_executions_where_they_are(program: LoopProgram, factor: int) -> None:
    skewed = skew(program, "s0", "j", "i", factor)
    back = [
        (statement.name, {**values, "j": values["j"] - factor * values["i"]})
        for statement, values in executions(skewed)
    ]
    assert back == [(statement.name, values) for statement, values in executions(program)]
    before, after = execute(program), execute(skewed)
    assert (before.pairs, before.times, before.unwritten) == (after.pairs, after.times, after.unwritten)


@given(swaps())
@many
def test_interchanged_loops_execute_the_same_iterations_in_lexicographic_order(
    swap: tuple[LoopProgram, str, str],
) -> None:
    program, outer, inner = swap
    after = interchanged(program, "s0", outer, inner)
    assert sorted((name, sorted(at)) for name, at in iterations(after)) == sorted(
        (name, sorted(at)) for name, at in iterations(program)
    )
    steps = {part.iterator: part.step for _, around, _ in after.placed() for part in around if isinstance(part, Loop)}
    order = list(steps)
    assert order.index(outer) == order.index(inner) + 1
    visited = [tuple(values[name] * steps[name] for name in order) for _, values in executions(after)]
    assert visited == sorted(visited)


@given(swaps())
@many
def test_an_interchange_is_refused_if_and_only_if_a_dependence_is_turned_round(
    swap: tuple[LoopProgram, str, str],
) -> None:
    program, outer, inner = swap
    after = interchanged(program, "s0", outer, inner)
    if turned_round(program, after):
        with pytest.raises(InputError, match=r"^nest: interchanging '.' and '.' around 's0' turns round the "):
            interchange(program, "s0", outer, inner)
    else:
        assert interchange(program, "s0", outer, inner) == after
        assert values_read(program) == values_read(after)


@given(nests(), st.sampled_from([1, 2, 3]))
@many
def test_a_skewed_interchange_can_be_turned_back(program: LoopProgram, factor: int) -> None:
    # With a factor above 1 the bounds in between are quotients.
    skewed = skew(program, "s0", "j", "i", factor)
    reject_strides(skewed, "i", "j")
    there = interchanged(skewed, "s0", "i", "j")
    again = skew(interchanged(there, "s0", "j", "i"), "s0", "j", "i", -factor)
    assert iterations(again) == iterations(program)


def seidel(size: int) -> LoopProgram:
    """A relaxation that reads its new neighbours above, above to the right, and to the left."""
    n = size - 1
    work = do("s", reads=(at("a", I - 1, J), at("a", I - 1, J + 1), at("a", I, J - 1)), writes=(at("a", I, J),))
    return kernel("seidel", {"a": (size, size + 1)}, loop("i", 1, n, loop("j", 1, n, work)))


def test_a_flow_on_the_diagonal_forbids_an_interchange() -> None:
    program = seidel(5)
    with pytest.raises(InputError) as error:
        interchange(program, "s", "i", "j")
    assert str(error.value) == (
        "seidel: interchanging 'i' and 'j' around 's' turns round the flow dependence s -> s on 'a': "
        "(i = 1, j = 2) writes a[i][j] before (i = 2, j = 1) reads a[i - 1][j + 1]"
    )
    after = interchanged(program, "s", "i", "j")
    assert values_read(program) != values_read(after)


def test_skewed_by_two_the_diagonal_allows_it_and_the_wavefront_is_faster() -> None:
    before = seidel(12)
    after = interchange(skew(before, "s", "j", "i", 2), "s", "i", "j")
    assert values_read(before)[0].keys() != values_read(after)[0].keys()  # j has another meaning, so compare firings
    plain, wave = (estimate_program(each, latency=5) for each in (before, after))
    assert plain.unbounded == wave.unbounded
    # A row is a chain of 11 executions of 7 cycles; a front holds up to 6 that do not wait for each other.
    assert plain.absolute.finish > 10 * 11 * 7
    assert wave.absolute.finish < plain.absolute.finish / 2
    assert absolute(derive(after, latency=5)).finish == wave.absolute.finish


def test_an_anti_dependence_forbids_an_interchange_too() -> None:
    shift = do("s", reads=(at("a", I + 1, J - 1),), writes=(at("a", I, J),))
    program = kernel("shift", {"a": (9, 9)}, loop("i", 0, 3, loop("j", 1, 3, shift)))
    with pytest.raises(InputError, match=r"turns round the anti dependence s -> s on 'a': \(i = 0, j = 2\) reads"):
        interchange(program, "s", "i", "j")


def test_the_last_of_several_writes_stays_the_last() -> None:
    program = kernel("last", {"a": (9,)}, loop("i", 0, 3, loop("j", 0, 3, do("s", writes=(at("a", I + J),)))))
    with pytest.raises(InputError, match=r"turns round the output dependence s -> s on 'a'"):
        interchange(program, "s", "i", "j")


def test_an_access_to_any_element_forbids_an_interchange() -> None:
    write = Access("a", random=True)
    program = kernel("scatter", {"a": (9,)}, loop("i", 0, 3, loop("j", 0, 3, do("s", writes=(write,)))))
    with pytest.raises(
        InputError, match=r"the output dependence s -> s on 'a': \(i = 0, j = 1\) writes a\[\?\] before"
    ):
        interchange(program, "s", "i", "j")


def test_the_values_of_statements_count_with_the_old_iterator() -> None:
    value = Operation("+", "int", (Operation("iterator", "int", text="j"), Operation("iterator", "int", text="i")))
    node = do("s", writes=(at("a", I, J),))
    program = kernel("value", {"a": (4, 4)}, loop("i", 0, 3, loop("j", 0, 3, node)))
    program = program.replaced(lambda s: type(s)(name=s.name, writes=s.writes, value=value))
    [statement] = skew(program, "s", "j", "i", 3).statements()
    assert statement.value is not None
    text = [each.text or each.kind for each in walked(statement.value)]
    assert text == ["+", "-", "j", "*", "3", "i", "i"]


def walked(operation: Operation) -> list[Operation]:
    return [operation, *(each for operand in operation.operands for each in walked(operand))]


def test_strides_are_kept_where_the_loops_form_a_rectangle() -> None:
    body = do("s", writes=(at("a", I, J),))
    program = kernel("grid", {"a": (9, 9)}, loop("i", 8, 0, loop("j", 0, 8, body, step=3), step=-2))
    found = [tuple(values.values()) for _, values in executions(interchange(program, "s", "i", "j"))]
    assert found == [(j, i) for j in (0, 3, 6) for i in (8, 6, 4, 2, 0)]


@example(2)
@given(st.integers(-4, 4).filter(lambda step: abs(step) > 1))
def test_strides_and_slanted_bounds_together_are_refused(step: int) -> None:
    inner = Loop(iterator="j", first=(I,), last=(affine(3),), step=step)
    with pytest.raises(NotSolvableError, match=rf"loop 'j' has stride {step} and 'j' has bounds with 'i'"):
        other_way_round(loop("i", 0, 3), inner, {})


def test_what_cannot_be_skewed_or_interchanged_is_told() -> None:
    program = predictor()
    two = kernel("two", {"a": (4,)}, loop("i", 0, 3, do("t"), loop("j", 0, 3, do("s"))))
    modulo = kernel("modulo", {"a": (4,)}, loop("i", 0, 3, loop("j", I % 2, 3, do("s"))))
    calls: list[tuple[Callable[[], LoopProgram], str]] = [
        (
            lambda: skew(program, "sink", "i", "j"),
            "predictor: loop 'i' can only be skewed by a loop around it (none), not by 'j'",
        ),
        (lambda: skew(program, "sink", "j", "i", 0), "predictor: skewing 'j' by 0 times 'i' leaves it as it is"),
        (lambda: skew(program, "sink", "k", "i"), "predictor: statement 'sink' is in no loop over 'k'"),
        (
            lambda: interchange(program, "sink", "j", "i"),
            "predictor: loop 'i' is not inside loop 'j' (name the outer one first)",
        ),
        (
            lambda: interchange(two, "s", "i", "j"),
            "two: loops 'i' and 'j' around 's' are not perfectly nested: 'j' must be all that 'i' holds",
        ),
        (
            lambda: interchange(modulo, "s", "i", "j"),
            "modulo: loops 'i' and 'j' cannot change places: a bound with '-((i) mod 2)' cannot be solved for 'i'",
        ),
    ]
    for call, message in calls:
        with pytest.raises(InputError) as error:
            call()
        assert str(error.value).startswith(message)


@pytest.mark.parametrize(("factor", "shown"), [(1, "j - i"), (-1, "j + i"), (2, "j - 2*i"), (-3, "j + 3*i")])
def test_the_iterator_in_a_value_becomes_what_it_was(factor: int, shown: str) -> None:
    """The value j of a statement is j' - factor * i after skewing: in whichever order its terms are written."""
    value = Operation("iterator", "int", text="j")
    statement = replace(do("s", writes=(at("a", "i", "j"),)).statement, value=value)
    program = kernel("k", {"a": (4, 4)}, loop("i", 0, 3, loop("j", 0, 3, Execution(statement))))
    [(changed, _, _)] = skew(program, "s", "j", "i", factor).placed()
    assert changed.value is not None
    for i, j in product(range(-3, 4), repeat=2):
        assert _value(changed.value, {"i": i, "j": j}) == j - factor * i, shown


@pytest.mark.parametrize("text", ["j + 1", "-j", "3 - 2*j", "j - 2"])
def test_trees_of_sums_have_the_signs_of_their_terms(text: str) -> None:
    """An iterator that is replaced by any sum has its value, the first term and the constant below 0 included."""
    j = Affine.of("j")
    by = {"j + 1": j + 1, "-j": j * -1, "3 - 2*j": j * -2 + 3, "j - 2": j + -2}[text]
    statement = replace(do("s", writes=(at("a", "j"),)).statement, value=Operation("iterator", "int", text="j"))
    (node,) = [substituted(Execution(statement), {"j": by})]
    assert isinstance(node, Execution) and node.statement.value is not None
    assert [_value(node.statement.value, {"j": at}) for at in (-2, 0, 5)] == [by.value({"j": at}) for at in (-2, 0, 5)]
    assert node.statement.writes[0].subscripts == (by,)


def _value(tree: Operation, values: dict[str, int]) -> int:
    operands = [_value(each, values) for each in tree.operands]
    match tree.kind:
        case "iterator":
            return values[tree.text]
        case "constant":
            return int(tree.text)
        case "-x":
            return -operands[0]
        case "+":
            return operands[0] + operands[1]
        case "-":
            return operands[0] - operands[1]
        case _:
            assert tree.kind == "*"
            return operands[0] * operands[1]
