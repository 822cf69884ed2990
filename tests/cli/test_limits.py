"""What ``--limit``, ``--depth`` and ``--depths`` of the commands mean, without a command."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ppnsim.cli.options.network import NetworkOptions
from ppnsim.cli.options.sizing import limit_of, limits_of
from ppnsim.errors import InputError
from ppnsim.model.network import Channel, Network, Process


@pytest.mark.parametrize(
    ("option", "limit"),
    [
        ("c=1", ("c", (1, 1))), ("c=1:1", ("c", (1, 1))), ("c=2:", ("c", (2, None))), ("a=b=3:4", ("a=b", (3, 4))),
        ("c=999999999999", ("c", (999_999_999_999,) * 2)), ("c=unbounded", ("c", None)),
    ],
)  # fmt: skip
def test_depths_that_a_channel_may_have(option: str, limit: object) -> None:
    assert limit_of(option) == limit


_FORM = "is neither CHANNEL=LOW:HIGH, CHANNEL=N nor CHANNEL=unbounded"
_LARGE, _ORDER = "is more tokens than any memory holds", "depths go from 1 on, the lower one first"


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("c", _FORM), ("c=", _FORM), ("=4", _FORM), ("c=:", _FORM), ("c=two", _FORM), ("c=²", _FORM), ("c=-1:2", _FORM),
        ("c=1:1000000000000", _LARGE), ("c=1000000000000:9", _LARGE), ("c=1000000000000", _LARGE),
        ("c=0", _ORDER), ("c=0:4", _ORDER), ("c=5:4", _ORDER), ("=unbounded", _FORM), ("unbounded", _FORM),
    ],
)  # fmt: skip
def test_limits_that_are_none_are_refused_as_they_are_written(option: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        limit_of(option)
    assert str(error.value) == f"--limit {option}: {message}"


def test_a_channel_has_one_limit() -> None:
    assert limits_of(["a=1:2", "b=3"]) == {"a": (1, 2), "b": (3, 3)}
    with pytest.raises(InputError) as error:
        limits_of(["a=1:2", "b=3", "a=4"])
    assert str(error.value) == "--limit a=4: channel 'a' has a limit already (one each, LOW:HIGH)"


@pytest.mark.parametrize(
    ("words", "depths"),
    [
        ([], [4, 4]), (["3", "5"], [5, 5]), (["a=2", "3", "7"], [2, 7]), (["unbounded"], [None, None]),
        (["b=1"], [4, 1]),
    ],
)  # fmt: skip
def test_the_last_depth_for_all_channels_counts_and_one_by_name_more(
    words: list[str], depths: list[int | None]
) -> None:
    first = Process(name="p", firings=3)
    processes = (first, replace(first, name="q"), replace(first, name="r"))
    channels = Channel(name="a", source="p", target="q", depth=4), Channel(name="b", source="q", target="r", depth=4)
    network = Network(name="row", processes=processes, channels=channels)
    assert [channel.depth for channel in NetworkOptions(depth=words).changed(network).channels] == depths
