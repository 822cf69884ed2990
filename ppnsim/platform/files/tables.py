"""Platform TOML before it is understood: presets laid under the tables of a file, values changed by path."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any

from ppnsim.errors import InputError, did_you_mean
from ppnsim.platform.files.dump import system_tables
from ppnsim.platform.model.presets import preset_system

Tables = dict[str, Any]
PARTS = ("node", "network", "bus", "memory")


def with_preset(data: Mapping[str, Any]) -> Tables:
    """Return the tables with those of their preset under them; the preset is then spent."""
    about = data.get("platform")
    if not isinstance(about, dict) or not isinstance(about.get("preset"), str):
        return dict(data)
    under = system_tables(preset_system(about["preset"]))
    own = {**data, "platform": {key: value for key, value in about.items() if key != "preset"}}
    for kind, name, table in _parts(own):
        _forget(under.get(kind, {}).get(name, {}), table)
    return _merged(under, own)


def _parts(tables: Mapping[str, Any]) -> Iterator[tuple[str, str, Tables]]:
    for kind in PARTS:
        parts = tables.get(kind, {})
        for name, table in parts.items() if isinstance(parts, dict) else ():
            if isinstance(table, dict):
                yield kind, name, table


def _forget(under: Tables, changed: Mapping[str, Any], path: str = "") -> None:
    """Take the provenance of what is changed from the table of a part: it is that of another value."""
    for key, value in changed.items():
        if key != "provenance":
            under.get("provenance", {}).pop(f"{path}{key}", None)
            if isinstance(value, dict):
                _forget(under, value, f"{path}{key}.")


def with_value(tables: Tables, path: str, value: Any) -> Tables:
    """Return the tables with another value at a path such as ``stage.estimate.compute.fill``.

    An entry of a list goes by its name or by its place: ``stage.estimate.input.read.bytes``, ``input.0.bytes``.

    Raises
    ------
    InputError
        If the path leads into no table; a key that the last table does not know is for `parse_platform` to refuse.
    """
    tables = copy.deepcopy(tables)
    *way, last = path.split(".")
    here: Any = tables
    for step in way:
        if isinstance(here, list):
            here = _entry(here, step, path)
        elif isinstance(here, dict) and step in here:
            here = here[step]
        else:
            hint = did_you_mean(step, here) if isinstance(here, dict) else ""
            raise InputError(f"'{path}' leads nowhere: there is no '{step}'{hint}")
    if not isinstance(here, dict):
        raise InputError(f"'{path}' leads nowhere: '{last}' is not a key of a table")
    here[last] = value
    kind, *rest = path.split(".", 2)
    if kind in PARTS and len(rest) == 2:
        _forget(tables[kind][rest[0]], {rest[1]: value})
    return tables


def _entry(entries: list[Any], step: str, path: str) -> Any:
    names = [entry.get("name") if isinstance(entry, dict) else None for entry in entries]
    if step in names:
        return entries[names.index(step)]
    if step.isdecimal() and int(step) < len(entries):
        return entries[int(step)]
    hint = did_you_mean(step, [name for name in names if isinstance(name, str)])
    raise InputError(f"'{path}' leads nowhere: there is no '{step}'{hint}")


def _merged(under: Tables, over: Mapping[str, Any]) -> Tables:
    result = dict(under)
    for key, value in over.items():
        both = isinstance(value, dict) and isinstance(result.get(key), dict)
        result[key] = _merged(result[key], value) if both else value
    return result
