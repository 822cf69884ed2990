"""Anti and output dependences: a program on a machine with one place per variable."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from ppnsim.analysis import throughput
from ppnsim.c.load import load_programs
from ppnsim.cli.app import app
from ppnsim.derive.derive import derive, with_streams
from ppnsim.derive.estimate.estimate import ProgramEstimate, estimate_program
from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.loops.dependences import firings
from ppnsim.loops.program import LoopProgram
from tests.derive.test_program_estimate import programs
from tests.helpers.loop_programs import at, do, kernel, loop
from tests.oracles.naive_machine import Machine

KERNELS = Path(__file__).parents[2] / "scenarios" / "kernels"


def both(estimate: ProgramEstimate) -> tuple[object, object]:
    return estimate.absolute, estimate.unbounded


def figures(estimate: throughput.Estimate) -> tuple[int | None, float | None, int | None]:
    return estimate.finish, estimate.parallelism.average, estimate.parallelism.maximum


def scalar(size: int = 4) -> LoopProgram:
    """Every iteration puts its value into the same scalar, and a slow reader takes it from there."""
    return kernel(
        "scalar", {"x": (size,), "t": (), "y": (size,)},
        loop(
            "i", 0, size - 1,
            do("put", reads=(at("x", "i"),), writes=(at("t"),)),
            do("take", reads=(at("t"),), writes=(at("y", "i"),), ii=4),
        ),
        local=("t",),
    )  # fmt: skip


def test_a_write_waits_for_the_last_read_of_what_it_overwrites() -> None:
    # take starts at 3, 7, 11, 15 and reads for one cycle: put may write from 4, 8 and 12 on, and is read one later.
    estimate = estimate_program(scalar(), hazards=True)
    assert estimate.absolute.finish == 18
    # Without hardware limits: put writes at 2, 4, 6, 8, because take reads at 3, 5, 7, 9.
    assert estimate.unbounded.finish == 12
    assert both(estimate_program(scalar())) != both(estimate)


def test_a_write_ends_no_earlier_than_the_write_that_it_replaces() -> None:
    slow = do("slow", reads=(at("x"),), writes=(at("t"),), latency=9)
    quick = do("quick", reads=(at("x"),), writes=(at("t"),))
    take = do("take", reads=(at("t"),), writes=(at("y"),))
    program = kernel("two", {"x": (), "t": (), "y": ()}, slow, quick, take, local=("t",))
    assert estimate_program(program).unbounded.finish == 11
    assert estimate_program(program, hazards=True).unbounded.finish == 11 + 3


def test_a_constant_is_a_store_and_no_statement_is_folded() -> None:
    (program,) = load_programs(str(KERNELS / "gramschmidt.c"))
    assert estimate_program(program).folded == ("nrm",)
    assert estimate_program(program, hazards=True).folded == ()


def test_ordering_channels_are_named_by_what_they_keep() -> None:
    network = derive(scalar(), hazards=True)
    extra = [channel for channel in network.channels if ":" in channel.name]
    assert [channel.name for channel in extra] == ["anti:take->put", "output:put->put"]
    assert {channel.width for channel in extra} == {1}
    assert [network.counts[channel.name].kind for channel in extra] == ["IOM-", "IOM-"]


@settings(max_examples=50, deadline=None)
@given(programs(), st.integers(0, 5), st.integers(1, 3), st.booleans())
def test_a_program_with_hazards_finishes_when_a_naive_machine_does(
    p: LoopProgram, latency: int, ii: int, io: bool
) -> None:
    machine = Machine(with_streams(p) if io else p, latency, ii, hazards=True)
    if not executes(p):
        return
    estimate = estimate_program(p, latency=latency, ii=ii, io=io, hazards=True)
    expected = machine.estimate(own_processes=False), machine.estimate(own_processes=True)
    assert both(estimate) == expected


def executes(p: LoopProgram) -> bool:
    return any(firings(p).values())


@settings(max_examples=25, deadline=None)
@given(programs(), st.integers(0, 4), st.integers(1, 3), st.booleans())
def test_a_network_with_hazards_runs_as_long_as_the_loops_say(p: LoopProgram, latency: int, ii: int, io: bool) -> None:
    if not executes(p):
        return
    estimate = estimate_program(p, latency=latency, ii=ii, io=io, hazards=True)
    network = derive(p, latency=latency, ii=ii, io=io, hazards=True)
    assert run(network).finish == estimate.absolute.finish
    one_each, by_data = estimate.absolute, estimate.unbounded
    assert figures(throughput.absolute(network)) == (one_each.finish, one_each.average, one_each.maximum)
    assert figures(throughput.unbounded(network)) == (by_data.finish, by_data.average, by_data.maximum)


@settings(max_examples=30, deadline=None)
@given(programs(), st.integers(0, 4), st.integers(1, 3))
def test_hazards_never_make_a_program_finish_earlier(p: LoopProgram, latency: int, ii: int) -> None:
    if not executes(p):
        return
    with_order = estimate_program(p, latency=latency, ii=ii, hazards=True)
    try:
        without = estimate_program(p, latency=latency, ii=ii)
    except InputError:  # everything is folded
        return
    assert with_order.absolute.finish >= without.absolute.finish
    assert with_order.unbounded.finish >= without.unbounded.finish


@pytest.mark.parametrize("path", sorted(KERNELS.glob("*.c")), ids=lambda path: path.stem)
def test_every_kernel_runs_with_hazards_as_estimated(path: Path) -> None:
    macros = {line.split()[1] for line in path.read_text().splitlines() if line.startswith("#ifndef")}
    defines = dict.fromkeys(sorted(macros - {"DATA_TYPE"}), "4")
    if path.stem.startswith("hierarchy"):
        defines["MAX_HALF"] = "2"
    for program in load_programs(str(path), defines=defines):
        estimate = estimate_program(program, latency=3, hazards=True)
        network = derive(program, latency=3, hazards=True)
        assert run(network).finish == estimate.absolute.finish
        assert throughput.unbounded(network).finish == estimate.unbounded.finish
        expected = Machine(program, 3, hazards=True)
        assert both(estimate) == tuple(expected.estimate(own_processes=own) for own in (False, True))


def test_profile_and_derive_have_the_option(tmp_path: Path) -> None:
    options = [str(KERNELS / "durbin.c"), "-DN=6", "--latency", "3", "--hazards"]
    result = json.loads(CliRunner().invoke(app, ["profile", *options, "--json", "-"]).stdout)
    assert CliRunner().invoke(app, ["derive", *options, "-o", str(tmp_path / "net.json")]).exit_code == 0
    ran = json.loads(CliRunner().invoke(app, ["run", str(tmp_path / "net.json"), "--json", "-"]).stdout)
    assert ran["finish"] == result["absolute"]["finish"]
    kinds = Counter(channel["dependence"] for channel in result["channels"])
    assert set(kinds) == {"flow", "anti", "output"}
    assert all(
        channel["name"].startswith("anti:") == (channel["dependence"] == "anti") for channel in result["channels"]
    )
    assert len(ran["channels"]) == kinds.total()


def test_hazards_are_refused_where_what_must_wait_is_not_known(tmp_path: Path) -> None:
    source = tmp_path / "histogram.c"
    source.write_text(
        "void k(const int b[9], int h[5]) {\n"
        "  for (int i = 0; i < 9; i++)\n"
        "    #pragma ppnsim access(random)\n"
        "    h[b[i]] += 1;\n"
        "}\n"
    )
    (program,) = load_programs(str(source))
    for estimate in (estimate_program, derive):
        with pytest.raises(InputError, match=r"statement 'h': hazards with h\[\?\]: which element it is is not known"):
            estimate(program, hazards=True)


def test_hazards_are_refused_with_a_latency_per_execution() -> None:
    for estimate in (estimate_program, derive):
        with pytest.raises(InputError, match="hazards need one latency per statement, not one per execution"):
            estimate(scalar(), latency={"put": (1, 2, 3, 4)}, hazards=True)
