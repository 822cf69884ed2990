"""What an engine returns: whether the network finished and when, its timeline, and the depths that fix a deadlock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from shlex import quote

from ppnsim.errors import PpnsimError
from ppnsim.methods import RunMethods
from ppnsim.model.network import Network
from ppnsim.model.steady import LeftOut, Steady
from ppnsim.model.timeline import Timeline
from ppnsim.notebook import ShownInNotebooks
from ppnsim.units import duration


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """One process of a deadlock and its wait.

    ``kind`` is ``token`` (the channel lacks it) or ``slot`` (the channel is full); ``number`` is that of the token
    which is missing, or of the last one that finds no room, and ``count`` how many slots are needed at once. ``other``
    is the process that would have to move first. ``step`` is the pipeline step of a scheduled process, counted over
    all runs, and ``firing`` then the last one that started before.
    """

    process: str
    firing: int
    kind: str
    channel: str
    number: int
    count: int
    occupancy: int
    depth: int | None
    other: str
    step: int | None = None

    @property
    def place(self) -> str:
        """Where in its process it waits: the firing, or the pipeline step of a scheduled process."""
        return f"firing {self.firing}" if self.step is None else f"step {self.step}"

    def __str__(self) -> str:
        if self.kind == "slot":
            slots = "a slot" if self.count == 1 else f"{self.count} slots"
            return f"waits for {slots} in '{self.channel}' ({self.occupancy}/{self.depth} full)"
        held = f"holds {self.occupancy}, but not that one" if self.occupancy else "empty"
        return f"waits for token {self.number} of '{self.channel}' ({held})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Deadlock:
    """A run that stands still.

    Attributes
    ----------
    at : first cycle in which nothing happens any more.
    ended, firings : firings that passed all their steps, and firings in all.
    cycle : the circle of waits: each one waits for the next, the last for the first.
    """

    at: int
    ended: int
    firings: int
    cycle: tuple[Wait, ...]

    def __str__(self) -> str:
        width = max(len(wait.process) for wait in self.cycle)
        lines = [f"deadlock at cycle {self.at} after {self.ended} of {self.firings} firings:"]
        lines += [f"  {wait.process:<{width}}  {wait.place}  {wait}" for wait in self.cycle]
        return "\n".join(lines)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Run(RunMethods, ShownInNotebooks):
    """The result of running a network once.

    Attributes
    ----------
    network : what ran, with the depths of this run.
    engine : name of the engine that ran it.
    finish : cycle in which the last firing ended, None after a deadlock.
    recorded : the cycles of every firing, without the repetitions that are left out.
    deadlock : why it stands still, None if it finished.
    left_out : the repetitions that ``recorded`` leaves out, None if it is complete.
    """

    network: Network
    engine: str
    finish: int | None
    recorded: Timeline = field(repr=False)
    deadlock: Deadlock | None = None
    left_out: LeftOut | None = field(default=None, repr=False)

    def __eq__(self, other: object) -> bool:
        """Return whether the other one is a run of the same network with the same cycles, by the same engine."""
        if not isinstance(other, Run):
            return False
        parts = ("engine", "finish", "deadlock", "left_out", "network", "recorded")
        return self is other or all(getattr(self, part) == getattr(other, part) for part in parts)

    def __hash__(self) -> int:
        return hash((self.network, self.engine, self.finish))

    def __repr__(self) -> str:
        ended = "deadlock" if self.finish is None else f"finish {self.finish} cycles ({duration(self.time_ns)})"
        return f"<Run: {ended}, network '{self.network.name}', engine {self.engine}>"

    @cached_property
    def timeline(self) -> Timeline:
        """Every firing's cycles. Of a run that was cut short it is put together when it is first asked for."""
        return self.recorded if self.left_out is None else self.left_out.put_back(self.recorded)

    @property
    def stopped(self) -> int:
        """The first cycle from which nothing happens any more, known without putting the timeline together."""
        return self.recorded.stopped + (self.left_out.cycles if self.left_out else 0)

    @property
    def steady(self) -> Steady | None:
        """The steady state, None where the run was not cut short and nobody looked for it."""
        return self.left_out.steady if self.left_out else None

    @property
    def time_ns(self) -> float | None:
        """The finish in nanoseconds, None after a deadlock."""
        return None if self.finish is None else self.finish * self.network.clock_ns

    @property
    def deadlocked(self) -> bool:
        """Whether the run ended in a deadlock."""
        return self.deadlock is not None


class DeadlockError(PpnsimError):
    """A network that was to finish stands still; ``run`` is what happened up to there.

    ``places`` says where in a source that is; it is part of the message.
    """

    exit_code = 3

    def __init__(self, run: Run, places: str = "") -> None:
        lines = [str(run.deadlock), *([places] if places else [])]
        way_out = "ppnsim.fix_deadlock(error.run) finds depths that break it"
        instead = 'run(..., on_deadlock="return") returns the run instead'
        super().__init__("\n".join([*lines, f"  -> {way_out}; {instead}"]))
        self.run = run


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """Depths that break a deadlock.

    Attributes
    ----------
    depths : channel -> depth in tokens, only those that have to change; empty if no depth helps.
    smallest : whether no smaller total increase works (proved for monotone networks within the budget).
    runs : how many simulations that took.
    initial : where no depth helps, channel -> initial tokens with which the network finishes, checked by running it;
        empty if none were found.
    buried : of the channels in ``depths``, those into which more is written than is read: both numbers of tokens.
    fixed : where no depth that is a choice helps, the fixed channels that are full.
    styles : with which other styles of its pipelines the network finishes at its own depths, or, where no depth helps,
        with FIFOs that never fill; checked by running it.
    behind, behind_at : where these depths break this deadlock but the next one follows, which no depth helps: what
        helps there, and from which cycle on the network stands still if no FIFO is ever full.
    stopped : whether the search ended before it knew the smallest, which would take too many runs.
    paste : of the network of a source, the lines that say the pragmas and where they belong.
    """

    depths: Mapping[str, int]
    smallest: bool
    runs: int
    initial: Mapping[str, int] = field(default_factory=dict)
    buried: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    fixed: tuple[str, ...] = ()
    styles: tuple[str, ...] = ()
    stopped: bool = False
    behind: Fix | None = None
    behind_at: int = 0
    paste: tuple[str, ...] = field(default=(), repr=False)

    @property
    def deeper(self) -> dict[str, int]:
        """The depths that are worth giving: those that do not bury tokens which nobody reads."""
        return {name: depth for name, depth in self.depths.items() if name not in self.buried}

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"

    def __str__(self) -> str:
        if self.fixed:
            full = " and ".join(f"'{name}'" for name in self.fixed)
            return f"no depth that is a choice helps: {full} {'is' if len(self.fixed) == 1 else 'are'} full, and fixed"
        styles = " or ".join(self.styles)
        if not self.depths:
            words = "no depth helps: the data itself goes round in a circle"
            if self.styles:
                words = (
                    "no depth helps: pipelines that stand still with their firings keep what the circle waits for; in "
                    f"style {styles} it finishes, with FIFOs that never fill (checked by running it)"
                )
            tokens = " and ".join(f"initial = {count} on '{name}'" for name, count in self.initial.items())
            plural = "" if len(self.initial) > 1 else "s"
            pasted = " ".join(f"--initial {quote(f'{name}={count}')}" for name, count in self.initial.items())
            checked = "checked by running it; what is computed changes: the first tokens read are none that was written"
            return f"{words}; {tokens} break{plural} it ({checked}): {pasted}" if tokens else words
        if self.buried:
            counts = (f"'{name}' gets {put} tokens and {taken} are read" for name, (put, taken) in self.buried.items())
            depths = ", ".join(f"'{name}' at depth {depth}" for name, depth in self.depths.items())
            lost = sum(put - taken for put, taken in self.buried.values())
            words = f"more is written than read: {', '.join(counts)}"
            return f"{words}; {depths} would only bury the {lost} that are left over: mend firings or rates first"
        parts = " and ".join(f"'{name}' at depth {depth} or more" for name, depth in self.depths.items())
        plural = "" if len(self.depths) > 1 else "s"
        style = ""
        if self.styles:
            style = f"; in style {styles} it finishes with its depths as they are (checked by running it)"
        if self.behind is not None:
            style = f"; the next deadlock follows, at cycle {self.behind_at} if no FIFO is full: {self.behind}"
        proof = "checked by running it"
        if self.stopped:
            proof += f"; a smaller change may do: the search ended after {self.runs} runs"
        elif not self.smallest:
            proof += "; a smaller change may do, which no search proves with flushable processes or shared resources"
        return "\n".join([f"{parts} break{plural} the circle ({proof}){style}", *self.paste])
