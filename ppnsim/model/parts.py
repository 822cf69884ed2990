"""What a network is made of, as it is given in Python: its parts are of the right kind, its depths are depths."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from itertools import chain
from numbers import Integral, Real
from typing import Any, Literal, TypeVar

from ppnsim.errors import InputError
from ppnsim.kinds import shown
from ppnsim.model.elements import Channel, Process
from ppnsim.model.schedule import StepSchedule
from ppnsim.model.step_lists import StepList
from ppnsim.model.tokens import Listed, Runs

Depth = int | None | Literal["unbounded"]
_Part = TypeVar("_Part", Process, Channel)
ENDLESS = " ('unbounded' or None has no end)"
_EXAMPLES = {Process: "Process(name='a', firings=4)", Channel: "Channel(name='c', from_='a', to='b', depth=2)"}


def parts_of(kind: type[_Part], given: Iterable[_Part], key: str) -> tuple[_Part, ...]:
    """Return the parts of a network.

    Examples
    --------
    >>> parts_of(Process, [{"name": "a", "firings": 4}], "processes")
    Traceback (most recent call last):
    ppnsim.errors.InputError: processes[0] = {'name': 'a', 'firings': 4} is not a Process: write
    ppnsim.Process(name='a', firings=4)
    """
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise InputError(f"{key} = {shown(given)} is not a list: write {key}=[ppnsim.{_EXAMPLES[kind]}]")
    found = tuple(given)
    if all(issubclass(each, kind) for each in set(map(type, found))):
        return found
    at, wrong = next((at, each) for at, each in enumerate(found) if not isinstance(each, kind))
    written = _EXAMPLES[kind]
    if isinstance(wrong, Mapping):
        said = {{"from": "from_"}.get(str(name), str(name)): value for name, value in wrong.items()}
        written = f"{kind.__name__}({', '.join(f'{name}={value!r}' for name, value in said.items())})"
    raise InputError(f"{key}[{at}] = {shown(wrong)} is not a {kind.__name__}: write ppnsim.{written}")


def resources_of(given: Any) -> dict[str, int]:
    """Return units by name of a resource."""
    if given is not None and not isinstance(given, Mapping):
        raise InputError(f"resources = {given!r} is not a dictionary of units by name: write resources={{'bus': 1}}")
    for name, units in (given or {}).items():
        if not isinstance(name, str) or not isinstance(units, Integral) or isinstance(units, bool):
            raise InputError(f"resources: {name!r}: {units!r} is not a name with a whole number of units, as 'bus': 1")
    return {name: int(units) for name, units in (given or {}).items()}


def depth_of(depth: Any, where: str = "depth") -> int | None:
    """Return a depth in tokens as channels have it: None for one without an end.

    Examples
    --------
    >>> depth_of(4), depth_of("unbounded"), depth_of(None)
    (4, None, None)
    >>> depth_of(0, "channel 'c'")
    Traceback (most recent call last):
    ppnsim.errors.InputError: channel 'c': depth = 0 holds no token, so nothing could ever pass (depths start at 1;
    'unbounded' or None has no end)
    """
    if depth is None or (isinstance(depth, str) and depth == "unbounded"):
        return None
    if not isinstance(depth, Integral) or isinstance(depth, bool):
        words = f"{shown(depth)} is neither a whole number of tokens nor 'unbounded', which has no end"
        by_channel = "" if where != "depth" else ", nor these by channel, {'c': 4}"
        raise InputError(f"{words}{by_channel}{write_whole(depth)}", where=where)
    if depth < 1:
        words = f"depth = {depth} holds no token, so nothing could ever pass"
        raise InputError(f"{words} (depths start at 1; 'unbounded' or None has no end)", where=where)
    return int(depth)


def matching(pattern: str, channels: Iterable[Channel]) -> Iterator[str]:
    """Yield the channels that a pattern such as ``fifo_*`` names, which leaves fixed ones alone.

    Raises
    ------
    InputError
        If it matches fixed ones only.
    """
    if not isinstance(pattern, str):
        return
    matched = [channel for channel in channels if fnmatchcase(channel.name, pattern)]
    if matched and all(channel.fixed for channel in matched):
        names = ", ".join(channel.name for channel in matched[:3])
        raise InputError(f"'{pattern}' matches only what is fixed, which patterns leave alone: {names}")
    yield from (channel.name for channel in matched if not channel.fixed)


def check_kinds(network: Any) -> None:
    """Names are texts, what is fixed is so or not, steps are lists of steps, a clock is a number."""
    if not isinstance(network.name, str):
        raise InputError(f"name = {network.name!r} is not a text: write name='{network.name}'")
    if not isinstance(network.clock_ns, Real) or isinstance(network.clock_ns, bool):
        words = f"clock_ns = {network.clock_ns!r} is not a number of nanoseconds"
        raise InputError(f"{words}: write clock_ns=5.0, or clock='200 MHz'")
    for part in (*network.processes, *network.channels):
        if not isinstance(part.name, str):
            raise InputError(f"name = {part.name!r} is not a text: write name='{part.name}'", where=part.where)
        if not isinstance(part.fixed, bool):
            raise InputError(f"fixed = {part.fixed!r} is neither True nor False", where=part.where)
    for process in network.processes:
        if not isinstance(process.schedule, StepSchedule | None):
            words = f"schedule = {process.schedule!r} is not a StepSchedule: write Process.scheduled(name=..., steps=9)"
            raise InputError(words, where=process.where)
    for channel in network.channels:
        for key in ("write_steps", "read_steps", "read_tokens"):
            if not isinstance(steps := getattr(channel, key), StepList | None):
                words = f"{key} = {steps!r} is not a StepList (StepList.of([0, 4]) of ppnsim.model.step_lists)"
                raise InputError(words, where=channel.where)


def check_whole(part: Process | Channel, keys: Iterable[str], where: str) -> None:
    """Numbers are whole numbers: no fractions, no truth values, no text."""
    for key in keys:
        value = getattr(part, key)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
            more = ENDLESS if key == "depth" and not write_whole(value) else ""
            raise InputError(f"{key} = {shown(value)} is not a whole number{write_whole(value)}{more}", where=where)


def write_whole(value: object) -> str:
    """Return what to write instead of a whole number of another kind, nothing for what is none.

    Examples
    --------
    >>> write_whole(4.0), write_whole("4"), write_whole(4.5), write_whole(True)
    (': write 4', ': write 4', '', '')
    """
    text = str(value).removesuffix(".0")
    return f": write {text}" if isinstance(value, float | str) and text.isascii() and text.isdecimal() else ""


def check_listed(channel: Channel) -> None:
    """Firings, tokens and runs that a channel lists are whole numbers, as many in a row as its form has."""
    forms: dict[type, tuple[str, int, int]] = {
        Listed: ("Listed(writes=(0, 1), reads=((0, 0), (1, 1)))", 1, 2),
        Runs: ("Runs(writes=((0, 1, 4),), reads=((0, 1, 4),))", 3, 3),
    }
    if type(channel.tokens) not in forms:
        return
    written, *lengths = forms[type(channel.tokens)]
    for side, length in zip(("writes", "reads"), lengths, strict=True):
        rows = getattr(channel.tokens, side)
        try:
            flat = rows if length == 1 else [*chain.from_iterable(rows)]
            right = all(map(_is_whole, set(map(type, flat)))) and len(flat) == length * len(rows)
        except TypeError:
            right = False
        if not right:
            raise InputError(
                f"tokens: {side} = {shown(rows)} does not list whole numbers as {written}", where=channel.where
            )


def _is_whole(kind: type) -> bool:
    """Return whether a kind of numbers is whole, those of numpy included; its class is asked once, not each number."""
    return issubclass(kind, Integral) and not issubclass(kind, bool)
