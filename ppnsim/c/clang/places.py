"""Places in a source, read with one call of clang each; a table of numbers has hundreds of thousands."""

from __future__ import annotations

from ctypes import POINTER, byref, c_uint, c_void_p
from typing import Any

from ppnsim.c.clang.library import library


class PlacesOfSource:
    """Reads the places of one source: the names of its files are asked for once."""

    def __init__(self) -> None:
        self._names: dict[int | None, str] = {None: ""}  # code that clang has generated has no file
        self._file, *numbers = POINTER(c_void_p)(), c_uint(), c_uint(), c_uint()
        self._line, self._column, self._offset = numbers
        self._address = c_void_p.from_buffer(self._file)
        self._results = [byref(each) for each in (self._file, *numbers)]

    def of(self, location: Any) -> tuple[str, int, int, int]:
        """Return file, line, column and byte of a place; in a macro, of where it is used."""
        library().clang_getInstantiationLocation(location, *self._results)
        file = self._address.value
        if file not in self._names:
            self._names[file] = location.file.name
        return self._names[file], self._line.value, self._column.value, self._offset.value
