"""Adds functions of clang's C interface that the Python binding lacks, and clang's arguments for headers."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Collection, Iterable, Iterator
from ctypes import POINTER, Structure, c_double, c_longlong, c_uint, c_void_p
from functools import cache
from pathlib import Path
from typing import Any

from clang import cindex  # type: ignore[import-untyped]

from ppnsim.loops.position import Position

STUBS = Path(__file__).with_name("headers")
_OF_VENDOR = str(STUBS / "vendor")
# Stand-ins for the vendor's headers for high-level synthesis, searched after the folders of -I; ``std`` replaces some
# headers of the standard library whose usual text does not tell what hardware computes.
VENDOR = ("-isystem", str(STUBS / "vendor" / "std"), "-idirafter", str(STUBS / "vendor"),
          "-include", "ppnsim_builtins.h")  # fmt: skip
# libstdc++ declares C++17's special functions (beta, legendre) in <cmath>. They take three quarters of the time to read
# it, and the vendor's C++14 has none of them. The macro is the guard of their header, which is thereby left out.
_NO_SPECIAL_FUNCTIONS = "-D_GLIBCXX_BITS_SPECFUN_H"
# Functions may take and return 16-bit floating point, and compute in it.
HALF = ("-Xclang", "-fnative-half-type", "-Xclang", "-fnative-half-arguments-and-returns")


def position(location: Any) -> Position:
    """Return a position in a source; code that clang has generated has no file."""
    return Position(location.file.name if location.file else "", location.line, location.column)


@cache
def library() -> Any:
    """Return the C interface with the argument and result types of the functions that are called here."""
    library = cindex.conf.lib
    for name in ("clang_getCursorBinaryOperatorKind", "clang_getCursorUnaryOperatorKind"):
        getattr(library, name).argtypes = [cindex.Cursor]
    library.clang_Cursor_getVarDeclInitializer.argtypes = [cindex.Cursor]
    library.clang_Cursor_getVarDeclInitializer.restype = cindex.Cursor
    library.clang_Cursor_Evaluate.argtypes = [cindex.Cursor]
    library.clang_Cursor_Evaluate.restype = c_void_p
    for name, kind in (("AsLongLong", c_longlong), ("AsDouble", c_double)):
        getattr(library, f"clang_EvalResult_get{name}").argtypes = [c_void_p]
        getattr(library, f"clang_EvalResult_get{name}").restype = kind
    library.clang_EvalResult_dispose.argtypes = [c_void_p]
    library.clang_getFileContents.argtypes = [cindex.TranslationUnit, c_void_p, c_void_p]
    library.clang_getFileContents.restype = c_void_p
    return library


def evaluated(cursor: Any, form: str) -> Any:
    """Return the value of a constant expression (``form``: AsLongLong or AsDouble), None if it is not constant."""
    result = library().clang_Cursor_Evaluate(cursor)
    if not result:
        return None
    value = getattr(library(), f"clang_EvalResult_get{form}")(result)
    library().clang_EvalResult_dispose(result)
    return value


def header_semicolons(cursor: Any, end: int | None = None) -> list[int]:
    """Return the byte offsets of the semicolons in the head of a ``for``; for other heads, of those before ``end``."""
    found: list[int] = []
    depth = 0
    for token in cursor.get_tokens():
        depth += (token.spelling in "([{") - (token.spelling in ")]}")
        if token.spelling == ";" and depth == 1:
            found.append(token.extent.start.offset)
        of_head = depth or token.spelling != ")"  # in a macro, offsets are those of the macro's use
        if len(found) == 2 or not of_head or (end is not None and token.extent.end.offset >= end):
            break
    return found


def in_system(location: Any) -> bool:
    """Return whether a position is in a system header."""
    return bool(cindex.conf.lib.clang_Location_isInSystemHeader(location))


def foreign(location: Any) -> bool:
    """Return whether a position is in a system header that is not one of ppnsim's own for synthesis."""
    return in_system(location) and not (location.file is not None and _OF_VENDOR in location.file.name)


@cache
def _named(kind: int) -> str:
    return str(cindex.CursorKind.from_id(kind).name)


def kind_of(cursor: Any) -> str:
    """Return the name of a cursor's kind; cached, because the binding's look-up is slow for 100 000 cursors."""
    return _named(cursor._kind_id)


def number_of(cursor: Any) -> int:
    """Return the address of a declaration or expression in clang's tree; unlike ``Cursor.hash`` it is unique."""
    return int((cursor.data[1] if cursor.kind.is_expression() else cursor.data[0]) or 0)


def _appended(child: Any, _: Any, found: list[Any]) -> int:
    found.append(child)
    return 1  # continue with the next sibling


_APPENDED = cindex.callbacks["cursor_visit"](_appended)


def _appended_with_parts(child: Any, _: Any, found: list[Any]) -> int:
    found.append(child)
    return 2  # continue with its children


_APPENDED_WITH_PARTS = cindex.callbacks["cursor_visit"](_appended_with_parts)


def inside(cursor: Any) -> list[Any]:
    """Return the direct children of a cursor; `get_children` would create a callback for each call."""
    return _visited(cursor, _APPENDED)


def walked(cursor: Any) -> list[Any]:
    """Return a cursor and all cursors inside it, in the order of `walk_preorder`, with a single call of clang."""
    return [cursor, *_visited(cursor, _APPENDED_WITH_PARTS)]


def _visited(cursor: Any, callback: Any) -> list[Any]:
    found: list[Any] = []
    cindex.conf.lib.clang_visitChildren(cursor, callback, found)
    for child in found:
        child._tu = cursor._tu  # keeps the translation unit alive
    return found


def children_of(owner: Any) -> list[Any]:
    """Return the parts of a class; for a template instance, the parts of the template."""
    own = list(owner.get_children())
    general = None if own else cindex.conf.lib.clang_getSpecializedCursorTemplate(owner)
    return own if general is None else list(general.get_children())


UNWRITTEN = "/ppnsim/"
"""The folder of texts that clang reads as files and that do not exist on disk."""


def included(root: Any) -> list[str]:
    """Return the headers that a source includes, without system headers."""
    unit = root.translation_unit
    places = [cindex.SourceLocation.from_position(unit, each.include, 1, 1) for each in unit.get_includes()]
    files = [place.file.name for place in places if place.file and not in_system(place)]
    return [file for file in files if not file.startswith(UNWRITTEN)]


class _Ranges(Structure):
    """clang's list of ranges that the preprocessor has skipped."""

    _fields_ = (("count", c_uint), ("ranges", POINTER(cindex.SourceRange)))


def skipped(root: Any) -> dict[str, tuple[tuple[int, int], ...]]:
    """Return the first and last line of each range of a file that an ``#if`` skips, by file."""
    ask, done = cindex.conf.lib.clang_getAllSkippedRanges, cindex.conf.lib.clang_disposeSourceRangeList
    ask.argtypes, ask.restype = [c_void_p], POINTER(_Ranges)
    done.argtypes = [POINTER(_Ranges)]
    listed = ask(root.translation_unit.obj)
    found: dict[str, tuple[tuple[int, int], ...]] = {}
    for at in range(listed.contents.count):
        place = listed.contents.ranges[at]
        if not in_system(place.start) and place.start.file is not None:
            name = place.start.file.name
            found[name] = (*found.get(name, ()), (place.start.line, place.end.line))
    done(listed)
    return found


_OPENED = ("LINKAGE_SPEC", "NAMESPACE", "UNEXPOSED_DECL")
_DECLARING = (*_OPENED, "FUNCTION_DECL", "VAR_DECL")


def declarations(root: Any) -> Iterator[Any]:
    """Yield the functions and variables of a source, also in namespaces, but not those of system headers."""
    for cursor in declared_in(root, _DECLARING):
        if kind_of(cursor) in _OPENED:
            yield from declarations(cursor)
        else:
            yield cursor


def enumerations(root: Any) -> Iterator[Any]:
    """Yield the enumerations of a source, also in namespaces, but not those in classes and system headers."""
    for cursor in declared_in(root, (*_OPENED, "ENUM_DECL")):
        yield from enumerations(cursor) if kind_of(cursor) in _OPENED else (cursor,)


def own_functions(declared: Iterable[Any], path: str) -> Iterator[Any]:
    """Yield the functions among declarations that a file defines itself, outside namespaces and classes.

    Functions that a header declares come first, because other sources know them by their name. Further functions of a
    name follow at the end, so that none of them takes the name of another function, ``f_2``.
    """
    own = []
    for cursor in declared:
        outside = cursor.semantic_parent.kind.name in ("TRANSLATION_UNIT", "LINKAGE_SPEC")
        if cursor.kind.name == "FUNCTION_DECL" and outside and _is_in(cursor, path) and cursor.is_definition():
            own.append(cursor)
    own.sort(key=lambda cursor: _is_in(cursor.canonical, path))
    first = dict[str, Any]()
    further = [each for each in own if first.setdefault(each.spelling, each) is not each]
    yield from (*first.values(), *further)


def _is_in(cursor: Any, path: str) -> bool:
    return cursor.location.file is not None and bool(cursor.location.file.name == path)


def declared_in(cursor: Any, kinds: Collection[str]) -> list[Any]:
    """Return the direct children of a cursor of some kinds, without those from system headers.

    System headers have thousands of macros and functions. Called functions are read at the call. `get_children` creates
    an object for each, which takes as long as parsing the source.
    """
    place, of_system = cindex.conf.lib.clang_getCursorLocation, cindex.conf.lib.clang_Location_isInSystemHeader
    found: list[Any] = []

    def visit(child: Any, _: Any, __: Any) -> int:
        if kind_of(child) in kinds and not of_system(place(child)):
            child._tu = cursor._tu  # keeps the translation unit alive
            found.append(child)
        return 1  # continue with the next sibling

    cindex.conf.lib.clang_visitChildren(cursor, cindex.callbacks["cursor_visit"](visit), None)
    return found


@cache
def header_arguments() -> tuple[str, ...]:
    """Return clang's arguments for the standard headers, of gcc or ppnsim's stubs; libclang's wheel has no headers."""
    own = _gcc_headers()
    if own and Path("/usr/include/stdio.h").is_file():
        return ("-isystem", own, _NO_SPECIAL_FUNCTIONS, *VENDOR)
    return ("-nostdinc", "-isystem", str(STUBS), *VENDOR)


def of_folders(include: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return clang's arguments for header folders; folders with copies of the vendor's headers come last."""
    vendors = [each.name for each in (STUBS / "vendor").glob("*.h")]
    copies = [folder for folder in include if any(Path(folder, name).is_file() for name in vendors)]
    behind = [word for folder in copies for word in ("-idirafter", folder)]
    return [f"-I{folder}" for folder in include if folder not in copies], behind


def opencl_arguments(standard: str) -> tuple[str, ...]:
    """Return clang's arguments for OpenCL C of a standard (CL1.2, CL2.0); its address spaces are those of SPIR."""
    return ("-x", "cl", f"-cl-std={standard}", "-target", "spir64", "-nostdinc", "-isystem", str(STUBS / "opencl"))


def _gcc_headers() -> str:
    if not (gcc := shutil.which("gcc")):
        return ""
    asked = [gcc, "-print-file-name=include"]
    found = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    return found if Path(found, "stddef.h").is_file() else ""
