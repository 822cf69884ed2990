"""Fuzzing as a tool: every kind draws and checks, and a broken claim ends as the smallest example in a file."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from runpy import run_module, run_path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import UnsatisfiedAssumption

from ppnsim.files import load_network
from ppnsim.formats.network_json import dump_network
from ppnsim.model.builders import chain
from ppnsim.model.network import STYLES, Network
from ppnsim.model.tokens import Listed, Rates, Runs
from tests.fuzz.bulk import one_by_one, run_bulk
from tests.fuzz.bulk_kinds import bulk_kinds
from tests.fuzz.bulk_networks import Drawn, agree
from tests.fuzz.command import main
from tests.fuzz.kinds import KINDS
from tests.fuzz.search import Kind, search
from tests.fuzz.seeded import Choices
from tests.helpers.precompiled import precompiled_header
from tests.helpers.strategies import networks
from tests.oracles.reference import _Simulation
from tests.oracles.stepper import State, Stepper, Tables, walk

__all__ = ["precompiled_header"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_finds_nothing_in_a_few_examples(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    few = 1 if kind == "native" else 5  # what a compiler is started for
    assert main([kind, "--seconds", "60", "--most", str(few)]) == 0
    assert f"{kind}: " in capsys.readouterr().out


def test_a_broken_claim_is_shrunk_and_written_as_a_network_that_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_channel_at_all(network: Network) -> None:
        assert not network.channels, "there is a channel"

    few = networks.choice_by_choice(max_processes=2, max_firings=3, resources=False, scheduled=False)
    monkeypatch.setitem(KINDS, "networks", replace(KINDS["networks"], draw=few, check=no_channel_at_all))
    assert main(["networks", "--seconds", "60", "--most", "20", "--out", str(tmp_path)]) == 1
    (place,) = tmp_path.iterdir()
    assert "a claim failed: there is a channel" in capsys.readouterr().out
    network = load_network(place)
    assert len(network.channels) == 1 and len(network.processes) <= 2
    assert json.loads(place.read_text(encoding="utf-8"))["channels"][0]["name"] == network.channels[0].name


@pytest.mark.parametrize("kind", ["c", "hls"])
def test_a_broken_claim_of_other_kinds_is_written_as_a_file_that_checks_it(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[object] = []

    def nothing_holds(example: object) -> None:
        seen.append(example)
        raise AssertionError("it never holds")

    monkeypatch.setitem(KINDS, kind, replace(KINDS[kind], check=nothing_holds))
    monkeypatch.setattr("tests.fuzz.search._PHASES", (Phase.generate,))  # that it shrinks is the test before
    assert main([kind, "--seconds", "0", "--most", "1", "--out", str(tmp_path)]) == 1
    (place,) = tmp_path.glob("*.py")
    with pytest.raises(AssertionError, match="it never holds"):
        run_path(str(place))
    assert seen[-1] == seen[-2]


@pytest.mark.parametrize(("seconds", "examples"), [(0, 1), (5, 5)])
def test_a_search_ends_in_its_time_and_amid_a_batch(
    seconds: int, examples: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [0]

    def one_second(_: object) -> None:
        clock[0] += 1

    monkeypatch.setattr("tests.fuzz.search.monotonic", lambda: clock[0])
    found = search(replace(KINDS["networks"], check=one_second), seconds=seconds, seed=0)
    assert (found.examples, found.seconds) == (examples, examples)
    assert found.failure is None and not found.interrupted


def test_a_failure_is_shrunk_though_the_time_is_over() -> None:
    def small(number: int) -> None:
        assert number < 1000, "too large"

    kind = Kind(claim="small", draw=st.integers(2000, 2**16), check=small, write=str, suffix=".txt")
    assert search(kind, seconds=0, seed=1).reproducer == "2000"


def test_ctrl_c_amid_the_imports_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> int:
        raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "tests.fuzz.command", SimpleNamespace(main=interrupted))
    with pytest.raises(SystemExit) as end:
        run_module("tests.fuzz", run_name="__main__")
    assert end.value.code == 130


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_finds_nothing_in_bulk_and_goes_on_where_its_journal_ends(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.fuzz.bulk_networks.compiled_walk", lambda: walk)
    journal = tmp_path / "journal.jsonl"
    few = 1 if kind == "native" else 3  # what a compiler is started for
    small = replace(bulk_kinds()[kind], batch=few)
    options: dict[str, Any] = {"seconds": 0, "most": few, "journal": journal, "name": kind}
    if kind == "native":
        assert run_bulk(small, seed=1, **options).failure is None
        return
    assert [run_bulk(small, seed=seed, **options).failure for seed in (1, 1, 2)] == [None] * 3
    lines = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
    assert [(line["seed"], line["from"], line["until"]) for line in lines] == [
        (1, 0, few),
        (1, few, 2 * few),
        (2, 0, few),
    ]


def test_a_broken_claim_is_found_in_a_batch_shrunk_and_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def at_most_one_channel(drawn: Drawn) -> None:
        assert len(drawn.network.channels) <= 1, "there are two channels"

    kind = replace(bulk_kinds()["networks"], check=one_by_one(at_most_one_channel))
    monkeypatch.setattr("tests.fuzz.command.bulk_kinds", lambda: {"networks": kind})
    journal = tmp_path / "journal.jsonl"
    assert main(["networks", "--bulk", "--journal", str(journal), "--out", str(tmp_path)]) == 1
    network = load_network(tmp_path / "networks-250.json")
    assert len(network.channels) == 2 and network.events <= 6
    assert json.loads(journal.read_text(encoding="utf-8"))["failure"] == "there are two channels"


@pytest.mark.filterwarnings("ignore:Using `assume` outside")
def test_the_same_number_draws_the_same_networks_and_different_ones_all_kinds_of_them() -> None:
    draw = bulk_kinds()["networks"].draw.draw
    drawn = []
    for number in range(60):
        with suppress(UnsatisfiedAssumption):
            found = draw(Choices(number))
            again = draw(Choices(number))
            assert dump_network(again.last) == dump_network(found.last) and again.vectors == found.vectors
            drawn.append(found.network)
    assert {process.style for network in drawn for process in network.processes} == set(STYLES)
    assert {type(channel.tokens) for network in drawn for channel in network.channels} == {Rates, Listed, Runs}
    assert any(process.schedule for network in drawn for process in network.processes)


def test_one_wrong_cycle_of_an_engine_is_noticed_with_any_depths(monkeypatch: pytest.MonkeyPatch) -> None:
    network = chain(firings=4, depth=2)
    vectors: tuple[dict[str, int | None], ...] = ({"c0": 1, "c1": None}, {"c0": 3, "c1": 1})
    monkeypatch.setattr("tests.fuzz.bulk_networks.compiled_walk", lambda: walk)
    assert agree([Drawn(network, vectors, thorough=False)]) == 3
    for late in range(3):
        calls = count()

        def wrong(at: Tables, now: State, *more: Any, calls: Iterator[int] = calls, late: int = late) -> int:
            finish = walk(at, now, *more)
            now.passed[5] += next(calls) == late  # of the network's own depths, of the first and of the second vector
            return finish

        monkeypatch.setattr("tests.fuzz.bulk_networks.compiled_walk", lambda wrong=wrong: wrong)
        with pytest.raises(AssertionError):
            agree([Drawn(network, vectors, thorough=False)])


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(networks(resources=False))
def test_the_stepper_has_every_cycle_of_the_reference(network: Network) -> None:
    reference, stepped = _Simulation(network), Stepper(network).run(walk)
    finish = reference.run().finish
    firings = [firing for state in reference.states for firing in state.firings]
    assert stepped.events.tolist() == [each.passed.get(at, -1) for each in firings for at in each.offsets]
    assert stepped.finish == finish
