"""What options of commands are worth and refuse, in whole sentences: cycles, depths, designs, ends of a search."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from ppnsim.cli.options.cycles import CycleOptions
from ppnsim.cli.options.depths import answered, depths_in, depths_of, pasted
from ppnsim.cli.options.designs import DesignOptions
from ppnsim.cli.options.sizing import SizingOptions, start_of, stop_of, target_of
from ppnsim.errors import InputError


def refusal(ask: Any) -> str:
    with pytest.raises(InputError) as error:
        ask()
    return str(error.value)


# -- cycles ------------------------------------------------------------------------------------------------------------


def test_the_later_cycles_win_and_a_file_has_one_for_each_execution(tmp_path: Path) -> None:
    (tmp_path / "t").write_text("4, 5\n6")
    read = CycleOptions(latency=["3", "a=0", f"b=@{tmp_path}/t", "7", "a=2"], ii=["2", "b=1"], timing="t.toml").read()
    assert read == ({"*": 7, "a": 2, "b": (4, 5, 6)}, {"*": 2, "b": 1}, "t.toml")
    assert CycleOptions().read() == ({}, {}, None)


def test_latencies_start_at_0_and_intervals_at_1() -> None:
    assert CycleOptions(latency=["0"]).read()[0] == {"*": 0}
    assert refusal(CycleOptions(latency=["-1"]).read) == "--latency -1: -1 is below 0 cycles"
    assert refusal(CycleOptions(ii=["a=0"]).read) == "--ii a=0: 0 is below 1 cycle"
    assert "--ii two" in refusal(CycleOptions(ii=["two"]).read)
    assert "--latency @t" in refusal(CycleOptions(latency=["@t"]).read)  # a list is of one statement


# -- depths ------------------------------------------------------------------------------------------------------------


def test_depths_are_for_all_or_for_a_channel() -> None:
    assert depths_of([]) == ([], {})
    assert depths_of(["3", "unbounded", "a=b=4", "c=unbounded", "c=5", "0"]) == ([3, None, 0], {"a=b": 4, "c": 5})
    assert depths_of(["9" * 15])[0] == [10**15 - 1]


@pytest.mark.parametrize("option", ["", "=4", "c=", "c=-1", "1.5", "²", "=unbounded"])
def test_what_is_no_depth_is_refused(option: str) -> None:
    words = f"--depth: '{option}' is neither N nor CHANNEL=N with N tokens or unbounded"
    assert refusal(lambda: depths_of([option])) == words


def test_more_than_15_digits_are_no_depth() -> None:
    assert refusal(lambda: depths_of(["c=" + "1" * 16])) == (
        f"--depth: 'c={'1' * 16}' is more tokens than any memory holds"
    )


_FORM = "is neither a result of 'ppnsim size FILE --json' of one file nor an object of a depth per channel"


@pytest.mark.parametrize(
    ("held", "depths"),
    [
        ({"c": 4, "d": None, "e": "unbounded"}, {"c": 4, "d": None, "e": None}),
        ({"lossless": {"depths": {"c": 4}}, "target": {"depths": {"c": 3}}}, {"c": 3}),
        ({"lossless": {"depths": {"c": 4}}, "target": None}, {"c": 4}),
        ({"lossless": {"depths": {}}}, {}),
    ],
)
def test_depths_of_a_file_are_those_for_the_target_or_without_loss(held: Any, depths: Any, tmp_path: Path) -> None:
    file = tmp_path / "sized.json"
    file.write_text(json.dumps(held))
    assert depths_in(str(file)) == depths


@pytest.mark.parametrize(
    ("held", "words"),
    [
        ({"lossless": None}, "is a result of 'ppnsim size' that found no depths without loss"),
        ({}, "holds no depths (an object of a depth per channel)"),
        ([], _FORM), ([{"lossless": None}], _FORM), (4, _FORM), ({"c": True}, _FORM), ({"c": 1.5}, _FORM),
        ({"c": "4"}, _FORM), (None, "is a result of 'ppnsim size' that found no depths without loss"),
    ],
)  # fmt: skip
def test_files_without_depths_are_refused(held: Any, words: str, tmp_path: Path) -> None:
    file = tmp_path / "sized.json"
    file.write_text(json.dumps(held))
    assert refusal(lambda: depths_in(str(file))) == f"--depths {file}: {words}"


def test_a_network_is_no_list_of_depths() -> None:
    words = "is not a result of 'ppnsim size FILE --json' but a network itself: 'ppnsim run net.toml'"
    assert refusal(lambda: depths_in("net.toml")) == f"--depths net.toml: {words}"


def test_depths_are_pasted_up_to_forty() -> None:
    forty = {f"c{number}": number for number in range(40)}
    assert pasted(forty).count("--depth ") == 40 and pasted({}) == ""
    assert pasted(forty | {"d": 1}) == "41 depths are too many to paste: --json sized.json, then --depths sized.json"
    assert answered({"target": {"depths": {"c": 1}}, "lossless": {"depths": {"c": 4}}}) == ("for the target", {"c": 1})
    assert answered({"lossless": None}) == ("", None)


# -- designs and sizes -------------------------------------------------------------------------------------------------


def test_designs_and_sizes_are_read_as_they_are_given() -> None:
    assert DesignOptions().read() == {} and DesignOptions().given() == []
    options = DesignOptions(design=["none"], learn=" N , M", at=["N=4, M=5", "N=6"], vary=["N=2:4", "N=9"], sizes="1,2")
    assert options.read() == {
        "designs": ["none"], "learn": ["N", "M"], "at": [{"N": 4, "M": 5}, {"N": 6}], "vary": {"N": [2, 3, 4, 9]},
        "sizes": [1, 2],
    }  # fmt: skip
    assert options.given() == ["--design", "--learn", "--at", "--vary", "--sizes"]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"learn": ""}, "--learn: '' names no size"), ({"learn": "N,"}, "--learn: 'N,' names no size"),
        ({"at": ["N=4,N=5"]}, "--at: 'N=4,N=5' gives N twice"),
    ],
)  # fmt: skip
def test_sizes_that_are_none_are_refused(given: dict[str, Any], words: str) -> None:
    assert refusal(DesignOptions(**given).read) == words


# -- where a search of sizes ends --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [("40", 40), ("6.5", Fraction(13, 2)), ("13/2", Fraction(13, 2)), ("8/2", 4), ("0.5", Fraction(1, 2))],
)
def test_a_target_is_a_number_of_cycles(text: str, value: object) -> None:
    assert target_of(text) == value and target_of(None) is None
    assert type(target_of(text)) is type(value)


@pytest.mark.parametrize("text", ["", "-4", "1e9", "1/0", "4 cycles", "1.2.3", "9" * 19])
def test_a_target_that_is_none_is_refused(text: str) -> None:
    assert refusal(lambda: target_of(text)) == f"--target: '{text}' is not a number of cycles (like 40, 6.5 or 13/2)"


def test_a_target_is_above_0() -> None:
    assert refusal(lambda: target_of("0")) == "--target: 0 is not above 0 cycles"


def test_a_search_ends_near_enough_or_after_its_seconds() -> None:
    assert (stop_of("0.5%", 3).within, stop_of("0.5%", 3).seconds) == (0.005, 3)
    assert stop_of(None, None) == stop_of(None, None).__class__()
    assert stop_of("100%", None).within == 1
    for seconds in (0, -1, float("inf"), float("nan")):
        words = f"--seconds: {seconds:g} is not a number of seconds above 0"
        assert refusal(lambda seconds=seconds: stop_of(None, seconds)) == words
    for within in ("5", "1000%", "-1%", "1e2%", "%"):
        words = f"--within: '{within}' is not a part of the cost in per cent (like 5% or 0.5%)"
        assert refusal(lambda within=within: stop_of(within, None)) == words


def test_a_start_is_an_earlier_result(tmp_path: Path) -> None:
    file = tmp_path / "sized.json"
    file.write_text('{"lossless": null}')
    assert start_of(str(file)) == {"lossless": None} and start_of(None) is None
    words = "is not a result of `ppnsim size --json` for one network with these channels"
    for text in ("[]", "{", "4"):
        file.write_text(text)
        assert refusal(lambda: start_of(str(file))) == f"--start {file}: {words}"
    missing = str(tmp_path / "missing")
    assert refusal(lambda: start_of(missing)) == f"--start {missing}: cannot be read (No such file or directory)"


def test_a_front_is_drawn_of_one_network_and_only_if_there_is_one() -> None:
    plot = Path("front.svg")
    SizingOptions(front=False).check(3, None)
    SizingOptions(together=True).check(3, plot)
    SizingOptions().check(1, plot)
    words = "--plot front.svg: there is no front to draw with --no-front"
    assert refusal(lambda: SizingOptions(front=False).check(1, plot)) == words
    words = "--plot front.svg: 2 networks, but only one is drawn (or --together)"
    assert refusal(lambda: SizingOptions().check(2, plot)) == words
    for wrong in ({"target": "x"}, {"limit": ["c"]}, {"within": "5"}, {"seconds": 0.0}, {"memories": "missing.toml"}):
        with pytest.raises(InputError):
            SizingOptions(**wrong).check(1, None)
