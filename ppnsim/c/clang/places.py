"""Reads source positions with one call of clang each, because a table may have hundreds of thousands of numbers."""

from __future__ import annotations

import re
from ctypes import POINTER, byref, c_size_t, c_uint, c_void_p, string_at
from typing import Any

from ppnsim.c.clang.library import library

_WORD = rb"(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)[uUlLfF]*|float|double|int"
_NUMBERS = re.compile(rb"(?:[-+*/()<>~\s]|(?<!\w)(?:" + _WORD + rb")(?![\w.]))+")


class PlacesOfSource:
    """Reads positions in one source; the name of each file is read only once."""

    def __init__(self) -> None:
        self._names: dict[int | None, str] = {None: ""}  # code that clang has generated has no file
        self._file, *numbers = POINTER(c_void_p)(), c_uint(), c_uint(), c_uint()
        self._line, self._column, self._offset = numbers
        self._address = c_void_p.from_buffer(self._file)
        self._texts: dict[int | None, bytes] = {}
        self._results = [byref(each) for each in (self._file, *numbers)]
        self._ask = library().clang_getInstantiationLocation

    def of(self, location: Any) -> tuple[str, int, int, int]:
        """Return file, line, column and byte offset of a location; inside a macro, those of its use."""
        self._ask(location, *self._results)
        file = self._address.value
        if file not in self._names:
            self._names[file] = location.file.name
        return self._names[file], self._line.value, self._column.value, self._offset.value

    def number(self, cursor: Any) -> bytes:
        """Return the text of an expression that only has numbers, like ``-6/(float)(1<<8)``; empty for others."""
        extent = cursor.extent
        self._ask(extent.end, *self._results)
        file, end = self._address.value, self._offset.value
        self._ask(extent.start, *self._results)
        if file is None or self._address.value != file:
            return b""
        if file not in self._texts:
            self._texts[file] = self._text(cursor.translation_unit)
        text = self._texts[file][self._offset.value : end]
        return text if _NUMBERS.fullmatch(text) else b""

    def _text(self, unit: Any) -> bytes:
        """Return clang's text of the file of the last location."""
        size = c_size_t()
        begin = library().clang_getFileContents(unit, self._file, byref(size))
        return string_at(begin, size.value) if begin else b""
