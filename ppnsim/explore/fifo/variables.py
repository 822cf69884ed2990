"""The depths that may be chosen: of a channel, or of a group of channels that share one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    first = networks[0]
    names = [channel.name for channel in first.channels]
    for network in networks[1:]:
        for name in sorted({channel.name for channel in network.channels} ^ set(names)):
            here = network.name if name in names else first.name
            raise InputError(f"has no channel '{name}', another scenario has (all need the same names)", where=here)
    limits = {first.channel(each).name: limit for name, limit in limits.items() for each in first.channels_of(name)}
    groups = [
        list(dict.fromkeys(first.channel(each).name for name in group for each in first.channels_of(name)))
        for group in groups
    ]
    asked = {name for group in groups for name in group}
    for name in sorted(asked):
        if sum(name in group for group in groups) > 1:
            raise InputError(f"channel '{name}' is in two groups", where="group")
    left_out = {name for name, limit in limits.items() if limit is None}
    groups += [list(each) for each in first.groups.values() if not asked & set(each) and not left_out >= set(each)]
    for name in (name for group in groups for name in group if name in left_out):
        raise InputError(f"channel '{name}' is in a group and cannot be left unbounded", where="group")
    shared = {name: tuple(group) for group in groups for name in group}
    variables: dict[tuple[str, ...], DepthVariable | None] = {}
    for name in names:
        members = shared.get(name, (name,))
        if members in variables or name in left_out:
            continue
        kept = name not in asked and name not in limits and any(each.channel(name).fixed for each in networks)
        variables[members] = _kept(networks, name) if kept else _variable(networks, members, limits)
    return tuple(each for each in variables.values() if each is not None)


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
