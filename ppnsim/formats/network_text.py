"""A network as the text of a file, network JSON or scenario TOML, with a line for each process and channel or key."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ppnsim.formats import network_json
from ppnsim.model.network import Network
from ppnsim.units import clock_words

SUFFIXES = (".json", ".toml")
_BARE = re.compile(r"[A-Za-z0-9_-]+")  # names that TOML takes without quotes


def network_text(network: Network, path: str | Path) -> str:
    """Return a network as the text of a file, in the format that the suffix of the file says.

    Reading the file gives the network back exactly. Defaults are left out.

    Examples
    --------
    >>> from ppnsim.model.network import Process
    >>> network = Network(processes=[Process(name="a", firings=4, latency=(2, 1, 1, 2))], channels=[], name="net")
    >>> print(network_text(network, "net.json"), end="")
    {
      "name": "net",
      "processes": [
        {"name": "a", "firings": 4, "latency": [2, 1, 1, 2]}
      ],
      "channels": []
    }
    >>> print(network_text(network, "net.toml"), end="")
    name = "net"
    <BLANKLINE>
    [process.a]
    firings = 4
    latency = [2, 1, 1, 2]
    """
    data = network_json.dump_network(network)
    return "".join(_toml(data)) if Path(path).suffix.lower() == ".toml" else _json(data)


def _json(data: Mapping[str, Any]) -> str:
    """Return the text of network JSON; token lists are long, and indenting them takes longer than writing them."""
    parts = []
    for key, value in data.items():
        text = json.dumps(value, allow_nan=False)
        if isinstance(value, list) and value:
            lines = ",\n    ".join(json.dumps(each, allow_nan=False) for each in value)
            text = f"[\n    {lines}\n  ]"
        parts.append(f"  {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _toml(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the text of a scenario: what holds for all, then a table for each process and channel."""
    for key, value in data.items():
        if key not in ("processes", "channels"):
            shown = ("clock", clock_words(value)) if key == "clock_ns" else (key, value)
            yield f"{shown[0]} = {_value(shown[1])}\n"
    for kind, parts in (("process", data["processes"]), ("channel", data["channels"])):
        for part in parts:
            name = part["name"]
            yield f"\n[{kind}.{name if _BARE.fullmatch(name) else _value(name)}]\n"
            yield from (f"{key} = {_value(value)}\n" for key, value in part.items() if key != "name")


def _value(value: object) -> str:
    """Return a value as TOML writes it: tables are its own, and texts, which are printable, those of JSON."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_value(key)} = {_value(each)}" for key, each in value.items()) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
