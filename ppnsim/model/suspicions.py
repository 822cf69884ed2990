"""What looks like a mistake in a network that obeys all rules: tokens that nobody reads, sources that have to wait."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ppnsim.model.network import Channel, Network
from ppnsim.model.provenance import without_depth
from ppnsim.model.run import Run
from ppnsim.model.summary import RunSummary, summary_of
from ppnsim.model.tokens import Listed, Rates
from ppnsim.units import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspicion:
    """One thing that looks like a mistake.

    Attributes
    ----------
    kind : ``unread`` (a channel that its consumer never reads), ``left over`` (more tokens are written than read),
        ``dropped`` (listed writes that nobody reads, which never enter the channel), ``source waits``, ``no depth``
        (a file says nothing of the depth of channels, which are unbounded then).
    part : name of the channel, the first of those without depth, of the process for ``source waits``.
    written, read : tokens; of ``source waits`` and ``no depth`` 0.
    cycles : that a source waits; else 0.
    sentence : what is the matter, and what would be right.
    """

    kind: Literal["unread", "left over", "dropped", "source waits", "no depth"]
    part: str
    written: int = 0
    read: int = 0
    cycles: int = 0
    sentence: str

    def __str__(self) -> str:
        word = "note" if self.kind in ("source waits", "no depth") else "suspicious"
        return f"{word}: {self.sentence}"


def suspicions(of: Network | Run | RunSummary) -> tuple[Suspicion, ...]:
    """Return what looks like a mistake in a network, and of a run for which channels no depth is given.

    Of a run that finished, also the sources that had to wait.

    Initial tokens may be left: a circle needs them again.

    Examples
    --------
    >>> from ppnsim.model.network import Process
    >>> network = Network(processes=[Process(name="a", firings=20), Process(name="b", firings=10)],
    ...                   channels=[Channel(name="c", source="a", target="b", depth=2)])
    >>> print(*suspicions(network))
    suspicious: 'c': a writes 20 tokens and b reads 10: 10 are left over (20 firings of b read all of them)
    """
    if isinstance(of, Run):
        of = summary_of(of)
    network = of if isinstance(of, Network) else of.run.network
    found = [each for channel in network.channels if (each := _of_channel(network, channel)) is not None]
    if isinstance(of, RunSummary) and not of.run.deadlocked:
        found += _waiting_sources(of)
    if isinstance(of, RunSummary) and (silent := without_depth(network)):
        found.append(_no_depth(network, silent))
    return tuple(found)


def _no_depth(network: Network, silent: tuple[str, ...]) -> Suspicion:
    """Return how many channels are unbounded because nothing is said: a depth may have been forgotten."""
    count, every = len(silent), len(network.written.channels)
    which = f"'{silent[0]}' says" if count == 1 else f"{count} of {every} channels ('{silent[0]}', ..) say"
    words = f'{which} no depth and {"is" if count == 1 else "are"} unbounded (depth = N, or "unbounded", says which)'
    return Suspicion(kind="no depth", part=silent[0], sentence=words)


def _of_channel(network: Network, channel: Channel) -> Suspicion | None:
    counts = network.counts[channel.name]
    written, read = counts.written, counts.freed_total
    target, name = channel.target, channel.name
    if isinstance(channel.tokens, Listed) and len(channel.tokens.writes) > written:
        listed = len(channel.tokens.writes)
        words = f"{_writes(channel, listed)} and {target} reads {read}: the others never enter it"
        return Suspicion(kind="dropped", part=name, written=listed, read=read, sentence=words)
    if written and not read:
        words = f"{_writes(channel, written)} and {target} reads none of them"
        return Suspicion(kind="unread", part=name, written=written, read=0, sentence=words)
    if written > read:
        words = f"{_writes(channel, written)} and {target} reads {read}: {written - read} are left over"
        return Suspicion(
            kind="left over", part=name, written=written, read=read, sentence=words + _balanced(network, channel)
        )  # fmt: skip
    return None


def _writes(channel: Channel, tokens: int) -> str:
    return f"'{channel.name}': {channel.source} writes {counted(tokens, 'token')}"


def _balanced(network: Network, channel: Channel) -> str:
    """Return the firings with which all tokens would be read, "" where no number does or firings are not free."""
    source, target = network.process(channel.source), network.process(channel.target)
    if not isinstance(channel.tokens, Rates) or source.schedule is not None or target.schedule is not None:
        return ""
    taken, phases = sum(channel.tokens.consume), len(channel.tokens.consume)
    rounds, rest = divmod(network.counts[channel.name].written, taken)
    return "" if rest or channel.initial else f" ({rounds * phases} firings of {target.name} read all of them)"


def _waiting_sources(summary: RunSummary) -> list[Suspicion]:
    """Return the processes without inputs that had to wait for room: what feeds them from outside waits, too."""
    network, found = summary.run.network, []
    for process in network.processes:
        blocked = summary.processes[process.name].cycles.blocked
        cycles = sum(blocked.values())
        if cycles and not network.inputs(process.name):
            names = ", ".join(f"'{name}'" for name, waited in blocked.items() if waited)
            fed = "what feeds it has to wait, too (a memory does, a camera or a converter would lose data)"
            words = f"{process.name} reads no channel and waits {counted(cycles, 'cycle')} for room in {names}"
            found.append(
                Suspicion(
                    kind="source waits", part=process.name, cycles=cycles,
                    sentence=f"{words}: {fed}",
                )
            )  # fmt: skip
    return found
