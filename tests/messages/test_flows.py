"""Fair sharing: the certificate of max-min fairness, an exact second evaluator, laws of runs, and what is refused."""

from __future__ import annotations

import json
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from ppnsim.cli.app import app
from ppnsim.errors import InputError
from ppnsim.messages.files.json import parse_flows
from ppnsim.messages.model import collectives
from ppnsim.messages.model.flows import FairFlow, Star, max_min_rates
from ppnsim.messages.model.schedule import compute, receive, send
from ppnsim.messages.run.flows import run_flows
from tests.helpers.by_seed import by_seed
from validation.flows.fair_messages import run_fairly

CLOSE = 1e-9


@by_seed
def routed(draw: st.DrawFn) -> tuple[list[float], list[list[int]]]:
    """Links, and routes over any of them."""
    capacity = draw(st.lists(st.integers(1, 20).map(float), min_size=1, max_size=6))
    link = st.integers(0, len(capacity) - 1)
    return capacity, draw(st.lists(st.lists(link, min_size=1, max_size=4, unique=True), min_size=1, max_size=8))


@by_seed
def cases(draw: st.DrawFn) -> tuple[Star, list[FairFlow]]:
    """Flows over a star; whole numbers, so that flows meet and the exact evaluator stays small."""
    hosts = draw(st.integers(2, 5))
    star = Star(
        hosts=hosts,
        bandwidth=float(draw(st.integers(1, 8))),
        latency=float(draw(st.integers(0, 3))),
        backbone=draw(st.none() | st.integers(1, 12).map(float)),
    )
    flows = []
    for _ in range(draw(st.integers(1, 8))):
        source, target = draw(st.permutations(range(hosts)))[:2]
        flows.append(FairFlow(source, target, float(draw(st.integers(0, 60))), float(draw(st.integers(0, 12)))))
    return star, flows


def exact_rates(capacity: list[Fraction], routes: list[tuple[int, ...]]) -> list[Fraction]:
    """Raise all rates together in fractions, until each flow crosses a full link."""
    rates = [Fraction(0)] * len(routes)
    rising = set(range(len(routes)))
    while rising:
        room = {
            link: (capacity[link] - sum(rate for rate, route in zip(rates, routes, strict=True) if link in route))
            / sum(link in routes[flow] for flow in rising)
            for flow in rising
            for link in routes[flow]
        }
        step = min(room.values())
        for flow in rising:
            rates[flow] += step
        rising = {flow for flow in rising if all(room[link] > step for link in routes[flow])}
    return rates


def exact_finish(star: Star, flows: list[FairFlow]) -> list[Fraction]:
    """Run the flows in fractions, from change to change."""
    capacity = [Fraction(each) for each in star.capacity]
    routes = [star.route(flow.source, flow.target) for flow in flows]
    enters = [Fraction(flow.start) + 2 * Fraction(star.latency) for flow in flows]
    left = [Fraction(flow.size) for flow in flows]
    finish: dict[int, Fraction] = {}
    now = Fraction(0)
    while len(finish) < len(flows):
        active = [i for i in range(len(flows)) if i not in finish and enters[i] <= now]
        rates = dict(zip(active, exact_rates(capacity, [routes[i] for i in active]), strict=True))
        changes = [now + left[i] / rates[i] for i in active] + [each for each in enters if each > now]
        then = min(changes)
        for i in active:
            left[i] -= rates[i] * (then - now)
            if not left[i]:
                finish[i] = then
        now = then
    return [finish[i] for i in range(len(flows))]


@given(routed())
def test_every_flow_is_held_by_a_full_link_on_which_none_has_more(case: tuple[list[float], list[list[int]]]) -> None:
    capacity, routes = case
    rates = max_min_rates(capacity, routes)
    on = [[rate for rate, route in zip(rates, routes, strict=True) if link in route] for link in range(len(capacity))]
    for link, shared in enumerate(on):
        assert sum(shared) <= capacity[link] * (1 + CLOSE)
    for rate, route in zip(rates, routes, strict=True):
        assert any(
            sum(on[link]) >= capacity[link] * (1 - CLOSE) and rate >= max(on[link]) * (1 - CLOSE) for link in route
        )


@given(cases())
@settings(deadline=None)
def test_finish_times_are_those_of_exact_arithmetic(case: tuple[Star, list[FairFlow]]) -> None:
    star, flows = case
    assert run_flows(star, flows).finish == pytest.approx([float(each) for each in exact_finish(star, flows)], CLOSE)


@given(cases())
@settings(deadline=None)
def test_bytes_are_conserved_and_no_link_passes_more_than_it_can(case: tuple[Star, list[FairFlow]]) -> None:
    star, flows = case
    run = run_flows(star, flows)
    passed: dict[int, float] = defaultdict(float)
    for piece in run.pieces:
        passed[piece.flow] += piece.rate * (piece.end - piece.start)
    assert [passed[number] for number in range(len(flows))] == pytest.approx([each.size for each in flows], abs=1e-6)
    for at in {piece.start for piece in run.pieces}:
        used: dict[int, float] = defaultdict(float)
        for piece in run.pieces:
            if piece.start <= at < piece.end:
                for link in star.route(flows[piece.flow].source, flows[piece.flow].target):
                    used[link] += piece.rate
        assert all(rate <= star.capacity[link] * (1 + CLOSE) for link, rate in used.items())


@given(cases())
@settings(deadline=None)
def test_no_byte_is_there_before_its_time(case: tuple[Star, list[FairFlow]]) -> None:
    star, flows = case
    narrowest = min(star.capacity)
    for flow, finish in zip(flows, run_flows(star, flows).finish, strict=True):
        assert finish >= (flow.start + 2 * star.latency + flow.size / narrowest) * (1 - CLOSE)


@given(cases(), st.integers(2, 5))
@settings(deadline=None)
def test_links_n_times_as_fast_take_an_nth_of_the_time(case: tuple[Star, list[FairFlow]], times: int) -> None:
    """With all starts at 0 and no latency; one faster link alone can slow others down, which share the next one."""
    star, flows = Star(hosts=case[0].hosts, bandwidth=case[0].bandwidth, latency=0), [
        flow._replace(start=0.0) for flow in case[1]
    ]  # fmt: skip
    slow = run_flows(star, flows).finish
    fast = run_flows(Star(hosts=star.hosts, bandwidth=star.bandwidth * times, latency=0), flows).finish
    assert [each * times for each in fast] == pytest.approx(slow)


def test_one_wider_link_can_slow_a_flow_down() -> None:
    """The flow over both links takes more of the second once the first lets it: the other one has less."""
    routes = [[0, 1], [1]]
    assert (max_min_rates([1.0, 10.0], routes), max_min_rates([5.0, 10.0], routes)) == ([1.0, 9.0], [5.0, 5.0])


def test_flows_wait_for_both_latencies_and_an_empty_one_for_nothing_else() -> None:
    star = Star(hosts=2, bandwidth=100.0, latency=0.25)
    assert run_flows(star, [FairFlow(0, 1, 0, 1.0), FairFlow(0, 1, 50, 0.0)]).finish == (1.5, 1.0)


def test_a_binomial_scatter_takes_120_blocks_when_its_messages_share_the_ports() -> None:
    star = Star(hosts=64, bandwidth=1.0, latency=0.0)
    assert max(run_fairly(collectives.binomial_scatter(64, 1), star)) == pytest.approx(120, CLOSE)


def test_computations_of_a_rank_follow_one_another_under_fair_sharing_too() -> None:
    star = Star(hosts=2, bandwidth=10.0, latency=0.5)
    schedule = [[compute(2), compute(3), send(10, 1, 0)], [receive(10, 0), compute(1, 0)]]
    assert run_fairly(schedule, star) == (5.0, 5.0)


@pytest.mark.parametrize(
    ("schedule", "words"),
    [
        ([[receive(8, 1)], []], "the schedule cannot end: ranks [0] wait for messages or for each other"),
        ([[send(8, 2)], [], [receive(8, 0)]], "star: 3 ranks do not fit on 2 hosts"),
    ],
)
def test_a_schedule_that_does_not_fit_is_refused(schedule: Any, words: str) -> None:
    with pytest.raises(InputError) as error:
        run_fairly(schedule, Star(hosts=2, bandwidth=1.0, latency=0.0))
    assert str(error.value) == words


STAR = {"hosts": 3, "bandwidth": 1e9, "latency": 1e-6}


def _star(**change: object) -> dict[str, Any]:
    return {"star": STAR | change, "flows": [[0, 1, 1000, 0]]}


def _flow(*flow: object) -> dict[str, Any]:
    return {"star": STAR, "flows": [[0, 1, 1000, 0], list(flow)]}


BAD: dict[str, tuple[Any, str]] = {
    "zero bandwidth": (_star(bandwidth=0), "star: bandwidth = 0.0 lets nothing pass (it must be above 0 B/s)"),
    "zero backbone": (_star(backbone=0), "star: backbone = 0.0 lets nothing pass (it must be above 0 B/s)"),
    "negative bandwidth": (_star(bandwidth=-1), "star: bandwidth = -1.0 lets nothing pass (it must be above 0 B/s)"),
    "bandwidth near zero": (_star(bandwidth=1e-300), "star: bandwidth = 1e-300 is out of range (from 1e-09 B/s on)"),
    "bandwidth beyond all": (
        _star(bandwidth=float("inf")),
        "star: bandwidth = inf is out of range (numbers up to 2**53 are taken)",
    ),
    "bandwidth as text": (_star(bandwidth="1 GB/s"), "star: bandwidth = '1 GB/s' must be a number"),
    "negative latency": (_star(latency=-1), "star: latency = -1.0 is negative"),
    "no host": (_star(hosts=0), "star: hosts = 0 is below 1"),
    "half a host": (_star(hosts=2.5), "star: hosts = 2.5 must be a whole number"),
    "a world of hosts": (_star(hosts=10**9), "star: hosts = 1000000000 is out of range (up to 1000000 are taken)"),
    "unknown key": (_star(bandwith=1), "star: unknown key 'bandwith' (did you mean 'bandwidth'?)"),
    "missing key": (
        {"star": {"hosts": 3, "latency": 0}, "flows": []},
        "star: bandwidth is missing",
    ),
    "missing flows": ({"star": STAR}, "flows is missing"),
    "flows no list": ({"star": STAR, "flows": 3}, "flows = 3 must be a list"),
    "star no object": ({"star": 3, "flows": []}, "star = 3 must be a table of keys"),
    "from an unknown host": (_flow(3, 1, 8, 0), "flows[1]: from = 3 is not a host (there are 3, from 0 on)"),
    "to an unknown host": (_flow(0, -1, 8, 0), "flows[1]: to = -1 is not a host (there are 3, from 0 on)"),
    "to itself": (_flow(1, 1, 8, 0), "flows[1]: from and to are both host 1, and no link leads there"),
    "negative bytes": (_flow(0, 1, -8, 0), "flows[1]: bytes = -8.0 is negative"),
    "negative start": (_flow(0, 1, 8, -1), "flows[1]: start = -1.0 is negative"),
    "start missing": (_flow(0, 1, 8), "flows[1] = [0, 1, 8] must be [from, to, bytes, start]"),
    "host as text": (_flow("a", 1, 8, 0), "flows[1]: from = 'a' must be a whole number"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_has_a_message_of_its_own(name: str) -> None:
    data, words = BAD[name]
    with pytest.raises(InputError) as error:
        parse_flows(data)
    assert str(error.value) == words


def test_run_answers_with_the_finish_of_each_flow(tmp_path: Path) -> None:
    file = tmp_path / "incast.json"
    file.write_text(json.dumps({"star": STAR, "flows": [[1, 0, 1000000, 0], [2, 0, 100000, 0]]}), encoding="utf-8")
    result = CliRunner().invoke(app, ["run", str(file), "--json", "-", "--out", str(tmp_path / "o")])
    assert result.exit_code == 0
    assert json.loads(result.stdout)["finish"] == pytest.approx([0.001102, 0.000202], CLOSE)
    assert (tmp_path / "o" / "rates.csv").read_text().splitlines()[0] == "flow,start,end,rate"
    text = CliRunner().invoke(app, ["run", str(file)]).stdout
    assert "last finish 0.001102 s   3 hosts, 2 flows" in text


def test_a_bad_file_is_named_with_its_key(tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    file.write_text(json.dumps(_flow(3, 1, 8, 0)), encoding="utf-8")
    result = CliRunner().invoke(app, ["run", str(file)])
    assert result.exit_code == 2
    assert result.stderr == f"{file}: flows[1]: from = 3 is not a host (there are 3, from 0 on)\n"
    file.write_text('{"star": {', encoding="utf-8")
    result = CliRunner().invoke(app, ["run", str(file)])
    assert (result.exit_code, result.stderr.startswith(f"{file}:1:11: ")) == (2, True)
