"""Network JSON: the fixed format in which other programs hand us networks, and in which we write them."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from typing import Any

from pydantic import Field

from ppnsim.errors import InputError
from ppnsim.formats import step_lists
from ppnsim.formats.complaints import checked, validated
from ppnsim.formats.network_schema import ChannelKeys, ProcessKeys, WholeKeys
from ppnsim.formats.network_values import Dialect
from ppnsim.formats.schema import Text
from ppnsim.model.latency import Distribution, Latency
from ppnsim.model.network import Channel, Network, Process
from ppnsim.model.rate_pattern import pattern_text
from ppnsim.model.schedule import AT_ONCE, StepSchedule
from ppnsim.model.step_lists import StepList
from ppnsim.model.tokens import Listed, Runs, Tokens

_OF_A_RESULT = {"finish", "engine", "deadlock", "parallelism"}  # keys that a result has in every version
_OF_A_SIZING = {"lossless", "deadlock_free", "front"}


class JsonProcess(ProcessKeys):
    """A process in the list of processes."""

    name: Text


class JsonChannel(ChannelKeys):
    """A channel in the list of channels; one without a name is called after its ends."""

    name: Text | None = None


class NetworkJson(WholeKeys):
    """A whole file."""

    processes: list[JsonProcess] = Field(default_factory=list)
    channels: list[JsonChannel] = Field(default_factory=list)


def parse_network(data: object, *, name: str = "network") -> Network:
    """Return the network of decoded JSON; its own ``name`` wins over the one given here.

    Raises
    ------
    InputError
        With all faults of form at once, one line each, or with the first invariant that the network breaks.

    Examples
    --------
    >>> parse_network({"processes": [{"name": "a", "firings": 4, "latency": 3}]}).process("a").latency
    3
    >>> parse_network({"processes": [{"name": "a", "firing": 4}]})
    Traceback (most recent call last):
    ppnsim.errors.InputError: process 'a': firings is missing
    process 'a': unknown key 'firing' (did you mean 'firings'?)
    """
    if isinstance(data, dict) and data.keys() >= _OF_A_RESULT:
        came = f"; give the file that was run, '{data['file']}'" if isinstance(data.get("file"), str) else ""
        raise InputError(f"holds the result of a run, not a network{came}")
    if isinstance(data, dict) and data.keys() >= _OF_A_SIZING:
        sized = data["file"] if isinstance(data.get("file"), str) else "FILE"
        raise InputError(f"holds a result of 'ppnsim size', not a network: 'ppnsim run {sized} --depths' takes it")
    file = validated(NetworkJson, data, context=Dialect())
    network = Network(
        processes=[process.process(process.name, file.style) for process in file.processes],
        channels=_named(file.channels),
        resources=file.resources,
        clock_ns=file.period,
        name=name if file.name is None else file.name,
    )
    return checked(network).with_convention(file.convention)


def _named(channels: list[JsonChannel]) -> list[Channel]:
    """Call channels without a name ``from->to``, ``from->to#2``, ..., around the names that are taken."""
    taken = {channel.name for channel in channels}
    count: Counter[str] = Counter()
    named = []
    for channel in channels:
        name = channel.name
        while name is None:
            ends = f"{channel.source}->{channel.target}"
            count[ends] += 1
            free = ends if count[ends] == 1 else f"{ends}#{count[ends]}"
            name = None if free in taken else free
        named.append(channel.channel(name))
    return named


def dump_network(network: Network) -> dict[str, Any]:
    """Return a network as the JSON object that `parse_network` turns back into it exactly; defaults are left out.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> dump_network(chain(firings=4, length=2, latency=1, depth=2))["channels"]
    [{'name': 'c0', 'from': 'p0', 'to': 'p1', 'depth': 2}]
    """
    data: dict[str, Any] = {"name": network.name}
    if network.clock_ns != Network.clock_ns:
        data["clock_ns"] = network.clock_ns
    if network.resources:
        data["resources"] = dict(network.resources)
    if network.convention != Network.convention:
        data["convention"] = network.convention
    return data | {
        "processes": [_dump(process) for process in network.written.processes],
        "channels": [_dump(channel) for channel in network.written.channels],
    }


_SIDES = {
    "writes": "write", "write_runs": "write", "produce": "write", "reads": "read", "read_runs": "read",
    "consume": "read",
}  # fmt: skip


def _dump(part: Process | Channel) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for field in fields(part):
        value = getattr(part, field.name)
        if value == field.default and type(value) is type(field.default):
            continue
        if field.name in ("firings", "style") and isinstance(part, Process) and part.schedule is not None:
            continue
        if isinstance(value, StepList):
            data[field.name] = step_lists.dump(value)
        elif isinstance(value, StepSchedule):
            data |= _dump_schedule(value)
        elif field.name == "tokens":
            scheduled = {side for side in ("write", "read") if getattr(part, f"{side}_steps") is not None}
            data |= {key: said for key, said in _dump_tokens(value).items() if _SIDES.get(key) not in scheduled}
        elif field.name == "latency":
            data["latency"] = _dump_latency(value)
        else:
            data[{"source": "from", "target": "to"}.get(field.name, field.name)] = value
    return data


def _dump_schedule(schedule: StepSchedule) -> dict[str, Any]:
    data: dict[str, Any] = {"steps": schedule.steps}
    if schedule.runs != 1:
        data["runs"] = schedule.runs
    if schedule.start_steps != AT_ONCE:
        data["start_steps"] = step_lists.dump(schedule.start_steps)
    return data


def _dump_latency(latency: Latency) -> Any:
    if isinstance(latency, Distribution):
        return {latency.name: list(latency.parameters), "seed": latency.seed}
    return list(latency) if isinstance(latency, tuple) else latency


def _dump_tokens(tokens: Tokens) -> dict[str, Any]:
    if isinstance(tokens, Listed):
        return {"writes": list(tokens.writes), "reads": [list(read) for read in tokens.reads]}
    if isinstance(tokens, Runs):
        return {"write_runs": [list(run) for run in tokens.writes], "read_runs": [list(run) for run in tokens.reads]}
    rates = {"produce": tokens.produce, "consume": tokens.consume}
    return {
        key: rate[0] if len(rate) == 1 else pattern_text(rate) or list(rate)
        for key, rate in rates.items()
        if rate != (1,)
    }
