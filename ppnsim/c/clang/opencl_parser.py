"""From a file in OpenCL C to the plain tree of :mod:`ppnsim.c.syntax`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ppnsim.c.clang.header_paths import opencl_arguments
from ppnsim.c.clang.opencl import VECTOR, address_space, explained_opencl, lanes, macros, notes
from ppnsim.c.clang.parser import CursorReader, tree
from ppnsim.c.given import check_source
from ppnsim.c.syntax import CType, Function, SyntaxNode, TranslationUnit
from ppnsim.errors import InputError

_STANDARDS = ("CL2.0", "CL1.2")
_MACROS = 0x01  # lets clang keep macros in its tree
_DEFINED = re.compile(r"\b(\w+)\s*\([^;{}]*\)\s*\{")


def parse_opencl_c(path: str, defines: Mapping[str, str], include: Sequence[str]) -> TranslationUnit:
    """Return what a file declares and defines.

    It is read as OpenCL C 2.0; if that fails (a variable called ``pipe``), as 1.2.

    Raises
    ------
    InputError
        If there is no such file, or it is not OpenCL C.
    """
    check_source(path, defines, include, opencl=True)
    if not Path(path).is_file():
        raise InputError("no such file", where=path)
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise InputError("is not text that can be read (UTF-8)", where=path) from None
    given = [f"-D{name}={value}" for name, value in defines.items()] + [f"-I{folder}" for folder in include]

    def explained(found: Any) -> str:
        own = found.location.file is not None and found.location.file.name == path
        rest = text.encode()[found.location.offset :].decode(errors="replace") if own else ""
        return explained_opencl(found.spelling, rest, tuple(_DEFINED.findall(text)))

    wrong: InputError | None = None
    for standard in _STANDARDS:
        arguments = [*given, f"-I{Path(path).parent}", *opencl_arguments(standard), "-ferror-limit=0"]
        try:
            root = tree(path, arguments, _MACROS, explained).cursor
        except InputError as error:
            wrong = wrong or error
        else:
            return replace(_OpenclReader(path).unit(root), macros=dict(macros(root)))
    raise wrong or InputError("is not OpenCL C", where=path)


class _OpenclReader(CursorReader):
    """Adds address spaces, vectors and attributes."""

    def type(self, given: Any, sizes: Sequence[Any]) -> CType:
        """Return a type with its address space; the address space of a pointer is that of its target."""
        real = given.get_canonical()
        space = "" if real.kind.name == "POINTER" else address_space(real.spelling)
        if real.kind.name == VECTOR:
            element, count = self.type(real.element_type, ()), int(real.element_count)
            bits, const = max(0, real.get_size()) * 8, real.is_const_qualified()
            return CType("vector", f"{element.text}{count}", bits, const, element, count, space=space)
        return replace(super().type(given, sizes), space=space)

    def function(self, cursor: Any) -> Function:
        """Return a function with its attributes."""
        return replace(super().function(cursor), attributes=notes(cursor))

    def _node(self, cursor: Any) -> SyntaxNode:
        inner = list(cursor.get_children())
        if cursor.kind.name == "UNEXPOSED_STMT" and inner:
            return self.node(inner[-1])  # a loop with an attribute
        if cursor.kind.name == "UNEXPOSED_EXPR" and len(inner) == 1:
            named = lanes(cursor, inner[0])
            if named is not None:
                vector = self.node(inner[0])
                if vector.type.kind == "pointer" and vector.type.element is not None:
                    vector = replace(vector, kind="unary", text="*", type=vector.type.element, children=(vector,))
                return self._made(cursor, "lanes", [vector], text=named)
        return super()._node(cursor)
