"""Process merging: the same executions in the same order, by fewer processes."""

import re
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from ppnsim.analysis.throughput import absolute, unbounded
from ppnsim.c.load import load_programs
from ppnsim.derive.derive import channels, derive, with_streams
from ppnsim.derive.estimate.estimate import estimate_program
from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.loops.dependences import firings, folded
from ppnsim.loops.program import Access, LoopProgram, Statement
from ppnsim.loops.rewrite.merge import merge
from ppnsim.loops.rewrite.partition import unfold
from ppnsim.model.network import Network
from ppnsim.model.recorder import Recorder
from tests.helpers.loop_programs import at, atax, do, executions, kernel, location, loop, loop_programs, predictor

many = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)
KERNELS = Path(__file__).parents[2] / "scenarios" / "kernels"


def fitted(program: LoopProgram) -> LoopProgram:
    """Return the program with arrays that are as large as its subscripts want, which are shifted to start at 0."""
    touched: dict[str, list[tuple[int, ...]]] = defaultdict(list)
    for statement, values in executions(program):
        for access in (*statement.reads, *statement.writes):
            touched[access.array].append(tuple(subscript.value(values) for subscript in access.subscripts))
    low = {array: [min(column) for column in zip(*places, strict=True)] for array, places in touched.items()}
    high = {array: [max(column) for column in zip(*places, strict=True)] for array, places in touched.items()}

    def shifted(access: Access) -> Access:
        starts = low.get(access.array, [0] * len(access.subscripts))
        return replace(access, subscripts=tuple(s - start for s, start in zip(access.subscripts, starts, strict=True)))

    def change(statement: Statement) -> Statement:
        reads, writes = (tuple(map(shifted, each)) for each in (statement.reads, statement.writes))
        return replace(statement, reads=reads, writes=writes)

    arrays = tuple(
        replace(each, shape=tuple(b - a + 1 for a, b in zip(low[each.name], high[each.name], strict=True)))
        for each in program.arrays
        if each.name in low
    )
    unused = tuple(each for each in program.arrays if each.name not in low)
    return replace(program, arrays=(*arrays, *unused)).replaced(change)


@st.composite
def merged_programs(draw: st.DrawFn) -> LoopProgram:
    """Draw a program of which some statements share processes, with cycles of their own."""
    cycles = st.sampled_from([None, None, 1, 2, 3, 5])

    def change(statement: Statement) -> Statement:
        return replace(statement, ii=draw(cycles), latency=draw(cycles))

    program = fitted(draw(loop_programs())).replaced(change)
    program = with_streams(program) if draw(st.booleans()) else program
    names = [statement.name for statement in program.statements()]
    assume(len(names) > 1 and any(count for name, count in firings(program).items() if name not in folded(program)))
    group = draw(st.permutations(names))
    cut = draw(st.integers(2, len(names)))
    program = merge(program, group[:cut])
    return merge(program, group[cut:]) if len(names) - cut > 1 else program


def recorded(program: LoopProgram, latency: int) -> Network:
    """Return the network of a program found by executing it: a firing of a process for each of its executions."""
    gone = folded(program)
    sharers: dict[str, list[Statement]] = defaultdict(list)
    for s in program.statements():
        if s.name not in gone:
            sharers[s.owner].append(s)
    latencies: dict[str, list[int]] = defaultdict(list)
    done = [(s, values) for s, values in executions(program) if s.name not in gone]
    for s, _ in done:
        latencies[s.owner].append(latency if s.latency is None else s.latency)
    recorder = Recorder(program.name)
    for process, statements in sharers.items():
        ends = {"read": int(any(s.reads for s in statements)), "write": int(any(s.writes for s in statements))}
        if process in latencies:
            ii = max(1 if s.ii is None else s.ii for s in statements)
            recorder.statement(process, ii=ii, latency=tuple(latencies[process]), **ends)
    clear = {s.name: frozenset(s.writes) for s in program.statements() if s.name in gone}
    version: dict[object, int] = defaultdict(int)
    for s, values in executions(program):
        for access in clear.get(s.name, ()):
            version[location(access, values)] += 1  # a constant is there: what was written before is not read
        if s.name not in gone:
            reads = [(location(access, values), version[location(access, values)]) for access in s.reads]
            writes = [(location(access, values), version[location(access, values)]) for access in s.writes]
            before = sum(len(other.reads) for other in sharers[s.owner][: sharers[s.owner].index(s)])
            recorder.execute(s.owner, reads=[*[("nothing",)] * before, *reads], writes=writes)
    return recorder.network()


@given(merged_programs(), st.integers(0, 4))
@many
def test_a_merged_network_runs_like_the_recorded_one(program: LoopProgram, latency: int) -> None:
    ours, theirs = derive(program, latency=latency), recorded(program, latency)
    assert [process.name for process in ours.processes] == [process.name for process in theirs.processes]
    for estimate in (absolute, unbounded):
        one, other = estimate(ours), estimate(theirs)
        assert one.finish == other.finish
        assert one.parallelism.average == other.parallelism.average
        assert one.parallelism.maximum == other.parallelism.maximum


@given(merged_programs(), st.integers(0, 4))
@many
def test_network_and_walk_of_a_merged_program_agree_and_kinds_of_channels_are_those_of_their_tokens(
    program: LoopProgram, latency: int
) -> None:
    network, walk = derive(program, latency=latency), estimate_program(program, latency=latency)
    kinds = {name: dependence.kind for name, dependence in channels(program)}
    assert {name: flow.kind for name, flow in network.counts.items()} == kinds
    assert run(network).finish == walk.absolute.finish
    for estimate, walked in ((absolute(network), walk.absolute), (unbounded(network), walk.unbounded)):
        assert estimate.finish == walked.finish
        assert estimate.parallelism.average == walked.average
        assert estimate.parallelism.maximum == walked.maximum


def test_atax_in_one_process_takes_one_start_per_execution() -> None:
    program = merge(with_streams(atax(4)), ["zero", "tmp", "y"], name="core")
    network = derive(program, latency=3)
    assert {process.name: process.firings for process in network.processes} == {
        "in_A": 16, "in_x": 4, "core": 36, "out_y": 4,
    }  # fmt: skip
    assert sum(channel.source == channel.target == "core" for channel in network.channels) == 4
    assert run(network).finish == estimate_program(program, latency=3).absolute.finish


def test_a_short_execution_leaves_after_a_long_one_before_it() -> None:
    program = kernel(
        "two", {"a": (), "b": (), "c": ()}, do("long", writes=(at("a"),), latency=6),
        do("short", writes=(at("b"),), latency=1), do("use", reads=(at("b"),)),
    )  # fmt: skip
    apart, together = (estimate_program(each).absolute.finish for each in (program, merge(program, ["long", "short"])))
    # Apart: short writes at 1, use starts at 2. Together: short leaves one cycle after long, at 7, use starts at 8.
    assert (apart, together) == (7, 10)


def test_the_largest_ii_is_that_of_the_process() -> None:
    program = kernel("two", {}, loop("i", 0, 1, do("a", ii=3), do("b")))
    [process] = derive(merge(program, ["a", "b"])).processes
    assert (process.name, process.firings, process.ii) == ("a+b", 4, 3)


def test_copies_of_unfolded_statements_can_be_merged_crosswise() -> None:
    program = unfold(unfold(predictor(), "source", 2), "sink", 2)
    for copy in "01":
        program = merge(program, [f"source.{copy}", f"sink.{copy}"])
    network = derive(program, latency=3)
    assert [process.name for process in network.processes] == ["source.0+sink.0", "source.1+sink.1", "transformer"]
    assert run(network).finish == estimate_program(program, latency=3).absolute.finish


def tiny(path: Path) -> dict[str, str]:
    """Return the sizes of a kernel with every one of them at most 4, where it was 6 or more."""
    sizes = re.findall(r"^#ifndef (\w+)\n#define \1 (\d+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    halves = {"MAX_HALF": "2"} if "MAX_HALF" in dict(sizes) else {}
    return {name: "4" for name, size in sizes if int(size) >= 6} | halves


@pytest.mark.parametrize("path", sorted(KERNELS.glob("*.c")), ids=lambda path: path.stem)
def test_merged_kernels_run_as_long_as_their_walk_says(path: Path) -> None:
    for program in load_programs(str(path), defines=tiny(path)):
        names = [statement.name for statement in program.statements()]
        for together in (names[::2], names[1::2]):
            program = merge(program, together) if len(together) > 1 else program
        network, walk = derive(program, latency=3), estimate_program(program, latency=3)
        assert run(network).finish == walk.absolute.finish
        assert unbounded(network).finish == walk.unbounded.finish


def test_what_cannot_be_merged_is_told() -> None:
    program = merge(atax(), ["zero", "y"])
    for names, name, message in (
        (["tmp"], None, "merging 1 process leaves it as it is (name two or more)"),
        (["tmp", "y"], None, "statement 'y' is in process 'zero+y' already: merge that"),
        (["tmp", "tmp"], None, "'tmp' is to be merged with itself (each name once)"),
        (["tmp", "cleer"], None, "no statement is called 'cleer' (did you mean 'clear'?)"),
        (["tmp", "clear"], "y", "the merged process cannot be called 'y': that name is taken"),
    ):
        with pytest.raises(InputError) as error:
            merge(program, names, name=name)
        assert str(error.value) == f"atax: {message}"
    with pytest.raises(
        InputError, match=r"'y' shares process 'zero[+]y', where its copies would stay: split it before"
    ):
        unfold(program, "y", 2)
