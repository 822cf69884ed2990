"""The values of files one by one: where each of them ends, and the rule that is told beyond it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from pydantic_core import PydanticCustomError

from ppnsim.errors import InputError
from ppnsim.files import load_network
from ppnsim.formats import quantities, values
from ppnsim.formats.decode import DecodeError
from ppnsim.formats.xml_tree import decode_xml

MOST = 2**53


def told(ask: Callable[[], Any]) -> tuple[str, str, str]:
    """Return the rule that is broken, where, and the value that is shown."""
    with pytest.raises(PydanticCustomError) as error:
        ask()
    context: Any = error.value.context
    return context["words"], context.get("at", ""), context.get("value", "")


@pytest.mark.parametrize(
    ("read", "value", "found"),
    [
        (values.whole, MOST, MOST), (values.whole, -MOST, -MOST), (values.whole_from(3), 3, 3),
        (values.real, MOST, float(MOST)), (values.real, -1.5, -1.5), (values.measure, 0, 0.0),
        (values.measure, 2**-53, 2**-53), (values.text, "a b", "a b"), (values.text, "", ""),
        (values.listed(values.whole, "numbers"), [], ()), (values.listed(values.whole, "numbers"), [1, 2], (1, 2)),
        (values.listed(values.whole, "[a, b]", length=2), [1, 2], (1, 2)), (values.chosen_from((4, "x")), "x", "x"),
        (values.whole_by_name, {"a": 1}, {"a": 1}), (values.whole_by_name, {}, {}),
        (quantities.size, "2 KiB", 2048), (quantities.size, 7, 7), (quantities.number, 0.1, Fraction(1, 10)),
        (quantities.seconds, 0.25, Fraction(1, 4)), (quantities.seconds, "5 ns", Fraction(5, 10**9)),
        (quantities.flag, False, False), (quantities.provenance, {"a": "b"}, {"a": "b"}),
        (quantities.efficiency, [["1 KiB", 0.5]], ((1024, Fraction(1, 2)),)),
    ],
)  # fmt: skip
def test_what_is_taken(read: Callable[[Any], Any], value: Any, found: Any) -> None:
    taken = read(value)
    assert (taken, type(taken)) == (found, type(found))


_WHOLE, _NUMBER = "must be a whole number", "must be a number"
_UNITS = "byte, bytes, B, kB, MB, GB, KiB, MiB, GiB"
REFUSED: list[tuple[Callable[..., Any], Any, str, str, str]] = [
    (values.whole, True, _WHOLE, "", "true"), (values.whole, 3.0, _WHOLE, "", "3.0"),
    (values.whole, None, _WHOLE, "", "null"),
    (values.whole, MOST + 1, "is out of range (whole numbers up to 2**53 are taken)", "", str(MOST + 1)),
    (values.whole, -MOST - 1, "is out of range (whole numbers up to 2**53 are taken)", "", str(-MOST - 1)),
    (values.whole_from(3), 2, "must be at least 3", "", "2"),
    (values.real, False, _NUMBER, "", "false"), (values.real, "4", _NUMBER, "", "'4'"),
    (values.real, float("nan"), "is out of range (numbers up to 2**53 are taken)", "", "nan"),
    (values.real, 2.0**53 + 2, "is out of range (numbers up to 2**53 are taken)", "", "9007199254740994.0"),
    (values.measure, -0.5, "must be at least 0", "", "-0.5"),
    (values.measure, 2**-54, "is out of range (0, or numbers from 2**-53 on)", "", "5.551115123125783e-17"),
    (values.text, "a\nb", "must be a text of printable characters", "", "'a\\nb'"),
    (values.text, 4, "must be a text of printable characters", "", "4"),
    (values.listed(values.whole, "numbers"), 4, "must be a list of numbers", "", "4"),
    (values.listed(values.whole_from(1), "numbers"), [1, 0], "must be at least 1", "[1]", "0"),
    (values.listed(values.whole, "[a, b]", length=2), [1], "must be [a, b]", "", "[1]"),
    (values.chosen_from(("one", "two")), "tow", "is none of one, two (did you mean 'two'?)", "", ""),
    (values.chosen_from(("one", "two")), "zzz", "is none of one, two", "", ""),
    (values.chosen_from(("one", "two")), 4, "is none of one, two", "", ""),
    (values.chosen_from((1,)), 2, "must be 1", "", ""),
    (values.whole_by_name, 3, "must be a table of whole numbers by name", "", ""),
    (values.whole_by_name, {"a": 0.5}, _WHOLE, ".a", "0.5"),
    (quantities.size, "0.5 B", "is 0.5 bytes (a whole number of bytes is needed)", "", "'0.5 B'"),
    (quantities.size, 1.5, _WHOLE, "", "1.5"),
    (quantities.size, "4 s", f"must be a number and a unit: {_UNITS}", "", ""),
    (quantities.number, True, _NUMBER, "", ""), (quantities.number, float("inf"), _NUMBER, "", ""),
    (quantities.number, "1", _NUMBER, "", ""),
    (quantities.flag, 1, "must be true or false", "", ""),
    (quantities.provenance, [], "must be a table of words by parameter", "", ""),
    (quantities.provenance, {"a": 1}, "must be words", ".a", "1"),
    (quantities.efficiency, [], 'must list [bytes, share of the rate], like [["32 KiB", 0.31]]', "", ""),
    (quantities.efficiency, [["1 B", 1], [1, 1, 1]], "must be [bytes, share of the rate]", "[1]", "[1, 1, 1]"),
    (quantities.efficiency, [["1 B"]], "must be [bytes, share of the rate]", "[0]", "['1 B']"),
]  # fmt: skip


@pytest.mark.parametrize(("read", "value", "words", "at", "shown"), REFUSED)
def test_what_is_refused(read: Callable[..., Any], value: Any, words: str, at: str, shown: str) -> None:
    assert told(lambda: read(value)) == (words, at, shown)


@pytest.mark.parametrize(
    ("read", "value"),
    [
        (values.whole, "x"), (values.whole, MOST + 1), (values.whole_from(3), 2), (values.real, "x"),
        (values.real, float("nan")), (values.measure, "x"), (values.measure, -1), (values.measure, 2**-54),
        (values.text, 3), (values.text, "\n"), (values.listed(values.whole, "numbers"), 3),
    ],
)  # fmt: skip
def test_whatever_is_wrong_in_a_list_has_its_place(read: Callable[..., Any], value: Any) -> None:
    words, *place = told(lambda: read(value, at="[3]"))
    assert [*place] == ["[3]", values.shown(value)]
    assert words == told(lambda: read(value))[0]


def test_a_place_in_a_list_goes_before_those_in_it() -> None:
    pairs = values.listed(values.listed(values.whole, "[a, b]", length=2), "pairs")
    assert told(lambda: pairs([[1, 2], [3, "x"]], at=".to")) == (_WHOLE, ".to[1][1]", "'x'")


def test_long_values_are_shown_in_60_characters() -> None:
    assert values.shown("x" * 58) == "'" + "x" * 58 + "'"
    assert values.shown("x" * 59) == "'" + "x" * 59 + "..."
    assert values.shown(10**5000) == "a number of thousands of digits"
    assert [values.shown(each) for each in (None, True, False, 4)] == ["null", "true", "false", "4"]


def test_numbers_are_written_as_decimals_that_mean_the_same() -> None:
    shown = {Fraction(27, 4): "6.75", Fraction(-1, 8): "-0.125", Fraction(10**20): "1" + "0" * 20, Fraction(0): "0"}
    assert {number: quantities.decimal(number) for number in shown} == shown
    with pytest.raises(InputError) as error:
        quantities.decimal(Fraction(1, 3))
    assert str(error.value) == "1/3 has no finite decimal, so a file cannot hold it exactly"


# -- XML ---------------------------------------------------------------------------------------------------------------


def refused(text: str) -> str:
    with pytest.raises(DecodeError) as error:
        decode_xml(text)
    return str(error.value.at("f"))


def test_elements_know_their_tag_their_line_and_what_is_in_them() -> None:
    root = decode_xml("<a x='1'>\n<b/>\n<c name='n'><d/></c><b/></a>")
    assert (root.tag, root.line, root.attributes) == ("a", 1, {"x": "1"})
    assert [(child.tag, child.line) for child in root.children] == [("b", 2), ("c", 3), ("b", 3)]
    assert [child.line for child in root.all("b")] == [2, 3] and root.first("d") is None
    assert root.first("b") is root.children[0]
    assert [child.tag for child in root.children[1].children] == ["d"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<a>\n<b></a>", "f:2:6: is not XML (mismatched tag)"),
        ("<a/>\n<b/>", "f:2:1: is not XML (junk after document element)"),
        (" ", "f:1:2: is not XML (no element found)"),
        ("<!DOCTYPE a><a/>", "f:1:12: <!DOCTYPE> is not read: it can make a file mean more than is written in it"),
    ],
)
def test_what_is_no_xml_is_refused_with_its_place(text: str, words: str) -> None:
    assert refused(text) == words


def test_attributes_are_there_and_printable_and_elements_named() -> None:
    root = decode_xml("<a name='n' e=' ' t='a&#9;b'><b name=' '/><c/></a>")

    def words(ask: Callable[[], Any]) -> str:
        with pytest.raises(DecodeError) as error:
            ask()
        return str(error.value.at("f"))

    assert root.text("name") == "n"
    assert words(lambda: root.text("x")) == "f:1: a 'n': x is missing"
    assert words(lambda: root.text("e")) == "f:1: a 'n': e = ' ' must be a text of printable characters"
    assert words(lambda: root.text("t")) == "f:1: a 'n': t = 'a\\tb' must be a text of printable characters"
    assert words(lambda: root.children[0].refuse("is odd")) == "f:1: <b>: is odd"
    assert words(lambda: root.children[1].refuse("is odd")) == "f:1: <c>: is odd"


def test_elements_stand_in_a_hundred_others_at_most() -> None:
    assert decode_xml("<a>" * 100 + "</a>" * 100).tag == "a"
    assert refused("<a>" * 101 + "</a>" * 101) == "f:1: <a>: stands in more than 100 others, which no graph needs"


def test_quantities_are_written_with_the_unit_that_leaves_at_least_one() -> None:
    times = {Fraction(1): "1 s", Fraction(999, 1000): "999 ms", Fraction(1, 10**12): "1 ps", Fraction(0): "0 s"}
    times |= {Fraction(1, 10**13): "0.1 ps", Fraction(-3, 10**6): "-3 us", Fraction(1500): "1500 s"}
    assert {time: quantities.time_text(time) for time in times} == times
    assert quantities.time_text(Fraction(2, 10**9), "/byte") == "2 ns/byte"
    clocks = {
        Fraction(10**9): "1 GHz",
        Fraction(10**9 - 10**6): "999 MHz",
        Fraction(1000): "1 kHz",
        Fraction(5): "5 Hz",
    }
    assert {clock: quantities.clock_text(clock) for clock in clocks} == clocks
    rates = {Fraction(10**9): "1 GB/s", Fraction(10**9 - 1): "999.999999 MB/s", Fraction(1000): "1 kB/s"}
    rates |= {Fraction(999): "999 B/s", Fraction(2**30): "1.073741824 GB/s"}
    assert {rate: quantities.rate_text(rate) for rate in rates} == rates
    sizes = {2**30: "1 GiB", 3 * 2**20: "3 MiB", 2**10: "1 KiB", 2**10 + 1: 1025, 0: 0, 1000: 1000}
    assert {size: quantities.size_text(size) for size in sizes} == sizes


def test_in_place_of_a_directory_its_first_file_that_can_be_read_is_offered(tmp_path: Path) -> None:
    for name in ("b.toml", "a.json", "c.json", "0.txt"):
        (tmp_path / name).write_text("", encoding="utf-8")
    (tmp_path / "0.json").mkdir()
    with pytest.raises(InputError) as refused:
        load_network(tmp_path)
    assert str(refused.value) == f"{tmp_path}: is a directory; give a file in it, like {tmp_path / 'a.json'}"
    for name in ("b.toml", "a.json", "c.json"):
        (tmp_path / name).unlink()
    with pytest.raises(InputError) as refused:
        load_network(tmp_path)
    assert str(refused.value) == f"{tmp_path}: is a directory; give a file in it"
