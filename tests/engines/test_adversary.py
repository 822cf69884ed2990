"""What broke, or could have, when engines, sizing and sweeps were given what nobody had thought of."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from ppnsim.cli.app import app
from ppnsim.engines.compiled import long_run, tapes, trials
from ppnsim.engines.compiled.tapes import Tapes
from ppnsim.engines.evaluate import Evaluator
from ppnsim.engines.run import run
from ppnsim.errors import InputError, UnsupportedByEngine
from ppnsim.explore.fifo.problem import worst
from ppnsim.explore.fifo.sizing import FifoSizing, problem_of
from ppnsim.explore.sweep.file import SweepFile
from ppnsim.model.network import Channel, Network, Process
from ppnsim.model.tokens import Rates
from tests.engines.test_evaluate import repeating_networks
from tests.helpers.strategies import networks

SCENARIOS = Path(__file__).parents[2] / "scenarios"
FORK_JOIN = str(SCENARIOS / "networks" / "fork_join.toml")
CIRCLE = {
    "processes": [{"name": "a", "firings": 5}, {"name": "b", "firings": 5}],
    "channels": [{"name": "c", "from": "a", "to": "b"}, {"name": "d", "from": "b", "to": "a"}],
}
NO_WORK = {"processes": [{"name": "a", "firings": 5, "ii": 0, "latency": 0}], "channels": []}
search = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


def ppnsim(*arguments: str, exit_code: int) -> str:
    outcome = CliRunner().invoke(app, arguments)
    assert outcome.exit_code == exit_code, outcome.output
    return outcome.output


def refused(*arguments: str) -> str:
    """Return the message with which a command line is refused, by the command or before it begins."""
    outcome = CliRunner().invoke(app, arguments)
    if isinstance(outcome.exception, InputError):
        return str(outcome.exception)
    assert outcome.exit_code == 2, outcome.output
    return outcome.output


def written(folder: Path, value: Any) -> str:
    place = folder / "network.json"
    place.write_text(json.dumps(value), encoding="utf-8")
    return str(place)


DEPTHS = st.sampled_from([None, 0, 1, 5, 40, 10**9, 10**15])  # None = unbounded, else so much more than must be


def drawn_depths(data: st.DataObject, network: Network) -> dict[str, int | None]:
    more = {channel.name: data.draw(DEPTHS) for channel in network.channels}
    least = {channel.name: max(1, channel.initial) for channel in network.channels}
    return {name: None if extra is None else least[name] + extra for name, extra in more.items()}


@search
@given(networks(resources=False, max_firings=30, max_processes=6), st.data())
def test_engines_agree_at_depths_far_beyond_any_token(network: Network, data: st.DataObject) -> None:
    depths = drawn_depths(data, network)
    fast = run(network, engine="compiled", depths=depths, on_deadlock="return")
    slow = run(network, engine="des", depths=depths, on_deadlock="return")
    assert fast.finish == slow.finish == Evaluator(network).finish(depths)
    assert all(np.array_equal(fast.timeline.passed[name], rows) for name, rows in slow.timeline.passed.items())


@search
@given(repeating_networks(), repeating_networks(), st.data())
def test_parts_that_nothing_connects_repeat_together_or_not_at_all(one: Network, two: Network, data: Any) -> None:
    """Each part has its own pace, and may stand still while the other one goes on."""
    processes = [*one.processes, *(replace(process, name=f"other {process.name}") for process in two.processes)]
    channels = [
        *one.channels,
        *(replace(c, name=f"other {c.name}", source=f"other {c.source}", target=f"other {c.target}")
          for c in two.channels),
    ]  # fmt: skip
    network = Network(processes=processes, channels=channels).checked()
    depths = drawn_depths(data, network)
    whole = run(network, engine="compiled", depths=depths, on_deadlock="return", fast_forward=False)
    assert Evaluator(network).finish(depths) == whole.finish
    short = run(network, engine="compiled", depths=depths, on_deadlock="return")
    assert all(np.array_equal(short.timeline.passed[name], rows) for name, rows in whole.timeline.passed.items())


@settings(search, max_examples=40)
@given(networks(max_firings=6, max_processes=3), st.data())
def test_no_cheaper_vector_does_what_is_certified_whatever_the_groups_and_limits(network: Network, data: Any) -> None:
    names = [channel.name for channel in network.channels]
    assume(1 <= len(names) <= 3)
    groups = [names[:2]] if len(names) > 1 and data.draw(st.booleans()) else []
    low = {channel.name: max(1, channel.initial) for channel in network.channels}
    limits = {name: (low[name], low[name] + 12) for name in names}
    if data.draw(st.booleans()):
        limits[names[-1]] = (low[names[-1]] + 1, low[names[-1]] + 12)
    problem = problem_of([network], cost=data.draw(st.sampled_from(["tokens", "bits", "fpga"])), groups=groups,
                         limits=limits, budget=4000)  # fmt: skip
    answers = FifoSizing(problem=problem).run()
    few = [range(each.low, min(each.low + 4, each.high or each.low) + 1) for each in problem.variables]
    goals = {"deadlock_free": None, "lossless": worst(answers.unbounded)}
    for question, found in answers.found.items():
        assert run(network, engine="des", depths=problem.depths(found.vector)).finish == found.time
        for vector in product(*few) if found.certified else ():
            if problem.cost_of(vector) < found.cost:
                finish = run(network, engine="des", depths=problem.depths(vector), on_deadlock="return").finish
                limit = goals[question]
                assert finish is None or (limit is not None and finish > limit)


def two_paces(firings: int, **of_consumer: Any) -> Network:
    """Return a pair that never repeats: tokens pile up in between for ever."""
    ends = [Process(name="a", firings=firings), Process(name="b", firings=firings, ii=2, **of_consumer)]
    return Network(processes=ends, channels=[Channel(name="c", source="a", target="b")])


def test_a_search_for_a_period_stops_before_memory_does(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []

    def counted(network: Network) -> Tapes:
        tried.append(sum(process.firings for process in network.processes))
        return Tapes(network)

    monkeypatch.setattr(trials, "Tapes", counted)
    monkeypatch.setattr(trials, "_MOST_TRIED", 5_000)
    monkeypatch.setattr(trials, "MOST_FIRINGS", 10_000)
    assert Evaluator(two_paces(6_000)).finish() == 12_002  # in place: b's starts 2 .. 12 000, execute, end
    assert tried == [128, 256, 512, 1024, 2048, 4096]
    with pytest.raises(UnsupportedByEngine, match="12000 firings, and no repetition in the first 5000; it keeps 10000"):
        trials.Trials(two_paces(6_000)).whole({"c": None})


@pytest.mark.parametrize("depth", [300, 420, 1000, None])
def test_who_frees_a_slot_is_searched_where_firings_move_many_tokens(
    monkeypatch: pytest.MonkeyPatch, depth: int | None
) -> None:
    channel = Channel(name="c", source="a", target="b", tokens=Rates((120, 180, 0), (70, 130)), initial=20)
    processes = [Process(name="a", firings=30, ii=2, latency=3), Process(name="b", firings=30, ii=3)]
    network = Network(processes=processes, channels=[channel]).with_depths({"c": 500})
    searched = Evaluator(network, fast_forward=False).finish({"c": depth})
    assert searched == run(network.with_depths({"c": depth}), engine="des", on_deadlock="return").finish
    monkeypatch.setattr(tapes, "_TOKENS", 10**6)
    assert Evaluator(network, fast_forward=False).finish({"c": depth}) == searched


def test_an_iteration_with_too_many_accesses_of_channels_names_what_has_its_depths(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(trials, "_MOST_TRIED", 10)
    monkeypatch.setattr(trials, "MOST_ACCESSES", 100)
    monkeypatch.setattr(long_run, "MOST_ACCESSES", 100)
    channel = Channel(name="c", source="a", target="b", tokens=Rates(97, 101), depth=400)
    processes = [Process(name="a", firings=101), Process(name="b", firings=97)]
    with pytest.raises(UnsupportedByEngine, match=r"198 firings and 198 accesses of channels .*`ppnsim estimate`"):
        Evaluator(Network(processes=processes, channels=[channel])).finish()


def test_too_many_firings_of_a_flushable_process_are_evaluated_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "_MOST_TRIED", 5_000)
    monkeypatch.setattr(trials, "MOST_FIRINGS", 10_000)
    at_once = two_paces(6_000, style="flushable")
    assert Evaluator(at_once).finish() == run(at_once, engine="des").finish


def test_a_channel_has_one_limit() -> None:
    message = refused("size", FORK_JOIN, "--limit", "short_in=2:5", "--limit", "short_in=7")
    assert "--limit short_in=7: channel 'short_in' has a limit already (one each, LOW:HIGH)" in message


@pytest.mark.parametrize("text", ["1e999999999", "1" * 5000, "nan", "inf", "-3", "1/0", "٣", " 4", "1_000"])
def test_a_target_is_a_plain_number_of_cycles(text: str) -> None:
    assert "is not a number of cycles (like 40, 6.5 or 13/2)" in refused("size", FORK_JOIN, f"--target={text}")


def test_sizes_of_a_network_that_no_depth_helps_are_a_deadlock(tmp_path: Path) -> None:
    output = ppnsim("size", written(tmp_path, CIRCLE), exit_code=3)
    assert "no depth helps: the data itself goes round in a circle" in output


def test_a_run_that_takes_no_time_is_no_deadlock(tmp_path: Path) -> None:
    assert json.loads(ppnsim("size", written(tmp_path, NO_WORK), "--json", "-", exit_code=0))["lossless"]["finish"] == 0


@pytest.mark.parametrize(
    ("command", "option", "name"),
    [
        (["size"], "--plot", "same.svg"),
        (["explain"], "--plot", "same.svg"),
        (["sweep", "--vary", "split.ii=1:2", "--jobs", "1"], "--out", "same.csv"),
        (["export", "--convention", "sdf3"], "--out", "same.json"),
    ],
)
def test_json_does_not_replace_what_else_is_written(command: list[str], option: str, name: str, tmp_path: Path) -> None:
    place = str(tmp_path / name)
    message = refused(*command, FORK_JOIN, option, place, "--json", place)
    assert f"{option}: '{place}' is also given to --json, which would replace it" in message
    assert not Path(place).exists()


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("networks/two_fpgas.toml", "holds a network placed on nodes, not a network (it is for ppnsim run, "),
        ("platforms/image_filter.toml", "holds a platform, not a network (it is for ppnsim run, compare, "),
    ],
)
@pytest.mark.parametrize("command", [["size"], ["explain"], ["export", "-o", "net.json"]])
def test_other_toml_is_told_from_networks(command: list[str], file: str, words: str) -> None:
    assert f"{file}: {words}" in ppnsim(*command, str(SCENARIOS / file), exit_code=2)


def test_what_has_no_estimate_is_told_from_what_has() -> None:
    words = (
        "networks/two_fpgas.toml: holds a network placed on nodes, not a platform or a network (it is for ppnsim run, "
    )
    assert words in ppnsim("estimate", str(SCENARIOS / "networks/two_fpgas.toml"), exit_code=2)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_two_sweeps_that_write_to_one_file_lose_nothing(suffix: str, tmp_path: Path) -> None:
    if suffix == "parquet":
        pytest.importorskip("pyarrow")
    path, columns = tmp_path / f"rows.{suffix}", {"c.depth": object, "finish": int, "key": str}
    with SweepFile(path, columns) as one, SweepFile(path, columns) as two:
        one.append([{"c.depth": 1, "finish": 9, "key": "k1"}])
        two.append([{"c.depth": 2, "finish": 8, "key": "k2"}])
        one.finish(["k1"])
        two.append([{"c.depth": 3, "finish": 7, "key": "k3"}])
        two.finish(["k2", "k3"])
    assert sorted(SweepFile(path, columns).rows) == ["k1", "k2", "k3"]
