"""Platform TOML: nodes, networks, buses and memories, and the application that runs on them, with units.

Top-level tables: ``[platform]`` (name, preset), ``[node.NAME]``, ``[network.NAME]``, ``[bus.NAME]``, ``[memory.NAME]``,
``[application]``, ``[stage.NAME]`` with ``[stage.NAME.compute]``, ``[[stage.NAME.input]]``, ``[[stage.NAME.output]]``.
A preset's tables lie under those of the file, which change single keys of it or add to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field

from ppnsim.errors import InputError, did_you_mean, located
from ppnsim.formats.complaints import validated
from ppnsim.formats.schema import Keys, Text
from ppnsim.platform.files import schema
from ppnsim.platform.files.tables import with_preset, with_value
from ppnsim.platform.model.nodes import Interconnect
from ppnsim.platform.model.stages import Application, Stage, Transfer
from ppnsim.platform.model.system import System, check_application


class PlatformKeys(Keys):
    """``[platform]``."""

    name: Text | None = None
    preset: Text | None = None


class PlatformToml(Keys):
    """A whole file, its preset laid under it."""

    name: Text | None = None
    platform: PlatformKeys = PlatformKeys()
    node: dict[str, schema.NodeKeys] = Field(default_factory=dict)
    network: dict[str, schema.NetworkKeys] = Field(default_factory=dict)
    bus: dict[str, schema.BusKeys] = Field(default_factory=dict)
    memory: dict[str, schema.MemoryKeys] = Field(default_factory=dict)
    application: schema.ApplicationKeys | None = None
    stage: dict[str, schema.StageKeys] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PlatformFile:
    """A platform, and the application that runs on it: None if the file has no stage."""

    system: System
    application: Application | None

    def __repr__(self) -> str:
        stages = "no stages" if self.application is None else ", ".join(each.name for each in self.application.stages)
        nodes = ", ".join(f"{each.count} x {each.name}" for each in self.system.nodes)
        return f"<PlatformFile: '{self.system.name}', nodes {nodes}; stages {stages}>"


def read(data: Mapping[str, Any], path: Path, *, changes: Mapping[str, Any] | None = None) -> PlatformFile:
    """Return what a decoded file says (see `parse_platform`).

    Parameters
    ----------
    changes : values by path of keys, ``node.fpga.clock`` to ``"150 MHz"``, in place of the file's.
    """
    tables = with_preset(data)
    for key, value in (changes or {}).items():
        tables = with_value(tables, key, value)
    system, application = parse_platform(tables, name=path.stem)
    return PlatformFile(system=system, application=application)


def parse_platform(data: Mapping[str, Any], *, name: str = "platform") -> tuple[System, Application | None]:
    """Return the platform and the application in decoded TOML.

    Raises
    ------
    InputError
        With every fault of form, one line each, or the first rule that the platform breaks.

    Examples
    --------
    >>> system, _ = parse_platform({"platform": {"preset": "src6"}, "node": {"map": {"count": 2}}})
    >>> system.group("map", "").instances()
    ['map[0]', 'map[1]']
    >>> parse_platform({"node": {"a": {"kind": "fpga", "clok": "1 GHz"}}})
    Traceback (most recent call last):
    ppnsim.errors.InputError: node 'a': unknown key 'clok' (did you mean 'clock'?)
    """
    file = validated(PlatformToml, with_preset(data))
    system = System(
        name=file.name or file.platform.name or name,
        nodes=tuple(keys.build(each, _count(each, file.node)) for each, keys in file.node.items()),
        networks=tuple(Interconnect(name=each, **keys.given()) for each, keys in file.network.items()),
        buses=tuple(keys.build(each) for each, keys in file.bus.items()),
        memories=tuple(keys.group(each, keys.on) for each, keys in file.memory.items()),
    )
    if not system.nodes:
        raise InputError("there is no node (write [node.NAME], or [platform] with a preset)")
    if not file.stage:
        if file.application is not None:
            raise InputError("has no stage, so there is nothing to run", where="application")
        return system, None
    whole = file.application or schema.ApplicationKeys()
    stages = tuple(_stage(system, each, keys) for each, keys in file.stage.items())
    application = Application(stages=stages, **whole.given())
    check_application(system, application)
    return system, application


def _count(name: str, nodes: Mapping[str, schema.NodeKeys]) -> int:
    """Return how many nodes a group has; a name stands for as many as there are of that group."""
    count: object = nodes[name].count
    if isinstance(count, str):
        other = nodes.get(count)
        if other is None or not isinstance(other.count, int):
            numbered = [each for each, keys in nodes.items() if isinstance(keys.count, int)]
            words = f"count = '{count}' is not a group with a number{did_you_mean(count, numbered)}"
            raise InputError(words, where=f"node '{name}'")
        count = other.count
    assert isinstance(count, int)
    return count


def _stage(system: System, name: str, keys: schema.StageKeys) -> Stage:
    where = f"stage '{name}'"
    group = system.group(keys.compute.on, f"{where}: compute")
    with located(f"{where}: compute"):
        compute = keys.compute.build(group.count)
    inputs = tuple(_transfer(system, group.count, f"{where}: input", each) for each in keys.input)
    outputs = tuple(_transfer(system, group.count, f"{where}: output", each) for each in keys.output)
    plain = {key: value for key, value in keys.given().items() if key not in ("compute", "input", "output")}
    return Stage(name=name, compute=compute, inputs=inputs, outputs=outputs, **plain)


def _transfer(system: System, nodes: int, where: str, keys: schema.TransferKeys) -> Transfer:
    where = f"{where} '{keys.name}'"
    network = next((each for each in system.networks if each.name == keys.over), None)
    if network is None and not any(bus.name == keys.over for bus in system.buses):
        known = [each.name for each in system.networks] + [each.name for each in system.buses]
        words = f"over = '{keys.over}' is neither a network nor a bus{did_you_mean(keys.over, known)}"
        raise InputError(words, where=where)
    with located(where):
        return keys.build(network=network, nodes=nodes)
