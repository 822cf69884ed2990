"""What a run across nodes says of itself: where the cycles went, and which term sets the pace."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from ppnsim.engines.run import run
from ppnsim.files import load_as
from ppnsim.model.cycles import cycle_classes
from ppnsim.model.network import Channel, Network, Process
from ppnsim.placed.model.placement import Placement, one_node
from ppnsim.placed.pictures.time import placed_figure
from ppnsim.placed.report import terms
from ppnsim.placed.report.run import _percent
from ppnsim.placed.report.sentence import binding_sentence
from ppnsim.placed.report.terms import Binding, Kind, ProcessUse, binding, link_use, process_use
from ppnsim.placed.run.network import run_placed
from ppnsim.placed.run.record import PlacedRun
from ppnsim.placed.sweep.parameters import placed_axis_of, varied_placement
from tests.helpers.strategies import networks

search = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


@search
@given(networks())
def test_on_one_node_every_cycle_has_the_class_that_it_has_in_the_network_alone(network: Network) -> None:
    alone, placed = run(network, engine="des", on_deadlock="return"), run_placed(one_node(network))
    for process in network.processes:
        own = cycle_classes(alone.timeline, process.name).counts()
        assert cycle_classes(placed.timeline(process.name), process.name).counts() == own


# -- the teaching example: what its comment says ---------------------------------------------------------------------


def at(**point: str) -> PlacedRun:
    """Run scenarios/networks/two_fpgas.toml with some parameters changed, like ``across__depth="16"``."""
    placement = load_as("scenarios/networks/two_fpgas.toml", Placement)
    axes = [placed_axis_of(f"{name.replace('__', '.')}={value}", placement) for name, value in point.items()]
    return run_placed(varied_placement(placement, axes, [axis.values[0] for axis in axes]))


def binds(run: PlacedRun) -> tuple[str, str]:
    found = binding(run)
    assert found is not None
    return found.kind, found.name


def test_as_it_is_the_filter_sets_the_pace() -> None:
    run = at()
    assert binds(run) == ("process", "filter")
    # 2000 firings every 2 cycles of 200 MHz; the rest is the way through the pipeline.
    assert run.finish is not None
    assert 20_000_000 <= run.finish < 20_600_000


def test_without_packets_the_link_sets_the_pace_and_no_depth_helps() -> None:
    run = at(across__packet="1")
    assert binds(run) == ("gap", "cable")
    # g + 3 G = 42.4 ns a token, of which the gap is the larger part.
    assert run.messages[-1].started - run.messages[0].started == 1999 * 42_400
    assert at(across__packet="1", across__depth="unbounded").finish == run.finish


def test_with_few_credits_they_set_the_pace_and_a_shorter_gap_does_not_help() -> None:
    run = at(across__depth="16")
    assert binds(run) == ("credits", "across")
    shorter = at(across__depth="16", cable__gap="10 ns").finish
    nearer = at(across__depth="16", cable__latency="100 ns").finish
    assert run.finish is not None
    assert shorter is not None
    assert nearer is not None
    assert shorter > 0.99 * run.finish
    assert nearer < 0.5 * run.finish


def test_the_depth_that_the_sentence_names_is_enough_and_half_of_it_is_not() -> None:
    run = at(across__depth="16")
    found = binding(run)
    assert found is not None
    match = re.search(r"about (\d+) would cover", binding_sentence(run, found))
    assert match is not None
    # A packet of 8 leaves when its last token is there, so up to 7 slots more wait for it.
    enough, half = at(across__depth=str(int(match[1]) + 7)), at(across__depth=str(int(match[1]) // 2))
    assert binds(enough) == ("process", "filter")
    assert binds(half) == ("credits", "across")


def test_a_cut_through_a_shallow_channel_is_more_than_ten_times_slower() -> None:
    here, there = at().finish, at(filter__node="right")
    assert binds(there) == ("credits", "raw")
    assert here is not None
    assert there.finish is not None
    assert there.finish > 10 * here


def test_narrow_links_are_told_by_their_bytes() -> None:
    assert binds(at(across__packet="16", cable__bandwidth="100 MB/s")) == ("bytes", "cable")


def test_the_shares_of_the_port_add_up_to_what_is_taken() -> None:
    run = at(across__packet="4", cable__overhead="60 ns")
    use = link_use(run, run.placement.links[0], "left")
    assert use is not None
    assert use.overhead + use.gap + use.bytes == pytest.approx(use.taken)
    # o = 60 ns is 8 ns more than g + 15 G = 52 ns.
    assert use.overhead / use.gap == pytest.approx(8 / 40)


def test_the_picture_has_a_lane_for_every_part_and_its_columns_are_not_more_than_full() -> None:
    run = at()
    figure = placed_figure(run)
    names = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert names == ["left: source", "left: filter", "right: scale", "right: sink", "cable: left → right"]
    assert figure.axes[0].get_yticks().tolist() == [-0.5, -1.5, -2.5, -3.5, -4.5]
    assert figure.axes[0].get_ylim() == (-5, 0)
    tops = [patch.get_data().values.max() for patch in figure.axes[0].patches]  # type: ignore[attr-defined]
    assert all(top <= -int(-top) + 1 for top in tops)
    filters = max(top for top in tops if -2 < top < -1)
    assert filters == pytest.approx(-2 + 0.88)  # always at work


def test_shares_are_shown_with_three_digits_and_nothing_as_a_dash() -> None:
    assert [_percent(share) for share in (0.25, 0.12345, 1.0, 0.0)] == ["25 %", "12.3 %", "100 %", "-"]


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("bus", "memory 'x' sets the pace: its data bus is taken 62.5 % of the time"),
        ("waiting", "nothing is taken all the time: 'x' is what is waited for most, 62.5 % of the time"),
    ],
)
def test_of_a_bus_and_of_what_is_only_waited_for_the_share_is_said(kind: Kind, words: str) -> None:
    assert binding_sentence(at(), Binding(kind=kind, name="x", share=0.625)) == words


def test_a_process_that_never_starts_is_taken_by_nothing() -> None:
    ends = (("a", "b"), ("b", "a"))
    network = Network(
        processes=[Process(name=name, firings=1) for name in "ab"],
        channels=[Channel(name=a + b, source=a, target=b, depth=1) for a, b in ends],
    )
    stuck = run_placed(one_node(network))
    assert process_use(stuck, "a") == process_use(stuck, "b") == ProcessUse(taken=0.0, blocked={}, starved={})


@pytest.mark.parametrize(
    ("taken", "lent", "kind"),
    [(0.95, 0.9, "process"), (0.9499, 0.1, "credits"), (0.9499, 0.0999, "waiting"), (0.0, 0.0, "waiting")],
)
def test_what_is_taken_all_the_time_comes_before_credits_and_these_before_any_waiting(
    taken: float, lent: float, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    use = ProcessUse(taken=taken, blocked={"c": 0.04}, starved={"d": 0.03})
    monkeypatch.setattr(terms, "process_use", lambda *_: use)
    monkeypatch.setattr(terms, "_round_trips", lambda *_: [terms.Binding(kind="credits", name="c", share=lent)])
    network = SimpleNamespace(processes=[SimpleNamespace(name="p")])
    run: Any = SimpleNamespace(finish=1, placement=SimpleNamespace(network=network, links=(), memories=()))
    found = terms.binding(run)
    assert found is not None
    assert (found.kind, found.share) == (kind, {"process": taken, "credits": lent, "waiting": 0.04}[kind])
    run.finish = None
    assert terms.binding(run) is None
