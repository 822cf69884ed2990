"""From a C or C++ file to the plain tree of :mod:`ppnsim.frontend.syntax`; the only file that imports clang."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from ctypes import c_double, c_longlong, c_void_p
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from clang import cindex  # type: ignore[import-untyped]

from ppnsim.affine.program import Position
from ppnsim.errors import InputError
from ppnsim.frontend import clang_names as names
from ppnsim.frontend.header_paths import header_arguments
from ppnsim.frontend.syntax import CType, Function, Node, Unit, Variable, converted

# After a missing header clang would fall silent; with this flag it goes on and reports what is really wrong.
KEEP_GOING = 0x200


def parse(path: str, defines: Mapping[str, str], include: Sequence[str]) -> Unit:
    """Return what a file declares and defines; raise InputError where it is not C."""
    if not Path(path).is_file():
        raise InputError("no such file", where=path)
    arguments = [f"-D{name}={value}" for name, value in defines.items()] + [f"-I{folder}" for folder in include]
    arguments += [*header_arguments(), "-DNDEBUG", "-Wno-error=implicit-function-declaration"]
    unit = cindex.Index.create().parse(path, args=arguments, options=KEEP_GOING)
    _complain(unit)
    return _Reader(path).unit(unit.cursor)


def _complain(unit: Any) -> None:
    for found in unit.diagnostics:
        if found.severity < cindex.Diagnostic.Error:
            continue
        raise InputError(names.explained(found.spelling), where=str(_position(found.location)))


def _position(location: Any) -> Position:
    return Position(location.file.name if location.file else "", location.line, location.column)


@cache
def _library() -> Any:
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


def _evaluated(cursor: Any, form: str) -> Any:
    result = _library().clang_Cursor_Evaluate(cursor)
    if not result:
        return None
    value = getattr(_library(), f"clang_EvalResult_get{form}")(result)
    _library().clang_EvalResult_dispose(result)
    return value


class _Reader:
    """Turns cursors into nodes, and keeps one :class:`Variable` per declaration."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.variables: dict[int, Variable] = {}
        self.functions: dict[str, Function] = {}

    def unit(self, root: Any) -> Unit:
        for cursor in _declarations(root):
            if cursor.kind.name == "VAR_DECL":
                self.variable(cursor)
            elif cursor.is_definition() or cursor.spelling not in self.functions:
                self.functions.pop(cursor.spelling, None)  # a definition stands where it is
                self.functions[cursor.spelling] = self.function(cursor)
        files = {f.position.file for f in self.functions.values() if f.body} | {self.path}
        return Unit(self.path, self.functions, {f: Path(f).read_text(errors="replace") for f in sorted(files)})

    def function(self, cursor: Any, *, called: bool = False) -> Function:
        """Return a function; without its body if it is looked at because it is ``called``."""
        parameters = tuple(self.variable(argument) for argument in cursor.get_arguments())
        body = None
        if cursor.is_definition() and not called:
            body = next((self.node(c) for c in cursor.get_children() if c.kind.name == "COMPOUND_STMT"), None)
        return Function(
            cursor.spelling, parameters, self.type(cursor.result_type, ()), body, _position(cursor.location),
            cursor.extent.end.line, _is_system(cursor), cursor.type.kind.name == "FUNCTIONPROTO",
        )  # fmt: skip

    def variable(self, cursor: Any) -> Variable:
        cursor = cursor.canonical
        if cursor.hash not in self.variables:
            definition = cursor.get_definition() or cursor
            start = _library().clang_Cursor_getVarDeclInitializer(definition)
            parts = [c for c in definition.get_children() if c.kind.is_expression()]
            initial = next((self.node(c) for c in parts if c == start), None)
            sizes = [c for c in parts if c != start]
            parent, scope = cursor.semantic_parent.kind.name, "local"
            if cursor.kind.name == "PARM_DECL":
                scope = "parameter"
            elif parent in ("TRANSLATION_UNIT", "NAMESPACE", "LINKAGE_SPEC"):
                scope = "global"
            elif cursor.storage_class.name == "STATIC":
                scope = "static"
            self.variables[cursor.hash] = Variable(
                cursor.spelling, self.type(definition.type, tuple(reversed(sizes))), scope, _position(cursor.location),  # type: ignore[arg-type]
                initial,
            )  # fmt: skip
        return self.variables[cursor.hash]

    def type(self, given: Any, sizes: Sequence[Any]) -> CType:
        """Return a type; ``sizes`` are the expressions in brackets of its declarator, outermost first."""
        real = given.get_canonical()
        kind, const = real.kind.name, real.is_const_qualified()
        if kind in ("CONSTANTARRAY", "VARIABLEARRAY", "INCOMPLETEARRAY"):
            size: int | Node | None = real.element_count if kind == "CONSTANTARRAY" else None
            if kind == "VARIABLEARRAY" and sizes:
                size = self.node(sizes[0])
            inner = self.type(real.element_type, sizes if kind == "INCOMPLETEARRAY" else sizes[1:])
            # clang says const of the array, C means its elements.
            return CType("array", real.spelling, 0, const, replace(inner, const=inner.const or const), size)
        if kind in ("POINTER", "LVALUEREFERENCE", "RVALUEREFERENCE"):
            return CType("pointer", real.spelling, 64, const, self.type(real.get_pointee(), sizes))
        return names.scalar(kind, real.spelling, max(0, real.get_size()) * 8, const)

    def node(self, cursor: Any) -> Node:
        """Return an expression or a statement."""
        kind = cursor.kind.name
        inner = list(cursor.get_children())
        if kind in names.LOOKED_THROUGH and len(inner) == 1:
            return converted(self.node(inner[0]), self.type(cursor.type, ()))
        if kind == "DECL_REF_EXPR" and cursor.referenced.kind.name in ("VAR_DECL", "PARM_DECL"):
            return self._made(cursor, "name", variable=self.variable(cursor.referenced))
        if kind in names.LEAVES or kind == "DECL_REF_EXPR":
            value = _evaluated(cursor, "AsLongLong")
            return self._made(
                cursor, "other" if value is None else "integer", text=cursor.spelling or kind, value=value
            )
        if kind == "FLOATING_LITERAL":
            return self._made(cursor, "real", text=repr(_evaluated(cursor, "AsDouble")))
        if kind == "DECL_STMT":
            return self._made(cursor, "block", [self._declared(c) for c in inner if c.kind.name == "VAR_DECL"])
        if kind == "CALL_EXPR":
            arguments = [self.node(c) for c in cursor.get_arguments()]
            if cursor.spelling == "operator=" or (cursor.referenced and cursor.referenced.kind.name == "CONSTRUCTOR"):
                # Structs of C++ are copied by calls that nobody wrote.
                kind = ("empty", "cast", "assign", "other")[min(len(arguments), 3)]
                return self._made(cursor, kind, arguments, text="=")
            if (
                cursor.spelling not in self.functions
                and cursor.referenced
                and cursor.referenced.kind.name == "FUNCTION_DECL"
            ):
                self.functions[cursor.spelling] = self.function(cursor.referenced, called=True)
            return self._made(cursor, "call", arguments, text=cursor.spelling or "a pointer to a function")
        if kind in names.REFUSED:
            return self._made(cursor, "refused", [self.node(c) for c in inner], text=names.REFUSED[kind])
        if kind in names.CASTS:
            inner = [c for c in inner if c.kind.is_expression()]
        text = cursor.spelling
        if kind in ("BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR"):
            text = names.BINARY.get(_library().clang_getCursorBinaryOperatorKind(cursor), "")
        elif kind == "UNARY_OPERATOR":
            number = _library().clang_getCursorUnaryOperatorKind(cursor)
            if number == names.EXTENSION:
                return self.node(inner[0])
            text = names.UNARY.get(number, "an operator that is not C's")
        plain = "assign" if text in names.ASSIGNMENTS else names.PLAIN.get(kind, "other")
        return self._made(cursor, plain, [self.node(c) for c in inner], text=text if plain != "other" else kind)

    def _made(self, cursor: Any, kind: str, children: Sequence[Node] = (), **more: Any) -> Node:
        end = cursor.extent.end.line
        return Node(kind, _position(cursor.location), self.type(cursor.type, ()), tuple(children), end=end, **more)

    def _declared(self, cursor: Any) -> Node:
        variable = self.variable(cursor)
        return self._made(cursor, "declare", [variable.initial] if variable.initial else [], variable=variable)


def _is_system(cursor: Any) -> bool:
    return bool(cindex.conf.lib.clang_Location_isInSystemHeader(cursor.location))


def _declarations(root: Any) -> Iterator[Any]:
    for cursor in root.get_children():
        if cursor.kind.name in ("LINKAGE_SPEC", "NAMESPACE", "UNEXPOSED_DECL"):
            yield from _declarations(cursor)
        elif cursor.kind.name in ("FUNCTION_DECL", "VAR_DECL") and not _is_system(cursor):
            # A header of the system has thousands of functions: what is called is read where it is called.
            yield cursor
