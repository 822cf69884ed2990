"""Every bad input has its own message, asserted whole: where, what, the value, the rule, the way out."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from ppnsim.errors import InputError
from ppnsim.files import load_network
from ppnsim.formats import quantities
from ppnsim.formats.decode import DecodeError, decode_json, decode_toml

A = "[process.a]\nfirings = 4\n"
B = "[process.b]\nfirings = 4\n"
C = '[channel.c]\nfrom = "a"\nto = "b"\n'
AB = [{"name": "a", "firings": 4}, {"name": "b", "firings": 4}]
TIMES = "cycle, cycles, fs, ps, ns, us, ms, s"


@pytest.fixture(autouse=True)
def _in_an_empty_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def complaint(path: str, content: str | bytes | None = None) -> str:
    """Return what is said about a file of this content; the path is relative, as people type it."""
    if content is not None:
        Path(path).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError) as error:
        load_network(path)
    return str(error.value)


RULES_OF_THE_MODEL = {
    "missing process": (
        A + B + '[channel.c]\nfrom = "a"\nto = "bb"\n',
        "channel 'c': to = 'bb' is not a process (did you mean 'b'?)",
    ),
    "negative ii": (A + "ii = -1", "process 'a': ii = -1 is negative (initiation intervals start at 1 cycle)"),
    "ii 0 in a style that has none": (
        A + 'ii = 0\nstyle = "frozen"',
        "process 'a': ii = 0 in a frozen process: only an elastic one may start any number of firings in a cycle",
    ),
    "negative latency": (A + "latency = -3", "process 'a': latency = -3 is negative (latencies start at 0 cycles)"),
    "negative time": (A + 'latency = "-30 ns"', "process 'a': latency = -3 is negative (latencies start at 0 cycles)"),
    "negative read": (A + "read = -1", "process 'a': read = -1 is negative (latencies start at 0 cycles)"),
    "no firing": ("[process.a]\nfirings = 0", "process 'a': firings = 0 must be at least 1"),
    "rates that do not balance": (
        A + B + C + "produce = 2\nconsume = 3",
        "channel 'c': rates do not balance: 4 firings of the consumer read 12 tokens, but there are only 0 initial and "
        "8 written by 4 firings of the producer",
    ),
    "a token read but never written": (
        A + B + C + "writes = [0, 1]\nreads = [[0, 0], [1, 2]]",
        "channel 'c': token 2 is read by firing 1 but never written "
        "(there are 2 tokens, from 0 on: 0 initial, 2 written)",
    ),
    "a token read before it can exist": (
        A + '[channel.c]\nfrom = "a"\nto = "a"',
        "channel 'c': token 0 is read by firing 0 of 'a' at step 0, before firing 0 of the same process can have "
        "written it at step 2 (give the channel initial tokens, or let earlier firings write them)",
    ),
    "depth 0": (
        A + B + C + "depth = 0",
        "channel 'c': depth = 0 holds no token, so nothing could ever pass (depths start at 1; leave it out for "
        "unbounded)",
    ),
    "initial above depth": (
        A + B + C + "depth = 2\ninitial = 3",
        "channel 'c': initial = 3 tokens do not fit in depth = 2",
    ),
    "empty network": ('name = "nothing"', "the network has no process, so there is nothing to run"),
    "undeclared resource": (
        "[resources]\nmult = 1\n" + A + 'resource = "multi"',
        "process 'a': resource 'multi' is not declared (did you mean 'mult'?)",
    ),
    "unknown distribution": (
        A + "latency = {unifrom = [1, 2]}",
        "process 'a': latency: 'unifrom' is not a distribution (did you mean 'uniform'?)",
    ),
}

RULES_OF_FORM = {
    "unknown key": (A + "latancy = 3", "process 'a': unknown key 'latancy' (did you mean 'latency'?)"),
    "word of other tools": (A + B + C + "bits = 3", "channel 'c': unknown key 'bits' (did you mean 'width'?)"),
    "unknown table": ("[processes.a]\nfirings = 4", "unknown key 'processes' (did you mean 'process'?)"),
    "unknown far-off key": (
        A + "colour = 3",
        "process 'a': unknown key 'colour' (known: firings, fixed, ii, latency, read, resource, runs, start_steps, "
        "steps, style, write)",
    ),
    "line in a key": (
        '"fir\\nings" = 4\n' + A,
        "unknown key 'fir\\nings' (known: channel, clock, clock_ns, convention, name, process, resources, style)",
    ),
    "missing key": ("[process.a]\nii = 1", "process 'a': firings is missing"),
    "no table": ("process = 3", "process = 3 must be a table of keys"),
    "no table inside": ("process.a = 3", "process.a = 3 must be a table of keys"),
    "not whole": ("[process.a]\nfirings = 4.0", "process 'a': firings = 4.0 must be a whole number"),
    "a truth": ("[process.a]\nfirings = true", "process 'a': firings = true must be a whole number"),
    "not a number": (A + "ii = nan", "process 'a': ii = nan must be a whole number"),
    "huge": (
        f"[process.a]\nfirings = {2**63}",
        f"process 'a': firings = {2**63} is out of range (whole numbers up to 2**53 are taken)",
    ),
    "deep in a list": (
        A + 'latency = [1, 2, "x", 4]',
        f"process 'a': latency[2] = 'x' must be a number and a unit: {TIMES}",
    ),
    "a number in quotes": (
        A + 'latency = "9"',
        f"process 'a': latency = '9' must be a number and a unit: {TIMES} (write 9 without quotes)",
    ),
    "wrong unit of time": (
        A + 'latency = "3 miles"',
        f"process 'a': latency = '3 miles' must be a number and a unit: {TIMES}",
    ),
    "wrong unit of clock": (
        'clock = "10 parsec"\n' + A + 'latency = "3 ns"',
        "clock = '10 parsec' must be a number and a unit: fs, ps, ns, us, ms, s, Hz, kHz, MHz, GHz",
    ),
    "wrong unit of width": (
        A + B + C + 'width = "32 ns"',
        "channel 'c': width = '32 ns' must be a number and a unit: bit, bits, byte, bytes",
    ),
    "no whole number of cycles": (
        'clock = "300 MHz"\n' + A + 'ii = "5 ns"',
        "process 'a': ii = '5 ns' is 1.5 cycles of 3.33333 ns (a whole number of cycles is needed)",
    ),
    "clock that stands": ("clock_ns = 0\n" + A, "clock_ns = 0 must be a period above 0 ns"),
    "clock without end": ("clock_ns = inf\n" + A, "clock_ns = inf must be a period above 0 ns"),
    "clock of another kind": (
        "clock = true\n" + A,
        "clock = true must be a text with its unit, like '10 ns' or '100 MHz'",
    ),
    "clock without a unit": (
        "clock = 200\n" + A,
        "clock = 200 must be a text with its unit, like '10 ns' or '100 MHz' (is it '200 ns' or '200 MHz'?)",
    ),
    "two clocks": (
        'clock = "10 ns"\nclock_ns = 10\n' + A,
        "clock and clock_ns both say the period (give one)",
    ),
    "huge clock": (f"clock_ns = {2**60}\n" + A, f"clock_ns = {2**60} is out of range (numbers up to 2**53 are taken)"),
    "unknown style": (
        A + 'style = "frozzen"',
        "process 'a': style = 'frozzen' is none of elastic, flushable, frozen (did you mean 'frozen'?), nor a kind of "
        "hardware (ppnsim styles)",
    ),
    "style of another kind": ("style = 3", "style = 3 is none of elastic, flushable, frozen"),
    "resource without number": (
        '[resources]\nmult = "two"\n' + A,
        "resources.mult = 'two' must be a whole number",
    ),
    "resources of another kind": ("resources = 3\n" + A, "resources = 3 must be a table of whole numbers by name"),
    "distribution of two names": (
        A + "latency = {uniform = [1, 2], normal = [3, 1]}",
        "process 'a': latency = {'uniform': [1, 2], 'normal': [3, 1]} must name one distribution with its numbers, "
        "like {uniform = [3, 5], seed = 1}",
    ),
    "distribution without numbers": (
        A + 'latency = {uniform = ["a", "b"]}',
        "process 'a': latency.uniform = ['a', 'b'] must be numbers",
    ),
    "distribution without bounds": (
        A + "latency = {exponential = inf}",
        "process 'a': latency.exponential = inf is out of range (numbers up to 2**31 are taken)",
    ),
    "seed": (
        A + "latency = {exponential = 3, seed = 0.5}",
        "process 'a': latency.seed = 0.5 must be a whole number",
    ),
    "two ways to list tokens": (
        A + B + C + "writes = [0]\nreads = [[0, 0]]\nproduce = 2",
        "channel 'c': writes and produce each say which firing touches which token (give one)",
    ),
    "half a way to list tokens": (
        A + B + C + "read_runs = [[0, 1, 4]]",
        "channel 'c': read_runs without write_runs (give both)",
    ),
    "run of two": (
        A + B + C + "write_runs = [[0, 1]]\nread_runs = [[0, 1, 4]]",
        "channel 'c': write_runs[0] = [0, 1] must be [first, step, count]",
    ),
    "read of a text": (
        A + B + C + 'writes = [0]\nreads = [[0, "x"]]',
        "channel 'c': reads[0][1] = 'x' must be a whole number",
    ),
    "no list": (A + B + C + "writes = 3\nreads = []", "channel 'c': writes = 3 must be a list of firings"),
    "line in a name": (
        '[process."a\\nb"]\nfirings = 4\n[channel.c]\nfrom = "a\\nb"\nto = "a\\nb"\ninitial = 1',
        "name = 'a\\nb' must be a text of printable characters\n"
        "bad.toml: channel 'c': from = 'a\\nb' must be a text of printable characters\n"
        "bad.toml: channel 'c': to = 'a\\nb' must be a text of printable characters",
    ),
    "all at once": (
        'clock = "x"\n[process.a]\nfirings = 3.5\nlatancy = 1\n[channel.c]\nfrom = "a"\ndepth = "8"',
        "clock = 'x' must be a number and a unit: fs, ps, ns, us, ms, s, Hz, kHz, MHz, GHz\n"
        "bad.toml: process 'a': firings = 3.5 must be a whole number\n"
        "bad.toml: process 'a': unknown key 'latancy' (did you mean 'latency'?)\n"
        "bad.toml: channel 'c': to is missing\n"
        "bad.toml: channel 'c': depth = '8' must be a whole number, or 'unbounded'",
    ),
}


@pytest.mark.parametrize(("content", "message"), RULES_OF_THE_MODEL.values(), ids=RULES_OF_THE_MODEL)
def test_a_scenario_that_breaks_a_rule_of_the_model_is_told_which(content: str, message: str) -> None:
    assert complaint("bad.toml", content) == f"bad.toml: {message}"


@pytest.mark.parametrize(("content", "message"), RULES_OF_FORM.values(), ids=RULES_OF_FORM)
def test_a_scenario_of_bad_form_is_told_all_that_is_wrong(content: str, message: str) -> None:
    assert complaint("bad.toml", content) == f"bad.toml: {message}"


JSON: dict[str, tuple[Any, str]] = {
    "unknown key": (
        {"processes": [{"name": "a", "firings": 4, "lat": 1}]},
        "process 'a': unknown key 'lat' (did you mean 'latency'?)",
    ),
    "unknown key at the top": (
        {"processes": AB, "clocks": 10},
        "unknown key 'clocks' (did you mean 'clock'?)",
    ),
    "missing process": (
        {"processes": AB, "channels": [{"from": "a", "to": "d"}]},
        "channel 'a->d': to = 'd' is not a process (known: a, b)",
    ),
    "duplicate process": ({"processes": [AB[0], AB[0]]}, "process 'a' is declared twice (names are unique)"),
    "duplicate channel": (
        {"processes": AB, "channels": [{"name": "c", "from": "a", "to": "b"}] * 2},
        "channel 'c' is declared twice (names are unique)",
    ),
    "empty name": ({"processes": [{"name": "", "firings": 4}]}, "a process has an empty name"),
    "empty network": ({"processes": []}, "the network has no process, so there is nothing to run"),
    "nothing": ({}, "the network has no process, so there is nothing to run"),
    "no name": ({"processes": [{"firings": 4}]}, "processes[0]: name is missing"),
    "null for what must be there": ({"processes": [{"name": "a", "firings": None}]}, "process 'a': firings is missing"),
    "null for what is not known": (
        {"processes": [{"name": "a", "firings": 4, "x": None}]},
        "process 'a': unknown key 'x' (known: firings, fixed, ii, latency, name, read, resource, runs, start_steps, "
        "steps, style, write)",
    ),
    "units": (
        {"processes": [{"name": "a", "firings": 4, "latency": "30 ns"}]},
        "process 'a': latency = '30 ns' must be a whole number",
    ),
    "clock with a unit": (
        {"clock_ns": "10 ns", "processes": AB},
        "clock_ns = '10 ns' must be a number of nanoseconds (clock takes texts like '10 ns' or '100 MHz')",
    ),
    "negative clock": ({"clock_ns": -1.5, "processes": AB}, "clock_ns = -1.5 must be a period above 0 ns"),
    "a list": ([1, 2], "[1, 2] must be a table of keys"),
    "a result": (
        {"file": "a.toml", "finish": 83, "engine": "des", "deadlock": None, "parallelism": {}},
        "holds the result of a run, not a network; give the file that was run, 'a.toml'",
    ),
    "processes by name": ({"processes": {"a": {"firings": 4}}}, "processes = {'a': {'firings': 4}} must be a list"),
    "a process of another kind": ({"processes": [AB[0], "b"]}, "processes[1] = 'b' must be a table of keys"),
    "tokens twice": (
        {"processes": AB, "channels": [{"from": "a", "to": "b", "produce": 1, "write_runs": [], "read_runs": []}]},
        "channels[0]: write_runs and produce each say which firing touches which token (give one)",
    ),
    "a long value": (
        {"processes": [{"name": "a", "firings": "x" * 100}]},
        f"process 'a': firings = '{'x' * 59}... must be a whole number",
    ),
}


@pytest.mark.parametrize(("data", "message"), JSON.values(), ids=JSON)
def test_bad_json_is_told_what_is_wrong(data: Any, message: str) -> None:
    assert complaint("bad.json", json.dumps(data)) == f"bad.json: {message}"


SYNTAX = {
    "json": ("bad.json", '{"processes":\n  [}', "bad.json:2:4: expecting value"),
    "empty json": ("bad.json", "", "bad.json:1:1: expecting value"),
    "toml": ("bad.toml", "name = 'a'\nclock = = 3\n", "bad.toml:2:9: invalid value"),
    "toml with a clock without quotes": (
        "bad.toml",
        "name = 'a'\nclock = 200 MHz # fast\n",
        'bad.toml:2:13: expected newline or end of document after a statement (a text stands in quotes: "200 MHz")',
    ),
    "toml with a name without quotes": (
        "bad.toml",
        "channel.c = {from = a, to = 'b'}",
        'bad.toml:1:21: invalid value (a text stands in quotes: "a")',
    ),
    "toml with a style without quotes": (
        "bad.toml",
        "style = frozen",
        'bad.toml:1:9: invalid value (a text stands in quotes: "frozen")',
    ),
    "end of toml": ("bad.toml", "name = 'a'\nclock = ", "bad.toml:2:9: invalid value"),
    "unfinished toml": (
        "bad.toml",
        'name = "a',
        "bad.toml:1:8: the text of 'name' that begins here is not closed (write \" at its end)",
    ),
    "duplicate process in toml": ("bad.toml", A + A, "bad.toml:3:11: process 'a' is declared twice (names are unique)"),
    "duplicate key in toml": ("bad.toml", A + "firings = 5", "bad.toml:3:12: this key or table is given twice"),
    "duplicate key in json": (
        "bad.json",
        '{"processes": [{"name": "a", "firings": 4, "firings": 5}]}',
        "bad.json: key 'firings' is given twice in the object called 'a'",
    ),
    "duplicate key at the top": (
        "bad.json",
        '{"processes": [], "processes": []}',
        "bad.json: key 'processes' is given twice",
    ),
    "not a number": (
        "bad.json",
        '{"clock_ns": NaN}',
        "bad.json: NaN is not a number that a file can hold (JSON does not know it either)",
    ),
    "infinity by overflow": ("bad.json", '{"clock_ns": 1e999}', "bad.json: clock_ns = inf must be a period above 0 ns"),
    "digits in json": (
        "bad.json",
        '{"clock_ns": ' + "9" * 5000 + "}",
        "bad.json: holds a number of thousands of digits (whole numbers up to 2**53 are taken)",
    ),
    "digits in toml": (
        "bad.toml",
        "clock = " + "9" * 5000,
        "bad.toml: holds a number of thousands of digits (whole numbers up to 2**53 are taken)",
    ),
    "nested": ("bad.json", "[" * 100_000, "bad.json: brackets are nested too deeply"),
    "not UTF-8": ("bad.toml", b'name = "\xff"', "bad.toml: is not UTF-8 text (byte 8 is 0xff)"),
    "half a pair": (
        "bad.json",
        '{"processes": [{"name": "\\ud800", "firings": 4}]}',
        "bad.json: processes[0]: name = '\\ud800' must be a text of printable characters",
    ),
}


@pytest.mark.parametrize(("path", "content", "message"), SYNTAX.values(), ids=SYNTAX)
def test_a_file_that_cannot_be_decoded_is_told_where(path: str, content: str | bytes, message: str) -> None:
    assert complaint(path, content) == message


def test_a_file_that_is_not_there_is_told_so() -> None:
    assert complaint("nowhere/bad.toml") == "nowhere/bad.toml: no such file"


def test_a_directory_is_told_so() -> None:
    Path("bad.json").mkdir()
    assert complaint("bad.json") == "bad.json: is a directory; give a file in it"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root and Windows read what chmod 0 forbids")
def test_a_file_that_may_not_be_read_is_told_so() -> None:
    Path("bad.toml").touch(mode=0o000)
    assert complaint("bad.toml") == "bad.toml: cannot be read: Permission denied"


@pytest.mark.parametrize(("path", "shown"), [("net.yaml", ".yaml"), ("net", "net"), ("net.YAML", ".YAML")])
def test_an_unknown_format_is_refused_by_its_name(path: str, shown: str) -> None:
    assert (
        complaint(path, "") == f"{path}: '{shown}' is not a format that ppnsim reads here "
        "(known: .toml, .json, .xml, .c, .h, .cc, .cpp, .cxx, .C, .hh, .hpp, .tcl, .cfg)"
    )


def test_tokens_that_fit_in_no_memory_are_told_so() -> None:
    runs = f"write_runs = [[0, 0, {2**50}]]\nread_runs = [[0, 0, {2**50}]]"
    words = "the network is too large: its tokens do not fit in memory, or their number not in 64 bits"
    assert complaint("bad.toml", A + B + C + runs) == f"bad.toml: {words}"


@pytest.mark.parametrize("kind", [quantities.PerByte, quantities.Bandwidth, quantities.Port])
def test_only_seconds_may_be_a_number_without_a_unit(kind: Any) -> None:
    assert TypeAdapter(quantities.Seconds).validate_python(2) == 2
    with pytest.raises(ValidationError, match="must be a text of a number and a unit"):
        TypeAdapter(kind).validate_python(2)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("depth = 2", "unknown key 'depth' (it stands in [channel.NAME])"),
        ("firings = 2", "unknown key 'firings' (it stands in [process.NAME])"),
        ("[channel.c]\nfrom = 'a'\nto = 'a'\nii = 2", "channel 'c': unknown key 'ii' (it stands in [process.NAME])"),
        ("[process.b]\nfirings = 1\ndepth = 2", "process 'b': unknown key 'depth' (it stands in [channel.NAME])"),
    ],
)
def test_a_key_in_the_wrong_table_is_told_where_it_stands(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "net.toml"
    file.write_text(f"{text}\n[process.a]\nfirings = 4\n")
    with pytest.raises(InputError) as told:
        load_network(file)
    assert words in str(told.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[process.\N{LATIN SMALL LETTER A WITH DIAERESIS}]", "stands in quotes)"),
        ("clock = \N{LEFT DOUBLE QUOTATION MARK}100 MHz\N{RIGHT DOUBLE QUOTATION MARK}", "is no quote of TOML: write"),
        ("clock\N{NO-BREAK SPACE}= 3", "a blank that is none, U+00A0"),
        ("a = 1\rb = 2\r[c", "its lines end in CR alone"),
        ('{"a": 1}', "it looks like JSON: call the file .json"),
        ("<sdf3/>", "it looks like XML"),
        ("a = {b = 1,\nc = 2}", "what is in braces stands on one line"),
        ("a = [1, 2\nb = 3", "a comma between two values, or the ] of their list, is missing"),
    ],
)
def test_habits_of_other_formats_are_told_of_toml(text: str, words: str) -> None:
    with pytest.raises(DecodeError, match=re.escape(words)):
        decode_toml(text)


@pytest.mark.parametrize(
    ("text", "place", "quote"),
    [
        ('clock = "200 MHz\n[process.a]\n', "1:9", '"'), ("b = 1\na = 'x\n", "2:5", "'"),
        ("a = 'x\nb = 'y'", "1:5", "'"),
        ('a = ["it\'s", "y]\n', "1:14", '"'), ('b = 1\na = """x\ny', "2:5", '"""'), ('a = "x\\"\n', "1:5", '"'),
    ],
)  # fmt: skip
def test_a_text_that_is_not_closed_is_told_where_it_begins(text: str, place: str, quote: str) -> None:
    with pytest.raises(DecodeError, match=re.escape(f"not closed (write {quote} at its end)")) as told:
        decode_toml(text)
    assert told.value.place == place


def test_toml_that_is_called_json_is_told() -> None:
    with pytest.raises(DecodeError, match=r"it looks like TOML: call the file \.toml"):
        decode_json('clock = "100 MHz"\n')
