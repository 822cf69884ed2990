"""Which depths a search may choose, what a FIFO of each costs, and the refusals of both in whole sentences."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ppnsim import Channel, Network, Process
from ppnsim.errors import InputError
from ppnsim.explore.fifo.cost import XILINX, MemoryBlocks, MemoryTable
from ppnsim.explore.fifo.variables import DepthVariable, variables_of


def row(**of_b: Any) -> Network:
    """Return p -a-> q -b-> r -c-> s, all channels of depth 4; b with some fields changed."""
    names = "pqrs"
    channels = [
        Channel(name=name, source=source, target=target, depth=4)
        for name, source, target in zip("abc", names, names[1:], strict=False)
    ]
    channels[1] = replace(channels[1], **of_b)
    return Network(name="row", processes=[Process(name=name, firings=3) for name in names], channels=channels)


def free(*channels: str, low: int = 1, high: int | None = None) -> DepthVariable:
    return DepthVariable(channels=channels, low=low, high=high)


def chosen(network: Network, limits: Any = None, groups: Any = (), *more: Network) -> tuple[DepthVariable, ...]:
    return variables_of([network, *more], limits or {}, groups)


def test_every_channel_has_a_depth_of_its_own_from_1_or_its_initial_tokens_on() -> None:
    assert chosen(row()) == (free("a"), free("b"), free("c"))
    assert chosen(row(initial=3)) == (free("a"), free("b", low=3), free("c"))
    assert chosen(row(initial=1), {}, (), row(initial=3))[1] == free("b", low=3)  # enough in every scenario


def test_limits_may_meet_and_leave_channels_out() -> None:
    limits = {"a": (2, 8), "b": (3, 3), "c": None}
    assert chosen(row(), limits) == (free("a", low=2, high=8), free("b", low=3, high=3))
    assert chosen(row(), {"a": (5, None)})[0] == free("a", low=5)
    assert chosen(row(initial=3), {"b": (1, 3)})[1] == free("b", low=3, high=3)


def test_a_group_shares_the_narrowest_limits_and_stands_where_its_first_channel_does() -> None:
    limits = {"a": (2, 9), "c": (1, 5)}
    assert chosen(row(initial=3), limits, [["a", "c"]]) == (free("a", "c", low=2, high=5), free("b", low=3))
    assert chosen(row(), {}, [["c", "b"]]) == (free("a"), free("c", "b"))
    a, b, c = row().channels
    named = replace(row(), channels=(replace(a, group="g"), replace(b, group="g"), c))
    assert chosen(named) == (free("a", "b"), free("c"))
    assert chosen(named, {"g": (2, 3)}) == (free("a", "b", low=2, high=3), free("c"))
    assert chosen(named, {"g": None}) == (free("c"),)
    assert chosen(named, {}, [["b", "c"]]) == (free("a"), free("b", "c"))  # what is asked for comes before


def test_a_fixed_channel_keeps_its_depth_unless_it_is_named() -> None:
    kept = DepthVariable(channels=("b",), low=4, high=4, fixed=True)
    assert chosen(row(fixed=True)) == (free("a"), kept, free("c"))
    assert chosen(row(fixed=True, depth=None)) == (free("a"), free("c"))
    assert chosen(row(fixed=True), {"b": (2, 6)})[1] == free("b", low=2, high=6)
    assert chosen(row(fixed=True), {}, [["b", "c"]]) == (free("a"), free("b", "c"))


def test_what_cannot_be_chosen_is_refused() -> None:
    def words(*given: Any) -> str:
        with pytest.raises(InputError) as error:
            chosen(*given)
        return str(error.value)

    assert words(row(initial=4), {"b": (1, 3)}) == (
        "channel 'b': depth at most 3, but at least 4: its 4 initial tokens need room"
    )
    assert words(row(), {"a": (5, 9), "b": (1, 4)}, [["a", "b"]]) == (
        "channel 'a, b': depth at most 4, but at least 5: its limits exclude each other"
    )
    assert words(row(), {}, [["a", "b"], ["b", "c"]]) == "group: channel 'b' is in two groups"
    assert words(row(), {"b": None}, [["a", "b"]]) == ("group: channel 'b' is in a group and cannot be left unbounded")
    fixed = "channel 'b' is fixed in one scenario and not, or at another depth, in another (give it a limit)"
    assert words(row(fixed=True), {}, (), row()) == words(row(fixed=True), {}, (), row(fixed=True, depth=5))
    assert words(row(fixed=True), {}, (), row()) == f"row: {fixed}"
    other = replace(row(), name="other", channels=row().channels[:2])
    assert words(row(), {}, (), other) == ("other: has no channel 'c', another scenario has (all need the same names)")
    assert words(other, {}, (), row()) == "other: has no channel 'c', another scenario has (all need the same names)"


# -- what they cost ----------------------------------------------------------------------------------------------------

SMALL = MemoryBlocks(name="small", shapes=((4, 8), (8, 4)), bits=32, max_depth=8, max_bits=64)
LARGE = MemoryBlocks(name="large", shapes=((64, 16),), bits=1024)


@pytest.mark.parametrize(
    ("depth", "width", "small", "cost"),
    [
        (4, 8, True, 32), (5, 8, True, 64), (8, 4, True, 32), (8, 8, True, 64), (9, 8, False, 1024), (8, 9, True, 96),
        (9, 7, True, 96), (16, 4, True, 64), (17, 4, False, 1024), (65, 16, False, 2048), (64, 17, False, 2048),
    ],
)  # fmt: skip
def test_a_fifo_is_made_of_the_first_blocks_that_take_it(depth: int, width: int, small: bool, cost: int) -> None:
    assert SMALL.takes(depth, width) == small
    assert MemoryTable((SMALL, LARGE))(depth, width) == cost
    assert LARGE.takes(10**9, 10**6)


def test_the_largest_fifo_of_some_blocks_is_by_depth_or_by_bits() -> None:
    assert [SMALL.largest(width) for width in (1, 4, 8, 64, 65)] == [64, 16, 8, 8, 8]
    assert replace(SMALL, max_depth=None).largest(65) == 0 and replace(SMALL, max_bits=None).largest(1) == 8
    assert not replace(SMALL, max_depth=None).takes(1, 65)


def test_a_table_in_which_a_token_more_is_cheaper_is_refused() -> None:
    MemoryTable((SMALL, LARGE)).check(8)
    dear = replace(SMALL, bits=10_000)
    with pytest.raises(InputError) as error:
        MemoryTable((dear, LARGE)).check(8)
    assert str(error.value) == (
        "memory table: a FIFO of 8 bits costs 20000 at depth 8 in 'small', but only 1024 one token deeper "
        "(cheaper memories come first, with their limits)"
    )
    MemoryTable((replace(dear, max_depth=None, max_bits=7), LARGE)).check(8)  # it takes none of this width


def test_the_table_of_the_house_is_that_of_its_blocks() -> None:
    """Shift registers up to 1024 bits or depth 2, then block RAM of 18 kbit: 512 x 36, 1024 x 18, ..."""
    assert [XILINX(depth, 32) for depth in (1, 32, 33, 512, 513, 1024, 1025)] == [
        1024, 1024, 18432, 18432, 36864, 36864, 55296,
    ]  # fmt: skip
