"""What can be fuzzed: the strategies and the oracles of the tests, one kind per question."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from pprint import pformat
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import strategies as st

from ppnsim.formats.network_json import dump_network
from ppnsim.loops.program import LoopProgram
from ppnsim.model.network import Network
from tests.derive.test_program_estimate import programs
from tests.derive.test_program_estimate import test_a_program_finishes_when_a_naive_interpreter_does as finishes_test
from tests.engines.test_against_reference import assert_all_agrees, suited
from tests.explore.test_fifo_sizing import test_one_token_less_loses_exactly_what_the_certificate_says as one_less
from tests.explore.test_fifo_sizing import test_totals_and_fronts_are_those_of_brute_force as brute_force
from tests.fuzz.search import Kind
from tests.helpers.loop_programs import loop_programs
from tests.helpers.region_programs import region_programs
from tests.helpers.strategies import networks
from tests.hls.test_dataflow import handovers
from tests.hls.test_dataflow import test_tasks_run_as_a_machine_would_that_goes_cycle_by_cycle as tasks_test
from tests.hls.test_random_regions import (
    test_executed_with_a_testbench_it_computes_what_the_program_does_and_moves_as_its_network as executed_test,
)
from tests.hls.test_random_regions import (
    test_the_network_does_in_each_cycle_what_a_naive_stepper_does as stepper_test,
)
from tests.loops.test_c_source import check_compiled


def _network(network: Network) -> None:
    for engine in ("des", "compiled"):
        assert_all_agrees(suited(network, engine), engine)


def _program(drawn: tuple[LoopProgram, LoopProgram, int, int, bool]) -> None:
    estimated, written, latency, ii, io = drawn
    finishes(estimated, latency, ii, io)
    with TemporaryDirectory() as folder:
        check_compiled([written], Path(folder))


def _sizes(network: Network) -> None:
    _claim(brute_force)(network)
    _claim(one_less)(network)


def _claim(test: Any) -> Any:
    """Return the function of a property test, to be called with an example."""
    return test.hypothesis.inner_test


finishes, tasks, regions = _claim(finishes_test), _claim(tasks_test), _claim(stepper_test)


def runnable(kind: str, example: object) -> str:
    """Return an example as a file of Python that checks it, from the root of the project: ``python c-7.py``."""
    return (
        f'"""The smallest example that breaks a claim of `python -m tests.fuzz {kind}`."""\n\n'
        "from ppnsim.loops.expressions import *\nfrom ppnsim.loops.program import *\n"
        f"from tests.fuzz.kinds import KINDS\n\nKINDS[{kind!r}].check(\n{pformat(example, width=118)}\n)\n"
    )


def _json(network: Network) -> str:
    return json.dumps(dump_network(network), indent=1) + "\n"


KINDS = {
    "networks": Kind(
        claim="both engines agree with the reference in every cycle", draw=networks.choice_by_choice(),
        check=_network, write=_json, suffix=".json",
    ),
    "c": Kind(
        claim="programs finish as a naive interpreter says and compute as C what it computes",
        draw=st.tuples(
            programs.choice_by_choice(), loop_programs.choice_by_choice(), st.integers(0, 5), st.integers(1, 3),
            st.booleans(),
        ),
        check=_program, write=partial(runnable, "c"), suffix=".py",
    ),
    "size": Kind(
        claim="totals, fronts and certificates are those of brute force",
        draw=networks.choice_by_choice(styles=["elastic", "frozen"], resources=False, max_firings=6, max_processes=3),
        check=_sizes, write=_json, suffix=".json",
    ),
    "hls": Kind(
        claim="dataflow tasks run as a machine that goes cycle by cycle", draw=handovers.choice_by_choice(),
        check=tasks, write=partial(runnable, "hls"), suffix=".py",
    ),
    "regions": Kind(
        claim="the network of dataflow C++ does in each cycle what a naive stepper does",
        draw=region_programs.choice_by_choice(), check=regions, write=lambda drawn: str(drawn.text), suffix=".cpp",
    ),
    "native": Kind(
        claim="executed with a testbench, dataflow C++ computes what g++ computes, in the cycles of its network",
        draw=region_programs.choice_by_choice(loops=False), check=_claim(executed_test),
        write=lambda drawn: str(drawn.text), suffix=".cpp",
    ),
}  # fmt: skip
