"""From a C or C++ file to the plain tree of :mod:`ppnsim.c.syntax`; only this file and `library` import clang."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from clang import cindex  # type: ignore[import-untyped]

from ppnsim.c.clang import names
from ppnsim.c.clang.calls import Calls
from ppnsim.c.clang.library import (
    HALF,
    evaluated,
    header_arguments,
    in_system,
    included,
    library,
    position,
    template_values,
)
from ppnsim.c.syntax import CType, Function, SyntaxNode, TranslationUnit, Variable, converted
from ppnsim.errors import InputError

KEEP_GOING = 0x200  # without this flag, clang reports nothing more after a missing header
DEEPEST = 256  # nested operators and blocks: functions on the tree call themselves once per level


def parse(
    path: str, defines: Mapping[str, str], include: Sequence[str], linked: Sequence[str] = ()
) -> TranslationUnit:  # fmt: skip
    """Return what a file declares and defines, behind the files that it is linked with; refuse what is not C."""
    for file in (path, *linked):
        if not Path(file).is_file():
            raise InputError("no such file", where=file)
    arguments = [f"-D{name}={value}" for name, value in defines.items()] + [f"-I{folder}" for folder in include]
    arguments += [part for file in linked for part in ("-include", file)]
    arguments += [*header_arguments(), *HALF, "-DNDEBUG", "-Wno-error=implicit-function-declaration", "-ferror-limit=0"]
    return CursorReader(path).unit(tree(path, arguments).cursor)


def tree(path: str, arguments: Sequence[str], options: int = 0, worded: Callable[[Any], str] | None = None) -> Any:
    """Return clang's tree of a file; raise InputError at an error, in the words of ``worded``."""
    unit = cindex.Index.create().parse(path, args=list(arguments), options=KEEP_GOING | options)
    for found in unit.diagnostics:
        missing = found.spelling.endswith("file not found")
        if found.severity < cindex.Diagnostic.Error or (in_system(found.location) and not missing):
            # Headers of gcc have words that only gcc knows; clang reads all that a kernel needs of them.
            continue
        words = worded(found) if worded is not None else names.explained(found.spelling)
        raise InputError(words, where=str(position(found.location)))
    return unit


class CursorReader(Calls):
    """Turns cursors of clang into nodes, with one :class:`Variable` per declaration."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.variables: dict[int, Variable] = {}
        self.functions: dict[str, Function] = {}
        self.names: dict[str, str] = {}
        self.open: list[str] = []
        self.depth = 0

    def unit(self, root: Any) -> TranslationUnit:
        """Return what a tree declares and defines."""
        for cursor in _declarations(root):
            if cursor.kind.name == "VAR_DECL":
                self.variable(cursor)
            elif cursor.is_definition() or self.name(cursor) not in self.functions:
                self.functions.pop(self.name(cursor), None)  # a definition stands where it is
                self.functions[self.name(cursor)] = self.function(cursor)
        files = {f.position.file for f in self.functions.values() if f.body} | {self.path} | set(included(root))
        outside = tuple(variable for variable in self.variables.values() if variable.scope == "global")
        sources = {file: Path(file).read_text(errors="replace") for file in sorted(files)}
        return TranslationUnit(self.path, self.functions, outside, sources)

    def name(self, cursor: Any) -> str:
        """Return the name of a function; overloads and further instances of a template get a number."""
        if in_system(cursor.location):
            return str(cursor.spelling)
        same = sum(1 for name in self.names.values() if re.fullmatch(rf"{re.escape(cursor.spelling)}(_\d+)?", name))
        number = f"_{same + 1}" if same else ""
        return self.names.setdefault(cursor.get_usr(), cursor.spelling + number)

    def function(self, cursor: Any) -> Function:
        """Return a function. The body is left out if it is being read already or belongs to the system."""
        name = self.name(cursor)
        parameters = tuple(self.variable(argument) for argument in cursor.get_arguments())
        body = None
        if cursor.is_definition() and name not in self.open and not in_system(cursor.location):
            self.open.append(name)
            body = next((self.node(c) for c in cursor.get_children() if c.kind.name == "COMPOUND_STMT"), None)
            self.open.pop()
        return Function(
            name, parameters, self.type(cursor.result_type, ()), body, position(cursor.location),
            cursor.extent.end.line, in_system(cursor.location), cursor.type.kind.name == "FUNCTIONPROTO",
            template_values(cursor),
        )  # fmt: skip

    def variable(self, cursor: Any) -> Variable:
        """Return the variable of a declaration: one object per declaration."""
        cursor = cursor.canonical
        if cursor.hash not in self.variables:
            definition = cursor.get_definition() or cursor
            start = library().clang_Cursor_getVarDeclInitializer(definition)
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
                cursor.spelling, self.type(definition.type, tuple(reversed(sizes))), scope, position(cursor.location),  # type: ignore[arg-type]
                initial,
            )  # fmt: skip
        return self.variables[cursor.hash]

    def type(self, given: Any, sizes: Sequence[Any]) -> CType:
        """Return a type; ``sizes`` are the expressions in brackets of its declarator, outermost first."""
        real = given.get_canonical()
        kind, const = real.kind.name, real.is_const_qualified()
        if kind in ("CONSTANTARRAY", "VARIABLEARRAY", "INCOMPLETEARRAY"):
            size: int | SyntaxNode | None = real.element_count if kind == "CONSTANTARRAY" else None
            if kind == "VARIABLEARRAY" and sizes:
                size = self.node(sizes[0])
            inner = self.type(real.element_type, sizes if kind == "INCOMPLETEARRAY" else sizes[1:])
            # clang calls the array const; in C its elements are.
            return CType("array", real.spelling, 0, const, replace(inner, const=inner.const or const), size)
        if kind in ("POINTER", "LVALUEREFERENCE", "RVALUEREFERENCE"):
            return CType("pointer", real.spelling, 64, const, self.type(real.get_pointee(), sizes))
        if kind == "RECORD" and (depth := names.stream_depth(real.spelling.removeprefix("const "))):
            element = self.type(real.get_template_argument_type(0), ())
            return CType("stream", real.spelling, element.bits, const, element, depth)
        found = names.scalar(kind, real.spelling, max(0, real.get_size()) * 8, const)
        if found.kind != "struct":
            return found
        union = real.get_declaration().kind.name == "UNION_DECL"
        fields = self._fields(real, union=union)
        return replace(found, fields=fields, shared=union or any(inner.shared for _, inner in fields))

    def _fields(self, struct: Any, *, union: bool) -> tuple[tuple[str, CType], ...]:
        """Return the members of a struct; a struct that is being read already (it points to itself) has none.

        The members of a struct without a name are members of the struct around it. Bit fields of a union have their own
        width.
        """
        name = struct.spelling
        if name in self.open:
            return ()
        self.open.append(name)
        found: list[tuple[str, CType]] = []
        for each in struct.get_fields():
            of = self.type(each.type, ())
            inside = not union and of.kind == "struct" and not of.shared and not each.spelling.isidentifier()
            of = replace(of, bits=each.get_bitfield_width()) if union and each.is_bitfield() else of
            found += of.fields if inside else [(each.spelling, of)]
        self.open.pop()
        return tuple(found)

    def node(self, cursor: Any) -> SyntaxNode:
        """Return an expression or a statement; refuse deep nesting."""
        if self.depth == DEEPEST:
            message = f"more than {DEEPEST} operators or blocks inside each other; put parts of it into variables"
            raise InputError(message, where=str(position(cursor.location)))
        self.depth += 1
        found = self._node(cursor)
        self.depth -= 1
        return found

    def _node(self, cursor: Any) -> SyntaxNode:
        kind = cursor.kind.name
        inner = list(cursor.get_children())
        if read := self._BY_KIND.get(kind):
            return read(self, cursor, inner)
        if kind == "DO_STMT" and evaluated(inner[1], "AsLongLong") == 0:
            return self.node(inner[0])  # the do { } while (0) of macros
        if kind in names.LOOKED_THROUGH and len(inner) == 1:
            return converted(self.node(inner[0]), self.type(cursor.type, ()))
        if kind in names.CASTS:
            inner = inner[-1:]  # what is before it are the parts of the type
        plain = names.KINDS.get(kind, "other")
        return self._made(cursor, plain, map(self.node, inner), text=kind if plain == "other" else cursor.spelling)

    def _last(self, _: Any, inner: Sequence[Any]) -> SyntaxNode:
        """Read the statement behind a label that nothing goes to, or the value behind the type of a literal."""
        return self.node(inner[-1])

    def _name(self, cursor: Any, inner: Sequence[Any]) -> SyntaxNode:
        if not cursor.referenced and inner:
            return self.node(inner[0])  # a parameter of a template: below it is what it stands for
        if cursor.referenced and cursor.referenced.kind.name in ("VAR_DECL", "PARM_DECL"):
            return self._made(cursor, "name", variable=self.variable(cursor.referenced))
        return self._constant(cursor, inner)

    def _constant(self, cursor: Any, _: Sequence[Any]) -> SyntaxNode:
        value, text = evaluated(cursor, "AsLongLong"), cursor.spelling or cursor.kind.name
        return self._made(cursor, "other" if value is None else "integer", text=text, value=value)

    def _real(self, cursor: Any, inner: Sequence[Any]) -> SyntaxNode:
        imaginary = cursor.kind.name == "IMAGINARY_LITERAL"
        text = f"{self.node(inner[0])}i" if imaginary else repr(evaluated(cursor, "AsDouble"))
        return self._made(cursor, "real", text=text)

    def _locals(self, cursor: Any, inner: Sequence[Any]) -> SyntaxNode:
        return self._made(cursor, "block", [self._declared(c) for c in inner if c.kind.name == "VAR_DECL"])

    def _binary(self, cursor: Any, inner: Sequence[Any]) -> SyntaxNode:
        text = names.BINARY.get(library().clang_getCursorBinaryOperatorKind(cursor), "")
        return self._made(cursor, "assign" if text in names.ASSIGNMENTS else "binary", map(self.node, inner), text=text)

    def _unary(self, cursor: Any, inner: Sequence[Any]) -> SyntaxNode:
        number = library().clang_getCursorUnaryOperatorKind(cursor)
        if number == names.EXTENSION:
            return self.node(inner[0])
        text = names.UNARY.get(number, "an operator that is not C's")
        return self._made(cursor, "unary", map(self.node, inner), text=text)

    def _declared(self, cursor: Any) -> SyntaxNode:
        variable = self.variable(cursor)
        return self._made(cursor, "declare", [variable.initial] if variable.initial else [], variable=variable)

    _BY_KIND: ClassVar[Mapping[str, Callable[[CursorReader, Any, Sequence[Any]], SyntaxNode]]] = {
        "LABEL_STMT": _last, "COMPOUND_LITERAL_EXPR": _last, "DECL_REF_EXPR": _name, "INTEGER_LITERAL": _constant,
        "CHARACTER_LITERAL": _constant, "CXX_BOOL_LITERAL_EXPR": _constant, "CXX_UNARY_EXPR": _constant,
        "FLOATING_LITERAL": _real, "IMAGINARY_LITERAL": _real, "DECL_STMT": _locals, "CALL_EXPR": Calls.call,
        "BINARY_OPERATOR": _binary, "COMPOUND_ASSIGNMENT_OPERATOR": _binary, "UNARY_OPERATOR": _unary,
    }  # fmt: skip


def _declarations(root: Any) -> Iterator[Any]:
    for cursor in root.get_children():
        if cursor.kind.name in ("LINKAGE_SPEC", "NAMESPACE", "UNEXPOSED_DECL"):
            yield from _declarations(cursor)
        elif cursor.kind.name in ("FUNCTION_DECL", "VAR_DECL") and not in_system(cursor.location):
            # A header of the system has thousands of functions; those that are called are read at the call.
            yield cursor
