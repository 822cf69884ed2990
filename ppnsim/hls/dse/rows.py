"""A file of designs that have been scheduled before: one row for each, by its directives."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from ppnsim.errors import InputError
from ppnsim.explore.sweep.file import Columns, SweepFile
from ppnsim.hls.dse.loops import Evaluated, Levels
from ppnsim.hls.pragmas.directives import Scope
from ppnsim.hls.resources import KINDS
from ppnsim.hls.structure.partitions import Partition

_COLUMNS: Columns = {
    "kernel": str, "directives": str, "cycles": int, **dict.fromkeys(KINDS, float), "loops": str, "key": str
}  # fmt: skip
_PACKAGE = Path(__file__).parents[2]


@cache
def code_of_schedules(package: Path = _PACKAGE) -> str:
    """Return the hash of the code and the tables of the scheduler: rows of another version do not count.

    Examples
    --------
    >>> code_of_schedules() == code_of_schedules(), len(code_of_schedules())
    (True, 32)
    """
    found = hashlib.sha256()
    for path in sorted(path for part in ("c", "loops", "hls") for path in (package / part).rglob("*")):
        if path.suffix in (".py", ".toml"):
            found.update(path.read_bytes())
    return found.hexdigest()[:32]


class DesignRows:
    """The designs of kernels in a ``.csv`` or ``.parquet`` file, each under the hash of all its inputs.

    Columns: area as shares of the device; ``loops``: the cycles of each loop, outermost first (- for an unrolled one).

    Raises
    ------
    InputError
        If the file has another suffix, holds something else, or cannot be read or written.
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

    def find(
        self, key: str, levels: Levels, partitions: Mapping[str, Partition], loops: Sequence[Scope]
    ) -> Evaluated | None:
        """Return the design under a key, None if the file does not have it; ``loops`` are those of the kernel."""
        self._order[key] = None
        row = self._file.rows.get(key)
        if row is None:
            return None
        self.found += 1
        cycles = row["loops"].split()
        if len(cycles) != len(loops) or not all(each == "-" or each.isdecimal() for each in cycles):
            raise InputError(f"loops = '{row['loops']}' of row {key} are no cycles", where=str(self._file.path))
        return Evaluated(
            levels=levels, partitions=partitions, cycles=row["cycles"],
            loops={loop: int(each) for loop, each in zip(loops, cycles, strict=True) if each != "-"},
            area={kind: row[kind] for kind in KINDS if row[kind] is not None},
        )  # fmt: skip

    def add(
        self, key: str, design: Evaluated, loops: Sequence[Scope], *, kernel: str, directives: Sequence[str]
    ) -> None:
        """Write a design of a kernel under its key; it is on disk when this returns."""
        row = {
            "kernel": kernel, "directives": "; ".join(directives), "cycles": design.cycles,
            **{kind: design.area.get(kind) for kind in KINDS},
            "loops": " ".join(str(design.loops.get(loop, "-")) for loop in loops), "key": key,
        }  # fmt: skip
        self._file.append([row])
