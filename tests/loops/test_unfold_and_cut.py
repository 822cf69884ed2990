"""Unfolding and cutting: the same executions in the same order, dealt out to more processes."""

import pytest

from ppnsim.analysis.throughput import absolute
from ppnsim.derive.derive import derive, with_streams
from ppnsim.errors import InputError
from ppnsim.loops.expressions import Affine, Compare, holds
from ppnsim.loops.program import Access, Array, Execution, Guard, Loop, LoopProgram, Node, Statement
from ppnsim.loops.rewrite.partition import cut, unfold

ROW, J = Affine.of("i"), Affine.of("j")
N = 32


def loop(iterator: str, first: Affine | int, last: Affine | int, *body: Node, step: int = 1) -> Loop:
    bounds = [Affine.of(bound) if isinstance(bound, int) else bound for bound in (first, last)]
    return Loop(iterator=iterator, first=(bounds[0],), last=(bounds[1],), step=step, body=body)


def atax() -> LoopProgram:
    """PolyBench/C 3.1 at MINI; the zeroing of the local tmp is folded, that of the parameter y is not."""
    y, tmp, a = Access("y", (J,)), Access("tmp", (ROW,)), Access("A", (ROW, J))
    zero = Statement(name="zero", writes=(Access("y", (ROW,)),))
    first = Statement(name="tmp", reads=(tmp, a, Access("x", (J,))), writes=(tmp,))
    second = Statement(name="y", reads=(y, a, tmp), writes=(y,))
    shapes = {"A": (N, N), "x": (N,), "y": (N,)}
    return LoopProgram(
        name="atax",
        arrays=(*(Array(name=k, shape=v, role="parameter") for k, v in shapes.items()), Array(name="tmp", shape=(N,))),
        body=(
            loop("i", 0, N - 1, Execution(zero)),
            loop(
                "i", 0, N - 1, loop("j", 0, N - 1, Execution(first)), loop("j", 0, N - 1, Execution(second))
            ),
        ),
    )  # fmt: skip


def executions(nodes: tuple[Node, ...], values: dict[str, int]) -> list[tuple[str, tuple[int, ...]]]:
    """Return (statement, iterators) of every execution in program order."""
    done: list[tuple[str, tuple[int, ...]]] = []
    for node in nodes:
        if isinstance(node, Execution):
            done.append((node.statement.name, tuple(values.values())))
        elif isinstance(node, Guard):
            done += executions(node.body if holds(node.condition, values) else node.otherwise, values)
        else:
            first, last = max(e.value(values) for e in node.first), min(e.value(values) for e in node.last)
            for value in range(first, last + (1 if node.step > 0 else -1), node.step):
                done += executions(node.body, values | {node.iterator: value})
    return done


def triangle(step: int) -> LoopProgram:
    work = Execution(Statement(name="work", writes=(Access("a", (ROW, J)),)))
    inner = loop("j", ROW + 1, 12, work) if step > 0 else loop("j", 12, ROW, work, step=step)
    guarded = Guard(Compare(ROW - 1), (loop("i2", 0, 1, inner),), (inner,))
    return LoopProgram(name="triangle", arrays=(Array(name="a", shape=(4, 13)),), body=(loop("i", 0, 3, guarded),))


def test_all_executions_stay_in_order_and_are_dealt_out_in_turn() -> None:
    program = triangle(step=1)
    before = executions(program.body, {})
    after = executions(unfold(program, "work", 3).body, {})
    assert [iterators for _, iterators in after] == [iterators for _, iterators in before]
    # Trips count from the first value of j in each visit, which is i + 1.
    assert all(name == f"work.{(at[-1] - (at[0] + 1)) % 3}" for name, at in after)


def test_trips_of_a_loop_that_counts_down_by_two_are_dealt_out_in_turn() -> None:
    work = Execution(Statement(name="work", writes=(Access("a", (J,)),)))
    program = LoopProgram(name="down", arrays=(Array(name="a", shape=(13,)),), body=(loop("j", 12, 0, work, step=-2),))
    assert executions(program.body, {})[0] == ("work", (12,))
    copies = [name for name, _ in executions(unfold(program, "work", 3).body, {})]
    assert copies == [f"work.{trip % 3}" for trip in range(7)]


def test_planes_are_blocks_of_equal_size() -> None:
    program = LoopProgram(
        name="row",
        arrays=(Array(name="a", shape=(10,)),),
        body=(loop("j", 0, 9, Execution(Statement(name="work", writes=(Access("a", (J,)),)))),),
    )
    copies = [name for name, _ in executions(cut(program, "work", 3).body, {})]
    assert copies == ["work.0"] * 4 + ["work.1"] * 3 + ["work.2"] * 3


@pytest.mark.parametrize(
    ("kind", "factor", "finish", "maximum", "processes"),
    # Recomputed from the thesis: all but the stream of A and the sink.
    [(unfold, 32, 1198, 66, 130), (cut, 2, 2562, 16, 10)],
)
def test_atax_reaches_the_figures_of_the_thesis(
    kind: type[LoopProgram], factor: int, finish: int, maximum: int, processes: int
) -> None:
    program = with_streams(atax())
    for statement in ("in_x", "zero", "tmp", "y"):
        program = kind(program, statement, factor)  # type: ignore[call-arg, arg-type]
    network = derive(program, latency=3)
    estimate = absolute(network)
    assert len(network.processes) == processes
    assert (estimate.finish, estimate.parallelism.maximum) == (finish, maximum)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("wrk", 2), "triangle: no statement is called 'wrk' (did you mean 'work'?)"),
        (("work", 10**9), "triangle: unfolding by 1000000000 makes too many processes (at most 4096)"),
        (("work", 1), "triangle: unfolding by 1 leaves it as it is (factors start at 2)"),
    ],
)
def test_what_cannot_be_unfolded_is_told(arguments: tuple[str, int], message: str) -> None:
    with pytest.raises(InputError) as error:
        unfold(triangle(step=1), *arguments)
    assert str(error.value) == message


def test_a_loop_that_is_not_around_the_statement_is_told() -> None:
    with pytest.raises(InputError, match="statement 'work' is in no loop over 'k'"):
        unfold(triangle(step=1), "work", 2, iterator="k")
