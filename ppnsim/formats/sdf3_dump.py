"""SDF3 XML written: networks that a dataflow graph says exactly; what it cannot say is refused by name."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import lcm
from xml.sax.saxutils import quoteattr

from ppnsim.errors import InputError
from ppnsim.model.convention import duration
from ppnsim.model.latency import Distribution
from ppnsim.model.network import Channel, Network, Process
from ppnsim.model.repetition import repetition_vector
from ppnsim.model.tokens import Rates

_MOST_PHASES = 10_000


@dataclass(frozen=True, slots=True)
class Dump:
    """A graph as SDF3 XML, and how many of its graph iterations the network was."""

    text: str
    iterations: int


def dump_sdf3(network: Network, *, convention: str | None = None) -> Dump:
    """Return a network as SDF3 XML: an actor per process, which takes read + latency + write cycles.

    Parameters
    ----------
    network : checked or not; its processes are elastic or flushable with ii 0, or with an ii that is the time of a
        whole firing, for which a self-loop of one token is written; its channels have rates and usual offsets.
    convention : what its depths count; default its own. In ``ppn`` a bounded channel has to be one that does what
        ``sdf3`` says (`model.convention`).

    Raises
    ------
    InputError
        With the process or the channel that SDF3 cannot express, and why.

    Examples
    --------
    >>> from ppnsim.model.builders import sdf
    >>> graph = sdf({"a": 2, "b": 3}, {"c": ("a", 2, 1, "b", 0)}, firings={"a": 5, "b": 10})
    >>> dump = dump_sdf3(graph)
    >>> dump.iterations, dump.text.splitlines()[4].strip()
    (5, '<actor name="a" type="a">')
    """
    network = network.checked().with_convention(convention or network.convention)
    network = _without_claims(network) if network.convention == "ppn" else network.written
    for process in network.processes:
        _check_process(network, process)
    channels = [_checked_channel(network, channel) for channel in network.channels] + _self_loops(network)
    times = {process.name: _times(network, process) for process in network.processes}
    phases = {name: _phases(network, name, time, channels) for name, time in times.items()}
    iterations = _iterations(network, repetition_vector(phases, channels))
    return Dump(_text(network, channels, times, phases), iterations)


def _without_claims(network: Network) -> Network:
    """Return a network whose bounded channels claim space as SDF3 does without the offsets that say so."""
    bare = network.replace(
        channels=[
            channel if channel.depth is None else replace(channel, from_offset=None, forward=None, release=None)
            for channel in network.channels
        ]
    )
    try:
        meant = bare.with_convention("sdf3")
    except InputError:
        meant = bare  # then none of them is what SDF3 means
    for channel in network.channels:
        if channel.depth is not None and channel not in meant.channels:
            raise InputError(
                f"depth = {channel.depth} is taken at the write and free after the read; SDF3 claims space at the "
                "start and frees it at the end of a firing (convention sdf3 takes the depth so, or leave it out)",
                where=channel.where,
            )
    return bare


def _check_process(network: Network, process: Process) -> None:
    long = duration(network, process.name)
    if process.style == "frozen":
        words = "style = 'frozen': an actor of SDF3 never waits once it has started"
    elif process.resource is not None:
        words = f"resource = '{process.resource}': SDF3 shares nothing between actors"
    elif isinstance(process.latency, Distribution):
        words = "latency is drawn at random: an actor of SDF3 has execution times that repeat"
    elif process.ii not in (0, long):
        whole = "differs between firings" if long is None else f"is {long}"
        words = f"ii = {process.ii}: an actor of SDF3 is not pipelined (ii 0, or the time of a firing, which {whole})"
    else:
        return
    raise InputError(words, where=process.where)


def _checked_channel(network: Network, channel: Channel) -> Channel:
    if not isinstance(channel.tokens, Rates):
        words = "tokens are listed firing by firing: SDF3 has rates"
    elif channel.from_offset is not None or channel.to_offset:
        words = "has an offset: SDF3 consumes at the start and produces at the end of a firing"
    elif network.forward(channel.name) != network.write_latency(channel.source):
        words = (
            f"forward = {network.forward(channel.name)} is not the write latency "
            f"{network.write_latency(channel.source)}: tokens of SDF3 are there at the end of a firing"
        )
    elif channel.fixed or channel.group is not None:
        words = "is fixed or in a group: SDF3 has no word for a depth that is no choice, or that channels share"
    else:
        return channel
    raise InputError(words, where=channel.where)


def _self_loops(network: Network) -> list[Channel]:
    """Return the channels of one token that keep firings with an ii apart."""
    names = {channel.name for channel in network.channels}
    loops = []
    for process in network.processes:
        if process.ii:
            name = f"{process.name}.self"
            while name in names:
                name += "_"
            loops.append(Channel(name=name, source=process.name, target=process.name, initial=1))
    return loops


def _times(network: Network, process: Process) -> tuple[int, ...]:
    """Return the execution times of one cycle of phases."""
    steps = network.steps[process.name]
    all_times = (steps.latencies + steps.read + steps.write).tolist()
    for count in range(1, min(len(all_times), _MOST_PHASES) + 1):
        if all_times[count:] == all_times[:-count]:
            return tuple(all_times[:count])
    raise InputError(f"its latencies do not repeat within {_MOST_PHASES} firings", where=process.where)


def _phases(network: Network, name: str, times: tuple[int, ...], channels: list[Channel]) -> int:
    counts = [len(times)]
    for channel in channels:
        assert isinstance(channel.tokens, Rates)
        counts += [len(channel.tokens.produce)] * (channel.source == name)
        counts += [len(channel.tokens.consume)] * (channel.target == name)
    if (phases := lcm(*counts)) > _MOST_PHASES:
        raise InputError(f"goes through {phases} phases (at most {_MOST_PHASES})", where=network.process(name).where)
    return phases


def _iterations(network: Network, repetition: dict[str, int]) -> int:
    first = network.processes[0]
    iterations = max(1, first.firings // repetition[first.name])
    for process in network.processes:
        if process.firings != iterations * repetition[process.name]:
            raise InputError(
                f"firings = {process.firings} are not those of {iterations} graph iterations, "
                f"{iterations * repetition[process.name]} (SDF3 has whole iterations)",
                where=process.where,
            )
    return iterations


def _text(network: Network, channels: list[Channel], times: dict[str, tuple[int, ...]], phases: dict[str, int]) -> str:
    kind = "sdf" if set(phases.values()) == {1} else "csdf"
    name = quoteattr(network.name)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<sdf3 type="{kind}" version="1.0" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
        f'xsi:noNamespaceSchemaLocation="http://www.es.ele.tue.nl/sdf3/xsd/sdf3-{kind}.xsd">',
        f"  <applicationGraph name={name}>",
        f"    <{kind} name={name} type={name}>",
    ]
    for actor, count in phases.items():
        lines.append(f"      <actor name={quoteattr(actor)} type={quoteattr(actor)}>")
        for channel in channels:
            assert isinstance(channel.tokens, Rates)
            if channel.source == actor:
                lines.append(_port("out", channel.name, channel.tokens.produce, count))
            if channel.target == actor:
                lines.append(_port("in", channel.name, channel.tokens.consume, count))
        lines.append("      </actor>")
    lines += [_channel(channel) for channel in channels]
    lines += [f"    </{kind}>", f"    <{kind}Properties>"]
    for actor, count in phases.items():
        time = _list(times[actor], count)
        lines.append(f'      <actorProperties actor={quoteattr(actor)}><processor type="p" default="true">'
                     f'<executionTime time="{time}"/></processor></actorProperties>')  # fmt: skip
    for channel in channels:
        size = "" if channel.depth is None else f'<bufferSize sz="{channel.depth}"/>'
        lines.append(f"      <channelProperties channel={quoteattr(channel.name)}>{size}"
                     f'<tokenSize sz="{channel.width}"/></channelProperties>')  # fmt: skip
    lines += [f"    </{kind}Properties>", "  </applicationGraph>", "</sdf3>"]
    return "\n".join(lines) + "\n"


def _port(direction: str, channel: str, rates: tuple[int, ...], phases: int) -> str:
    name = quoteattr(f"{direction}_{channel}")
    return f'        <port name={name} type="{direction}" rate="{_list(rates, phases)}"/>'


def _channel(channel: Channel) -> str:
    tokens = f' initialTokens="{channel.initial}"' if channel.initial else ""
    ports = {"src": (channel.source, "out"), "dst": (channel.target, "in")}
    ends = " ".join(
        f"{side}Actor={quoteattr(actor)} {side}Port={quoteattr(f'{direction}_{channel.name}')}"
        for side, (actor, direction) in ports.items()
    )
    return f"      <channel name={quoteattr(channel.name)} {ends}{tokens}/>"


def _list(numbers: tuple[int, ...], phases: int) -> str:
    """Return a number for each phase."""
    return ",".join(str(numbers[phase % len(numbers)]) for phase in range(phases))
