"""Platform TOML: nodes, networks, buses and memories, and the application that runs on them, with units.

Top-level tables: ``[platform]`` (name, preset), ``[node.NAME]``, ``[network.NAME]``, ``[bus.NAME]``, ``[memory.NAME]``,
``[application]``, ``[stage.NAME]`` with ``[stage.NAME.compute]``, ``[[stage.NAME.input]]``, ``[[stage.NAME.output]]``.
A preset's tables lie under those of the file, which change single keys of it or add to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from ppnsim.errors import InputError, did_you_mean
from ppnsim.formats.complaints import input_error
from ppnsim.formats.schema import Keys, Text
from ppnsim.formats.values import shown
from ppnsim.platform.files.schema import BusKeys, MemoryKeys, NetworkKeys, NodeKeys
from ppnsim.platform.files.stage_schema import ApplicationKeys, ComputeKeys, StageKeys, TransferKeys
from ppnsim.platform.files.tables import PARTS, with_preset, with_value
from ppnsim.platform.model.stages import Application, Stage, Transfer
from ppnsim.platform.model.system import System, check_application

_KeysT = TypeVar("_KeysT", bound=Keys)
_TABLES = ("name", "platform", *PARTS, "application", "stage")


class PlatformKeys(Keys):
    """``[platform]``."""

    name: Text | None = None
    preset: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformFile:
    """A platform, and the application that runs on it: None if the file has no stage."""

    system: System
    application: Application | None


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
    data = with_preset(data)
    for key in data:
        if key not in _TABLES:
            raise InputError(f"unknown key '{key}'{did_you_mean(key, _TABLES)}")
    faults: list[str] = []
    about = _read(PlatformKeys, data.get("platform", {}), "platform", faults)
    nodes = _part(NodeKeys, data, "node", faults)
    networks = _part(NetworkKeys, data, "network", faults)
    buses = _part(BusKeys, data, "bus", faults)
    memories = _part(MemoryKeys, data, "memory", faults)
    stages = _stage_tables(data, faults)
    whole = _read(ApplicationKeys, data.get("application", {}), "application", faults)
    if faults or about is None or whole is None:
        raise InputError("\n".join(faults))
    system = System(
        name=str(data.get("name") or about.name or name),
        nodes=tuple(keys.build(each, _count(each, nodes)) for each, keys in nodes.items()),
        networks=tuple(keys.build(each) for each, keys in networks.items()),
        buses=tuple(keys.build(each) for each, keys in buses.items()),
        memories=tuple(keys.build(each) for each, keys in memories.items()),
    )
    if not system.nodes:
        raise InputError("there is no node (write [node.NAME], or [platform] with a preset)")
    if not stages:
        if "application" in data:
            raise InputError("has no stage, so there is nothing to run", where="application")
        return system, None
    application = Application(stages=tuple(_stage(system, *each) for each in stages), **whole.given())
    check_application(system, application)
    return system, application


def _read(keys: type[_KeysT], data: object, where: str, faults: list[str]) -> _KeysT | None:
    """Return a table read, or None and its faults, a line each."""
    try:
        return keys.model_validate(data)
    except ValidationError as error:
        lines = str(input_error(error, data, keys, {})).split("\n")
        faults.extend(f"{where}: {line}" for line in lines)
        return None


def _part(keys: type[_KeysT], data: Mapping[str, Any], kind: str, faults: list[str]) -> dict[str, _KeysT]:
    table = data.get(kind, {})
    if not isinstance(table, dict):
        faults.append(f"{kind} = {shown(table)} must be tables by name")
        return {}
    read = {name: _read(keys, each, f"{kind} '{name}'", faults) for name, each in table.items()}
    return {name: each for name, each in read.items() if each is not None}


def _count(name: str, nodes: Mapping[str, NodeKeys]) -> int:
    """Return how many nodes a group has; a name stands for as many as there are of that group."""
    count: object = nodes[name].count
    if isinstance(count, str):
        other = nodes.get(count)
        if other is None or not isinstance(other.count, int):
            raise InputError(
                f"count = '{count}' is no group with a number{did_you_mean(count, nodes)}", where=f"node '{name}'"
            )
        count = other.count
    assert isinstance(count, int)
    return count


StageTables = tuple[str, StageKeys, ComputeKeys, list[tuple[str, TransferKeys]], list[tuple[str, TransferKeys]]]


def _stage_tables(data: Mapping[str, Any], faults: list[str]) -> list[StageTables]:
    stages = data.get("stage", {})
    if not isinstance(stages, dict):
        faults.append(f"stage = {shown(stages)} must be tables by name")
        return []
    found = []
    for name, table in stages.items():
        where = f"stage '{name}'"
        if not isinstance(table, dict):
            faults.append(f"{where} = {shown(table)} must be a table of keys")
            continue
        inner = {"compute", "input", "output"}
        plain = _read(StageKeys, {key: each for key, each in table.items() if key not in inner}, where, faults)
        if "compute" not in table:
            faults.append(f"{where}: compute is missing (what the nodes do between inputs and outputs)")
            continue
        compute = _read(ComputeKeys, table["compute"], f"{where}: compute", faults)
        lists = []
        for kind in ("input", "output"):
            entries = table.get(kind, [])
            if not isinstance(entries, list):
                faults.append(f"{where}: {kind} = {shown(entries)} must be a list of tables")
                entries = []
            places = [(f"{where}: {_called(kind, at, each)}", each) for at, each in enumerate(entries)]
            read = [(place, _read(TransferKeys, each, place, faults)) for place, each in places]
            lists.append([(place, keys) for place, keys in read if keys is not None])
        if plain is not None and compute is not None:
            found.append((name, plain, compute, lists[0], lists[1]))
    return found


def _called(kind: str, at: int, table: object) -> str:
    name = table.get("name") if isinstance(table, dict) else None
    return f"{kind} '{name}'" if isinstance(name, str) else f"{kind}[{at}]"


def _stage(
    system: System, name: str, plain: StageKeys, work: ComputeKeys,
    inputs: list[tuple[str, TransferKeys]], outputs: list[tuple[str, TransferKeys]],
) -> Stage:  # fmt: skip
    group = system.group(work.on, f"stage '{name}': compute")
    try:
        compute = work.build(group.count)
    except InputError as error:
        raise InputError(str(error), where=f"stage '{name}': compute") from None
    lists = [tuple(_transfer(system, group.count, *each) for each in listed) for listed in (inputs, outputs)]
    return Stage(name=name, compute=compute, inputs=lists[0], outputs=lists[1], **plain.given())


def _transfer(system: System, nodes: int, where: str, keys: TransferKeys) -> Transfer:
    network = next((each for each in system.networks if each.name == keys.over), None)
    if network is None and not any(bus.name == keys.over for bus in system.buses):
        known = [each.name for each in system.networks] + [each.name for each in system.buses]
        raise InputError(f"over = '{keys.over}' is no network and no bus{did_you_mean(keys.over, known)}", where=where)
    try:
        return keys.build(network=network, nodes=nodes)
    except InputError as error:
        raise InputError(str(error), where=where) from None
