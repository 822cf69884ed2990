"""Platform TOML before it is understood: which files it is, presets laid under them, values changed by path."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ppnsim.errors import InputError, did_you_mean
from ppnsim.formats.decode import DecodeError, decode_toml, read_text
from ppnsim.formats.platform_dump import system_tables
from ppnsim.platform.presets import board

Tables = dict[str, Any]
_OWN = ("platform", "network", "bus", "stage")  # what no other kind of file has


def is_platform(data: Mapping[str, Any]) -> bool:
    """Whether a decoded TOML file describes a platform, as its tables say.

    Examples
    --------
    >>> is_platform({"platform": {"preset": "src6"}}), is_platform({"process": {}})
    (True, False)
    """
    return any(key in data for key in _OWN)


def load_tables(path: str | Path) -> Tables:
    """Return what a platform file says, undecoded units and all, its preset laid under it."""
    try:
        return with_preset(decode_toml(read_text(Path(path))))
    except DecodeError as error:
        raise InputError(str(error), where=f"{path}:{error.place}" if error.place else str(path)) from None
    except InputError as error:
        raise InputError(str(error), where=str(path)) from None


def with_preset(data: Mapping[str, Any]) -> Tables:
    """Return the tables with those of their preset under them; the preset is then spent."""
    about = data.get("platform")
    if not isinstance(about, dict) or not isinstance(about.get("preset"), str):
        return dict(data)
    under = system_tables(board(about["preset"]))
    own = {**data, "platform": {key: value for key, value in about.items() if key != "preset"}}
    return _merged(under, own)


def with_value(tables: Tables, path: str, value: Any) -> Tables:
    """Return the tables with another value at a path such as ``stage.estimate.compute.fill`` or ``input.0.bytes``.

    Raises
    ------
    InputError
        If the path leads into no table; a key that the last table does not know is for `parse_platform` to refuse.
    """
    tables = copy.deepcopy(tables)
    *way, last = path.split(".")
    here: Any = tables
    for step in way:
        if isinstance(here, list) and step.isdecimal() and int(step) < len(here):
            here = here[int(step)]
        elif isinstance(here, dict) and step in here:
            here = here[step]
        else:
            hint = did_you_mean(step, here) if isinstance(here, dict) else ""
            raise InputError(f"'{path}' leads nowhere: there is no '{step}'{hint}")
    if not isinstance(here, dict):
        raise InputError(f"'{path}' leads nowhere: '{last}' is no key of a table")
    here[last] = value
    return tables


def _merged(under: Tables, over: Mapping[str, Any]) -> Tables:
    result = dict(under)
    for key, value in over.items():
        both = isinstance(value, dict) and isinstance(result.get(key), dict)
        result[key] = _merged(result[key], value) if both else value
    return result
