"""The depths that may be chosen: of a channel, or of a group of channels that share one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ppnsim.errors import InputError
from ppnsim.model.network import Network

Limit = tuple[int, int | None] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DepthVariable:
    """Channels that share one depth, and between which depths it may be; ``high`` None = no limit."""

    channels: tuple[str, ...]
    low: int
    high: int | None = None


def variables_of(
    networks: Sequence[Network], limits: Mapping[str, Limit], groups: Sequence[Sequence[str]]
) -> tuple[DepthVariable, ...]:
    """Return the variables, in order of declaration of their first channel.

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
    for name in limits:
        first.channel(name)
    shared = {name: tuple(dict.fromkeys(group)) for group in groups for name in group}
    for name in (name for group in groups for name in dict.fromkeys(group)):
        first.channel(name)
        if sum(name in group for group in groups) > 1:
            raise InputError(f"channel '{name}' is in two groups", where="group")
        if name in limits and limits[name] is None:
            raise InputError(f"channel '{name}' is in a group and cannot be left unbounded", where="group")
    variables: dict[tuple[str, ...], DepthVariable] = {}
    for name in names:
        members = shared.get(name, (name,))
        if members not in variables and not (name in limits and limits[name] is None):
            variables[members] = _variable(networks, members, limits)
    return tuple(variables.values())


def _variable(networks: Sequence[Network], members: tuple[str, ...], limits: Mapping[str, Limit]) -> DepthVariable:
    given = [pair for name in members if (pair := limits.get(name)) is not None]
    initial = max(network.channel(name).initial for network in networks for name in members)
    low = max(1, initial, *(pair[0] for pair in given))
    high = min((pair[1] for pair in given if pair[1] is not None), default=None)
    if high is not None and high < low:
        why = f"its {initial} initial tokens need room" if initial == low else "its limits exclude each other"
        raise InputError(f"depth at most {high}, but at least {low}: {why}", where=f"channel '{', '.join(members)}'")
    return DepthVariable(channels=members, low=low, high=high)
