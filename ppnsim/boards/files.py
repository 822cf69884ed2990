"""Boards by name, or from a table in TOML: a table may be ``like`` another one and then says only what differs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from ppnsim.boards import keys
from ppnsim.boards.board import Board, BoardMemory, HostLink, LogicTiming, OpenclBoard, OperatorEntry
from ppnsim.boards.parts import graded, table_of
from ppnsim.boards.shipped import shipped_table
from ppnsim.errors import InputError, did_you_mean
from ppnsim.formats.decode import load_toml

TABLES = Path(__file__).with_name("tables")
_TIMES = tuple(each.name for each in fields(LogicTiming))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """What a table says, with what it takes over from the one that it is like."""

    device: Mapping[str, Any]
    counted: Mapping[str, int]
    operators: tuple[OperatorEntry, ...]
    memories: Mapping[str, BoardMemory]
    opencl: Mapping[str, Any]
    host: HostLink | None

    def under(self, own: _Table) -> _Table:
        """Return the table with another one's entries over it."""
        replaced = {(entry.name, family) for entry in own.operators for family in entry.types}
        kept = tuple(e for e in self.operators if not any((e.name, family) in replaced for family in e.types))
        # The maker's words for resources go with the numbers.
        same = not any(kind in own.device for kind in ("lut", "ff", "dsp", "bram"))
        # A figure that is given anew has no longer the provenance of the other one.
        told = {key: words for key, words in self.opencl.get("provenance", {}).items() if key not in own.opencl}
        opencl = {**self.opencl, **own.opencl}
        if opencl:
            opencl["provenance"] = {**told, **own.opencl.get("provenance", {})}
            opencl["costs"] = {**self.opencl.get("costs", {}), **own.opencl.get("costs", {})}
        return _Table(
            device={**self.device, "aliases": (), "assumed": "", **own.device},
            counted=own.counted or (self.counted if same else {}),
            operators=(*own.operators, *kept),
            memories={**self.memories, **own.memories},
            opencl=opencl,
            host=own.host or self.host,
        )

    def board(self, name: str, where: str) -> Board:
        """Return the board; ``name`` is for a table that gives none."""
        plain, times = ({key: each for key, each in self.device.items() if (key in _TIMES) == timing}
                        for timing in (False, True))  # fmt: skip
        made = Board(
            **{"name": name, **plain}, counted=self.counted, timing=LogicTiming(**times), operators=self.operators,
            memories=tuple(self.memories.values()), host=self.host,
        )  # fmt: skip
        if not self.opencl:
            return made
        banks = sum(memory.banks for memory in made.memories)
        figures = {"banks": banks, "amounts": (made.lut, made.bram, made.dsp), **self.opencl}
        missing = [each.name for each in fields(OpenclBoard) if each.name not in figures]
        if missing:
            raise InputError(f"opencl: {', '.join(missing)} is missing", where=where)
        return replace(made, opencl=OpenclBoard(**figures).checked())


def known_boards() -> dict[str, Path]:
    """Return the tables that come with ppnsim, by name and by alias, in lower case."""
    found: dict[str, Path] = {}
    for path in sorted(TABLES.glob("*.toml")):
        _, own = _read(path)
        for name in (path.stem, own.device.get("name", path.stem), *own.device.get("aliases", ())):
            found[name.lower()] = path
    return found


def load_board(name: str, where: str = "") -> Board:
    """Return a board or a device by its name, or from a table in TOML.

    A part may be written as in a vendor's script (``xcu280-fsvh2892-2L-e``); one without a table takes the nearest
    one, and the board says so. Times are those of the part's speed grade.

    Raises
    ------
    InputError
        If no board or file has the name (the message begins with ``where``), or with all faults of the file.

    Examples
    --------
    >>> board = load_board("DE5-Net")
    >>> board.part, board.dsp, board.memories[0].preset, board.opencl.banks
    ('5SGXEA7', 256, 'DE5-Net', 2)
    """
    assumed = ""
    path = _shipped(name) or (Path(name) if name.endswith(".toml") else None)
    if path is None:
        known = known_boards()
        table, assumed = table_of(name, known)
        path = known.get(table)
    if path is None:
        raise InputError(f"no device '{name}'{_near(name, known)}", where=where)
    if not path.is_file():
        raise InputError(f"{name}: no such file", where=where)
    board = _whole(path, ()).board(path.stem, str(path))
    return graded(board, "" if name.endswith(".toml") else name, assumed)  # a folder may be called run-1-e


def _near(name: str, known: Mapping[str, Path]) -> str:
    """Return which devices are near a name that none has, which there are, and what else can be given."""
    asked = name.lower()
    tables, close = sorted(path.stem for path in TABLES.glob("*.toml")), get_close_matches(asked, known, n=4)
    near = did_you_mean(asked, known if close else tables)
    if family := sorted(each for each in known if each[:3] == asked[:3]):  # zcu9999: zcu102, zcu104
        near = near.replace("(known:", f"(nearest: {', '.join(family)}; known:")
    if close:
        others = dict.fromkeys(known[each].stem for each in close if known[each] != known[close[0]])
        near += f"; also near: {', '.join(others)}" if others else ""
        near += f"; all tables: {', '.join(tables)}"
    part, other = "xczu9eg-ffvb1156-2-e", ""
    if re.fullmatch(r"x[a-z0-9]{5,}", asked) and (table := table_of(f"{asked}-1", known)[0]):
        part, other = f"{asked}-1", f", which takes the table of {table}"
    return f"{near}; or give a part as scripts write it ({part}{other}), or a table of your own (.toml)"


def find_board(name: str) -> Board | None:
    """Return the board or the device of a name, None if no table has that name."""
    return load_board(name) if _shipped(name) else None


def _shipped(name: str) -> Path | None:
    """Return the table that comes with ppnsim by a name; where a file is called so, no other one is read."""
    files = {path.stem.lower(): path for path in TABLES.glob("*.toml")}
    return files.get(name.lower()) or known_boards().get(name.lower())


def _whole(path: Path, above: tuple[Path, ...]) -> _Table:
    """Return a table over those that it is like; ``above`` are the tables that lead to it."""
    like, own = _read(path)
    if not like:
        return own
    if (parent := _shipped(like)) is None:
        near = did_you_mean(like, known_boards())
        raise InputError(f"device: like = '{like}' is not a device{near}", where=str(path))
    if parent in (path, *above):
        raise InputError(f"device: like = '{like}' leads back to this table", where=str(path))
    return _whole(parent, (path, *above)).under(own)


def _read(path: Path) -> tuple[str, _Table]:
    """Return what a table says itself, and the name of the table that it is like ("" for none)."""
    return _shipped_one(path) if path.parent == TABLES else _read_now(path)  # a user's own may have changed


@cache
def _shipped_one(path: Path) -> tuple[str, _Table]:
    return _read_now(path)


def _read_now(path: Path) -> tuple[str, _Table]:
    data = load_toml(path)
    try:
        found = shipped_table(data) if path.parent == TABLES else keys.checked_table(data)
    except InputError as error:
        raise InputError("\n".join(f"{path}: {line}" for line in str(error).split("\n"))) from None
    device = found["device"]
    return device.pop("like", ""), _Table(
        device=device,
        counted=found["resources"],
        operators=tuple(OperatorEntry(**each) for each in found["operator"]),
        memories={name: BoardMemory(name=name, **each) for name, each in found["memory"].items()},
        opencl=found["opencl"],
        host=found["host"] and HostLink(**found["host"]),
    )
