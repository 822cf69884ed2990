"""The one door for files: what a file holds, who reads it, and what is said of a file in the wrong place."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib import import_module
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ppnsim
from ppnsim.errors import InputError
from ppnsim.files import load, load_as, load_network, readers
from ppnsim.formats import decode
from ppnsim.formats.decode import decode_toml
from ppnsim.formats.network import ScenarioToml, parse_scenario
from ppnsim.formats.network_json import parse_network
from ppnsim.formats.network_text import network_text
from ppnsim.formats.reader import Reader
from ppnsim.formats.sdf3_dump import dump_sdf3
from ppnsim.model.builders import chain
from ppnsim.model.network import Network

SCENARIOS = Path(__file__).parents[2] / "scenarios"
MESSAGES = '{"loggp": {"L": 5, "o": 1, "g": 2, "G": 0}, "schedule": [[["send", 8, 1, []]], [["recv", 8, 0, []]]]}'
FLOWS = '{"star": {"hosts": 2, "bandwidth": 1e9, "latency": 1e-6}, "flows": [[0, 1, 1000, 0]]}'
MEMORY = '{"dram": "DDR4-2400", "traffic": {"mode": "closed", "pattern": "seq", "Q": 4, "requests": 1000}}'
OTHERS = {
    "m.json": (MESSAGES, "Messages"),
    "f.json": (FLOWS, "Flows"),
    "d.json": (MEMORY, "MemoryFile"),
    "t.toml": ("[latency]\nf = 3", "TimingFile"),
    "b.toml": ("[[memory]]\nname = 'a'\nbits = 1\nshapes = [[1, 1]]", "MemoryTable"),
    "n.json": ('{"processes": [{"name": "a", "firings": 1}]}', "Network"),
    "k.c": ("void f(int a[4]) { for (int i = 0; i < 4; i++) a[i] = i; }", "Network"),
}
FOLDERS = {"networks": "Network", "opencl": "OpenclFile", "platforms": "PlatformFile", "rooflines": "RooflineFile"}


@pytest.mark.parametrize("path", sorted(SCENARIOS.glob("*/*.toml")), ids=lambda path: path.stem)
def test_every_shipped_file_is_read_as_what_its_folder_says(path: Path) -> None:
    expected = FOLDERS[path.parent.name]
    if expected == "Network" and "[node." in path.read_text(encoding="utf-8"):
        expected = "Placement"
    assert type(ppnsim.load(path)).__name__ == expected


@pytest.mark.parametrize("name", OTHERS)
def test_a_file_is_read_as_what_it_holds(name: str, tmp_path: Path) -> None:
    text, expected = OTHERS[name]
    (tmp_path / name).write_text(text)
    assert type(load(tmp_path / name)).__name__ == expected


@pytest.mark.parametrize("reader", readers(), ids=lambda reader: reader.makes)
def test_a_reader_makes_what_it_says_and_takes_the_options_it_lists(reader: Reader) -> None:
    function = getattr(import_module(reader.home), reader.function or "read")
    hints = get_type_hints(function)
    assert hints.pop("return").__name__ == reader.makes
    assert set(reader.options) == set(hints) - {"data", "path", "_"}


@pytest.mark.parametrize(
    ("name", "kinds", "words"),
    [
        ("m.json", ("Network",), "holds messages between ranks, not a network (it is for ppnsim run)"),
        ("n.json", ("MemoryFile",), "holds a network, not a memory and its traffic (it is for ppnsim run, explain, "),
        ("t.toml", ("PlatformFile", "Placement"), "holds cycles of statements, not a network placed on nodes or a pla"),
        ("k.c", ("OpenclFile",), "holds C or C++ source, not an OpenCL kernel (it is for ppnsim run, explain, "),
        ("t.toml", ("Messages",), "holds cycles of statements, not messages between ranks (it is for ppnsim profile, "),
    ],
)
def test_a_file_of_the_wrong_kind_is_named_with_its_command(
    name: str, kinds: tuple[str, ...], words: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(OTHERS[name][0])
    with pytest.raises(InputError) as raised:
        load(tmp_path / name, *kinds)
    assert str(raised.value).startswith(f"{tmp_path / name}: {words}")


def test_options_of_another_kind_of_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "m.json").write_text(MESSAGES)
    with pytest.raises(InputError, match=r"m\.json: iterations can only be used with a network; this file holds mess"):
        load(tmp_path / "m.json", iterations=3)


def test_a_file_is_decoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []

    def counted(text: str) -> dict[str, Any]:
        texts.append(text)
        return decode.decode_toml(text)

    monkeypatch.setattr("ppnsim.files._DECODERS", {".toml": counted})
    load(SCENARIOS / "networks" / "predictor.toml")
    assert len(texts) == 1


def test_what_nobody_recognises_is_read_as_what_the_caller_wants(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text("colour = 'red'")
    assert ScenarioToml.known_keys()[0] == "name"
    with pytest.raises(InputError, match=r"unknown key 'colour' \(known: channel, clock"):
        load_as(file, Network)
    with pytest.raises(InputError, match=r"unknown key 'colour' \(known: application, bus"):
        load(file, "PlatformFile")


def test_another_suffix_is_read_where_only_one_format_is_possible(tmp_path: Path) -> None:
    file = tmp_path / "cycles.conf"
    file.write_text("[latency]\nf = 3")
    assert type(load(file, "TimingFile")).__name__ == "TimingFile"
    with pytest.raises(InputError, match=r"'\.conf' is not a format that ppnsim reads here \(known: \.toml, \.json, "):
        load(file, "Network")


TOML = '[process.a]\nfirings = 4\n[process.b]\nfirings = 4\n[channel.c]\nfrom = "a"\nto = "b"\ndepth = "unbounded"\n'


def test_standard_input_says_its_format_by_its_first_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    network = load_network_text(monkeypatch, TOML)
    assert (network.name, network.channel("c").depth) == ("standard input", None)
    assert load_network_text(monkeypatch, network_text(network, ".json")) == network
    still = network.replace(processes=[replace(each, ii=0) for each in network.processes])
    assert load_network_text(monkeypatch, dump_sdf3(still).text).firings == 2


def load_network_text(monkeypatch: pytest.MonkeyPatch, text: str) -> Network:
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(text.encode())))
    return load_network("-")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("\n", "standard input is empty"),
        ('#include "hls_stream.h"\nvoid f(int a[4]) {}\n', "give C and C\\+\\+ as a file"),
        ("void f(int a[4]) {}\n", "give C and C\\+\\+ as a file"),
    ],
)
def test_standard_input_that_holds_no_network_says_what_to_give(
    monkeypatch: pytest.MonkeyPatch, text: str, words: str
) -> None:
    with pytest.raises(InputError, match=words):
        load_network_text(monkeypatch, text)


def test_a_suffix_in_capitals_is_that_suffix(tmp_path: Path) -> None:
    (tmp_path / "NET.TOML").write_text(TOML, encoding="utf-8")
    assert load_network(tmp_path / "NET.TOML").firings == 8


@given(st.floats(1e-3, 1e6, allow_subnormal=False), st.sampled_from(["toml", "json"]))
def test_a_clock_reads_back_as_it_was(period: float, suffix: str) -> None:
    network = chain(firings=2).replace(clock_ns=period)
    text = network_text(network, f"x.{suffix}")
    again = parse_scenario(decode_toml(text)) if suffix == "toml" else parse_network(json.loads(text))
    assert again == network
