"""The depths that may be chosen: of a channel, or of a group of channels that share one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ppnsim.errors import InputError
from ppnsim.model.network import Network

Limit = tuple[int, int | None] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DepthVariable:
    """Channels that share one depth, and between which depths it may be; ``high`` None = no limit.

    ``fixed``: it is the depth of a fixed channel, which costs nothing and is in no answer.
    """

    channels: tuple[str, ...]
    low: int
    high: int | None = None
    fixed: bool = False


def variables_of(
    networks: Sequence[Network], limits: Mapping[str, Limit], groups: Sequence[Sequence[str]]
) -> tuple[DepthVariable, ...]:
    """Return the variables, in order of declaration of their first channel.

    The name of a group of the network stands for its channels. They share a depth, unless one of them is in a group
    that is asked for. A fixed channel keeps its depth, unless it is named.

    Parameters
    ----------
    networks : scenarios with the same channel names.
    limits : by channel, the smallest and the largest depth (None = any); None instead of the pair leaves the channel
        unbounded and out of the search.
    groups : channels that share a depth.

    Raises
    ------
    InputError
        If names are unknown or differ between the scenarios, a channel is in two groups, or limits exclude each other.
    """
    _check_names(networks)
    first = networks[0]
    limits = first.by_channel(limits)
    left_out = {name for name, limit in limits.items() if limit is None}
    shared = _shared(first, groups, left_out)
    variables: dict[tuple[str, ...], DepthVariable | None] = {}
    for name in (channel.name for channel in first.channels if channel.name not in left_out):
        members = shared.get(name, (name,))
        if members not in variables:
            kept = name not in shared and name not in limits and any(each.channel(name).fixed for each in networks)
            variables[members] = _kept(networks, name) if kept else _variable(networks, members, limits)
    return tuple(each for each in variables.values() if each is not None)


def _check_names(networks: Sequence[Network]) -> None:
    """Raise `InputError` if scenarios do not have the same channels."""
    first, *others = networks
    names = [channel.name for channel in first.channels]
    for network in others:
        for name in sorted({channel.name for channel in network.channels} ^ set(names)):
            here = network.name if name in names else first.name
            raise InputError(f"has no channel '{name}', another scenario has (all need the same names)", where=here)


def _channels(network: Network, names: Iterable[str]) -> tuple[str, ...]:
    """Return the channels that names of channels and groups stand for, each once."""
    found = (network.channel(each).name for name in names for each in network.channels_of(name))
    return tuple(dict.fromkeys(found))


def _shared(network: Network, groups: Sequence[Sequence[str]], left_out: set[str]) -> dict[str, tuple[str, ...]]:
    """Return the channels that share their depth with others, each with all of these."""
    shared: dict[str, tuple[str, ...]] = {}
    for members in (_channels(network, group) for group in groups):
        for name in members:
            if name in shared:
                raise InputError(f"channel '{name}' is in two groups", where="group")
        if len(members) == 1 and network.channel(members[0]).group is None:  # else it leaves the network's group
            raise InputError(
                f"channel '{members[0]}' alone is no group: name those that share its depth", where="group"
            )
        shared |= dict.fromkeys(members, members)
    for members in network.groups.values():
        if not shared.keys() & members and not left_out >= set(members):
            shared |= dict.fromkeys(members, members)
    for name in shared:
        if name in left_out:
            raise InputError(f"channel '{name}' is in a group and cannot be left unbounded", where="group")
    return shared


def _kept(networks: Sequence[Network], name: str) -> DepthVariable | None:
    """Return the depth of a fixed channel, None for one that never fills."""
    depth = networks[0].channel(name).depth
    for network in networks:
        if not network.channel(name).fixed or network.channel(name).depth != depth:
            words = (
                f"channel '{name}' is fixed in one scenario and not, or at another depth, in another (give it a limit)"
            )
            raise InputError(words, where=network.name)
    return None if depth is None else DepthVariable(channels=(name,), low=depth, high=depth, fixed=True)


def _variable(networks: Sequence[Network], members: tuple[str, ...], limits: Mapping[str, Limit]) -> DepthVariable:
    given = [pair for name in members if (pair := limits.get(name)) is not None]
    initial = max(network.channel(name).initial for network in networks for name in members)
    low = max(1, initial, *(pair[0] for pair in given))
    high = min((pair[1] for pair in given if pair[1] is not None), default=None)
    if high is not None and high < low:
        why = f"its {initial} initial tokens need room" if initial == low else "its limits exclude each other"
        raise InputError(f"depth at most {high}, but at least {low}: {why}", where=f"channel '{', '.join(members)}'")
    return DepthVariable(channels=members, low=low, high=high)
