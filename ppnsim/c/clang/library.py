"""Functions of clang's C interface that the Python binding does not have."""

from __future__ import annotations

from ctypes import c_double, c_longlong, c_void_p
from functools import cache
from typing import Any

from clang import cindex  # type: ignore[import-untyped]

from ppnsim.loops.program import Position


def position(location: Any) -> Position:
    """Return a place in a source; code that clang has generated has no file."""
    return Position(location.file.name if location.file else "", location.line, location.column)


@cache
def library() -> Any:
    """Return the C interface with the types of the functions that are called here."""
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
    return library


def evaluated(cursor: Any, form: str) -> Any:
    """Return the value of a constant expression (``form``: AsLongLong or AsDouble), None if it is not constant."""
    result = library().clang_Cursor_Evaluate(cursor)
    if not result:
        return None
    value = getattr(library(), f"clang_EvalResult_get{form}")(result)
    library().clang_EvalResult_dispose(result)
    return value


def in_system(location: Any) -> bool:
    """Return whether a place is in a header of the system."""
    return bool(cindex.conf.lib.clang_Location_isInSystemHeader(location))


def template_values(cursor: Any) -> tuple[tuple[str, int], ...]:
    """Return the whole numbers among the template arguments of a function, by name of the parameter."""
    general = cindex.conf.lib.clang_getSpecializedCursorTemplate(cursor)
    if general is None or general.kind.name != "FUNCTION_TEMPLATE":
        return ()
    kinds = ("TEMPLATE_TYPE_PARAMETER", "TEMPLATE_NON_TYPE_PARAMETER", "TEMPLATE_TEMPLATE_PARAMETER")
    names = [child for child in general.get_children() if child.kind.name in kinds]
    return tuple(
        (name.spelling, cursor.get_template_argument_value(place)) for place, name in enumerate(names)
        if name.kind.name == kinds[1] and cursor.get_template_argument_kind(place).name == "INTEGRAL"
    )  # fmt: skip


def included(root: Any) -> list[str]:
    """Return the headers of a source without those of the system."""
    unit = root.translation_unit
    places = [cindex.SourceLocation.from_position(unit, each.include, 1, 1) for each in unit.get_includes()]
    return [place.file.name for place in places if place.file and not in_system(place)]
