"""The critical path, slack and sensitivity of runs: everything that is claimed is checked on random networks."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from matplotlib.colors import to_hex
from matplotlib.patches import StepPatch
from rich.console import Console

from ppnsim import Channel, InputError, Network, Process, chain, fork_join, predictor, run
from ppnsim.analysis.firing_waits import Kind
from ppnsim.analysis.path.critical_path import CriticalPath, critical_path
from ppnsim.analysis.path.event_edges import check_size, event_graph
from ppnsim.analysis.path.event_graph import EventGraph
from ppnsim.arrays import Int64Array
from ppnsim.engines.compiled.engine import run_cut_short
from ppnsim.engines.compiled.repetition import Repetition
from ppnsim.explore.explain.divided import divided
from ppnsim.explore.explain.pictures import path_figure
from ppnsim.explore.explain.repeated import repeated_path
from ppnsim.explore.explain.report import print_explanation
from ppnsim.explore.explain.sensitivity import Change, Claim, candidates, claims
from ppnsim.explore.explain.slack import latest, slack
from ppnsim.explore.explain.way import way_rows
from ppnsim.library.explain import explain
from ppnsim.model.elements import Style
from ppnsim.model.run import Run
from ppnsim.model.step_lists import StepList
from ppnsim.plots.colours import channel_colours
from tests.helpers.strategies import networks

_search = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))
few, some = settings(_search, max_examples=40), settings(_search, max_examples=150)
monotone = networks(styles=["elastic", "frozen"], resources=False)


def finished(network: Network) -> Run:
    outcome = run(network, engine="des", on_deadlock="return")
    assume(not outcome.deadlocked)
    return outcome


def shares(path: CriticalPath) -> dict[tuple[str, str], tuple[int, int]]:
    return {(share.kind, share.part): (share.cycles, share.count) for share in path.shares}


# -- the path ---------------------------------------------------------------------------------------------------------


def assert_cycles_add_up_to_the_finish(path: CriticalPath, outcome: Run) -> None:
    assert sum(share.cycles for share in path.shares) == path.finish == outcome.finish
    assert all(share.cycles >= 0 and share.count > 0 for share in path.shares)


def assert_its_way_adds_up_to_the_finish(path: CriticalPath) -> None:
    rows = way_rows(path, most=path.finish * 99 + 99)
    words = r", (?:under way|on its way back|with another one) in cycles? (\d+)(?:\.\.(\d+))?$"
    between = [found for row in rows if (found := re.search(words, row[3]))]
    cycles = sum(int(last or first) - int(first) + 1 for first, last in (each.groups() for each in between))
    assert sum(row[1] for row in rows) + cycles == path.finish


def assert_tight_and_without_a_gap_from_cycle_0_to_the_finish(path: CriticalPath, network: Network) -> None:
    graph, edges = path.graph, path.edges
    assert (graph.cycle[graph.target[edges]] == graph.cycle[graph.source[edges]] + graph.weight[edges]).all()
    assert (graph.target[edges[:-1]] == graph.source[edges[1:]]).all()
    last = graph.moment[path.process][path.step, path.firing]
    if len(edges):
        assert graph.target[edges[-1]] == last
        assert graph.cycle[graph.source[edges[0]]] == 0
    assert graph.cycle[last] + network.steps[path.process].write == path.finish
    stretches = list(path.stretches())
    assert (stretches[0].first, stretches[-1].last) == (0, path.finish)
    assert all(one.first <= one.last for one in stretches)


def assert_every_moment_after_cycle_0_has_a_reason_and_no_edge_is_broken(graph: EventGraph) -> None:
    explained = np.zeros(len(graph.cycle), dtype=bool)
    explained[graph.target[graph.tight]] = True
    assert (explained | (graph.cycle == 0)).all()
    assert (graph.cycle[graph.target] >= graph.cycle[graph.source] + graph.weight).all()
    for name, moments in graph.moment.items():
        assert (graph.cycle[moments] == graph.timeline.passed[name]).all()


@given(networks())
@some
def test_the_path_adds_up_is_tight_and_every_moment_of_the_run_has_a_reason(network: Network) -> None:
    outcome = finished(network)
    path = critical_path(outcome.timeline)
    assert_cycles_add_up_to_the_finish(path, outcome)
    assert_its_way_adds_up_to_the_finish(path)
    assert_tight_and_without_a_gap_from_cycle_0_to_the_finish(path, network)
    assert_every_moment_after_cycle_0_has_a_reason_and_no_edge_is_broken(event_graph(outcome.timeline))


@given(monotone)
@few
def test_in_a_monotone_network_only_what_is_on_the_path_can_help(network: Network) -> None:
    path = critical_path(finished(network).timeline)
    waited = {share.part for share in path.shares if share.kind == "release"}
    passed = {share.part for share in path.shares if share.kind == "forward"}
    off = [c.name for c in network.channels if c.name not in passed and network.forward(c.name)]
    faster = [
        replace(c, forward=network.forward(c.name) - 1) if c.name in off else c
        for c in network.with_depths(lambda c: c.depth if c.name in waited else None).channels
    ]
    # A default release would change with nothing here, and a read latency is given by the channels as before.
    assert run(network.replace(channels=faster), engine="des").finish == path.finish


def test_an_elastic_chain_is_its_slowest_process_and_the_way_to_it() -> None:
    path = critical_path(run(chain(firings=100, ii=(1, 3, 1), depth=2)).timeline)
    told = shares(path)
    assert told["ii", "p1"] == (99 * 3, 99)
    assert ("ii", "p0") not in told
    assert [(one.process, one.through) for one in path.stretches()] == [
        ("p0", None), ("p1", ("token", "c0")), ("p2", ("token", "c1")),
    ]  # fmt: skip


def test_a_frozen_pipeline_is_split_into_starts_and_latency() -> None:
    told = shares(critical_path(run(chain(firings=10, length=1, ii=2, latency=5, style="frozen")).timeline))
    assert told == {("ii", "p0"): (18, 9), ("latency", "p0"): (5, 1)}


@pytest.mark.parametrize("style", ["elastic", "frozen", "flushable"])
def test_cycles_from_the_end_of_an_execution_to_a_later_write_are_its_offset(style: Style) -> None:
    made = [Process(name=name, firings=3, ii=ii, latency=5, style=style) for name, ii in (("a", 2), ("b", 1))]
    late = Channel(name="c", source="a", target="b", from_offset=9, to_offset=0)
    path = critical_path(run(Network(processes=made, channels=[late])).timeline)
    assert shares(path) == {
        ("ii", "a"): (4, 2), ("latency", "a"): (5, 1), ("offset", "a"): (4, 1), ("forward", "c"): (1, 1),
        ("read", "b"): (1, 1), ("latency", "b"): (5, 1),
    }  # fmt: skip


def test_a_full_channel_shows_as_slots_that_were_missing() -> None:
    told = shares(critical_path(run(chain(firings=20, length=2, ii=1, latency=1, depth=1)).timeline))
    assert told["release", "c0"][1] == 19
    assert ("release", "c0") not in shares(critical_path(run(chain(firings=20, length=2, latency=1, depth=9)).timeline))


def test_waiting_for_a_unit_belongs_to_the_resource() -> None:
    both = [Process(name=name, firings=10, ii=2, latency=2, resource="unit") for name in ("a", "b")]
    path = critical_path(run(Network(processes=both, resources={"unit": 1})).timeline)
    told = shares(path)
    assert told["resource", "unit"][0] + told.get(("ii", "a"), (0, 0))[0] + told.get(("ii", "b"), (0, 0))[0] == 38
    assert path.finish == 40


def test_cycles_after_a_hold_of_a_flushable_pipeline_are_named() -> None:
    # The last firing writes 'ac' one cycle after the one before it could write 'ab', with which it was held.
    network = Network(
        processes=[
            Process(name="a", firings=8, ii=2, latency=4, style="flushable"),
            Process(name="b", firings=8, ii=5, latency=1),
            Process(name="c", firings=8, latency=30),
        ],
        channels=[
            Channel(name="ab", source="a", target="b", depth=1),
            Channel(name="ac", source="a", target="c", from_offset=3),
        ],
    )
    path = critical_path(run(network).timeline)
    told = shares(path)
    assert (told["hold", "a"], told["release", "ab"]) == ((1, 1), (1, 1))


def test_a_run_too_large_for_a_graph_is_refused() -> None:
    with pytest.raises(InputError, match="a run passes 20000000 pipeline steps; at most 8000000 can be explained"):
        check_size(chain(firings=10_000_000, length=1))


# -- slack ------------------------------------------------------------------------------------------------------------


def gated(network: Network, process: str, offset: int, cycles: Int64Array) -> Network:
    """Return the network with firings of a process that may not pass an offset before these cycles."""
    firings = network.passings_of(process)
    # Firings pass in order anyway; a clock that went back would be late with its next firings itself.
    ticks = tuple(np.maximum.accumulate(cycles).tolist())
    clock = Process(name="clock", firings=firings, ii=0, latency=ticks, read=0, write=0)
    gate = Channel(name="gate", source="clock", target=process, forward=0, release=0, to_offset=offset)
    if (stops := network.stops.get(process)) is not None:
        gate = replace(gate, to_offset=None, read_steps=StepList.of(stops.at))
    # Another channel must not change the default latencies.
    kept = [
        replace(each, read=network.read_latency(each.name), write=network.write_latency(each.name))
        if each.schedule is None
        else each
        for each in network.processes
    ]
    return network.replace(processes=[*kept, clock], channels=[*network.channels, gate]).checked()


def moves(outcome: Run, delayed: Network) -> bool:
    """Whether a process of the run ends after its finish if the network is delayed (the clock does not count)."""
    late = run(delayed, engine="des").timeline
    return max(late.last_end(process.name) for process in outcome.network.processes) != outcome.finish


@given(monotone)
@few
def test_starts_can_be_later_by_their_slack_and_no_more(network: Network) -> None:
    outcome = finished(network)
    found = slack(event_graph(outcome.timeline))
    for name, spare in found.starts.items():
        assert spare is not None
        start = outcome.timeline.passed[name][0]
        assert not moves(outcome, gated(network, name, 0, start + spare))
        assert moves(outcome, gated(network, name, 0, start + spare + 1))


@given(monotone)
@few
def test_tokens_can_be_later_by_their_slack_and_no_more(network: Network) -> None:
    outcome = finished(network)
    found = slack(event_graph(outcome.timeline))
    for channel in network.channels:
        spare = found.tokens[channel.name]
        need = network.counts[channel.name].need.first(network.passings_of(channel.target))
        writes = outcome.timeline.token_writes(channel.name) + network.forward(channel.name)
        reads = np.flatnonzero(need >= 0)
        there = np.zeros(len(need), dtype=np.int64)
        if spare is None:
            continue
        for extra in (spare, spare + 1):
            there[reads] = writes[need[reads]] + extra
            late = gated(network, channel.target, channel.to_offset or 0, there)
            assert moves(outcome, late) == (extra > spare)


@given(monotone)
@few
def test_nothing_on_the_path_has_slack(network: Network) -> None:
    path = critical_path(finished(network).timeline)
    late = latest(path.graph)
    on_path = path.graph.source[path.edges]
    assert (late[on_path] == path.graph.cycle[on_path]).all()
    assert (late >= path.graph.cycle).all()
    found = slack(path.graph)
    for share in path.shares:
        if share.kind == "forward":
            assert found.tokens[share.part] == 0
        if share.kind == "release":
            assert found.slots[share.part] == 0


@pytest.mark.parametrize(
    ("network", "message"),
    [
        (chain(firings=4, style="flushable"), "process 'p0': no slack: it is flushable"),
        (
            Network(processes=[Process(name="a", firings=2, resource="r")], resources={"r": 1}),
            "process 'a': no slack: it is sharing resource 'r'",
        ),
    ],
)
def test_slack_is_refused_where_a_delay_may_help(network: Network, message: str) -> None:
    with pytest.raises(InputError, match=message):
        slack(event_graph(run(network).timeline))


# -- sensitivity ------------------------------------------------------------------------------------------------------


@given(networks(resources=False))
@few
def test_claims_are_what_another_engine_finds(network: Network) -> None:
    path = critical_path(finished(network).timeline)
    for claim in claims(path, top=6):
        again = run(claim.change.apply(network), engine="compiled", on_deadlock="return").finish
        assert claim.finish == again
        assert claim.saves == (None if again is None else path.finish - again)


@given(monotone)
@settings(_search, max_examples=20)
def test_a_deeper_channel_is_advised_at_the_smallest_depth_that_saves_all_that_it_can(network: Network) -> None:
    path = critical_path(finished(network).timeline)
    for claim in claims(path, top=3):
        name, after = claim.change.part, claim.change.after
        if claim.change.parameter == "depth" and after is not None:
            assert claim.saves
            depths = (None, after - 1)
            free, less = (run(network.with_depths({name: depth}), on_deadlock="return").finish for depth in depths)
            assert claim.finish == free != less


def test_slots_are_divided_between_fifos_only_where_that_was_run() -> None:
    network = fork_join(firings=20, short_depth=3)
    found = list(claims(critical_path(run(network).timeline), top=4))
    shared = divided(network, found)
    assert shared is not None and shared.startswith(
        "9 more slots divided between short_in (3 -> 8) and short_out (3 -> 7) save as much"
    )
    assert (
        run(network, depths={"short_in": 8, "short_out": 7}).finish
        == 37
        == run(network, depths={"short_in": 12}).finish
    )
    assert divided(network, [replace(claim, finish=36, saves=19) for claim in found]) is None
    assert divided(network, found[:1]) is None  # nobody to share with


def test_without_monotony_a_deeper_channel_is_tried_at_twice_its_depth() -> None:
    network = fork_join(firings=20, short_depth=3, style="flushable")
    tried = [str(claim.change) for claim in claims(critical_path(run(network).timeline), top=20)]
    assert tried[0] == "depth of short_in 3 -> 6"
    assert "depth of short_in 3 -> unbounded" in tried and "depth of all channels -> unbounded" in tried


@given(networks(resources=False))
@settings(_search, max_examples=25)
def test_the_path_of_a_run_with_many_rounds_is_that_of_few_and_of_one_more(network: Network) -> None:
    if (repetition := Repetition.of(network)) is not None:
        long = repetition.shortened(-400)
        assume(long.events < 100_000)
        done = run(long, engine="compiled", on_deadlock="return")
        if done.left_out is not None:
            found = repeated_path(done)
            assert found is not None
            assert found.shares == critical_path(done.timeline).shares


def test_the_path_of_a_frame_with_rows_is_counted_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ppnsim.engines.compiled.trials._ROWS_PAY", 0)
    taken = Channel(name="lines", from_="camera", to="filter", depth=2, produce="2 x (40 x 0), 300 x (2 x 0, 38 x 1)")
    processes = [Process(name="camera", firings=302 * 40), Process(name="filter", firings=300 * 38, latency=5)]
    done = run_cut_short(Network(name="frame", processes=processes, channels=[taken]).checked())
    assert done is not None and done.left_out is not None
    found = repeated_path(done)
    assert found is not None and found.run.network.firings < done.network.firings // 4
    assert found.shares == critical_path(done.timeline).shares


def test_an_interval_of_one_is_no_candidate() -> None:
    path = critical_path(run(chain(firings=50, ii=(1, 1), latency=0)).timeline)
    assert "ii" in {share.kind for share in path.shares}
    assert "ii" not in {change.parameter for change in candidates(path)}


def test_changes_say_what_they_save() -> None:
    told = [str(claim) for claim in claims(critical_path(run(predictor()).timeline), top=2)]
    assert told == ["latency of transformer 3 -> 2 saves 13 cycles", "latency of sink 3 -> 2 saves 1 cycle"]


def test_nothing_is_advised_that_nobody_can_build() -> None:
    # "forward of a 1 -> 0" and "read of b 1 -> 0" took the place of what helps.
    for network in (fork_join(firings=20, short_depth=3), predictor(), chain(firings=20, depth=2)):
        changes = list(candidates(critical_path(run(network).timeline)))
        assert changes and 0 not in {change.after for change in changes}


def test_one_latency_less_per_firing() -> None:
    network = Network(processes=[Process(name="p", firings=3, latency=(4, 0, 9))])
    (change,) = [each for each in candidates(critical_path(run(network).timeline)) if each.parameter == "latency"]
    assert change.apply(network).process("p").latency == (3, 0, 8)
    assert str(change) == "latency of p one less per firing"


def test_kinds_are_followed_in_the_order_of_their_numbers() -> None:
    # p1 may start its second firing because of its ii, of room in its pipeline and of its token: its ii is named.
    path = critical_path(run(chain(firings=9, ii=(2, 2), latency=1)).timeline)
    graph = path.graph
    tight = graph.kind[graph.tight & (graph.target == graph.moment["p1"][0, 5])].tolist()
    assert sorted(tight) == [Kind.II, Kind.CAPACITY, Kind.TOKEN]
    assert shares(path)["ii", "p1"][0] > 0
    assert ("ii", "p0") not in shares(path)


def test_a_run_that_is_too_large_is_explained_by_the_part_that_repeats_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    network = chain(firings=4000, ii=(1, 3, 1), depth=2)
    done = run(network, engine="compiled")
    whole = explain(done, top=0)
    assert done.left_out is not None  # by the run; what is explained is all of it
    assert whole.to_dict()["explained"] == {"finish": done.finish, "repetitions_left_out": 0}
    monkeypatch.setattr("ppnsim.analysis.path.event_edges._LARGEST", 10_000)
    part = explain(done, top=2)
    told = part.to_dict()
    assert told["finish"] == whole.to_dict()["finish"] == done.finish
    assert told["explained"]["repetitions_left_out"] > 3000 and told["explained"]["finish"] < 3000
    assert told["shares"] == whole.to_dict()["shares"] and part.sentences[0] == whole.sentences[0]
    assert part.sentences[1].startswith("the run repeats itself every 3 cycles from cycle ")
    assert f"are those of a run of {part.path.finish} cycles" in part.sentences[1]
    assert part.claims == explain(done, top=2).claims  # changes are tried on the whole run
    assert part.claims[0].saves == 4000 - 1
    assert part.to_dict()["steady_state"] == whole.to_dict()["steady_state"]  # of the network that was asked about
    assert whole.sentences[0].endswith("ii of p1 (3 per firing, 3999 firings)")


def test_what_changes_save_of_a_part_of_a_run_is_said_of_that_part(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    done = run(chain(firings=4000, ii=(1, 3, 1), depth=2), engine="compiled")
    monkeypatch.setattr("ppnsim.analysis.path.event_edges._LARGEST", 10_000)
    monkeypatch.setattr("ppnsim.library.explain.repeated_path", lambda _: None)  # as if the path did not come round
    part = explain(done, top=1)
    assert part.sentences[0].startswith("the run repeats itself every 3 cycles from cycle ")
    print_explanation(Console(width=200), part.told, part.sentences, seconds=0)
    assert f"checked by running those {part.path.finish} cycles: ii of p1 3 -> 2 saves" in capsys.readouterr().out


def test_the_steady_state_is_not_that_of_a_frame_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = Channel(name="lines", from_="camera", to="filter", depth=2, produce="100 x 0, 600000 x 1")
    processes = [Process(name="camera", firings=600100), Process(name="filter", firings=600000)]
    done = run(Network(name="frame", processes=processes, channels=[lines]), engine="compiled")
    monkeypatch.setattr("ppnsim.analysis.path.event_edges._LARGEST", 10_000)
    part = explain(done, top=0).to_dict()
    assert part["explained"]["repetitions_left_out"] > 1000
    assert part["steady_state"] is None  # a graph iteration is a frame, and no frame is as short as what is explained
    assert "2400200 pipeline steps" in part["no_steady_state_because"]


@pytest.mark.parametrize(
    ("style", "moments"),
    [("elastic", [[0, 2, 4], [1, 3, 5]]), ("flushable", [[0, 2, 4], [1, 3, 5]]), ("frozen", [[0, 1, 2], [1, 2, 3]])],
)
def test_what_can_only_happen_together_is_one_moment(style: Any, moments: list[list[int]]) -> None:
    """Steps of a frozen pipeline; in others a start is apart from the write in its cycle, which waits for neither."""
    made = Process(name="p", firings=3, latency=1, style=style), Process(name="q", firings=3)
    network = Network(processes=made, channels=[Channel(name="c", source="p", target="q")])
    graph = event_graph(run(network).timeline)
    assert graph.cycle[graph.moment["p"]].tolist() == [[0, 1, 2], [1, 2, 3]]
    assert rank_of(graph.moment["p"]) == rank_of(np.array(moments))


def rank_of(moments: Any) -> list[list[int]]:
    """Return which entries are the same, as numbers from 0 on in the order of the first ones."""
    known: dict[int, int] = {}
    return [[known.setdefault(int(each), len(known)) for each in row] for row in moments]


def test_the_way_of_a_long_path_is_drawn_to_its_end_and_adds_up() -> None:
    # 5000 stretches were drawn, the first ones, and the rest of the axis stayed empty.
    network = fork_join(firings=2000, short_depth=3)
    path = critical_path(run(network, fast_forward=False).timeline)
    stretches = list(path.stretches())
    _, way = path_figure(path).axes
    drawn = {str(each.get_label()): each for each in way.patches if isinstance(each, StepPatch)}
    assert len(stretches) > 900
    assert set(drawn) == {f"path in {each.process}" for each in stretches}
    for process in network.processes:
        own = [(each.first, each.last) for each in stretches if each.process == process.name]
        if not own:
            continue
        tops, edges, floor = drawn[f"path in {process.name}"].get_data()
        share = (tops - floor) / 0.8
        assert (share * np.diff(edges)).sum() == pytest.approx(sum(last - first for first, last in own))
        step = len(share) // 2  # of equal columns, counted cycle by cycle
        middle = range(*edges[[step, step + 1]].astype(int))
        cycles = sum(any(first <= cycle < last for first, last in own) for cycle in middle)
        assert share[step] == pytest.approx(cycles / len(middle))
    assert way.get_xlim() == (0, path.finish)
    assert "height: how much of each" in way.get_xlabel()
    short = path_figure(critical_path(run(fork_join(firings=20)).timeline)).axes[1]
    assert not [each for each in short.patches if isinstance(each, StepPatch)]


def test_a_channel_has_its_colour_on_the_critical_path_too() -> None:
    network = fork_join(firings=20, short_depth=3)
    (bar, _) = path_figure(critical_path(run(network).timeline)).axes
    legend = bar.get_legend()
    assert legend is not None
    colours = {
        text.get_text().partition(":")[0].split(" of ")[1]: to_hex(patch.get_facecolor())
        for text, patch in zip(legend.get_texts(), legend.get_patches(), strict=True)
    }
    known = {name: colour.lower() for name, (colour, _) in channel_colours(network).items()}
    assert {name: colours[name] for name in known} == known  # "latency of long" was as orange as short_in elsewhere
    assert not {colours["long"], colours["join"], colours["split"]} & set(known.values())


@pytest.mark.parametrize(
    ("finish", "saves", "words"),
    [(30, 12, "saves 12 cycles"), (41, 1, "saves 1 cycle"), (50, -8, "costs 8 cycles"), (None, None, "deadlocks")],
)
def test_a_claim_says_what_a_change_saves(finish: int | None, saves: int | None, words: str) -> None:
    change = Change(parameter="depth", part="c", before=2, after=None, apply=lambda network: network)
    assert str(Claim(change=change, finish=finish, saves=saves)) == f"depth of c 2 -> unbounded {words}"
