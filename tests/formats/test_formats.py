"""Files and networks are the same thing written down: reading, writing, round trips, and nothing but InputError."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppnsim.errors import InputError
from ppnsim.files import load_network
from ppnsim.formats.decode import decode_json, decode_toml
from ppnsim.formats.network import parse_scenario
from ppnsim.formats.network_json import dump_network, parse_network
from ppnsim.formats.network_text import SUFFIXES, network_text
from ppnsim.model.builders import chain, fork_join, predictor, sdf
from ppnsim.model.latency import Distribution
from ppnsim.model.network import STYLES, Channel, Network, Process
from ppnsim.model.tokens import Listed, Rates, Runs
from tests.helpers.strategies import networks

TWO = {"processes": [{"name": "a", "firings": 4}, {"name": "b", "firings": 4}]}


def same(one: Network, other: Network) -> bool:
    """Whether two networks are equal in all that they were made of."""
    parts = ("name", "clock_ns", "processes", "channels", "resources")
    return all(getattr(one, part) == getattr(other, part) for part in parts)


# -- network JSON ------------------------------------------------------------------------------------------------------


def test_every_key_of_network_json_reaches_the_model() -> None:
    network = parse_network(
        {
            "clock_ns": 5,
            "resources": {"mult": 2},
            "processes": [
                {"name": "a", "firings": 4, "ii": 2, "latency": 3, "read": 1, "write": 2, "style": "frozen"},
                {"name": "b", "firings": 4, "latency": [1, 2, 3, 4], "resource": "mult"},
            ],
            "channels": [
                {
                    "name": "c", "from": "a", "to": "b", "depth": 3, "forward": 2, "release": 0, "initial": 1,
                    "width": 16, "from_offset": 5, "to_offset": 1,
                }
            ],
        }
    )  # fmt: skip
    assert same(
        network,
        Network(
            clock_ns=5.0,
            resources={"mult": 2},
            processes=[
                Process(name="a", firings=4, ii=2, latency=3, read=1, write=2, style="frozen"),
                Process(name="b", firings=4, latency=(1, 2, 3, 4), resource="mult"),
            ],
            channels=[
                Channel(
                    name="c", source="a", target="b", depth=3, forward=2, release=0, initial=1,
                    width=16, from_offset=5, to_offset=1,
                )
            ],
        ),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("keys", "tokens"),
    [
        ({}, Rates()),
        ({"produce": 3, "consume": [1, 2]}, Rates((3,), (1, 2))),
        ({"produce": 2}, Rates((2,), (1,))),
        ({"consume": [0, 1]}, Rates((1,), (0, 1))),
        ({"writes": [0, 2], "reads": [[1, 1], [3, 0], [3, 1]]}, Listed((0, 2), ((1, 1), (3, 0), (3, 1)))),
        ({"write_runs": [[0, 2, 2]], "read_runs": [[1, 1, 2]]}, Runs(((0, 2, 2),), ((1, 1, 2),))),
        ({"write_runs": [], "read_runs": []}, Runs((), ())),
        ({"depth": None, "writes": None, "reads": None}, Rates()),
    ],
)
def test_tokens_are_read_in_each_of_their_forms(keys: dict[str, Any], tokens: object) -> None:
    network = parse_network(TWO | {"channels": [{"from": "a", "to": "b", **keys}]})
    assert network.channels[0].tokens == tokens


@pytest.mark.parametrize(
    ("latency", "expected"),
    [
        (0, 0),
        ([1, 2, 3, 4], (1, 2, 3, 4)),
        ({"uniform": [3, 5], "seed": 7}, Distribution("uniform", (3, 5), 7)),
        ({"exponential": 2.5}, Distribution("exponential", (2.5,))),
        ({"choice": [1, 1, 8]}, Distribution("choice", (1, 1, 8))),
    ],
)
def test_latency_is_a_number_a_list_or_a_distribution(latency: object, expected: object) -> None:
    assert (
        parse_network({"processes": [{"name": "a", "firings": 4, "latency": latency}]}).process("a").latency == expected
    )


def test_channels_without_a_name_are_called_after_their_ends() -> None:
    ends = {"from": "a", "to": "b"}
    network = parse_network(TWO | {"channels": [ends, ends, {"name": "a->b#3", **ends}, ends]})
    assert [channel.name for channel in network.channels] == ["a->b", "a->b#2", "a->b#3", "a->b#4"]


def test_a_nameless_network_is_called_after_its_file(tmp_path: Path) -> None:
    file = tmp_path / "pair.json"
    file.write_text(json.dumps(TWO))
    assert load_network(file).name == "pair"
    file.write_text(json.dumps({"name": "two", **TWO}))
    assert load_network(file).name == "two"


def test_a_byte_order_mark_is_no_part_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "pair.json"
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps(TWO).encode())
    assert len(load_network(file).processes) == 2


# -- scenario TOML -----------------------------------------------------------------------------------------------------


def test_a_scenario_counts_its_times_in_its_clock() -> None:
    process = {"firings": 2, "ii": "2 cycles", "latency": ["20 ns", 3], "read": "0.01 us", "write": "5000 ps"}
    read = parse_scenario({"clock": "200 MHz", "process": {"a": process}}).process("a")
    assert read == Process(name="a", firings=2, ii=2, latency=(4, 3), read=2, write=1)


def test_the_style_of_a_scenario_is_that_of_processes_without_one() -> None:
    processes = {"a": {"firings": 1}, "b": {"firings": 1, "style": "elastic"}}
    network = parse_scenario({"style": "frozen", "process": processes})
    assert [process.style for process in network.processes] == ["frozen", "elastic"]


def test_a_scenario_says_what_network_json_says(tmp_path: Path) -> None:
    file = tmp_path / "pair.toml"
    file.write_text(
        'clock = "100 MHz"\n[resources]\nmult = 2\n[process.a]\nfirings = 4\nlatency = "30 ns"\nresource = "mult"\n'
        '[process.b]\nfirings = 2\n[channel.c]\nfrom = "a"\nto = "b"\nconsume = 2\ndepth = 3\nwidth = "2 bytes"\n'
    )
    data = {
        "name": "pair",
        "resources": {"mult": 2},
        "processes": [{"name": "a", "firings": 4, "latency": 3, "resource": "mult"}, {"name": "b", "firings": 2}],
        "channels": [{"name": "c", "from": "a", "to": "b", "consume": 2, "depth": 3, "width": 16}],
    }
    assert same(load_network(file), parse_network(data))
    assert dump_network(load_network(file)) == data


# -- round trips -------------------------------------------------------------------------------------------------------

LATENCIES = st.one_of(
    st.integers(0, 9),
    st.tuples(*[st.integers(0, 9)] * 4),
    st.builds(Distribution, st.just("uniform"), st.just((1, 5)), st.integers(0, 9)),
    st.builds(Distribution, st.just("normal"), st.just((2.5, 0.1)), st.integers(0, 9)),
)
OPTIONAL = st.none() | st.integers(0, 3)
TOKENS = st.sampled_from(
    [
        Rates(),
        Rates((2,), (1, 2)),
        Rates((1, 1), (1,)),
        Listed((0, 1, 2, 3), ((0, 0), (0, 1), (3, 1))),
        Listed((), ()),
        Runs(((0, 1, 4),), ((0, 2, 2), (3, 0, 2))),
    ]
)


def processes(name: str) -> st.SearchStrategy[Process]:
    """Draw processes of four firings."""
    return st.builds(
        Process,
        name=st.just(name),
        firings=st.just(4),
        ii=st.integers(1, 3),
        latency=LATENCIES,
        read=OPTIONAL,
        write=OPTIONAL,
        style=st.sampled_from(STYLES[:2]),
        resource=st.sampled_from([None, "alu"]),
    )


def channels(name: str) -> st.SearchStrategy[Channel]:
    """Draw channels from a to b."""
    return st.builds(
        Channel,
        name=st.just(name),
        source=st.just("a"),
        target=st.just("b"),
        tokens=TOKENS,
        depth=st.none() | st.integers(5, 9),
        forward=OPTIONAL,
        release=OPTIONAL,
        initial=st.integers(0, 5),
        width=st.sampled_from([1, 32, 512]),
        from_offset=st.none() | st.integers(20, 22),
        to_offset=OPTIONAL,
    )


@given(
    a=processes("a"),
    b=processes("b"),
    c=channels("c"),
    d=channels("d"),
    clock_ns=st.floats(1e-3, 1e6),
    name=st.text(st.characters(categories=["L", "N", "P"]), max_size=5),
)
def test_what_is_written_is_read_again_exactly(
    a: Process, b: Process, c: Channel, d: Channel, clock_ns: float, name: str
) -> None:
    network = Network(processes=[a, b], channels=[c, d], resources={"alu": 2}, clock_ns=clock_ns, name=name)
    assert same(parse_network(decode_json(network_text(network, "net.json"))), network)
    assert same(parse_scenario(decode_toml(network_text(network, "net.toml"))), network)


@given(network=networks())
def test_scheduled_processes_are_read_again_exactly(network: Network) -> None:
    assert same(parse_network(decode_json(network_text(network, "net.json"))), network)
    assert same(parse_scenario(decode_toml(network_text(network, "net.toml"))), network)


@given(name=st.text(st.characters().filter(str.isprintable), min_size=1, max_size=8).filter(str.strip))
def test_any_name_is_a_key_of_toml(name: str) -> None:
    network = Network(processes=[Process(name=name, firings=1)], channels=[], name=name)
    assert same(parse_scenario(decode_toml(network_text(network, "net.toml"))), network)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(
    "network",
    [
        chain(firings=20, ii=(1, 3, 1), depth=2),
        fork_join(firings=20),
        predictor(),
        sdf({"a": [1, 2], "b": 3}, {"c": ("a", [2, 1], 1, "b", 1)}, firings={"a": 4, "b": 6}, capacities={"c": 4}),
    ],
    ids=lambda network: network.name,
)
def test_networks_of_the_builders_survive_a_file(network: Network, suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"network{suffix}"
    file.write_text(network_text(network, file))
    assert same(load_network(file), network)


# -- whatever is thrown at it ------------------------------------------------------------------------------------------

# Numbers at the edges of what is counted, and no sizes that would fill the memory of the machine that runs the tests.
NUMBERS = st.sampled_from(
    [0, 1, 2, 3, 4, -1, 10, 2**53, 2**53 + 1, 2**63, -(2**64), 1.0, 0.5, -0.5, 1e300, True, False]
)
TEXTS = st.sampled_from(
    ["a", "b", "", "10 ns", "2 bytes", "3 cycles", "elastic", "frozen", "flushable", "alu", "\n", "1e9 s"]
)
ANYTHING = st.recursive(
    st.none() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS | st.text(max_size=3), inner, max_size=4),
    max_leaves=8,
)
SMALL = st.integers(0, 4)
DRAWN = st.sampled_from(
    [("uniform", [1, 3]), ("normal", [2, 0.5]), ("exponential", 2), ("geometric", 0.5), ("choice", [1, 4])]
)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "firings": st.just(4),
    "latency": SMALL | DRAWN.map(lambda drawn: dict([drawn])) | st.lists(SMALL, min_size=4, max_size=4),
    "style": st.sampled_from(STYLES),
    "resource": st.just("alu"),
    "from": st.sampled_from("ab"),
    "to": st.sampled_from("ab"),
    "width": st.just(16),
    "writes": st.lists(SMALL, max_size=4).map(sorted),
    "reads": st.lists(st.lists(SMALL, min_size=2, max_size=2), max_size=4),
    "write_runs": st.lists(st.lists(SMALL | NUMBERS, min_size=3, max_size=3), max_size=3),
    "read_runs": st.lists(st.lists(SMALL, min_size=3, max_size=3), max_size=3),
    "produce": SMALL | st.lists(SMALL, max_size=3),
    "consume": SMALL | st.lists(SMALL, max_size=3),
}
PROCESS_KEYS = ("ii", "latency", "read", "write", "style", "resource")
CHANNEL_KEYS = ("depth", "forward", "release", "initial", "width", "from_offset", "to_offset")
TOKEN_KEYS: tuple[list[str], ...] = (
    [],
    ["writes", "reads"],
    ["write_runs", "read_runs"],
    ["produce", "consume"],
    ["produce"],
)


def tables(must: list[str], may: tuple[str, ...]) -> st.SearchStrategy[dict[str, Any]]:
    """Draw tables in which every value is of the form that belongs there, if not in its place."""
    drawn = {key: VALUES.get(key, SMALL) for key in (*must, *may)}
    return st.fixed_dictionaries({key: drawn[key] for key in must}, optional={key: drawn[key] for key in may})


PROCESS = tables(["firings"], PROCESS_KEYS)
CHANNEL = st.sampled_from(TOKEN_KEYS).flatmap(lambda tokens: tables(["from", "to", *tokens], CHANNEL_KEYS))


@st.composite
def spoilt_files(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a file in the form of a scenario and put anything, or a number at an edge, in up to three places of it."""
    file: dict[str, Any] = {
        "resources": {"alu": 1},
        "process": {"a": draw(PROCESS), "b": draw(PROCESS)},
        "channel": draw(st.dictionaries(st.sampled_from("cde"), CHANNEL, max_size=3)),
    }
    for _ in range(draw(st.integers(0, 3))):
        places = [
            file,
            *file.values(),
            *(table for kind in ("process", "channel") for table in _tables(file.get(kind))),
        ]
        place = draw(st.sampled_from([place for place in places if isinstance(place, dict)]))
        place[draw(st.sampled_from([*place, "clock"]) | TEXTS)] = draw(NUMBERS | ANYTHING)
    return file


def _tables(kind: object) -> list[object]:
    return list(kind.values()) if isinstance(kind, dict) else []


def as_json(file: dict[str, Any]) -> dict[str, Any]:
    """Return the same file as network JSON writes it: lists of named objects, and another word for the clock."""
    renamed = {"clock": "clock_ns", "process": "processes", "channel": "channels"}
    data = {renamed.get(key, key): value for key, value in file.items()}
    for kind in ("processes", "channels"):
        if isinstance(data[kind], dict):
            data[kind] = [{"name": n, **keys} if isinstance(keys, dict) else keys for n, keys in data[kind].items()]
    return data


def outcome(load: Any, data: object) -> str:
    """Return what became of a file; any other exception than the two named is the test's failure."""
    try:
        return type(load(data)).__name__
    except InputError as error:
        assert str(error)
        assert "pydantic" not in str(error)
        return "InputError"


@settings(max_examples=60, deadline=None)
@given(data=spoilt_files())
def test_json_and_scenarios_give_a_network_or_an_input_error(
    data: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.getbasetemp() / "fuzz.json"
    file.write_text(json.dumps(as_json(data)))
    assert outcome(load_network, file) in ("Network", "InputError")
    assert outcome(parse_scenario, data) in ("Network", "InputError")


@settings(max_examples=100, deadline=None)
@given(data=ANYTHING)
def test_any_json_gives_an_input_error(data: Any) -> None:
    assert outcome(parse_network, data) == "InputError"


@settings(max_examples=200, deadline=None)
@given(content=st.binary(max_size=60) | st.text(max_size=60).map(str.encode), suffix=st.sampled_from(["json", "toml"]))
def test_bytes_give_an_input_error(content: bytes, suffix: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.getbasetemp() / f"fuzz.{suffix}"
    file.write_bytes(content)
    assert outcome(load_network, file) == "InputError"


def test_a_clock_that_is_a_frequency_survives_a_file_with_the_times_counted_in_it(tmp_path: Path) -> None:
    path = tmp_path / "net.toml"
    text = 'clock = "300 MHz"\n\n[process."a"]\nfirings = 4\nlatency = "40 ns"\n'
    path.write_text(text, encoding="utf-8")
    network = load_network(path)
    assert network.process("a").latency == 12
    assert network_text(network, path).partition("\n")[2].startswith('clock = "300 MHz"\n')
    path.write_text(network_text(network, path).replace("latency = 12", 'latency = "40 ns"'), encoding="utf-8")
    assert load_network(path) == network
