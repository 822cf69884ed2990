"""What a run on a platform tells of its parts: o, g, G, L apart, no port beyond its time, and when stages ran."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from ppnsim.errors import InputError
from ppnsim.files import load_as
from ppnsim.placed.model.placement import Placement
from ppnsim.placed.pictures.drawing import draw_placement
from ppnsim.platform.laws.difference import reasons
from ppnsim.platform.laws.prediction import predict
from ppnsim.platform.model.nodes import Interconnect, NodeGroup
from ppnsim.platform.model.stages import Application, Collective, Compute, Stage
from ppnsim.platform.model.system import System
from ppnsim.platform.pictures.time import platform_gantt, platform_shares
from ppnsim.platform.run.application import run_platform
from ppnsim.platform.run.record import PlatformRun, PlatformSpan, covered, shares
from validation.ratss.examples import image_filter

US = Fraction(1, 10**6)
L, O, G_GAP, BYTE = 10 * US, 2 * US, 5 * US, US / 100  # noqa: E741


def star(nodes: int = 3, **network: Any) -> System:
    """Return a host and nodes on one network, where a message of 1001 bytes has B = 10 us."""
    link: dict[str, Any] = {"latency": L, "overhead": O, "gap": G_GAP, "per_byte": BYTE}
    return System(
        name="star",
        nodes=(
            NodeGroup(name="host", kind="microprocessor"),
            NodeGroup(name="n", kind="fpga", count=nodes, clock=Fraction(10**6)),
        ),
        networks=(Interconnect(name="net", connects=("host", "n"), **(link | network)),),
    )


def move(name: str, pattern: Any = "scatter", size: int = 1001, algorithm: Any = "linear") -> Collective:
    return Collective(name=name, over="net", pattern=pattern, algorithm=algorithm, size=size, root="host", group="n")


def stage(name: str, *transfers: Collective, cycles: int = 0, **changes: Any) -> Stage:
    work = Compute(on="n", elements=cycles, ops_per_element=1, ops_per_cycle=Fraction(1))
    inputs = tuple(each for each in transfers if each.pattern in ("scatter", "broadcast"))
    outputs = tuple(each for each in transfers if each not in inputs)
    return Stage(name=name, compute=work, inputs=inputs, outputs=outputs, **changes)


def run(*stages: Stage, system: System | None = None, **application: Any) -> PlatformRun:
    return run_platform(system or star(), Application(stages=stages, **application))


def kinds(result: PlatformRun, part: str) -> dict[str, Fraction]:
    return shares(result.spans, result.makespan)[part]


def test_what_a_sender_waits_for_is_the_bytes_of_the_message_before_and_then_its_gap() -> None:
    # Three sends: the port is taken for B + g = 15 us by each, of which the processor overlaps o = 2 us.
    host = kinds(run(stage("s", move("x"))), "host[0]")
    assert (host["send"], host["port"], host["gap"]) == (3 * O, 2 * (10 * US - O), 2 * G_GAP)


def test_a_port_moves_bytes_and_then_has_its_gap() -> None:
    result = run(stage("s", move("x")))
    out = kinds(result, "host[0] out")
    # The last gap would end after everything else, were it not for the last receiver.
    assert (out["bytes"], out["gap"]) == (30 * US, 3 * G_GAP)
    spans = [span for span in result.spans if span.where == "host[0] out"]
    assert [span.kind for span in spans] == ["bytes", "gap"] * 3
    assert covered(spans) == sum(span.end - span.start for span in spans)


def test_a_dma_engine_occupies_no_node_by_bytes() -> None:
    result = run(stage("s", move("x")), system=star(receiving="overhead"))
    assert "bytes" not in kinds(result, "n[0]")
    assert kinds(result, "n[0] in")["bytes"] == 10 * US


@pytest.mark.parametrize("sharing", ["fifo", "exclusive", "fair"])
def test_no_part_is_told_to_do_more_than_its_time(sharing: Any) -> None:
    both = stage("s", move("x"), move("y", "broadcast", 501), move("z", "gather"), blocking=False, cycles=5)
    result = run(both, system=star(sharing=sharing))
    for part, each in shares(result.spans, result.makespan).items():
        assert all(0 <= time <= result.makespan for time in each.values()), part
    if sharing == "fair":
        assert {"host[0] out", "n[0] in", "n[0] out", "host[0] in"} <= {span.where for span in result.spans}


@pytest.mark.parametrize("sharing", ["fifo", "exclusive", "fair"])
@pytest.mark.parametrize("together", ["pipelined stages", "transfers that do not block"])
def test_messages_of_transfers_that_are_under_way_together_stay_apart(together: str, sharing: Any) -> None:
    # A tree whose inner nodes wait for their children, and a direct gather of another size between the same nodes.
    system = star(4, sharing=sharing)
    tree, direct = move("tree", "reduce", 900, "binomial"), move("direct", "gather", 100)
    if together == "pipelined stages":
        result = run(stage("a", tree), stage("b", direct), system=system, pipelined=True, iterations=3)
    else:
        result = run(stage("a", tree, direct, blocking=False, iterations=3), system=system)
    assert result.messages == 3 * (4 + 4)
    assert result.makespan > 0


def test_a_pass_of_a_stage_is_its_time() -> None:
    result = run(stage("a", move("x"), cycles=40), stage("b", cycles=7), iterations=2)
    assert [each.stage for each in result.passes] == ["a", "b", "a", "b"]
    assert [each.end - each.start for each in result.passes] == [result.times["a.t_stage"], 7 * US] * 2
    assert result.passes[-1].end == result.makespan


def test_the_pipeline_alone_is_compared_as_well() -> None:
    system, application = image_filter()
    formula, times = predict(system, application).quantities(), run_platform(system, application).times
    (why,) = reasons(system, application, formula, times)["filter.t_fpga"]
    assert why.seconds == times["filter.t_fpga"] - formula["filter.t_fpga"]
    assert "input port" in why.assumption
    assert round(float(times["filter.t_fpga"]), 8) == 0.00524172  # RATSS Table IX: 5.24e-3 s


@pytest.mark.parametrize("nodes", [1, 3, 7])
@pytest.mark.parametrize("pattern", ["scatter", "gather", "broadcast", "reduce"])
@pytest.mark.parametrize("algorithm", ["binomial", "serialised"])
def test_the_difference_of_a_collective_alone_is_explained_whole(nodes: int, pattern: str, algorithm: str) -> None:
    system, application = star(nodes), Application(stages=(stage("s", move("x", pattern, algorithm=algorithm)),))
    formula, times = predict(system, application).quantities(), run_platform(system, application).times
    why = reasons(system, application, formula, times)["s.x"]
    rounds = nodes.bit_length()  # of a tree whose ranks are the nodes and the host
    first = -BYTE * (rounds if algorithm == "binomial" else nodes)
    each = {"binomial": [2 * O * (rounds - 1)], "serialised": [G_GAP * (nodes - 1), 2 * O]}[algorithm]
    if algorithm == "binomial" and pattern in ("broadcast", "reduce"):
        each = []
    assert [reason.seconds for reason in why] == [first, *(cost for cost in each if cost)]


def test_what_hides_behind_a_microprocessor_is_no_reason_of_t_comp() -> None:
    system, application = image_filter()
    beside = replace(application.stages[0], microprocessor=4 * 1000 * US)
    application = replace(application, stages=(beside,))
    formula, times = predict(system, application).quantities(), run_platform(system, application).times
    why = reasons(system, application, formula, times)["filter.t_comp"]
    assert [reason.seconds for reason in why if "input port" in reason.assumption] == [
        times["filter.t_fpga"] - 4 * 1000 * US
    ]


def test_more_iterations_than_a_run_can_do_are_for_predict() -> None:
    many = Application(stages=(stage("s", cycles=1, iterations=10**6),), iterations=2)
    assert predict(star(), many).total == 2 * 10**6 * US
    with pytest.raises(InputError, match=r"^stage 's': 2000000 iterations \(a run does each of them, 1000000 at most"):
        run_platform(star(), many)


# -- pictures ----------------------------------------------------------------------------------------------------------


def test_the_gantt_has_stages_above_and_nodes_in_the_order_of_their_numbers() -> None:
    result = run(stage("load", cycles=40), stage("solve", cycles=40), system=star(11))
    axes = platform_gantt(result).axes[0]
    assert [text.get_text() for text in axes.texts] == ["load", "solve"]
    lanes = [label.get_text() for label in axes.get_yticklabels()]
    assert lanes == [f"n[{number}]" for number in range(11)]
    assert axes.get_yticks().tolist() == [-0.5 - row for row in range(11)]
    shown = platform_shares(result).axes[0]
    middles = {round(bar.get_y() + bar.get_height() / 2, 6) for bar in shown.patches}  # type: ignore[attr-defined]
    assert set(shown.get_yticks().tolist()) == middles  # a name stands beside its own bar


def test_pipelined_stages_have_a_row_each() -> None:
    stages = stage("load", cycles=40), stage("solve", cycles=40)
    in_step, piped = (platform_gantt(run(*stages, iterations=3, pipelined=each)).axes[0] for each in (False, True))
    assert len({text.get_position()[1] for text in in_step.texts}) == 1
    assert len({text.get_position()[1] for text in piped.texts}) == 2


def test_every_kind_of_time_has_a_colour_and_no_bar_is_longer_than_the_makespan() -> None:
    both = stage("s", move("x"), move("z", "gather"), cycles=5, configuration=US, preprocessing=US)
    for sharing in ("fifo", "fair"):
        result = run(both, system=star(sharing=sharing))
        platform_gantt(result)
        for bar in platform_shares(result).axes[0].patches:
            assert bar.get_x() + bar.get_width() <= 100 + 1e-9  # type: ignore[attr-defined]


def test_overlapping_spans_count_once() -> None:
    spans = [PlatformSpan("p", "bytes", "s", Fraction(start), Fraction(start + 2)) for start in (0, 1)]
    assert shares(spans, Fraction(4)) == {"p": {"bytes": Fraction(3), "waiting": Fraction(1)}}


def test_a_drawn_mapping_names_nodes_links_and_memories() -> None:
    placement = load_as("scenarios/networks/two_fpgas.toml", Placement)
    words = [text.get_text() for text in draw_placement(placement).axes[0].texts]
    assert {"left", "right", "cable", "L 300 ns, g 40 ns, 1.25 GB/s", "200 MHz: source filter"} <= set(words)
    copy = load_as("scenarios/networks/dram_copy.toml", Placement)
    words = [text.get_text() for text in draw_placement(copy).axes[0].texts]
    assert {"source", "DDR4-2400, 19.2 GB/s", "module", "DDR3, 10.67 GB/s"} <= set(words)


def test_what_takes_no_time_has_no_span() -> None:
    """A stage without cycles, and a network without latencies: nothing is there to be drawn."""
    instant = star(latency=0, overhead=0, gap=0, per_byte=0)
    for system in (instant, star()):
        done = run(stage("s", move("m"), cycles=0), stage("t", cycles=5), system=system)
        assert all(span.end > span.start for span in done.spans)
        assert any(span.kind == "compute" for span in done.spans)
