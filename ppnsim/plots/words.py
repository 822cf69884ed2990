"""What a network drawing says about a process and about a channel, shared by the picture and the Graphviz text."""

from __future__ import annotations

from ppnsim.model.latency import Distribution
from ppnsim.model.network import Channel, Network, Process, Style
from ppnsim.model.tokens import ONE_PER_FIRING, Rates
from ppnsim.units import counted

_PHASES = 4  # of a rate that are listed

STYLE_WORDS: dict[Style, str] = {
    "elastic": "elastic: firings wait one by one",
    "flushable": "flushable: held when an access under way is blocked",
    "frozen": "frozen: every blocked access stops all of it",
}
KIND_WORDS = {
    "IOM-": "in order, each token read once",
    "IOM+": "in order, tokens read several times",
    "OOM-": "out of order, each token read once",
    "OOM+": "out of order, tokens read several times",
}
RATES_WORDS = "tokens written:read per firing"


def process_lines(network: Network, process: Process) -> list[str]:
    """Return the small print of a process: firings, initiation interval and latency in cycles, its resource.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> network = chain(firings=20, latency=3)
    >>> process_lines(network, network.processes[0])
    ['20 firings', 'ii 1 · latency 3']
    """
    lines = [
        f"{process.firings:,} firing{'' if process.firings == 1 else 's'}",
        f"ii {process.ii} · latency {_latency(process)}",
    ]
    if (schedule := process.schedule) is not None:
        lines[1] = f"{schedule.steps:,} steps" + (f" · {schedule.runs:,} runs" if schedule.runs > 1 else "")
    if process.resource is not None:
        units = network.resources[process.resource]
        lines.append(f"on {process.resource} ({counted(units, 'unit')})")
    return lines


def channel_words(network: Network, channel: Channel, *, most: int | None = None, held: str = "max") -> str:
    """Return the small print of a channel: kind, rates, depth, initial tokens and, after a run, the most it held.

    ``held`` is the word before that number: in a deadlock it is what the channel holds there.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> network = chain(firings=20, depth=2)
    >>> channel_words(network, network.channels[0], most=2)
    'IOM− · depth 2 · max 2'
    """
    words = [network.counts[channel.name].kind.replace("-", "−")]
    if rates := rates_words(channel):
        words.append(rates)
    words.append("unbounded" if channel.depth is None else f"depth {channel.depth}")
    if channel.initial:
        words.append(f"{channel.initial} initial")
    if most is not None:
        words.append(f"{held} {most}")
    return " · ".join(words)


def rates_words(channel: Channel) -> str:
    """Return the tokens per firing of a channel, written:read, of many phases those of a round; "" for one each.

    Examples
    --------
    >>> rates_words(Channel(name="c", from_="a", to="b", produce=2, consume=(1, 3)))
    '2:(1, 3)'
    >>> rates_words(Channel(name="c", from_="a", to="b", produce="16 x 0, 32 x 1"))
    '32/48:1'
    >>> rates_words(Channel(name="c", from_="a", to="b"))
    ''
    """
    tokens = channel.tokens
    if not isinstance(tokens, Rates) or tokens == ONE_PER_FIRING:
        return ""
    return f"{_rate(tokens.produce)}:{_rate(tokens.consume)}"


def _rate(rate: tuple[int, ...]) -> str:
    if len(rate) > _PHASES:
        return f"{sum(rate):,}/{len(rate):,}"
    return str(rate[0]) if len(rate) == 1 else f"({', '.join(map(str, rate))})"


def _latency(process: Process) -> str:
    latency = process.latency
    if isinstance(latency, Distribution):
        return f"{latency.name} {', '.join(f'{value:g}' for value in latency.parameters)}"
    if isinstance(latency, tuple):
        return str(latency[0]) if min(latency) == max(latency) else f"{min(latency)}..{max(latency)}"
    return str(latency)
