"""Finds the integers that names in a function's directives stand for: template arguments, constants of its classes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from clang import cindex  # type: ignore[import-untyped]

from ppnsim.c.clang.bases import Question, asked_constant, asked_maker
from ppnsim.c.clang.library import children_of, enumerations, evaluated, kind_of, walked
from ppnsim.c.clang.method_values import values_of_method
from ppnsim.c.clang.names import INTEGERS
from ppnsim.c.clang.scoped_constants import nested_scopes, scopes_named
from ppnsim.c.pragmas.by_line import DirectivesByLine
from ppnsim.c.pragmas.text import hls_pragmas

_PARAMETERS = ("TEMPLATE_TYPE_PARAMETER", "TEMPLATE_NON_TYPE_PARAMETER", "TEMPLATE_TEMPLATE_PARAMETER")
_CLASSES = ("CLASS_DECL", "STRUCT_DECL")
_NAMES = ("variable", "port", "bundle")
"""Clauses whose values are names of the source and not numbers."""
_WORD, _QUALIFIED = re.compile(r"[A-Za-z_]\w*"), re.compile(r"(?<![:\w])[A-Za-z_]\w*(?:::[A-Za-z_]\w*)+")


class Constants:
    """The part of the cursor reader that knows the numbers that directives may name."""

    bases: dict[str, list[Any]]
    """The answers about template instances: the types of their bases, their constants and constructors."""
    unknown: dict[Question, None]
    """The open questions about such classes."""
    root: Any
    directives: dict[str, DirectivesByLine]
    """The directives of each file that has been read so far."""

    def values(self, cursor: Any) -> tuple[tuple[str, int], ...]:
        """Return the integers among the template arguments of a function and its classes, by name.

        The result also has the constants of its classes that its directives name: ``max=BOUND`` of a ``static const
        int``. For a template instance clang does not tell them, so that questions are asked (`bases`).
        """
        given, owner = template_values(cursor), cursor.semantic_parent
        given += tuple(self._qualified(cursor, {name for name, _ in given}))
        if owner is None or owner.kind.name not in _CLASSES:
            return (*self._counted(cursor, {name for name, _ in given}), *given)
        words = self._named(cursor) - {name for name, _ in given}
        found = {name: value for name, value in members(owner) if name in words} if words else {}
        spelling = owner.type.get_canonical().spelling
        for name in sorted(words & set(_declared(owner)) - found.keys()):
            question = asked_constant(spelling, name)
            if (known := self.bases.get(question.key)) is None:
                self.unknown[question] = None
            elif known[0].kind.name == "RECORD":
                found[name] = known[0].get_declaration().get_template_argument_value(0)
        given = (*found.items(), *given)
        return (*self._counted(cursor, {name for name, _ in given}), *given)

    def _counted(self, cursor: Any, known: set[str]) -> Iterator[tuple[str, int]]:
        """Yield the constants of enumerations outside of classes that directives name: ``enum { II = 2 };``.

        Constants of the function come last, after those of its namespaces; constants elsewhere count only with a single
        value.
        """
        words = self._named(cursor) - known
        inside = [each for each in walked(cursor) if kind_of(each) == "ENUM_DECL"] if words else []
        around = [*_around(cursor)] if words else []
        others = dict[str, set[int]]()
        near: list[tuple[int, str, int]] = []
        for enumeration, constants in (*self._outside, *_with_values(inside)) if words else ():
            if not words & constants.keys():
                continue
            scope = enumeration.semantic_parent
            level = 0 if enumeration in inside else next((at for at, one in enumerate(around, 1) if one == scope), None)
            for name, value in ((each, value) for each, value in constants.items() if each in words):
                if level is None:
                    others.setdefault(name, set()).add(value)
                else:
                    near.append((-level, name, value))
        yield from ((name, min(values)) for name, values in others.items() if len(values) == 1)
        yield from ((name, value) for _, name, value in sorted(near))

    @cached_property
    def _outside(self) -> list[tuple[Any, dict[str, int]]]:
        """The enumerations outside of classes and functions, with their constants: the same for all functions."""
        return [*_with_values(enumerations(self.root))]

    def _qualified(self, cursor: Any, known: set[str]) -> Iterator[tuple[str, int]]:
        """Yield the constants that directives name with a class or a namespace, also with a template parameter."""
        words = sorted(self._named(cursor, _QUALIFIED) - known)
        arguments = dict(_type_arguments(cursor)) if words else {}
        types = {name: of.spelling.removeprefix("const ") for name, of in arguments.items() if _is_of_instance(of)}
        for word in words:
            scope, _, member = word.rpartition("::")
            if (of := types.get(scope)) is None:
                first, *rest = scope.split("::")
                inside = first in arguments  # ``CONFIG_T::mult_config``, a class or a typedef in an argument
                scopes = (
                    nested_scopes([arguments[first].get_declaration()], rest)
                    if inside
                    else scopes_named(cursor, scope, self.root)
                )
                found = (value for each in scopes for name, value in members(each) if name == member)
                yield from ((word, value) for value in (*found,)[:1])
                continue
            question = asked_constant(of, member)
            if (answer := self.bases.get(question.key)) is None:
                self.unknown[question] = None
            elif answer[0].kind.name == "RECORD":
                yield word, answer[0].get_declaration().get_template_argument_value(0)

    def instantiated(self, of: Any) -> Any:
        """Return the default constructor of a template instance, None while it is not known."""
        question = asked_maker(of.get_canonical().spelling.removeprefix("const "))
        if (known := self.bases.get(question.key)) is not None:
            return known[0]
        if "anonymous" not in question.key and "(lambda" not in question.key:
            self.unknown[question] = None
        return None

    def _named(self, cursor: Any, of: re.Pattern[str] = _WORD) -> set[Any]:
        """Return the words, or other matches of ``of``, in the numbers of the directives of a function."""
        first, last = cursor.extent.start, cursor.extent.end
        if (file := first.file.name if first.file else "") not in self.directives:
            text = Path(file).read_text(errors="replace") if Path(file).is_file() else ""
            self.directives[file] = DirectivesByLine(hls_pragmas(file, text))
        inside = self.directives[file].within(file, first.line, last.line)
        texts = (text for each in inside for clause, text in each.clauses if clause not in _NAMES)
        return {word for text in texts for word in of.findall(text)}


def _with_values(found: Iterable[Any]) -> Iterator[tuple[Any, dict[str, int]]]:
    """Yield enumerations with their constants, without those that need the name of the enumeration before theirs."""
    for each in found:
        constants = [] if each.is_scoped_enum() else each.get_children()
        yield each, {constant.spelling: constant.enum_value for constant in constants}


def _around(cursor: Any) -> Iterator[Any]:
    """Yield the scopes around a declaration, from the innermost to the file."""
    while (cursor := cursor.semantic_parent) is not None:
        yield cursor


def _declared(owner: Any, open_: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the names of possible constants of a class and its bases.

    ``open_`` are the classes being visited: a template may be derived from itself, ``struct d : d<N - 1>``.
    """
    if (usr := owner.get_usr()) in open_:
        return
    for each in children_of(owner):
        if each.kind.name in ("VAR_DECL", "USING_DECLARATION"):
            yield each.spelling
        elif each.kind.name == "ENUM_DECL":
            yield from (constant.spelling for constant in each.get_children())
        elif each.kind.name == "CXX_BASE_SPECIFIER":
            general = (
                part.referenced for part in each.get_children() if part.kind.name in ("TEMPLATE_REF", "TYPE_REF")
            )
            for base in filter(None, general):
                yield from _declared(base, (*open_, usr))


def template_values(cursor: Any) -> tuple[tuple[str, int], ...]:
    """Return the integers among the template arguments of a function and of its class, by name of the parameter.

    Constants of a struct that is an argument have the parameter before their name: ``CONFIG_T::factor``.
    """
    around = cursor.semantic_parent
    owner = template_values(around) if around is not None and around.kind.name in _CLASSES else ()
    general = cindex.conf.lib.clang_getSpecializedCursorTemplate(cursor)
    if general is None or general.kind.name not in ("FUNCTION_TEMPLATE", "CLASS_TEMPLATE"):
        return owner
    if cursor.kind.name not in ("FUNCTION_DECL", "CXX_METHOD", *_CLASSES):
        return owner
    kinds, names = _PARAMETERS, [child for child in general.get_children() if child.kind.name in _PARAMETERS]
    if cursor.kind.name == "CXX_METHOD":
        return (*owner, *values_of_method(cursor.get_usr(), cursor.spelling, [each.spelling for each in names]))
    found: list[tuple[str, int]] = [*owner]
    for place, name in enumerate(names):
        try:
            given = cursor.get_template_argument_kind(place).name
        except ValueError:  # a parameter pack, which the Python binding does not support
            continue
        if name.kind.name == kinds[1] and given == "INTEGRAL":
            found.append((name.spelling, cursor.get_template_argument_value(place)))
        elif name.kind.name == kinds[0] and given == "TYPE":
            struct = cursor.get_template_argument_type(place).get_canonical().get_declaration()
            found += [(f"{name.spelling}::{each}", value) for each, value in members(struct)]
    return tuple(found)


def _type_arguments(cursor: Any) -> Iterator[tuple[str, Any]]:
    """Yield the classes among a function's template arguments, by the name of the parameter."""
    general = cindex.conf.lib.clang_getSpecializedCursorTemplate(cursor)
    if general is None or general.kind.name != "FUNCTION_TEMPLATE":
        return
    names = [each for each in general.get_children() if each.kind.name in _PARAMETERS]
    for place, name in enumerate(names):
        try:
            is_type = cursor.get_template_argument_kind(place).name == "TYPE"
        except ValueError:  # a parameter pack, which the Python binding does not support
            continue
        of = cursor.get_template_argument_type(place).get_canonical() if is_type else None
        if of is not None and of.kind.name == "RECORD":
            yield name.spelling, of


def _is_of_instance(of: Any) -> bool:
    """Return whether a class is a template instance or derived from one, whose constants clang does not list."""
    if "(" in of.spelling:  # a class without a name of its own, about which no question can be asked
        return False
    bases = (each for each in of.get_declaration().get_children() if each.kind.name == "CXX_BASE_SPECIFIER")
    return bool(of.spelling.endswith(">")) or any(_is_of_instance(each.type.get_canonical()) for each in bases)


def members(struct: Any) -> Iterator[tuple[str, int]]:
    """Yield the integer constants of a struct, the inherited constants first."""
    for each in struct.get_children():
        if each.kind.name == "CXX_BASE_SPECIFIER":
            yield from members(each.type.get_canonical().get_declaration())
        elif each.kind.name == "ENUM_DECL":
            yield from ((constant.spelling, constant.enum_value) for constant in each.get_children())
        elif each.kind.name == "VAR_DECL" and each.type.is_const_qualified():
            value = evaluated(each, "AsLongLong") if each.type.get_canonical().kind.name in INTEGERS else None
            yield from () if value is None else ((each.spelling, int(value)),)
