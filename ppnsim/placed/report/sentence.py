"""What sets the pace of a run across nodes, in a sentence whose figures are those of the run."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from ppnsim.placed.model.links import Link, token_bytes
from ppnsim.placed.model.memory_ports import MemoryPort
from ppnsim.placed.report.terms import Binding, link_use, port_use, round_trip
from ppnsim.placed.run.record import PlacedRun
from ppnsim.units import duration

_PORT_ADVICE = {
    "gap": "larger packets would share the gap",
    "bytes": "a wider link or narrower tokens would help, larger packets hardly",
    "overhead": "larger packets would share the overhead",
}
_BY_SIZE = "larger packets would reach more of its bandwidth, as its efficiencies say"


def binding_sentence(run: PlacedRun, binds: Binding) -> str:
    """Return the sentence of a binding term."""
    if binds.kind == "process":
        return _process(run, binds)
    if binds.kind in _PORT_ADVICE:
        return _port(run, binds)
    if binds.kind == "bus":
        return f"memory '{binds.name}' sets the pace: its data bus is taken {_percent(binds.share)} of the time"
    if binds.kind == "credits":
        return _credits(run, binds)
    if binds.kind in ("outstanding", "banks"):
        return _memory_port(run, binds)
    most = f"'{binds.name}' is what is waited for most, {_percent(binds.share)} of the time"
    return f"nothing is taken all the time: {most}"


def pace_of_neighbours(run: PlacedRun, channel: str) -> float:
    """Return the time (ps) that its writer, its reader and its link need for one token of a channel, the longest."""
    placement, network = run.placement, run.placement.network
    ends = network.channel(channel)
    tokens = max(network.counts[channel].written, 1)
    times = [
        float(run.period(name)) * network.process(name).ii * network.process(name).firings / tokens
        for name in (ends.source, ends.target)
    ]
    link = placement.link_of(ends)
    size = token_bytes(ends) * (packet := min(placement.packet.get(channel, 1), tokens))
    return max(*times, link.cost(size).interval / packet, 1.0)


def _process(run: PlacedRun, binds: Binding) -> str:
    process = run.placement.network.process(binds.name)
    every = duration(float(run.period(binds.name)) * process.ii / 1000)
    node = run.placement.node_of[binds.name]
    share = _percent(binds.share)
    return f"process '{binds.name}' sets the pace: it starts every {every} on '{node}', {share} of the time"


def _port(run: PlacedRun, binds: Binding) -> str:
    link = next(each for each in run.placement.links if each.name == binds.name)
    use = max((link_use(run, link, end) for end in link.ends), key=lambda each: each.taken)
    parts = [f"{name} {_percent(share)}" for name, share in (("gap", use.gap), ("bytes", use.bytes)) if share]
    parts += [f"overhead {_percent(use.overhead)}"] if use.overhead > 0 else []
    return (
        f"link '{binds.name}' sets the pace: its port at '{use.source}' is taken {_percent(use.taken)} of the time "
        f"({', '.join(parts)}): {_BY_SIZE if binds.kind == 'bytes' and link.efficiency else _PORT_ADVICE[binds.kind]}"
    )


def _credits(run: PlacedRun, binds: Binding) -> str:
    channel = run.placement.network.channel(binds.name)
    link: Link = run.placement.link_of(channel)
    back, depth = round_trip(run, binds.name), channel.depth
    if back is None or depth is None:
        return f"channel '{binds.name}' is waited for at both ends {_percent(binds.share)} of the time"
    enough = ceil(back / pace_of_neighbours(run, binds.name))
    return (
        f"credits set the pace: a slot of '{binds.name}' is back {_ns(back)} after its token was written (2 x "
        f"{_ns(link.latency)} of it on '{link.name}'), so depth {depth} passes a token in {_ns(back / depth)}; about "
        f"{enough} would cover the way to and fro"
    )


def _memory_port(run: PlacedRun, binds: Binding) -> str:
    port: MemoryPort = next(each for each in run.placement.ports if each.name == binds.name)
    use = port_use(run, port)
    assert use is not None  # it was waited for
    verb = "is accepted" if port.write else "has its data"
    waits = f"'{port.process}' waits {_percent(binds.share)} of the time for memory '{port.memory}'"
    if binds.kind == "banks":
        return (
            f"banks of '{port.memory}' set the pace: {waits}, where a request {verb} after {_ns(use.latency)}, "
            f"{_ns(use.unloaded)} at most if it were alone: more outstanding ones would queue longer"
        )
    return (
        f"the outstanding limit sets the pace: {waits}; a request {verb} after {_ns(use.latency)}, so "
        f"{port.outstanding} of them pass one in {_ns(use.latency / port.outstanding)}"
    )


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def _ns(picoseconds: Fraction | float) -> str:
    return duration(float(f"{picoseconds / 1000:.4g}"))
