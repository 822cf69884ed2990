"""SDF3 XML: read, written, refused; and the answers of SDF3 and Kiter under their convention for capacities."""

import json
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from ppnsim import Channel, Distribution, InputError, Listed, Network, Process, Rates, chain, load_network, run, sdf
from ppnsim.cli.app import app
from ppnsim.formats import sdf3_dump, sdf3_xml
from ppnsim.formats.sdf3_dump import dump_sdf3
from ppnsim.formats.sdf3_xml import parse_sdf3
from ppnsim.formats.xml_tree import decode_xml
from tests.helpers.by_seed import by_seed
from validation.dataflow.data import Budget, load
from validation.dataflow.steady import DEADLOCK, steady

# Three actors in a row; `a` and its channel have everything that a file can say.
GRAPH = """\
<?xml version="1.0" encoding="UTF-8"?>
<!-- a comment -->
<sdf3 type="csdf" version="1.0" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <applicationGraph name="app">
    <csdf name="example" type="Example">
      <actor name="a" type="A">
        <port name="p0" type="out" rate="3,1"/>
        <port name="p1" type="in" rate="2*1"/>
        <port name="p2" type="out" rate="1"/>
      </actor>
      <actor name="b" type="B">
        <port name="p0" type="in" rate="2"/>
      </actor>
      <channel name="data" srcActor="a" srcPort="p0" dstActor="b" dstPort="p0" initialTokens="1"/>
      <channel name="self" srcActor="a" srcPort="p2" dstActor="a" dstPort="p1" initialTokens="1"/>
    </csdf>
    <csdfProperties>
      <actorProperties actor="a">
        <processor type="slow"><executionTime time="50"/></processor>
        <processor type="fast" default="true"><executionTime time="1,3"/><memory/></processor>
        <processor type="other" default="true"><executionTime time="7"/></processor>
      </actorProperties>
      <actorProperties actor="b">
        <processor type="fast" default="true"><executionTime time="2"/></processor>
      </actorProperties>
      <channelProperties channel="data"><bufferSize sz="5" src="" dst=""/><tokenSize sz="16"/></channelProperties>
      <graphProperties><timeConstraints><throughput>0.1</throughput></timeConstraints></graphProperties>
    </csdfProperties>
  </applicationGraph>
</sdf3>
"""


def parsed(text: str, iterations: int = 1) -> Network:
    return parse_sdf3(decode_xml(text), iterations=iterations)


def write(tmp_path: Path, text: str, name: str = "graph.xml") -> str:
    (tmp_path / name).write_text(text, encoding="utf-8")
    return str(tmp_path / name)


def cases() -> list[dict[str, Any]]:
    graphs: list[dict[str, Any]] = load()["sdf_csdf_cases"]
    return graphs


def xml_of(case: Mapping[str, Any], sizes: Mapping[str, int] | None = None) -> str:
    """Return a case of the data file as SDF3 writes it."""

    def numbers(value: Any) -> str:
        return ",".join(map(str, value)) if isinstance(value, list) else str(value)

    ports = {actor["name"]: "" for actor in case["actors"]}
    channels = properties = ""
    for number, c in enumerate(case["channels"]):
        ports[c["src"]] += f"<port name='o{number}' type='out' rate='{numbers(c['prod_rates'])}'/>"
        ports[c["dst"]] += f"<port name='i{number}' type='in' rate='{numbers(c['cons_rates'])}'/>"
        channels += (
            f"<channel name='{c['name']}' srcActor='{c['src']}' srcPort='o{number}' dstActor='{c['dst']}' "
            f"dstPort='i{number}' initialTokens='{c['initial_tokens']}'/>"
        )
        if sizes and c["name"] in sizes:
            properties += (
                f"<channelProperties channel='{c['name']}'><bufferSize sz='{sizes[c['name']]}'/></channelProperties>"
            )
    for actor in case["actors"]:
        time = numbers(actor["execution_time"])
        properties += (
            f"<actorProperties actor='{actor['name']}'><processor type='p' default='true'>"
            f"<executionTime time='{time}'/></processor></actorProperties>"
        )
    actors = "".join(f"<actor name='{name}' type='t'>{inside}</actor>" for name, inside in ports.items())
    return (
        f"<sdf3 type='csdf' version='1.0'><applicationGraph name='g'><csdf name='g' type='g'>{actors}{channels}</csdf>"
        f"<csdfProperties>{properties}</csdfProperties></applicationGraph></sdf3>"
    )


def points_of(case: Mapping[str, Any]) -> list[tuple[dict[str, int], str | None]]:
    bounded = case["expected"].get("bounded", {})
    listed = [
        (dict(zip(bounded["channel_order"], point["sizes"], strict=True)), point["period"])
        for point in bounded.get("points", ())
    ]
    return listed + [(point["sizes"], point["period"]) for point in case["expected"].get("sdf3_bounded", ())]


def periods(chosen: list[tuple[dict[str, Any], dict[str, int], str | None]], limits: Budget) -> tuple[int, list[str]]:
    """Return how many points fit in the budget, and those whose period is another one."""
    compared, wrong = 0, []
    for case, sizes, period in chosen:
        if 0 in sizes.values():
            assert period is None  # a channel without a place, which is no channel of ours, lets nothing pass
            continue
        root = decode_xml(xml_of(case, sizes))

        def build(iterations: int, root: Any = root) -> Network:
            return parse_sdf3(root, iterations=iterations).with_convention("sdf3")

        found = steady(build, case["repetition_vector_phases"], limits).period
        if found is not None:
            compared += 1
            expected = DEADLOCK if period is None else Fraction(period)
            wrong += [] if found == expected else [f"{case['id']} {sizes}: {found}, not {period}"]
    return compared, wrong


def test_everything_that_a_file_says_is_read() -> None:
    network = parsed(GRAPH, iterations=2)
    assert network.name == "example"
    # The first default processor counts; one iteration is both phases of a and two firings of b.
    assert network.processes == (
        Process(name="a", firings=4, ii=0, latency=(1, 3, 1, 3), read=0, write=0),
        Process(name="b", firings=4, ii=0, latency=2, read=0, write=0),
    )
    data, own = network.channels
    assert data == Channel(
        name="data", source="a", target="b", tokens=Rates((3, 1), 2), depth=5, width=16, initial=1
    )  # fmt: skip
    assert (own.tokens, own.initial, own.depth) == (Rates(1, (1, 1)), 1, None)


def test_repetition_vectors_are_those_of_the_data_file() -> None:
    for case in cases():
        found = {process.name: process.firings for process in parsed(xml_of(case)).processes}
        assert found == case["repetition_vector_phases"], case["id"]


def test_periods_and_points_of_sdf3_and_kiter_come_out() -> None:
    """Provenance: cases/dataflow.json, points on which Kiter or SDF3 agree with a separate simulator."""
    limits = Budget(firings=2_000, tokens=20_000, sample=None)
    chosen = [
        (case, *point)
        for case in cases()
        for point in Random(case["id"]).sample(points_of(case), min(3, len(points_of(case))))
    ]
    chosen += [(case, {}, case["expected"]["unbounded"]["period"]) for case in cases()]
    compared, wrong = periods(chosen, limits)
    assert not wrong
    assert compared >= 100


@pytest.mark.slow
def test_all_bounded_points_that_simpy_can_afford() -> None:
    limits = Budget(firings=40_000, tokens=1_000_000, sample=None)
    compared, wrong = periods([(case, *point) for case in cases() for point in points_of(case)], limits)
    assert not wrong
    assert compared >= 500


@by_seed
def graphs(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, Any], dict[str, int], dict[str, int]]:
    """Return actors, channels, firings and capacities of a small graph that comes back to its tokens."""
    firings = {name: draw(st.integers(1, 4)) for name in "abc"}
    channels, capacities = {}, {}
    for number in range(draw(st.integers(1, 4))):
        source, target = draw(st.sampled_from("abc")), draw(st.sampled_from("abc"))
        times = draw(st.integers(1, 2))
        produce, consume = firings[target] * times, firings[source] * times
        initial = draw(st.integers(0, 2 * consume))
        channels[f"c{number}"] = (source, produce, consume, target, initial)
        if draw(st.booleans()):
            capacities[f"c{number}"] = initial + draw(st.integers(1, produce + consume))
    actors = {name: draw(st.integers(0, 4)) for name in "abc"}
    repeats = draw(st.integers(1, 3))
    return actors, channels, {name: count * repeats for name, count in firings.items()}, capacities


@given(graphs())
@settings(max_examples=200, deadline=None)
def test_a_depth_in_their_convention_is_a_channel_of_credits_back(graph: Any) -> None:
    actors, channels, firings, capacities = graph
    try:
        credited = sdf(actors, channels, firings=firings, capacities=capacities)
        bare = sdf(actors, channels, firings=firings)
    except InputError:
        return  # an actor that would read its own tokens before it writes them
    sized = bare.with_depths(capacities).with_convention("sdf3")
    assert len(sized.channels) == len(channels)
    one, other = run(credited, on_deadlock="return"), run(sized, on_deadlock="return")
    assert one.finish == other.finish
    for name in actors:
        assert one.timeline.start(name).tolist() == other.timeline.start(name).tolist()


def test_convention_sdf3_takes_space_at_the_start_and_frees_it_at_the_end() -> None:
    """By hand: a takes 3 cycles, b 5; with one place a waits for the end of b, in ours only for its start."""
    network = parsed(xml_of({
        "actors": [{"name": "a", "execution_time": 3}, {"name": "b", "execution_time": 5}],
        "channels": [{"name": "c", "src": "a", "dst": "b", "prod_rates": 1, "cons_rates": 1, "initial_tokens": 0}],
    }, {"c": 1}), 3)  # fmt: skip
    starts = {name: run(network.with_convention(name)).timeline.start("a").tolist() for name in ("ppn", "sdf3")}
    assert starts["sdf3"] == [0, 8, 16]
    # Any number of firings of a are in flight, and their writes wait one for the other.
    assert starts["ppn"] == [0, 0, 0]


def test_credits_change_no_latency_of_the_processes_that_they_join() -> None:
    """A source that reads nothing has read latency 0, a sink write latency 0, with credits between them or not."""
    network = Network(
        processes=[Process(name="a", firings=4, latency=(1, 2, 3, 4)), Process(name="b", firings=4)],
        channels=[Channel(name="c", source="a", target="b", depth=100)],
    )
    meant = network.with_convention("sdf3")
    assert meant.channel("c.space").initial == 100
    assert run(meant).finish == run(network).finish


def test_what_the_convention_does_not_cover_is_refused() -> None:
    network = chain(firings=4, length=2, depth=2)
    changes: list[tuple[dict[str, Any], str]] = [
        ({"tokens": Listed((0,), ((0, 0),))}, "channel 'c0': tokens are listed firing by firing; convention sdf3"),
        ({"from_offset": 3}, "channel 'c0': has an offset; convention sdf3 claims space at the start"),
        ({"release": 0}, "channel 'c0': release = 0 says when a slot is free, and convention sdf3 also does"),
    ]
    for change, words in changes:
        channel = replace(network.channel("c0"), **change)
        with pytest.raises(InputError) as raised:
            network.replace(channels=[channel]).with_convention("sdf3")
        assert str(raised.value).startswith(words)
    with pytest.raises(InputError, match=r"convention = 'sdf' is none of ppn, sdf3 \(did you mean 'sdf3'\?\)"):
        network.with_convention("sdf")


@pytest.mark.parametrize("case", [case for case in cases() if len(case["actors"]) < 12], ids=lambda case: case["id"])
def test_what_is_written_reads_as_the_same_graph(case: dict[str, Any]) -> None:
    raw = parsed(xml_of(case, points_of(case)[-1][0] if points_of(case) else None), 2)
    dump = dump_sdf3(raw, convention="sdf3")
    again = parsed(dump.text, dump.iterations)
    assert dump.iterations == 2
    assert dump_sdf3(again, convention="sdf3") == dump
    assert [(c.name, c.depth, c.initial, c.width) for c in again.channels] == [
        (c.name, c.depth, c.initial, c.width) for c in raw.channels
    ]
    if raw.events < 5_000:
        finishes = [run(each.with_convention("sdf3"), on_deadlock="return").finish for each in (raw, again)]
        assert finishes[0] == finishes[1]


def test_a_network_that_was_loaded_is_written_back_with_its_buffer_sizes(tmp_path: Path) -> None:
    network = load_network(write(tmp_path, xml_of(cases()[1], points_of(cases()[1])[0][0])))
    assert any(channel.from_offset == 0 for channel in network.channels)
    again = parsed(dump_sdf3(network).text)
    assert {c.name: c.depth for c in again.channels} == {c.name: c.depth for c in network.channels}


def test_an_ii_of_a_whole_firing_is_written_as_a_self_loop() -> None:
    network = chain(firings=6, length=2, ii=(3, 3), latency=2).with_depths({"c0": 2})
    text = dump_sdf3(network, convention="sdf3").text
    assert '<channel name="p0.self" srcActor="p0"' in text
    again = parsed(text, 6).with_convention("sdf3")
    assert run(again).finish == run(network.with_convention("sdf3")).finish


def _refused() -> list[tuple[Network, str]]:
    plain: dict[str, Any] = {"ii": 0, "read": 0, "write": 0}
    a, b = Process(name="a", firings=4, **plain), Process(name="b", firings=4, **plain)
    edge = Channel(name="c", source="a", target="b")

    def of(process: dict[str, Any] | None = None, channel: dict[str, Any] | None = None, **more: Any) -> Network:
        first = replace(a, **(process or {}))
        return Network(processes=[first, b], channels=[replace(edge, **(channel or {}))], **more)

    listed = Listed((0, 1), ((0, 0), (1, 1)))
    return [
        (of(channel={"tokens": listed}), "channel 'c': tokens are listed firing by firing: SDF3 has rates"),
        (of(channel={"to_offset": 1}), "channel 'c': has an offset: SDF3 consumes at the start"),
        (of(channel={"forward": 2}), "channel 'c': forward = 2 is not the write latency 0"),
        (of(channel={"depth": 2}), "channel 'c': depth = 2 is taken at the write and free after the read"),
        (of({"ii": 1, "style": "frozen"}), "process 'a': style = 'frozen': an actor of SDF3 never waits"),
        (of({"ii": 3}), "process 'a': ii = 3: an actor of SDF3 is not pipelined (ii 0, or the time of a firing, which"
                        " is 1)"),
        (of({"latency": Distribution("uniform", (1, 3))}), "process 'a': latency is drawn at random"),
        (of({"resource": "r"}, resources={"r": 1}), "process 'a': resource = 'r': SDF3 shares nothing"),
        (Network(processes=[a, b, Process(name="d", firings=3, **plain)], channels=[edge]),
         "process 'd': firings = 3 are not those of 4 graph iterations, 4"),
    ]  # fmt: skip


@pytest.mark.parametrize(("network", "words"), _refused(), ids=lambda value: value if isinstance(value, str) else "")
def test_what_sdf3_cannot_express_is_refused_by_name(network: Network, words: str) -> None:
    with pytest.raises(InputError) as raised:
        dump_sdf3(network)
    assert str(raised.value).startswith(words)


def test_times_that_do_not_repeat_are_refused_with_the_place_of_their_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sdf3_dump, "_MOST_PHASES", 60)  # of 10 000, which takes half a minute
    plain: dict[str, Any] = {"ii": 0, "read": 0, "write": 0}
    times = tuple(range(1, 2 * sdf3_dump._MOST_PHASES))
    long = Process(name="a", firings=len(times), latency=times, **plain)
    with pytest.raises(InputError) as raised:
        dump_sdf3(Network(processes=[long], channels=[]))
    words = f"process 'a': its latencies do not repeat within {sdf3_dump._MOST_PHASES} firings"
    assert str(raised.value) == words


BOMB = '<!DOCTYPE sdf3 [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>\n<sdf3 type="sdf">&b;</sdf3>'
TIME_OF_C = '<actorProperties actor="c"><processor type="x"><executionTime time="1"/></processor></actorProperties>'
BAD = [
    ("is no XML", "{", ":1:1: is not XML (not well-formed (invalid token))"),
    ("ends early", GRAPH[:600], ":15:4: is not XML (no element found)"),
    ("entity bomb", BOMB, ":1:16: <!DOCTYPE> is not read: it can make a file mean more than is written in it"),
    ("external file", '<!DOCTYPE s SYSTEM "/etc/passwd"><sdf3/>', ":1:33: <!DOCTYPE> is not read"),
    ("other root", "<svg/>", ":1: the root is <svg>, not <sdf3>"),
    ("scenario-aware", '<sdf3 type="sadf"/>', ":1: <sdf3>: type = 'sadf' is none of sdf, csdf"),
    ("no graph", '<sdf3 type="sdf"/>', ":1: <sdf3>: holds no <applicationGraph>"),
    ("unknown actor", GRAPH.replace('dstActor="b"', 'dstActor="bb"'),
     ":14: channel 'data': dstActor = 'bb' is not an actor (did you mean 'b'?)"),
    ("unknown port", GRAPH.replace('srcPort="p0"', 'srcPort="q"'),
     ":14: channel 'data': srcPort = 'q' is not a port of actor 'a' (known: p0, p1, p2)"),
    ("direction", GRAPH.replace('srcPort="p0"', 'srcPort="p1"'),
     ":14: channel 'data': srcPort = 'p1' of actor 'a' is of type in, not out"),
    ("port taken", GRAPH.replace('srcPort="p2"', 'srcPort="p0"'),
     ":15: channel 'self': srcPort = 'p0' of actor 'a' has a channel already (one each)"),
    ("rate missing", GRAPH.replace(' rate="3,1"', ""), ":7: port 'p0': rate is missing"),
    ("rate", GRAPH.replace("3,1", "3,x"), ":7: port 'p0': rate = '3,x': 'x' is not a whole number"),
    ("rate count", GRAPH.replace("3,1", "3,1,2"),
     ":6: actor 'a': port 'p1' lists 2 phases and others list 3 (all the same, or 1)"),
    ("time count", GRAPH.replace('"1,3"', '"1,3,1"'),
     ":6: actor 'a': port 'p0' lists 2 phases and others list 3 (all the same, or 1)"),
    ("phases in sdf", GRAPH.replace("csdf", "sdf"),
     ":20: <executionTime>: time lists 2 phases, and an actor of type sdf has one (csdf has several)"),
    ("unknown actor's time", GRAPH.replace("    </csdfProperties>", f"{TIME_OF_C}\n    </csdfProperties>"),
     ":28: <actorProperties>: actor = 'c' is not an actor of the graph (known: a, b)"),
    ("no time", GRAPH.replace('<processor type="fast" default="true"><executionTime time="2"/></processor>', ""),
     ":11: actor 'b': has no execution time"),
    ("fraction", GRAPH.replace('time="2"', 'time="2.5"'), ":24: <executionTime>: time = '2.5': '2.5' is not a whole"),
    ("properties twice", GRAPH.replace('actorProperties actor="b"', 'actorProperties actor="a"'),
     ":23: <actorProperties>: actor = 'a' has its properties twice"),
    ("a processor without a time", GRAPH.replace('<executionTime time="2"/>', ""),
     ":24: <processor>: holds no <executionTime>"),
    ("a direction that is none", GRAPH.replace('name="p0" type="out"', 'name="p0" type="inout"'),
     ":7: port 'p0': type = 'inout' is neither in nor out"),
    ("port twice", GRAPH.replace('name="p2" type="out"', 'name="p0" type="out"'),
     ":9: port 'p0': is declared twice in actor 'a'"),
    ("phases out of range", GRAPH.replace("3,1", "1000001*3"),
     ":7: port 'p0': rate = '1000001*3' is out of range (numbers to 2**53, 10**6 phases)"),
    ("number out of range", GRAPH.replace("3,1", "9007199254740993"),
     ":7: port 'p0': rate = '9007199254740993' is out of range (numbers to 2**53, 10**6 phases)"),
    ("no phase", GRAPH.replace("3,1", "0*3"), ":7: port 'p0': rate lists no phase"),
    ("channel twice", GRAPH.replace('<graphProperties>',
     '<channelProperties channel="data"><bufferSize sz="6"/></channelProperties><graphProperties>'),
     ":27: <channelProperties>: channel = 'data' has its properties already"),
    ("actor twice", GRAPH.replace('<actor name="b"', '<actor name="a"'), ":11: actor 'a': is declared twice"),
    ("inconsistent", GRAPH.replace('<port name="p2" type="out" rate="1"/>', '<port name="p2" type="out" rate="2"/>'),
     ": channel 'self': the rates are inconsistent: for 1 phase cycles of 'a', 'a' would have to go through 2"),
    ("tokens", GRAPH.replace('initialTokens="1"/>\n      <channel', 'initialTokens="-1"/>\n      <channel'),
     ":14: channel 'data': initialTokens = '-1' must be a whole number from 0 to 2**53"),
    ("no room", GRAPH.replace('sz="5"', 'sz="0"'), ":26: <bufferSize>: sz = '0' must be a whole number from 1"),
    ("tokens do not fit", GRAPH.replace('"data" srcActor="a" srcPort="p0" dstActor="b" dstPort="p0" initialTokens="1"',
     '"data" srcActor="a" srcPort="p0" dstActor="b" dstPort="p0" initialTokens="6"'),
     ": channel 'data': initial = 6 tokens do not fit in depth = 5"),
    ("unknown channel", GRAPH.replace('channel="data"', 'channel="date"'),
     ":26: <channelProperties>: channel = 'date' is not a channel of the graph (did you mean 'data'?)"),
    ("too many tokens", GRAPH.replace("3,1", "9000000000000000,9000000000000000").replace('rate="2"', 'rate="1"'),
     ": 1 graph iterations are 18000000000000002 firings (at most 2**40)"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "words"), [each[1:] for each in BAD], ids=[each[0] for each in BAD])
def test_bad_input_is_refused_with_its_line(tmp_path: Path, text: str, words: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(InputError) as raised:
        load_network(path)
    assert str(raised.value).startswith(path + words)


def test_run_and_export_take_the_file_and_the_convention(tmp_path: Path) -> None:
    path, written = write(tmp_path, GRAPH.replace('sz="5"', 'sz="4"')), str(tmp_path / "again.xml")

    def finish(*arguments: str) -> int:
        result = CliRunner().invoke(app, ["run", *arguments, "--json", "-"], catch_exceptions=False)
        assert result.exit_code == 0
        value: int = json.loads(result.stdout)["finish"]
        return value

    assert finish(path, "--iterations", "5") == finish(path, "--iterations", "5", "--convention", "sdf3")
    assert finish(path, "--iterations", "5") > finish(path, "--iterations", "5", "--depth", "unbounded")
    assert finish(path, "--iterations", "5", "--convention", "ppn") == 20
    exported = CliRunner().invoke(app, ["export", path, "--depth", "6", "-o", written, "--json", "-"])
    assert json.loads(exported.stdout)["iterations"] == 1
    assert finish(written, "--iterations", "5") == finish(path, "--iterations", "5", "--depth", "6")


def test_iterations_are_for_graphs(tmp_path: Path) -> None:
    path = write(tmp_path, GRAPH)
    for arguments, words in [
        (["scenarios/networks/predictor.toml", "--iterations", "2"], "iterations are of SDF3 graphs (.xml)"),
        ([path, "--iterations", "0"], "iterations = 0 is below 1"),
    ]:
        result = CliRunner().invoke(app, ["run", *arguments])
        assert (result.exit_code, words in result.output) == (2, True)


def test_firings_are_counted_up_to_2_to_the_40(monkeypatch: pytest.MonkeyPatch) -> None:
    """An iteration has 2 + 2 firings; what is counted is all actors together."""
    with pytest.raises(InputError) as error:
        parsed(GRAPH, iterations=2**38 + 1)
    assert str(error.value) == f"{2**38 + 1} graph iterations are {2**40 + 4} firings (at most 2**40)"
    monkeypatch.setattr(sdf3_xml, "_MOST_FIRINGS", 8)  # as many as allowed, and no hour to make them
    assert [process.firings for process in parsed(GRAPH, iterations=2).processes] == [4, 4]
    with pytest.raises(InputError):
        parsed(GRAPH, iterations=3)


def test_without_a_default_the_first_processor_counts() -> None:
    first = GRAPH.replace(' default="true"', ' default="false"').replace('time="50"', 'time="5,6"')
    assert [process.latency for process in parsed(first).processes] == [(5, 6), 2]


@pytest.mark.parametrize(
    ("change", "taken"),
    [
        ({}, True), ({"forward": 3}, False), ({"forward": 0}, False), ({"forward": None}, False),
        ({"release": 0}, False), ({"release": 2}, False), ({"from_offset": None}, False), ({"from_offset": 1}, False),
        ({"depth": 3}, True),
    ],
)  # fmt: skip
def test_only_space_claimed_as_by_sdf3_is_written(change: dict[str, Any], taken: bool) -> None:
    """An actor of 2 cycles claims space at its start: its tokens are there, and the space is free, at its end."""
    plain: dict[str, Any] = {"ii": 0, "read": 0, "write": 0}
    processes = [Process(name="a", firings=4, latency=2, **plain), Process(name="b", firings=4, **plain)]
    claims = Channel(name="c", source="a", target="b", depth=2, from_offset=0, forward=2, release=1)
    network = Network(processes=processes, channels=[replace(claims, **change)])
    if taken:
        assert parsed(dump_sdf3(network).text, 4).channel("c").depth == network.channel("c").depth
    else:
        with pytest.raises(InputError, match=r"^channel 'c': depth = 2 is taken at the write and free after the read"):
            dump_sdf3(network)


def test_a_name_that_is_taken_is_made_longer() -> None:
    """The channel that keeps firings apart is called after its process, as no channel of the network is."""
    network = Network(
        processes=[Process(name="p", firings=6, ii=2, latency=2, read=0, write=0), Process(name="q", firings=6, ii=0)],
        channels=[Channel(name=name, source="p", target="q") for name in ("p.self", "p.self_")],
    )  # fmt: skip
    assert '<channel name="p.self__" srcActor="p"' in dump_sdf3(network, convention="sdf3").text
