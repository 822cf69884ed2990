"""Processes that write to themselves: whether a token can be there in time is seen in one round of rates."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppnsim.errors import InputError
from ppnsim.model.network import STYLES, Channel, Network, Process
from ppnsim.model.tokens import Rates
from tests.helpers.by_seed import by_seed

_rates = st.lists(st.integers(0, 3), min_size=1, max_size=3)


@by_seed
def writing_to_themselves(draw: st.DrawFn) -> Network:
    process = Process(
        name="p", firings=draw(st.integers(1, 40)), style=draw(st.sampled_from(STYLES)), ii=draw(st.integers(1, 3)),
        latency=draw(st.integers(0, 6)),
    )  # fmt: skip
    initial = draw(st.integers(0, 6))
    own = Channel(
        name="own", source="p", target="p", tokens=Rates(draw(_rates), draw(_rates)), initial=initial, depth=None,
        to_offset=draw(st.none() | st.integers(0, 9)), from_offset=draw(st.none() | st.integers(0, 9)),
    )  # fmt: skip
    return Network(processes=[process], channels=[own])


def verdict(network: Network) -> str:
    try:
        network.replace().checked()
    except InputError as error:
        return str(error)
    return ""


@settings(deadline=None, max_examples=300)
@given(writing_to_themselves())
def test_one_round_of_rates_says_what_all_firings_say(network: Network) -> None:
    with patch("ppnsim.model.checks.first_round", lambda _, firings: firings):
        of_all = verdict(network)
    assert verdict(network) == of_all


@pytest.mark.parametrize("rates", [{2, 0}, frozenset((1, 2)), {1: 2}])
def test_rates_without_an_order_are_refused(rates: object) -> None:
    with pytest.raises(InputError, match="neither a whole number of tokens per firing nor one for each phase"):
        Rates(rates)  # type: ignore[arg-type]
