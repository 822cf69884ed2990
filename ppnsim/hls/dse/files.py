"""Designs on disk: a row as soon as one is scheduled, so that an exploration that is stopped goes on where it was."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ppnsim.errors import InputError
from ppnsim.explore.sweep.file import Columns, SweepFile
from ppnsim.hls.dse.designs import KINDS, Designs, Evaluated
from ppnsim.hls.dse.loops import Levels
from ppnsim.hls.structure.partitions import Partition

_COLUMNS: Columns = {
    "kernel": str, "directives": str, "cycles": int, **dict.fromkeys(KINDS, float), "loops": str, "key": str
}  # fmt: skip


class DesignRows:
    """The designs of kernels in a ``.csv`` or ``.parquet`` file, each under the hash of all that decides it.

    Columns: area as shares of the device, ``loops`` the cycles of each loop, outermost first (- if it is no loop).

    Raises
    ------
    InputError
        If the file is none of the two, holds something else, or cannot be read or written.
    """

    def __init__(self, path: Path) -> None:
        self._file = SweepFile(path, _COLUMNS)
        self._order: dict[str, None] = {}
        self.found = 0

    def __enter__(self) -> DesignRows:
        self._file.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._file.finish(list(self._order))
        self._file.__exit__(*error)

    def find(self, designs: Designs, levels: Levels, partitions: Mapping[str, Partition]) -> Evaluated | None:
        """Return a design of the file, None if it is not there."""
        key = designs.key(levels, partitions)
        self._order[key] = None
        row = self._file.rows.get(key)
        if row is None:
            return None
        self.found += 1
        loops, cycles = list(designs.loops), row["loops"].split()
        if len(cycles) != len(loops) or not all(each == "-" or each.isdecimal() for each in cycles):
            raise InputError(f"loops = '{row['loops']}' of row {key} are no cycles", where=str(self._file.path))
        return Evaluated(
            levels=levels, partitions=partitions, cycles=row["cycles"],
            loops={loop: int(each) for loop, each in zip(loops, cycles, strict=True) if each != "-"},
            area={kind: row[kind] for kind in KINDS if row[kind] is not None},
        )  # fmt: skip

    def add(self, designs: Designs, design: Evaluated) -> None:
        """Write a design; it is on disk when this returns."""
        row = {
            "kernel": designs.program.name, "directives": "; ".join(designs.words(design)), "cycles": design.cycles,
            **{kind: design.area.get(kind) for kind in KINDS},
            "loops": " ".join(str(design.loops.get(key, "-")) for key in designs.loops),
            "key": designs.key(design.levels, design.partitions),
        }  # fmt: skip
        self._file.append([row])
