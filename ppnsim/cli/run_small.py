"""The small inputs of ``ppnsim run FILE.json``: one JSON object each, told apart by the top-level key that it holds.

A new kind of input is a function that runs a `Request`, and a line in `KINDS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ppnsim.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A small input to be run.

    Attributes
    ----------
    file, data : the path as it was given, and the JSON object in it.
    terminal : where tables go.
    folder : where files go, None = nowhere.
    engine : ``auto``, ``des`` or ``compiled``.
    pictures : suffix of the pictures in ``folder``.
    """

    file: str
    data: dict[str, Any]
    terminal: Console
    folder: Path | None
    engine: str
    pictures: str

    def only_des(self, what: str) -> None:
        """Refuse the compiled engine for what only SimPy runs."""
        from ppnsim.errors import UnsupportedByEngine

        if self.engine == "compiled":
            raise UnsupportedByEngine("engine compiled", f"{what} run in the SimPy engine only (--engine des)")


Kind = Callable[[Request], tuple[dict[str, Any], int]]


def _messages(request: Request) -> tuple[dict[str, Any], int]:
    from ppnsim.cli.run_messages import run_messages

    return run_messages(request)


def _flows(request: Request) -> tuple[dict[str, Any], int]:
    from ppnsim.cli.run_messages import run_flows

    return run_flows(request)


def _memory(request: Request) -> tuple[dict[str, Any], int]:
    from ppnsim.cli.run_memory import run_memory_input

    return run_memory_input(request)


KINDS: dict[str, Kind] = {"loggp": _messages, "star": _flows, "dram": _memory}
_PARTNERS = {"schedule": "loggp", "flows": "star", "traffic": "dram"}  # a file with one of them lacks the other


def small_input(file: str) -> tuple[str, dict[str, Any]] | None:
    """Return the kind and the object of a small input, None if the file is something else.

    Raises
    ------
    InputError
        If the file speaks of a kind but is no JSON; any other fault is left to the reader of networks.
    """
    from ppnsim.formats.decode import DecodeError, decode_json, read_text

    if Path(file).suffix != ".json":
        return None
    try:
        text = read_text(Path(file))
    except DecodeError:
        return None
    # A large network is decoded once, by its own reader.
    if not any(f'"{key}"' in text for key in (*KINDS, *_PARTNERS)):
        return None
    try:
        data = decode_json(text)
    except DecodeError as error:
        raise error.at(file) from None
    if not isinstance(data, dict):
        return None
    found = [key for key in KINDS if key in data] or [kind for key, kind in _PARTNERS.items() if key in data]
    return (found[0], data) if found else None


def run_small(kind: str, request: Request, *, network_options: list[str]) -> tuple[dict[str, Any], int]:
    """Run a small input; options that speak of networks are refused instead of ignored."""
    if network_options:
        verb = "is" if len(network_options) == 1 else "are"
        raise InputError(f"{', '.join(network_options)} {verb} for networks; this file holds '{kind}'")
    return KINDS[kind](request)
