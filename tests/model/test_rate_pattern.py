"""Tokens per firing as a pattern: what it stands for, what is refused, and that long lists come back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ppnsim
from ppnsim.errors import InputError
from ppnsim.model.rate_pattern import pattern, pattern_text
from ppnsim.model.tokens import Rates

_RUNS = st.lists(st.tuples(st.integers(0, 3), st.integers(1, 50)), min_size=1, max_size=6)
NETWORK = """name = "line buffer"
clock = "200 MHz"
process.camera = { firings = 48 }
process.filter = { firings = 24 }
channel.windows = { from = "camera", to = "filter", depth = 2, produce = PRODUCE }
"""


def test_a_frame_is_a_line() -> None:
    found = pattern("2 x (1920 x 0), 1078 x (2 x 0, 1918 x 1)")
    assert found == ((0,) * 1920) * 2 + ((0,) * 2 + (1,) * 1918) * 1078


@given(_RUNS, st.integers(1, 9))
def test_what_is_written_is_read(runs: list[tuple[int, int]], times: int) -> None:
    numbers = tuple(value for value, count in runs * times for _ in range(count))
    text = pattern_text(numbers)
    assert text is None or (pattern(text) == numbers and len(text) < len(numbers))


def test_a_network_in_either_form_is_the_same_and_comes_back_as_a_pattern(tmp_path: Path) -> None:
    rates = [0] * 16 + ([0] * 2 + [1] * 6) * 4
    one, other, again = tmp_path / "list.toml", tmp_path / "pattern.toml", tmp_path / "again.toml"
    one.write_text(NETWORK.replace("PRODUCE", str(rates)))
    other.write_text(NETWORK.replace("PRODUCE", '"2 x (8 x 0), 4 x (2 x 0, 6 x 1)"'))
    assert ppnsim.load(one) == ppnsim.load(other)
    network = ppnsim.load(one)
    long = network.replace(channels=[ppnsim.Channel(
        name="windows", source="camera", target="filter", depth=2, tokens=Rates([0] * 100 + [1] * 100),
    )], processes=[ppnsim.Process(name="camera", firings=200), ppnsim.Process(name="filter", firings=100)])  # fmt: skip
    long.save(again)
    assert 'produce = "100 x 0, 100 x 1"' in again.read_text()
    assert ppnsim.load(again) == long


@pytest.mark.parametrize(("text", "where"), [
    ("2 x", "at its end"), ("x 3, 1", "'x' at its beginning"),
    ("3 x (1, 2", "at its end"), ("1, a", "'a' behind '1 ,'"),
    ("1 2, 3", "'2' behind '1'"), ("-1 x 3", "'-' at its beginning"), ("1,,2", "',' behind '1 ,'"),
    ("2 x 0)", "')' behind '2 x 0'"), ("0 x 5", "'0 x' repeats nothing (leave it out)"),
    ("1, 0 x (2, 3)", "'0 x' repeats nothing (leave it out)"), ("٣ x 0, 1", "(digits are 0 to 9)"),
    ("2 x ٣", "'٣' behind '2 x' (digits are 0 to 9)"), ("1, 1000000000000000", "(at most 15 digits)"),
])  # fmt: skip
def test_what_is_no_pattern_is_refused_with_the_place(text: str, where: str, tmp_path: Path) -> None:
    file = tmp_path / "net.toml"
    file.write_text(NETWORK.replace("PRODUCE", f'"{text}"'))
    with pytest.raises(InputError, match="is not a pattern like") as error:
        ppnsim.load(file)
    assert str(error.value).startswith(f"{file}: channel 'windows': produce = '{text}' is not a pattern like")
    assert str(error.value).endswith(where)
    with pytest.raises(InputError) as same:
        ppnsim.Channel(name="windows", from_="camera", to="filter", produce=text)
    assert f"{file}: {same.value}" == str(error.value)


def test_python_takes_the_patterns_of_files() -> None:
    made = ppnsim.Channel(name="c", from_="a", to="b", produce="2 x 0, 1", consume="2 x (0, 2)")
    assert made.tokens == Rates("2 x 0, 1", "2 x (0, 2)") == Rates((0, 0, 1), (0, 2, 0, 2))
    graph = ppnsim.sdf({"a": 1, "b": 1}, {"c": ("a", "3 x 0, 1", 1, "b", 0)}, firings={"a": 4, "b": 1})
    assert graph.channel("c").tokens == Rates((0, 0, 0, 1))
    with pytest.raises(InputError, match=r"Rates: produce = '4' is neither .* or Rates\(2, '2 x 0, 1'\)"):
        Rates("4")


def test_a_pattern_of_gigabytes_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "net.toml"
    file.write_text(NETWORK.replace("PRODUCE", '"9999999 x (99999 x 1)"'))
    with pytest.raises(InputError, match="repeats 99999 numbers 9999999 times"):
        ppnsim.load(file)
