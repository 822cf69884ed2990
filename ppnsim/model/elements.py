"""The elements of a process network: processes and the channels between them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Literal

from ppnsim.calls import CallError, built_by_name
from ppnsim.errors import InputError
from ppnsim.model.latency import Latency
from ppnsim.model.schedule import StepSchedule
from ppnsim.model.step_lists import StepList
from ppnsim.model.tokens import ONE_PER_FIRING, Rates, Tokens

Style = Literal["elastic", "flushable", "frozen"]
STYLES: tuple[Style, ...] = ("elastic", "flushable", "frozen")


def _own(value: Any) -> Any:
    """Return a number of an array or a frame (of numpy) as Python's own, anything else as it is."""
    if value is None or isinstance(value, int | str):  # most are: to ask for `Integral` takes ten times as long
        return value
    if isinstance(value, Integral) and not isinstance(value, int):
        return int(value)
    return float(value) if isinstance(value, float) else value


def _each_firing(latency: Any) -> Latency:
    """Return a latency per firing, in a list or an array, as a tuple."""
    is_listed = isinstance(latency, Iterable) and not isinstance(latency, str | Mapping)
    return tuple(map(_own, latency)) if is_listed and not isinstance(latency, tuple) else _own(latency)


@built_by_name
@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """A statement turned into hardware: it executes ``firings`` iterations in order.

    Parameters
    ----------
    name : unique in the network.
    firings : how often it executes, at least 1.
    ii : initiation interval, cycles between successive starts; 0 (elastic only) lets any number start in one cycle.
    latency : execute latency in cycles: a number, one per firing, or a `Distribution`.
    read, write : read and write latency in cycles; None = 1 where a channel enters (leaves), else 0.
    style : what a blocked access does to the pipeline: ``elastic``, ``flushable`` or ``frozen``.
    resource : name of a shared resource of which each firing holds one unit for ii cycles, or None.
    schedule : the pipeline steps of a scheduled process (T3.5), or None; see `scheduled`.
    fixed : whether it is no choice of the designer, as a port of an interface: what is for all leaves it alone.
    """

    name: str
    firings: int
    ii: int = 1
    latency: Latency = 1
    read: int | None = None
    write: int | None = None
    style: Style = "elastic"
    resource: str | None = None
    schedule: StepSchedule | None = None
    fixed: bool = False

    def __post_init__(self) -> None:
        for field in ("firings", "ii", "read", "write"):
            object.__setattr__(self, field, _own(getattr(self, field)))
        object.__setattr__(self, "latency", _each_firing(self.latency))

    @classmethod
    def scheduled(
        cls, *, name: str, steps: int, runs: int = 1, start_steps: StepList | None = None,
        resource: str | None = None, fixed: bool = False,
    ) -> Process:  # fmt: skip
        """Return a frozen process that goes through ``steps`` pipeline steps, ``runs`` times.

        Parameters
        ----------
        start_steps : steps of a run at which a firing starts; None = step 0. Its channels say at which steps they are
            accessed (`Channel.write_steps`, `Channel.read_steps`).

        Examples
        --------
        >>> Process.scheduled(name="task", steps=9, runs=2, start_steps=StepList.of([0, 4])).firings
        4
        """
        schedule = StepSchedule(steps, runs) if start_steps is None else StepSchedule(steps, runs, start_steps)
        firings = schedule.firings if isinstance(runs, int) else 0  # what is no number is refused by the checks
        return cls(name=name, firings=firings, style="frozen", resource=resource, schedule=schedule, fixed=fixed)

    @property
    def takes_styles(self) -> bool:
        """Whether a style for all processes is its style, too."""
        return self.schedule is None and not self.fixed

    @property
    def where(self) -> str:
        """How an error names this process."""
        return f"process '{self.name}'"


@built_by_name
@dataclass(frozen=True, slots=True, kw_only=True, init=False)
class Channel:
    """A FIFO or reorder memory between two processes.

    Parameters
    ----------
    name : unique in the network.
    source, target : names of the producer and of the consumer; ``from_`` and ``to`` say the same, as in files.
    tokens : which firing writes and reads which token; default one per firing. ``produce`` and ``consume`` are the two
        sides of `Rates`, as in files: a number, a list, or a pattern, ``"2 x 0, 1"``.
    depth : tokens it can hold; None, or ``"unbounded"``, has no end.
    forward : cycles from a write to the first possible read; None = the producer's write latency.
    release : cycles from a token's last read to the reuse of its slot; None = the consumer's read latency.
    initial : tokens that are there at cycle 0.
    width : bits of a token.
    from_offset : pipeline step of the writes, counted from the start of the firing; None = read + latency.
    to_offset : pipeline step of the reads; None = 0.
    write_steps, read_steps : steps of a run at which a scheduled producer writes, a scheduled consumer reads.
    read_tokens : token of each of these reads, in all runs; None = 0, 1, 2, ...
    fixed : whether its depth is no choice: sizing, depths for all, patterns and advice leave it alone.
    group : name of channels that are sized together, and that stands for all of them, or None.

    Examples
    --------
    >>> Channel(name="c", from_="a", to="b") == Channel(name="c", source="a", target="b")
    True
    >>> Channel(name="c", from_="a", to="b", produce=2, consume=(1, 3)).tokens
    Rates(produce=(2,), consume=(1, 3))
    """

    name: str
    source: str
    target: str
    tokens: Tokens = ONE_PER_FIRING
    depth: int | None = None
    forward: int | None = None
    release: int | None = None
    initial: int = 0
    width: int = 32
    from_offset: int | None = None
    to_offset: int | None = None
    write_steps: StepList | None = None
    read_steps: StepList | None = None
    read_tokens: StepList | None = None
    fixed: bool = False
    group: str | None = None

    def __init__(
        self, *, name: str, source: str | None = None, target: str | None = None, tokens: Tokens = ONE_PER_FIRING,
        depth: int | Literal["unbounded"] | None = None, forward: int | None = None, release: int | None = None,
        initial: int = 0, width: int = 32, from_offset: int | None = None, to_offset: int | None = None,
        write_steps: StepList | None = None, read_steps: StepList | None = None, read_tokens: StepList | None = None,
        fixed: bool = False, group: str | None = None, from_: str | None = None, to: str | None = None,
        produce: int | str | Iterable[int] | None = None, consume: int | str | Iterable[int] | None = None,
    ) -> None:  # fmt: skip
        # By itself, because a field cannot be called ``from``, which it is in files.
        if produce is not None or consume is not None:
            if tokens is not ONE_PER_FIRING:
                words = "produce and consume say what tokens = Rates(...) says: give one"
                raise CallError(words, where=f"channel '{name}'")
            try:
                tokens = Rates(1 if produce is None else produce, 1 if consume is None else consume)
            except InputError as error:
                raise InputError(error.message, where=f"channel '{name}'") from None
        known: dict[str, object] = {
            "name": name, "source": _end(name, "source", source, "from_", from_),
            "target": _end(name, "target", target, "to", to), "tokens": tokens,
            "depth": None if isinstance(depth, str) and depth == "unbounded" else depth, "forward": forward,
            "release": release, "initial": initial, "width": width, "from_offset": from_offset, "to_offset": to_offset,
            "write_steps": write_steps, "read_steps": read_steps, "read_tokens": read_tokens,
            "fixed": fixed, "group": group,
        }  # fmt: skip
        for field, value in known.items():
            object.__setattr__(self, field, _own(value))

    @property
    def from_(self) -> str:
        """The producer, as in files (where it is ``from``)."""
        return self.source

    @property
    def to(self) -> str:
        """The consumer, as in files."""
        return self.target

    @property
    def where(self) -> str:
        """How an error names this channel."""
        return f"channel '{self.name}'"


def _end(channel: str, name: str, value: str | None, other: str, same: str | None) -> str:
    """Return an end of a channel, which is given by one of its two names."""
    if (value is None) == (same is None):
        how = "is needed" if value is None else "are both given"
        raise CallError(f"{name} or {other} {how}: the process at this end, once", where=f"channel '{channel}'")
    return value if value is not None else str(same)
