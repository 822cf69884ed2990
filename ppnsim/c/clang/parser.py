"""Parses a C or C++ file into the tree of :mod:`ppnsim.c.syntax`: clang's cursors become syntax nodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from ppnsim.c.clang import instances, names
from ppnsim.c.clang.algorithms import difference
from ppnsim.c.clang.bases import FREELY, Questions, answers, questions, settled
from ppnsim.c.clang.calls import Calls
from ppnsim.c.clang.diagnostics import Provided, with_headers
from ppnsim.c.clang.library import (
    HALF,
    declarations,
    evaluated,
    foreign,
    header_arguments,
    included,
    inside,
    kind_of,
    library,
    number_of,
    of_folders,
    own_functions,
    position,
    skipped,
)
from ppnsim.c.clang.linked_sources import apart, written
from ppnsim.c.clang.list_assignments import member_of, with_values_first
from ppnsim.c.clang.methods import name_of, returns_itself, this_of, unclear
from ppnsim.c.clang.object_declarations import Declared
from ppnsim.c.clang.places import PlacesOfSource
from ppnsim.c.clang.read_loops import Looped
from ppnsim.c.clang.structured_bindings import place_of
from ppnsim.c.clang.temporaries import type_held
from ppnsim.c.clang.volatile import is_volatile
from ppnsim.c.plain.nodes import array_first, leaves, letters
from ppnsim.c.syntax import VOID, CType, Function, SyntaxNode, TranslationUnit, Variable
from ppnsim.errors import InputError
from ppnsim.loops.as_c.names import Names

_OF_OLD_C = ("-Wno-error=implicit-function-declaration", "-Wno-error=int-conversion", "-Wno-error=implicit-int")
_FLAGS = (
    "-DNDEBUG",
    "-Wno-error=unusable-partial-specialization",
    "-Wno-c++11-narrowing",
    "-ferror-limit=0",
    *_OF_OLD_C,
)
DEEPEST = 256  # nested operators and blocks: functions on the tree recurse once per level


def parse(
    path: str, defines: Mapping[str, str], include: Sequence[str], linked: Sequence[str] = (),
    known: Questions | None = None,
) -> TranslationUnit:  # fmt: skip
    """Return the functions and variables of a file, read after the ``linked`` files; refuse text that is not C."""
    for file in (path, *linked):
        if not Path(file).is_file():
            raise InputError("no such file", where=file)
    folders, behind = of_folders(include)
    arguments = [f"-D{name}={value}" for name, value in defines.items()] + folders
    further, between = apart(path, linked)
    arguments += [*further, *header_arguments(), *behind, *HALF, *_FLAGS]
    said, provided = dict[str, str](), Provided()

    def read(unknown: Questions) -> tuple[TranslationUnit, Questions]:
        text = Path(path).read_text(errors="replace") + questions(unknown) if unknown else ""
        flags, texts = ([*arguments, FREELY], {**between, path: text}) if unknown else (arguments, between)
        root = with_headers(path, flags, texts, said, provided).cursor
        reader = CursorReader(path, answers(root, unknown))
        return reader.unit(root), reader.unknown

    unit = settled(read, known)
    return replace(unit, assumed=tuple(said.values()))


class CursorReader(Looped):
    """Turns clang's cursors into syntax nodes, with one :class:`Variable` for each declaration."""

    def __init__(self, path: str, bases: Mapping[str, list[Any]] | None = None) -> None:
        self.path, self.bases, self.unknown = path, dict(bases or {}), {}
        self.directives = {}
        self.variables: dict[int, Variable] = {}
        self.functions, self.makers = dict[str, Function](), dict[str, Function]()
        self.names, self.taken = dict[str, str](), Names()
        self.idle, self.labels = set[str](), set[str]()
        self.open: list[str] = []
        self.known_types: dict[int | None, CType] = {}
        self.places = PlacesOfSource()
        self.numbers: dict[tuple[bytes | str, ...], SyntaxNode] = {}
        self.this: list[Variable] = []
        self.captured, self.copies, self.held, self.objects, self.mutable = {}, {}, {}, {}, set()
        self.meant, self.as_given, self.takes, self.operators = {}, {}, {}, {}
        self.parts, self.ends, self.plain, self.depth, self.ifs, self.inside = {}, {}, set(), 0, 0, 0

    def unit(self, root: Any) -> TranslationUnit:
        """Return the functions and global variables of a tree."""
        self.root = root
        for cursor in own_functions(declared := [*declarations(root)], self.path):
            self.name(cursor)  # a function of the user keeps its name, even if a header has the same name
        for cursor in declared:
            if cursor.kind.name == "VAR_DECL":
                self.variable(cursor)
            elif cursor.is_definition() or self.name(cursor) not in self.functions:
                self.functions.pop(self.name(cursor), None)  # a definition keeps its own position
                self.functions[self.name(cursor)] = self.function(cursor)
        files = {f.position.file for f in self.functions.values() if f.body} | {self.path} | set(included(root))
        outside = tuple(variable for variable in self.variables.values() if variable.scope == "global")
        sources = {file: Path(file).read_text(errors="replace") for file in sorted(files) if Path(file).is_file()}
        left_out = {file: lines for file, lines in skipped(root).items() if file in sources}
        return TranslationUnit(self.path, self.functions, outside, sources, left_out=left_out)

    def function(self, cursor: Any) -> Function:
        """Return a function; the body is left out if it is being read already or belongs to a system header."""
        name, of_object = self.name(cursor), cursor.kind.name in names.OF_OBJECTS and not cursor.is_static_method()
        parameters = tuple(self.variable(argument) for argument in cursor.get_arguments())
        if of_object:
            owner = self.type(cursor.semantic_parent.type, ())
            parameters = (this_of(owner, position(cursor.location)), *parameters)
        result, body = self.type(cursor.result_type, ()), None
        if cursor.is_definition() and name not in self.open and not foreign(cursor.location):
            self.open.append(name)
            own = self.this_in(cursor, parameters)
            self.this += own
            body = next((self.node(c) for c in cursor.get_children() if c.kind.name == "COMPOUND_STMT"), None)
            if body is not None and cursor.kind.name == "CONSTRUCTOR":
                body = replace(body, children=(*self.before(cursor), *body.children))
            if own:
                self.this.pop()
            self.open.pop()
        if body is not None and of_object and (body.children and returns_itself(body.children[-1])):
            body, result = replace(body, children=body.children[:-1]), VOID
        built_in = name.startswith("__builtin_")  # not in any file: its position is its first call
        return Function(
            name, parameters, result, body, position(cursor.location), cursor.extent.end.line,
            built_in or foreign(cursor.location), built_in or cursor.type.kind.name == "FUNCTIONPROTO",
            self.values(cursor), instance=instances.instance_of(cursor),
        )  # fmt: skip

    def variable(self, cursor: Any) -> Variable:
        """Return the variable of a declaration: the same object for the same declaration."""
        place = number_of(cursor := cursor.canonical)
        if place not in self.variables:
            definition = cursor.get_definition() or cursor
            start = library().clang_Cursor_getVarDeclInitializer(definition)
            parts = [c for c in inside(definition) if c.kind.is_expression()]
            initial = self.of_class(definition) or next((self.node(c) for c in parts if c == start), None)
            sizes = [c for c in parts if c != start]
            parent, scope = cursor.semantic_parent.kind.name, "local"
            if cursor.kind.name == "PARM_DECL":
                scope = "parameter"
            elif parent in ("TRANSLATION_UNIT", "NAMESPACE", "LINKAGE_SPEC"):
                scope = "global"
            elif cursor.storage_class.name == "STATIC":
                scope = "static"
            of = self.type(definition.type, tuple(reversed(sizes)))
            if "REFERENCE" in definition.type.kind.name:
                of = type_held(of, initial, self.functions)
            initial = initial and letters(initial, of)
            self.variables[place] = Variable(
                written(cursor), of, scope, position(cursor.location), initial, *is_volatile(definition.type),  # type: ignore[arg-type]
            )  # fmt: skip
        return self.variables[place]

    def node(self, cursor: Any) -> SyntaxNode:
        """Return an expression or a statement; refuse deep nesting."""
        is_if = kind_of(cursor) == "IF_STMT"
        if self.depth == DEEPEST:
            chain = "divide the chain of else if, as in if (x < 100) {..} else {..}"
            cure = chain if self.ifs > DEEPEST // 2 else "put parts of it into variables"
            message = f"more than {DEEPEST} operators or blocks inside each other; {cure}"
            raise InputError(message, where=str(position(cursor.location)))
        self.depth, self.ifs = self.depth + 1, self.ifs + is_if
        found = self._node(cursor)
        self.depth, self.ifs = self.depth - 1, self.ifs - is_if
        return found

    def _node(self, cursor: Any) -> SyntaxNode:
        kind, inner = kind_of(cursor), inside(cursor)
        if read := self._BY_KIND.get(kind):
            return read(self, cursor, inner)
        if kind == "DO_STMT" and evaluated(inner[1], "AsLongLong") == 0 and not leaves(made := self.node(inner[0])):
            return made  # macros use do { } while (0)
        if kind in names.LOOKED_THROUGH and len(inner) == 1:
            return self.through(cursor, inner[0])
        if kind in names.CASTS:
            return self.conversion(cursor, inner)
        if (plain := names.KINDS.get(kind)) is not None:
            return self._made(cursor, plain, map(self.node, inner), text=cursor.spelling)
        return self.unknown_kind(cursor, inner)

    def _list(self, cursor: Any, inner: Sequence[Any]) -> SyntaxNode:
        return self.listed(self._made(cursor, "list"), inner, cursor)

    def element(self, cursor: Any) -> SyntaxNode:
        """Return an element of a table; equal numbers of one type share the node that was read first."""
        if not (text := self.places.number(cursor)):
            return self.node(cursor)
        key = text, cursor.type.get_canonical().spelling, *self.open[-1:]
        if key not in self.numbers:
            self.numbers[key] = self.node(cursor)
        return self.numbers[key]

    def _last(self, _: Any, inner: Sequence[Any]) -> SyntaxNode:
        """Return the last part of a cursor: the statement after a pragma, or the value of a compound literal."""
        return self.node(inner[-1])

    def _name(self, cursor: Any, inner: Sequence[Any]) -> SyntaxNode:
        if not cursor.referenced and inner:
            return self.node(inner[0])  # a template parameter: its child is the argument
        if cursor.referenced and kind_of(cursor.referenced) in ("VAR_DECL", "PARM_DECL"):
            return self._made(cursor, "name", variable=self.variable(cursor.referenced))
        if cursor.referenced and (part := self.parts.get(place_of(cursor.referenced))) is not None:
            return replace(part, position=position(cursor.location))
        return self._constant(cursor, inner)

    def _member(self, cursor: Any, inner: Sequence[Any]) -> SyntaxNode:
        if cursor.referenced and cursor.referenced.kind.name == "VAR_DECL":
            return self._name(cursor, ())  # a static member: one variable for all objects
        base = self.node(inner[0]) if inner and inner[0].kind.is_expression() else None
        if base is None and self.this:
            base = name_of(self.this[-1], position(cursor.location))
        made = self._made(cursor, "member", [base] if base else [], text=cursor.spelling)
        if base is not None and (words := unclear(cursor, base.type)):
            return self._made(cursor, "other", [base], text=words)
        return made if base is None else member_of(made)

    def member(self, cursor: Any) -> SyntaxNode:
        """Return the name of a member in the initialiser list of a constructor."""
        return self._member(cursor, ())

    def _lambda(self, cursor: Any, _: Sequence[Any]) -> SyntaxNode:
        return self.written(cursor)

    def _this(self, cursor: Any, _: Sequence[Any]) -> SyntaxNode:
        return name_of(self.this[-1], position(cursor.location))

    def _constant(self, cursor: Any, inner: Sequence[Any]) -> SyntaxNode:
        value, text = evaluated(cursor, "AsLongLong"), cursor.spelling or cursor.kind.name
        if value is None:  # sizeof(int[i]) reads i
            read = (self.node(each) for each in inner if each.kind.is_expression())
            return self._made(cursor, "other", read, text=text)
        return self._made(cursor, "integer", text=text, value=value)

    def _real(self, cursor: Any, inner: Sequence[Any]) -> SyntaxNode:
        imaginary = cursor.kind.name == "IMAGINARY_LITERAL"
        text = f"{self.node(inner[0])}i" if imaginary else repr(evaluated(cursor, "AsDouble"))
        return self._made(cursor, "real", text=text)

    def _binary(self, cursor: Any, inner: Sequence[Any]) -> SyntaxNode:
        text = names.BINARY.get(library().clang_getCursorBinaryOperatorKind(cursor), "")
        made = self._made(cursor, "assign" if text in names.ASSIGNMENTS else "binary", map(self.node, inner), text=text)
        return with_values_first(difference(made))

    def _unary(self, cursor: Any, inner: Sequence[Any]) -> SyntaxNode:
        if (number := library().clang_getCursorUnaryOperatorKind(cursor)) == names.EXTENSION:
            return self.node(inner[0])
        text = names.UNARY.get(number, "an operator that is not C's")
        return self._made(cursor, "unary", map(self.node, inner), text=text)

    def _index(self, cursor: Any, inner: Sequence[Any]) -> SyntaxNode:
        return self._made(cursor, "index", array_first(*map(self.node, inner)))

    _BY_KIND: ClassVar[Mapping[str, Callable[[CursorReader, Any, Sequence[Any]], SyntaxNode]]] = {
        **dict.fromkeys(("FOR_STMT", "WHILE_STMT"), Looped.looped), "CXX_FOR_RANGE_STMT": Looped.over_range,
        "LABEL_STMT": Looped.labelled, "GOTO_STMT": Looped.gone, "RETURN_STMT": Looped.returned,
        "COMPOUND_STMT": Declared.compound, "IF_STMT": Declared.branched, "SWITCH_STMT": Declared.branched,
        "UNEXPOSED_STMT": _last, "COMPOUND_LITERAL_EXPR": _last, "INIT_LIST_EXPR": _list, "LAMBDA_EXPR": _lambda,
        "DECL_REF_EXPR": _name, "ARRAY_SUBSCRIPT_EXPR": _index,
        **dict.fromkeys(("INTEGER_LITERAL", "CHARACTER_LITERAL", "CXX_BOOL_LITERAL_EXPR", "CXX_UNARY_EXPR"), _constant),
        "FLOATING_LITERAL": _real, "IMAGINARY_LITERAL": _real, "DECL_STMT": Declared.block, "CALL_EXPR": Calls.call,
        "MEMBER_REF_EXPR": _member, "MEMBER_REF": _member, "CXX_THIS_EXPR": _this, "UNARY_OPERATOR": _unary,
        "BINARY_OPERATOR": _binary, "COMPOUND_ASSIGNMENT_OPERATOR": _binary,
    }  # fmt: skip
