from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ppnsim.analysis.throughput import absolute, unbounded
from ppnsim.derive.derive import channels, derive, with_streams
from ppnsim.derive.hazards import tokens_of
from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.loops.dependences import firings, folded
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import LoopProgram
from ppnsim.model.network import Network
from ppnsim.model.recorder import Recorder
from ppnsim.model.token_counts import expand_runs
from ppnsim.model.tokens import Listed, Runs
from tests.helpers.loop_programs import (
    at,
    atax,
    communication,
    do,
    execute,
    executions,
    four_processes,
    kernel,
    location,
    loop,
    loop_programs,
    predictor,
)

many = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def recorded(program: LoopProgram, latency: int) -> Network:
    """Return the network of a program found by executing it; every stream and statement with the same latency."""
    recorder = Recorder(program.name)
    done = execute(program)
    for s in program.statements():
        if done.firings[s.name]:
            stream = s.name.startswith(("in_", "out_"))
            ends = {"read": int(bool(s.reads) or stream), "write": int(bool(s.writes) or stream)}
            recorder.statement(s.name, latency=latency if s.latency is None else s.latency, **ends)
    for s, values in executions(program):
        reads, writes = ([location(access, values) for access in accesses] for accesses in (s.reads, s.writes))
        recorder.execute(s.name, reads=reads, writes=writes)
    return recorder.network()


# Finish and largest parallelism of absolute and unbounded throughput: van Teijlingen 2014, chapters 4.3, 6 and 7.4.
PRINTED = [
    (four_processes(), False, 1, (14, 3), (8, 8)),
    (predictor(), False, 3, (83, 5), (45, 25)),
    (communication(in_order=True, multiplicity=False), False, 3, (19, None), (None, None)),
    (communication(in_order=True, multiplicity=True), False, 3, (29, None), (None, None)),
    (communication(in_order=False, multiplicity=False), False, 3, (23, None), (None, None)),
    (communication(in_order=False, multiplicity=True), False, 3, (33, None), (None, None)),
    (atax(), True, 3, (5042, 10), (330, 1088)),
]


@pytest.mark.parametrize(("program", "io", "latency", "whole", "apart"), PRINTED)
def test_the_thesis_finishes_come_out(
    program: LoopProgram, io: bool, latency: int, whole: tuple[int, int | None], apart: tuple[int | None, int | None]
) -> None:
    network = derive(program, io=io, latency=latency)
    assert run(network).finish == whole[0]
    for estimate, printed in ((absolute(network), whole), (unbounded(network), apart)):
        found = estimate.finish, estimate.parallelism.maximum
        assert [ours for ours, theirs in zip(found, printed, strict=True) if theirs] == [x for x in printed if x]


def test_atax_with_streams_has_six_processes() -> None:
    network = derive(atax(), io=True, latency=3)
    counts = {process.name: process.firings for process in network.processes}
    assert counts == {"in_A": 1024, "in_x": 32, "zero": 32, "tmp": 1024, "y": 1024, "out_y": 32}
    assert sum(counts.values()) == 3168


def test_a_cleared_local_value_is_not_that_of_the_last_round() -> None:
    clear = do("clear", writes=(at("s"),), constant=True)
    add = do("add", reads=(at("s"),), writes=(at("s"),))
    rows = loop("i", 0, 1, clear, loop("j", 0, 2, add))
    program = kernel("rows", {"s": ()}, rows, local=("s",))
    [(name, dependence)] = channels(program)
    assert (name, dependence.pairs.tolist()) == ("add->add", [[1, 0], [2, 1], [4, 3], [5, 4]])
    assert [process.name for process in derive(program).processes] == ["add"]


@given(loop_programs(), st.booleans(), st.integers(1, 4))
@many
def test_a_derived_network_runs_like_the_recorded_one(program: LoopProgram, io: bool, latency: int) -> None:
    # A statement with a latency of its own is not folded, so that executing it says all.
    program = program.replaced(lambda s: replace(s, latency=latency))
    whole = with_streams(program) if io else program
    if not any(firings(program).values()):
        with pytest.raises(InputError, match="kernel 'random': kernel has no iterations: nothing ever executes"):
            derive(program, io=io)
        return
    ours, theirs = derive(program, io=io, latency=latency), recorded(whole, latency)
    for estimate in (absolute, unbounded):
        one, other = estimate(ours), estimate(theirs)
        assert one.finish == other.finish
        assert one.parallelism.average == other.parallelism.average
        assert one.parallelism.maximum == other.parallelism.maximum
    assert run(ours).finish == absolute(ours).finish


@given(loop_programs())
@many
def test_kinds_of_channels_are_those_of_their_tokens(program: LoopProgram) -> None:
    if any(count for name, count in firings(program).items() if name not in folded(program)):
        network = derive(program)
        kinds = {name: dependence.kind for name, dependence in channels(program)}
        assert {name: flow.kind for name, flow in network.counts.items()} == kinds


@given(loop_programs())
@many
def test_streams_are_for_arrays_of_the_caller(program: LoopProgram) -> None:
    done = execute(program)
    outside = [array for array in program.arrays if array.role == "parameter" and array.shape]
    written = {access.array for s in program.statements() if done.firings[s.name] for access in s.writes}
    names = {f"in_{array.name}" for array in outside if array.name in done.unwritten}
    names |= {f"out_{array.name}" for array in outside if array.name in written}
    found = firings(with_streams(program))
    assert {name for name in found if name not in done.firings} == names
    assert all(found[name] == np.prod(program.array(name.split("_")[1]).shape) for name in names)


def test_what_the_kernel_leaves_alone_goes_from_source_to_sink() -> None:
    update = do("s", reads=(at("a", 0),), writes=(at("a", 0),))
    network = derive(kernel("first", {"a": (3,)}, update), io=True)
    assert [channel.name for channel in network.channels] == ["in_a->s", "in_a->out_a", "s->out_a"]
    assert network.counts["in_a->out_a"].read_count == 2


def test_arguments_that_take_turns_in_order_share_a_channel() -> None:
    i = Affine.of("i")
    near, far = i + (i // 2) * 10, i + 10 - (i // 2) * 10
    use = do("use", reads=(at("a", near), at("a", far)))
    program = kernel("turns", {"a": (20,)}, loop("i", 0, 3, do("p", writes=(at("a", i),))), loop("i", 0, 3, use))
    network = derive(program)
    assert [channel.name for channel in network.channels] == ["p->use"]
    assert network.counts["p->use"].kind == "IOM-"


def test_arguments_that_take_turns_out_of_order_keep_a_channel_each() -> None:
    i = Affine.of("i")
    use = do("use", reads=(at("a", i + 2 + (i // 2) * 10), at("a", i + 8 - (i // 2) * 10)))
    program = kernel("turns", {"a": (20,)}, loop("i", 0, 3, do("p", writes=(at("a", i),))), loop("i", 0, 3, use))
    assert [(name, d.pairs.tolist()) for name, d in channels(program)] == [
        ("p->use.0", [[0, 2], [1, 3]]), ("p->use.1", [[2, 0], [3, 1]]),
    ]  # fmt: skip


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=1, max_size=12, unique_by=lambda p: p[0]))
def test_runs_say_what_lists_say(pairs: list[tuple[int, int]]) -> None:
    tokens = tokens_of(np.array(sorted(pairs)))
    if isinstance(tokens, Runs):
        reads, writes = (expand_runs(runs, 13, where="").tolist() for runs in (tokens.reads, tokens.writes))
        assert writes == sorted(writes)
        assert sorted(zip(reads, writes, strict=True)) == sorted(pairs)
    else:
        assert isinstance(tokens, Listed)
        assert sorted((reader, tokens.writes[token]) for reader, token in tokens.reads) == sorted(pairs)


def test_long_regular_channels_are_runs() -> None:
    tokens = {channel.name: channel.tokens for channel in derive(atax(), io=True).channels}
    assert tokens["in_A->tmp"] == Runs(((0, 1, 1024),), ((0, 1, 1024),))
    assert isinstance(tokens["in_x->tmp"], Listed)


def test_cycles_go_by_name_then_by_source_then_by_default() -> None:
    program = kernel(
        "k", {"a": (4,)}, do("s0", writes=(at("a", 0),), latency=7, function="f"),
        do("s1", writes=(at("a", 1),), latency=7), do("s2", writes=(at("a", 2),), function="f"),
        do("s3", writes=(at("a", 3),), ii=2),
    )  # fmt: skip
    assert [p.latency for p in derive(program, latency=3).processes] == [7, 7, 3, 3]
    assert [p.latency for p in derive(program, latency={"f": 5, "s2": 4}).processes] == [5, 7, 4, 1]
    assert [p.ii for p in derive(program, ii={"*": 6}).processes] == [6, 6, 6, 2]
    with pytest.raises(InputError, match=r"^no statement or function is called 's4' \(known: \*, f, s0"):
        derive(program, latency={"s4": 1})


def test_a_kernel_without_iterations_is_refused() -> None:
    empty = kernel("none", {"a": (4,)}, loop("i", 3, 0, do("s", writes=(at("a", "i"),))))
    with pytest.raises(InputError, match=r"^kernel 'none': kernel has no iterations: nothing ever executes$"):
        derive(empty, io=True)
    clear = do("clear", writes=(at("t"),), constant=True)
    empty = kernel("none", {"t": (), "a": (4,)}, clear, loop("i", 3, 0, do("s", writes=(at("a", "i"),))), local=("t",))
    with pytest.raises(InputError, match=r"no iterations: at most constants are put into local storage$"):
        derive(empty)


def test_the_same_program_gives_the_same_network() -> None:
    one, other = derive(atax(4), io=True), derive(atax(4), io=True)
    assert (one.processes, one.channels) == (other.processes, other.channels)


def test_a_channel_is_as_wide_as_the_elements_of_its_array() -> None:
    """An array that says nothing holds C's int: 32 bits."""
    program = four_processes()
    assert {array.type for array in program.arrays} == {"int"}
    wide = replace(
        program, arrays=tuple(replace(each, bits=64) if each.name == "x" else each for each in program.arrays)
    )
    assert [(each.source, each.target, each.width) for each in derive(wide).channels] == [
        ("P1", "P2", 32), ("P1", "P3", 32), ("P2", "P4", 64), ("P3", "P4", 32),
    ]  # fmt: skip


def test_channels_leave_out_what_is_folded_unless_hazards_count() -> None:
    """A value that is put into local storage becomes no process, unless writes are kept in their order."""
    sums = do("sum", reads=(at("s", 0), at("a", "i")), writes=(at("s", 0),))
    first = do("init", writes=(at("s", 0),), constant=True)
    program = kernel("k", {"a": (4,), "s": (1,)}, first, loop("i", 0, 3, sums), local=("s",))
    assert folded(program) == {"init"}
    plain, kept, usual = (channels(program, **given) for given in ({"hazards": False}, {"hazards": True}, {}))
    assert {(d.producer, d.consumer) for _, d in plain} == {("sum", "sum")}
    assert {(d.producer, d.consumer) for _, d in kept} == {("init", "sum"), ("sum", "sum")}
    assert [name for name, _ in usual] == [name for name, _ in plain]
