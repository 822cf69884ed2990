"""RATSS's equations and the prediction of applications; printed figures are Holland et al. 2011."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from ppnsim.errors import InputError
from ppnsim.formats.shipped import directory
from ppnsim.platform.laws.difference import reasons
from ppnsim.platform.laws.equations import (
    Time,
    application_time,
    bus_gap,
    bus_time,
    communication_time,
    compute_time,
    fpga_time,
    linear_time,
    reduce_time,
    scatter_time,
    serialised_time,
    stage_time,
)
from ppnsim.platform.laws.prediction import predict
from ppnsim.platform.model.nodes import DelayCount
from ppnsim.platform.model.stages import Application, Collective
from ppnsim.platform.model.system import System
from ppnsim.platform.run.application import run_platform
from validation.ratss.examples import image_filter, molecular_dynamics, pdf_estimation
from validation.ratss.pdf import printed_reduce

LINK = {"latency": Fraction("1.08e-4"), "overhead": Fraction("6.75e-6"), "per_byte": Fraction("9.56e-9")}  # Table III
SNAP: dict[str, Any] = {"latency": Fraction("1.01e-5"), "per_byte": Fraction("1.25e-9")}  # Table VI


def three_digits(value: Fraction) -> str:
    return f"{float(value):.2E}".replace("E+0", "E+").replace("E-0", "E-")


def parts(*numbers: int) -> Time:
    return Time(delay=Fraction(numbers[0]), throughput=Fraction(numbers[1]), cost=Fraction(numbers[2]))


# -- equations ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("elements", "printed"), [(2**25, "1.41E+2"), (2**24, "7.05E+1"), (2**23, "3.52E+1")])
def test_a_node_takes_what_table_1_prints(elements: int, printed: str) -> None:
    time = fpga_time(fill=11, elements=elements, ops_per_element=196_608, clock=195_000_000, ops_per_cycle=240)
    assert three_digits(time) == printed


@pytest.mark.parametrize(
    ("delay", "efficiency", "mib", "printed"),
    [("1.6e-5", "0.31", 128, "4.07E-1"), ("1.6e-5", "0.31", 32, "1.02E-1"), ("3.2e-5", "0.10", 1024, "1.01E+1")],
)
def test_a_bus_takes_what_table_2_prints(delay: str, efficiency: str, mib: int, printed: str) -> None:
    size = mib * 2**18 * 4  # Eq. 8
    time = bus_time(delay=Fraction(delay), gap=bus_gap(1_064_000_000, Fraction(efficiency)), size=size)
    assert three_digits(time.seconds) == printed


def test_both_directions_move_twice_the_bytes_for_one_delay() -> None:
    one, both = (bus_time(delay=5, gap=1, size=100, directions=count).seconds for count in (1, 2))
    assert both - one == 100


@pytest.mark.parametrize(("ranks", "printed"), [(2, "1.28E+0"), (4, "1.92E+0"), (8, "2.25E+0")])
def test_a_scatter_takes_what_table_3_prints(ranks: int, printed: str) -> None:
    assert three_digits(scatter_time(ranks=ranks, size=2**28 // ranks, **LINK).seconds) == printed


@pytest.mark.parametrize(("ranks", "printed"), [(2, "3.89E-3"), (4, "7.78E-3"), (8, "1.17E-2")])
def test_table_3_prints_a_reduce_with_g_and_gamma_per_element(ranks: int, printed: str) -> None:
    per_element = {"cost": Fraction("1.9e-8") / 4, "gap": Fraction("1.64e-5")}
    assert three_digits(reduce_time(ranks=ranks, size=2**18, **LINK, **per_element).seconds) == printed
    assert three_digits(reduce_time(ranks=ranks, size=2**18, cost=Fraction("1.9e-8"), **LINK).seconds) != printed


def test_every_round_of_a_reduce_has_its_delays_its_bytes_and_its_cost() -> None:
    """Three rounds of eight ranks: L + 2 o + g, k bytes of G each, k bytes of gamma each."""
    time = reduce_time(ranks=8, size=10, latency=100, overhead=7, gap=30, per_byte=2, cost=5)
    assert [time.delay, time.throughput, time.cost] == [3 * (100 + 2 * 7 + 30), 3 * 10 * 2, 3 * 10 * 5]
    assert reduce_time(ranks=8, size=10, latency=100, overhead=7, per_byte=2).delay == 3 * (100 + 2 * 7)


def test_messages_of_one_root_follow_each_other_by_the_gap_or_the_overhead() -> None:
    def delay(overhead: int, gap: int, ranks: int = 5) -> Fraction:
        return linear_time(ranks=ranks, latency=100, overhead=overhead, gap=gap, per_byte=2, size=10).delay

    assert delay(7, 30) == 100 + 14 + 3 * 30
    assert delay(40, 30) == 100 + 80 + 3 * 40
    assert delay(7, 30, ranks=2) == delay(7, 30, ranks=1) == 100 + 14


def test_serialised_transfers_take_what_section_5_prints() -> None:
    scatter = serialised_time(receivers=2, size=4_193_376, **SNAP).seconds
    assert float(scatter) == pytest.approx(1.0494e-2, rel=1e-4)
    assert scatter == Fraction(524_677, 50_000_000)
    gather = serialised_time(receivers=2, size=2_795_584, overlapped=True, **SNAP)
    assert float(gather.seconds) == pytest.approx(3.5046e-3, rel=1e-4)
    assert gather.seconds == Fraction(175_229, 50_000_000)
    assert serialised_time(receivers=4, size=524_288, **SNAP).throughput == 4 * 524_288 * SNAP["per_byte"]


def test_a_naive_scatter_moves_the_bytes_of_a_binomial_one() -> None:
    naive = linear_time(ranks=8, size=1000, gap=Fraction("1.64e-5"), **LINK)
    assert naive.throughput == scatter_time(ranks=8, size=1000, **LINK).throughput


@pytest.mark.parametrize("ranks", [0, 1, 3, 6, 12])
def test_binomial_equations_refuse_what_is_no_power_of_two(ranks: int) -> None:
    for equation in (scatter_time, reduce_time):
        with pytest.raises(InputError, match=rf"^P = {ranks} is not a power of two from 2 on"):
            equation(ranks=ranks, size=8, **LINK)


def test_communication_blocks_or_hides_all_but_the_longest() -> None:
    times = [parts(1, 10, 3), parts(2, 30, 0), parts(4, 20, 0)]
    assert communication_time(times) == 70
    assert communication_time(times, blocking=False) == 1 + 2 + 4 + 3 + 30
    assert communication_time([]) == communication_time([], blocking=False) == 0


def test_the_slowest_of_fpgas_and_microprocessor_counts_between_the_software() -> None:
    assert compute_time([3, 7], before=1, beside=5, after=2) == 10
    assert compute_time([3, 7], before=1, beside=9, after=2) == 12


def test_stages_add_up_or_overlap() -> None:
    assert stage_time(5, 3, iterations=4, configuration=10) == 42
    assert stage_time(5, 3, iterations=4, configuration=10, overlap=True) == 30
    assert application_time([5, 8, 2], iterations=3) == 45
    assert application_time([5, 8, 2], iterations=3, pipelined=True) == 24


# -- predictions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("nodes", "speedup"), [(2, 146), (4, 283), (8, 532)])
def test_one_software_time_gives_the_speed_ups_of_table_5(nodes: int, speedup: int) -> None:
    result = predict(*pdf_estimation(nodes))
    assert result.speedup is not None
    assert round(result.speedup) in (speedup, speedup - 1)  # ours has the reduce of Eq. 20, the table a faster one


def test_the_equation_alone_misses_the_image_filter_and_the_input_port_explains_it() -> None:
    case = image_filter()
    predicted = predict(*case).quantities()["filter.t_comp"]
    assert float(predicted) == pytest.approx(1.747e-3, rel=1e-3)
    assert predicted == Fraction(418 * 418, 100_000_000)
    assert run_platform(*case).times["filter.t_comp"] == Fraction(418 * 418 * 3, 100_000_000)


def test_molecular_dynamics_takes_what_section_5_2_gives() -> None:
    times = predict(*molecular_dynamics()).quantities()
    assert float(times["step.t_comp"]) == pytest.approx(2.68427, rel=1e-5)
    assert float(times["step.scatter"]) == pytest.approx(5.253e-3, rel=1e-4)
    assert float(times["step.gather"]) == pytest.approx(6.65e-4, rel=1e-3)
    assert [times[f"step.{term}"] for term in ("t_comp", "scatter", "gather")] == [
        Fraction(1_048_544, 390_625), Fraction(262_649, 50_000_000), Fraction(33_273, 50_000_000),
    ]  # fmt: skip


def with_nodes(count: int) -> tuple[System, Application]:
    system, application = image_filter()
    nodes = tuple(replace(group, count=count) if group.name == "map" else group for group in system.nodes)
    return replace(system, nodes=nodes), application


def test_a_sweep_over_nodes_scales_the_serialised_broadcast_and_not_the_hidden_gather() -> None:
    times = [predict(*with_nodes(nodes)).quantities() for nodes in (1, 2, 5)]
    per_node = times[1]["filter.broadcast"] - times[0]["filter.broadcast"]
    assert times[2]["filter.broadcast"] - times[1]["filter.broadcast"] == 3 * per_node > 0
    assert len({each["filter.gather"] for each in times}) == 1


def test_a_binomial_tree_of_three_is_refused_by_equation_and_simulated() -> None:
    system, application = with_nodes(2)
    stage = application.stages[0]
    first = stage.inputs[0]
    assert isinstance(first, Collective)
    tree = replace(application, stages=(replace(stage, inputs=(replace(first, algorithm="binomial"),)),))
    with pytest.raises(InputError, match=r"^stage 'filter': transfer 'broadcast': P = 3 is not a power of two"):
        predict(system, tree)
    assert run_platform(system, tree).times["filter.broadcast"] > 0


@pytest.mark.parametrize("nodes", [2, 4, 8])
@pytest.mark.parametrize("latency", ["once", "per transfer"])
def test_reasons_add_up_to_the_difference(nodes: int, latency: DelayCount) -> None:
    system, application = pdf_estimation(nodes)
    bus = replace(system.buses[0], latency=latency)
    stage = application.stages[0]
    short = replace(
        stage,
        compute=replace(stage.compute, elements=8192 * 3),
        inputs=tuple(replace(each, size=32768 * 3) for each in stage.inputs),
        outputs=tuple(replace(each, size=262144) for each in stage.outputs),
    )
    system, application = replace(system, buses=(bus,)), replace(application, stages=(short,))
    formula, run = predict(system, application).quantities(), run_platform(system, application).times
    why = reasons(system, application, formula, run)
    assert set(why) == set(run)
    for name, listed in why.items():
        assert sum(reason.seconds for reason in listed) == run[name] - formula[name]
    paid = [reason.seconds for reason in why["estimate.write X"] if reason.assumption.startswith("Eq. 18")]
    assert paid == ([] if latency == "once" else [2 * Fraction("16e-6")])


@pytest.mark.parametrize("nodes", [2, 4, 8])
def test_the_scenario_names_the_total_that_the_validation_has(nodes: int) -> None:
    """`ppnsim estimate` has the reduce of Eq. 20, the validation that of Table III, which makes t_comm another one."""
    system, application = pdf_estimation(nodes)
    times = predict(system, application).quantities()
    size = next(each.size for each in application.stages[0].outputs if isinstance(each, Collective))
    ours = times["estimate.t_comm"]
    printed = ours - times["estimate.reduce"] + printed_reduce(system, nodes, size)
    text = (directory() / "platforms" / f"pdf_{nodes}_nodes.toml").read_text(encoding="utf-8")
    assert f"t_comm {float(printed):.5g} s, not {float(ours):.5g}" in text
