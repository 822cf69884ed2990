"""Causes of a model of ones own: what is taken away from the simulation is taken away from the model, too."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ppnsim
from ppnsim.comparison.run.taken_away import NOT_A_LIMIT
from ppnsim.memory.run.traffic import run_memory
from ppnsim.model.network import Network
from ppnsim.placed.run.network import run_placed
from ppnsim.platform.run.application import run_platform
from tests.helpers.strategies import networks

SCENARIOS = Path(__file__).parents[2] / "scenarios"


def test_what_a_model_of_ones_own_knows_is_no_cause() -> None:
    network = ppnsim.fork_join(firings=20, short_depth=1)
    # It said "full FIFOs" for as many cycles as "the model itself" took back, of a model that knows the depths.
    (found,) = ppnsim.compare(network, lambda short_in_depth: 94 - short_in_depth).models
    assert [cause.amount for cause in found.causes] == [-1] and found.complete
    assert found.causes[0].words.startswith(
        "the model itself, which knows of full FIFOs (it says 19 cycles, simulated 55)"
    )
    (found,) = ppnsim.compare(network, lambda: 91).models  # it knows of none: a figure that fits this design alone
    assert [cause.amount for cause in found.causes] == [1]
    assert found.causes[0].words.startswith("not known: without full FIFOs the two are further apart; the simulation ")


@pytest.mark.parametrize(
    "model",
    [
        lambda network: 37 + 30 // network.channel("short_in").depth,
        lambda short_in_depth: 37 + 30 // short_in_depth,
        lambda short__depth: 37 + 30 // short__depth,
    ],
)
def test_of_what_a_model_knows_in_part_only_the_rest_is_a_cause(model: Any) -> None:
    """However it asks for the depths: of the network, by name, or by the name of the sweep."""
    network = ppnsim.fork_join(firings=20)
    (found,) = ppnsim.compare(network, model, vary={"short*.depth": [1]}).models
    full, rest = found.causes
    assert full == ("full FIFOs: a process waits for a slot (it costs the simulation 55 cycles, the model 29)", 55 - 29)
    assert rest.amount == 37 - 38 and found.complete  # 37 + 30 // 20: no channel holds more than 20 tokens


@settings(max_examples=40)
@given(networks(styles=["elastic", "flushable", "frozen"]), st.sampled_from([1, 2, 5]), st.integers(0, 50))
def test_causes_of_a_model_of_ones_own_add_up_and_bring_it_closer(network: Network, share: int, more: int) -> None:
    """A model that is the simulation itself, but for a part that is its own, is told that part and no stall."""
    simulated = ppnsim.run(network, on_deadlock="return").finish
    (found,) = ppnsim.compare(
        network, lambda network: (ppnsim.run(network, on_deadlock="return").finish or 0) // share + more
    ).models
    if simulated is None or not found.causes:
        return
    assert found.worst is not None and found.complete
    amounts = [cause.amount or 0 for cause in found.causes]
    assert sum(amounts) == simulated - (found.worst.predicted or 0)
    if share == 1:
        assert amounts == [-more] and "the model itself" in found.causes[0].words


def test_a_model_without_an_answer_for_other_depths_is_told_no_stall() -> None:
    def shallow(short_in_depth: int) -> int | None:
        return 80 if short_in_depth < 3 else None

    (found,) = ppnsim.compare(ppnsim.fork_join(firings=20, short_depth=1), shallow).models
    assert [cause.amount for cause in found.causes] == [12] and found.complete
    assert found.causes[0].words.startswith("the model itself")


def test_a_model_across_nodes_that_knows_the_depths_is_not_told_of_them() -> None:
    file = str(SCENARIOS / "networks" / "two_fpgas.toml")

    def exact(placed: Any) -> Fraction:
        return Fraction(run_placed(placed).finish or 0, 10**12) + Fraction(1, 10**6)

    (found,) = ppnsim.compare(file, exact, vary={"raw.depth": [1]}).models
    (cause,) = found.causes
    assert cause.amount == pytest.approx(-1e-6) and cause.words.startswith("the model itself, which knows of ")


def test_a_model_of_a_kernel_is_asked_about_the_boards_without_limits() -> None:
    file = str(SCENARIOS / "opencl" / "vecadd.toml")

    (found,) = ppnsim.compare(file, lambda: 900, settings={"N": 1024}).models
    (other,) = ppnsim.compare(file, lambda kernel: 900 + kernel.file.board.latency // 2, settings={"N": 1024}).models
    waits, known = (model.causes[0] for model in (found, other))
    assert waits.words.startswith("the latency of the memory") and waits.words == known.words and not found.told
    latency = ppnsim.load(file).board.latency
    assert waits.amount is not None and known.amount == waits.amount - (latency // 2)
    # It was told that it "adds up what overlaps", which nobody knew of it.
    (above,) = ppnsim.compare(file, lambda: 5000, settings={"N": 1024}).models
    assert (above.causes, above.told) == ((), (NOT_A_LIMIT,))


def test_a_model_of_a_memory_is_told_only_what_it_does_not_know() -> None:
    (found,) = ppnsim.compare("DDR4-2400", lambda outstanding: 2.0 * outstanding, vary={"outstanding": [8]}).models
    assert found.causes and all((cause.amount or 0) < 0 for cause in found.causes) and not found.complete
    assert found.told == ("the law of this program says 10.7789 GB/s",)

    def itself(memory: Any) -> float:
        return 1.5 * run_memory(memory.dram, memory.traffic).bandwidth_gbps

    (own,) = ppnsim.compare("DDR4-2400", itself, vary={"outstanding": [8]}).models
    assert not own.causes and own.told[0] == NOT_A_LIMIT


def test_models_of_ports_and_schedules_are_told_how_the_simulation_is_spent() -> None:
    (port,) = ppnsim.compare(SCENARIOS / "rooflines" / "spmv.toml", lambda: 6.4).models
    assert port.told == ("the roofline says 0.0818182 GB/s (accesses: dependent), as the simulation does",)
    kernel = SCENARIOS / "kernels" / "gemm.c"
    found = ppnsim.compare(
        kernel, ["lost", lambda **sizes: sizes["NI"]], defines={"NJ": "16", "NK": "16"}, vary={"NI": [16]}
    ).models[1]  # fmt: skip
    assert not found.causes and found.told == (
        "the 4817 cycles of the schedule are 2048 useful, 2624 initialisation, 112 memory, 33 control",
    )


def test_a_model_that_knows_what_ratss_does_not_is_not_told_of_it() -> None:
    def knowing(platform: Any) -> float:
        return float(run_platform(platform.system, platform.application).times["t_application"]) + 1e-6

    (found,) = ppnsim.compare(SCENARIOS / "platforms" / "image_filter.toml", knowing).models
    (cause,) = found.causes
    assert cause.words == "the model itself, which is nearer to the simulation than RATSS's equations"
    assert cause.amount == pytest.approx(-1e-6) and found.told[0].startswith("RATSS has ")


def test_a_macro_may_be_called_depth(tmp_path: Path) -> None:
    """It is no depth of a channel, and stays as it is when those are taken away."""
    source = tmp_path / "scale.c"
    loop = "void scale(int x[depth], int y[depth]) { for (int i = 0; i < depth; i++) y[i] = 2 * x[i]; }\n"
    source.write_text(f"#ifndef depth\n#define depth 4\n#endif\n{loop}", encoding="utf-8")
    (found,) = ppnsim.compare(source, lambda depth: 2 * depth, vary={"depth": [8, 16]}).models
    assert found.complete and found.causes[0].words.startswith("the model itself")
