"""The parameters that a sweep varies: ``c1.depth=1:64``, ``mult.ii=1,2``, ``c*.depth=2,4``, ``clock=100 MHz,5 ns``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import chain, pairwise
from typing import Any

from ppnsim.errors import InputError, did_you_mean
from ppnsim.model.network import Network
from ppnsim.model.styles import style_of
from ppnsim.model.tokens import Rates
from ppnsim.units import clock_ns

Value = int | str

_OF_PROCESSES = ("firings", "ii", "latency", "read", "write", "style")
_RATES = ("produce", "consume")
_OF_CHANNELS = ("depth", "forward", "release", "initial", "width", "from_offset", "to_offset", *_RATES)
_OF_RESOURCES = ("units",)
_MOST_VALUES = 1_000_000
UNBOUNDED = "unbounded"


@dataclass(frozen=True, slots=True)
class Axis:
    """One parameter and the values that it takes; the processes, channels or resources named share each of them."""

    name: str
    parameter: str
    targets: tuple[str, ...]
    values: tuple[Value, ...]


def axis_of(text: str, network: Network) -> Axis:
    """Return the axis that ``NAME.PARAMETER=VALUES`` (or ``clock=VALUES``) means in this network.

    NAME is a process, a channel, a group of channels or a resource, or a pattern like ``c*`` for several that share the
    value, which leaves fixed ones alone. VALUES are numbers, ranges with both ends (``1:64``, ``1:64:8``), styles,
    ``unbounded`` for depths, and ``2/1`` for rates of several phases.

    Raises
    ------
    InputError
        If the network has no such name or parameter, or a value breaks a rule of the network.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> axis_of("c*.depth=1:3,8,unbounded", chain(firings=4))
    Axis(name='c*.depth', parameter='depth', targets=('c0', 'c1'), values=(1, 2, 3, 8, 'unbounded'))
    """
    where = f"--vary {text}"
    name, equals, words = text.rpartition("=")
    if not equals or not name or not words.strip():
        raise InputError("is not of the form NAME.PARAMETER=VALUES (like c1.depth=1:64) or clock=VALUES", where=where)
    target, _, parameter = name.rpartition(".")
    targets = _targets(network, target, parameter, where)
    values: dict[Value, None] = {}
    for word in words.split(","):
        values |= dict.fromkeys(_values(word.strip(), parameter, where))
    if len(values) > _MOST_VALUES:
        raise InputError(f"{len(values)} values are too many (at most {_MOST_VALUES})", where=where)
    return Axis(name, parameter, targets, tuple(values))


def check_axes(axes: Sequence[Axis]) -> None:
    """No two axes set the same thing."""
    seen = Counter((axis.parameter, target) for axis in axes for target in axis.targets or ("",))
    for (parameter, target), count in seen.items():
        if count > 1:
            what = f"{target}.{parameter}" if target else parameter
            raise InputError(f"{what} is varied by {count} of the --vary (one each)", where="--vary")


def varied(network: Network, axes: Iterable[Axis], values: Iterable[Value]) -> Network:
    """Return the network at one point; parts that no axis touches are the same objects.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> network = chain(firings=4)
    >>> at = varied(network, [axis_of("p1.ii=1:4", network), axis_of("c0.depth=2,4", network)], [3, 4])
    >>> at.process("p1").ii, at.channel("c0").depth
    (3, 4)
    """
    written = network.written
    changes: dict[str, dict[str, dict[str, Any]]] = {"process": {}, "channel": {}}
    more: dict[str, Any] = {}
    for axis, value in zip(axes, values, strict=True):
        if axis.parameter == "clock":
            more["clock_ns"] = clock_ns(str(value))
        elif axis.parameter in _OF_RESOURCES:
            more["resources"] = {**more.get("resources", network.resources), **dict.fromkeys(axis.targets, value)}
        else:
            kind = "process" if axis.parameter in _OF_PROCESSES else "channel"
            for target in axis.targets:
                meant = style_of(str(value)) if axis.parameter == "style" else value
                changes[kind].setdefault(target, {})[axis.parameter] = meant
    processes = [replace(p, **changes["process"].get(p.name, {})) if p.name in changes["process"] else p
                 for p in written.processes]  # fmt: skip
    channels = [
        replace(c, **_channel_changes(c.tokens, c.where, changes["channel"][c.name]))
        if c.name in changes["channel"] else c
        for c in written.channels
    ]  # fmt: skip
    return written.replace(processes=processes, channels=channels, **more).with_convention(network.convention)


def depth_of(value: Value) -> int | None:
    """Return a value of a depth axis as a depth."""
    return None if value == UNBOUNDED else int(value)


def _channel_changes(tokens: Any, where: str, values: dict[str, Value]) -> dict[str, Any]:
    """Return the fields of a channel for the values of its parameters."""
    changes: dict[str, Any] = {key: value for key, value in values.items() if key not in _RATES}
    if "depth" in changes:
        changes["depth"] = depth_of(values["depth"])
    rates = {key: tuple(int(rate) for rate in str(values[key]).split("/")) for key in _RATES if key in values}
    if rates:
        if not isinstance(tokens, Rates):
            raise InputError("its tokens are listed firing by firing, so it has no rates to vary", where=where)
        changes["tokens"] = Rates(rates.get("produce", tokens.produce), rates.get("consume", tokens.consume))
    return changes


def _targets(network: Network, target: str, parameter: str, where: str) -> tuple[str, ...]:
    if parameter == "clock" and not target:
        return ()
    styled = parameter == "style"
    known = {  # with what patterns leave alone
        "process": (_OF_PROCESSES, {p.name: p.fixed or (styled and not p.takes_styles) for p in network.processes}),
        "channel": (_OF_CHANNELS, {channel.name: channel.fixed for channel in network.channels}),
        "resource": (_OF_RESOURCES, dict.fromkeys(network.resources, False)),
    }
    for kind, (parameters, fixed) in known.items():
        if parameter not in parameters:
            continue
        if target in fixed:
            return (target,)
        if kind == "channel" and target in network.groups:
            return network.groups[target]
        matched = [name for name in fixed if fnmatchcase(name, target)]
        if not matched:
            starred = f"'{parameter}' is that of a {kind}: write *.{parameter} for all, or name one"
            words = f"'{target}' is not a {kind}, which {parameter} needs" if target else starred
            raise InputError(f"{words}{did_you_mean(target, fixed)}", where=where)
        found = tuple(name for name in matched if not fixed[name])
        if not found:
            words = f"'{target}' matches only what is fixed, which patterns leave alone: {', '.join(matched[:3])}"
            raise InputError(words, where=where)
        return found
    every = ["clock", *chain.from_iterable(parameters for parameters, _ in known.values())]
    raise InputError(_unknown(network, target, parameter, every), where=where)


def _unknown(network: Network, target: str, parameter: str, every: Sequence[str]) -> str:
    """Return the message about a parameter that is none of ``every``."""
    if not target and (own := _usual(network, parameter)):
        return f"'{parameter}' is a {own[0]}; say which of its parameters varies, as {parameter}.{own[1]}"
    words = f"'{parameter}' is not a parameter{did_you_mean(parameter, every)}"
    return words if target else f"{words}; macros and parameters are those of C and C++ sources"


def _usual(network: Network, name: str) -> tuple[str, str] | None:
    """Return what kind of part of a network has a name, and the parameter of it that varies most; None if none has."""
    if name in network.groups or any(each.name == name for each in network.channels):
        return "channel", "depth"
    if any(each.name == name for each in network.processes):
        return "process", "ii"
    return ("resource", "units") if name in network.resources else None


def _values(word: str, parameter: str, where: str) -> Iterable[Value]:
    """Return the values of one term: a number, a range, or a word that the parameter knows."""
    if parameter == "clock":
        try:
            clock_ns(word)
        except InputError as error:
            raise InputError(str(error), where=where) from None
        return [word]
    if parameter == "style":
        style_of(word, where=where)
        return [word]
    if parameter == "depth" and word == UNBOUNDED:
        return [word]
    if parameter in _RATES and "/" in word:
        for phase in word.split("/"):
            _number(phase, word, where)
        return [word]
    return numbers(word, where)


def numbers(word: str, where: str) -> Sequence[int]:
    """Return a whole number, or those of a range with both ends.

    Examples
    --------
    >>> list(numbers("2:8:3", "--vary")), list(numbers("5", "--vary"))
    ([2, 5, 8], [5])
    """
    bounds = [_number(part, word, where) for part in word.split(":")]
    if len(bounds) == 1:
        return bounds
    if len(bounds) > 3 or any(first > last for first, last in pairwise(bounds[:2])) or bounds[2:] == [0]:
        raise InputError(f"'{word}' is not a range FIRST:LAST or FIRST:LAST:STEP that goes up", where=where)
    span = range(bounds[0], bounds[1] + 1, *bounds[2:])
    if len(span) > _MOST_VALUES:
        raise InputError(f"'{word}' are {len(span)} values (at most {_MOST_VALUES})", where=where)
    return span


def _number(part: str, word: str, where: str) -> int:
    part = part.strip()
    if not (part.isascii() and part.isdecimal() and len(part) <= 15):
        words = f"'{word}' is not a whole number, nor a range FIRST:LAST or FIRST:LAST:STEP"
        raise InputError(words, where=where)
    return int(part)
