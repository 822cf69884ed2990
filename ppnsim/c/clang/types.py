"""Reads clang's types: resolves typedefs, and reads structs with their members, streams and numbers of any width."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ppnsim.c.clang import names
from ppnsim.c.clang.bases import asked
from ppnsim.c.clang.classes import is_lambda
from ppnsim.c.clang.constants import Constants
from ppnsim.c.clang.library import children_of
from ppnsim.c.clang.locks import lock_of
from ppnsim.c.clang.number_bases import as_base, fields_of_base
from ppnsim.c.clang.tuples import kind_of, members
from ppnsim.c.plain.nodes import ELEMENTS, number
from ppnsim.c.syntax import CType, SyntaxNode, converted


def _constant(of: CType) -> CType:
    """Return a type as const; for an array, its elements become const."""
    return replace(of, const=True, element=_constant(of.element) if of.kind == "array" and of.element else of.element)


def _without_parts(real: Any, *, const: bool) -> CType:
    """Return a scalar, or a struct without its members; an enumeration has its underlying type."""
    held = real
    if real.kind.name == "ENUM":
        named = real.get_declaration().enum_type.get_canonical()
        held = real if named.spelling in _USUAL else named
    size = 0 if held.kind.name in _OPEN else max(0, held.get_size())
    return names.scalar(held.kind.name, held.spelling, size * 8, const)


def _is_fixed(of: CType) -> bool:
    """Return whether a type is independent of its declaration; array sizes may belong to one declaration."""
    inner: CType | None = of
    while inner is not None:
        if inner.kind == "array" and not isinstance(inner.size, int):
            return False
        inner = inner.element
    return True


def _token(of: CType) -> CType:
    """Return the type of a stream's token; a ``std::array`` becomes the only member of a struct."""
    bits, inner = 1, of
    while inner.kind == "array" and inner.element is not None and isinstance(inner.size, int):
        bits, inner = bits * inner.size, inner.element
    fields = ((ELEMENTS, of),)
    return of if of.kind != "array" else CType("struct", of.text, bits * inner.bits, fields=fields)


def _hidden(real: Any) -> frozenset[str]:
    """Return the private and protected members of a struct, including inherited ones."""
    struct = real.get_declaration()
    if kind_of(real.spelling):
        return frozenset()
    bases = (each.type for each in struct.get_children() if each.kind.name == "CXX_BASE_SPECIFIER")
    own = (each.spelling for each in struct.type.get_fields() if each.access_specifier.name in ("PRIVATE", "PROTECTED"))
    return frozenset(own).union(*map(_hidden, bases))


def _given(base: Any, struct: Any) -> Any:
    """Return the type of a base; for a template parameter, ``struct s : P``, the argument."""
    found = _PARAMETER.fullmatch(base.get_canonical().spelling)
    if found is None or struct.get_declaration().semantic_parent.kind.name not in ("TRANSLATION_UNIT", "NAMESPACE"):
        return base
    given = struct.get_template_argument_type(int(found[1]))
    return given if given.get_canonical().kind.name == "RECORD" else base


_PARAMETER = re.compile(r"type-parameter-0-(\d+)")
_OPEN = ("DEPENDENT", "OVERLOAD")
"""Dependent types, which have no size; clang ends the process if it is asked for the size of an overload."""
_SCALARS = ("integer", "real", "void", "other")
_USUAL = ("int", "unsigned int")
"""The types of an ``enum`` that declares no type."""


class Types(Constants):
    """The part of the cursor reader that reads types; ``open`` are the structs that are being read."""

    open: list[str]
    inside: int
    """The number of structs being read; inner types may lack the members of an outer struct."""
    known_types: dict[int | None, CType]
    """Types that have been read completely, by clang's address; most expressions of a source share few types."""

    def node(self, cursor: Any) -> SyntaxNode:
        """Return an expression or a statement."""
        raise AssertionError(cursor)

    def type(self, given: Any, sizes: Sequence[Any]) -> CType:
        """Return a type; ``sizes`` are the expressions in brackets of its declarator, outermost first."""
        if (known := self.known_types.get(given.data[0])) is not None:
            return known
        made = self._read(given, sizes)
        if made.kind in _SCALARS or (not self.inside and _is_fixed(made)):
            self.known_types[given.data[0]] = made
        return made

    def through(self, cursor: Any, inner: Any) -> SyntaxNode:
        """Return an expression whose type is converted without a cast in the source, also to its base."""
        made, of = self.node(inner), self.type(cursor.type, ())
        if of.kind == "integer" and made.type.kind == "pointer" and made.bare.value == 0:
            return number(made, 0, of)  # the null pointer is false
        return as_base(made, of) or converted(made, of)

    def _read(self, given: Any, sizes: Sequence[Any]) -> CType:
        real = given.get_canonical()
        kind, const = real.kind.name, real.is_const_qualified()
        if kind in ("CONSTANTARRAY", "VARIABLEARRAY", "INCOMPLETEARRAY"):
            size: int | SyntaxNode | None = real.element_count if kind == "CONSTANTARRAY" else None
            if kind == "VARIABLEARRAY" and sizes:
                size = self.node(sizes[0])
            inner = self.type(real.element_type, sizes if kind == "INCOMPLETEARRAY" else sizes[1:])
            # clang marks the array as const; in C its elements are const.
            return CType("array", real.spelling, 0, const, _constant(inner) if const else inner, size)
        if kind in ("POINTER", "LVALUEREFERENCE", "RVALUEREFERENCE"):
            return CType("pointer", real.spelling, 64, const, self.type(real.get_pointee(), sizes))
        if kind == "RECORD" and (depth := names.stream_depth(real.spelling.removeprefix("const "))):
            element = _token(self.type(real.get_template_argument_type(0), ()))
            return CType("stream", real.spelling, element.bits, const, element, depth)
        if kind == "RECORD" and (count := names.std_array(real.spelling)) is not None:
            element = self.type(real.get_template_argument_type(0), ())
            return CType("array", real.spelling, 0, const, _constant(element) if const else element, count)
        if kind == "RECORD" and lock_of(real.spelling):
            return self.type(real.get_template_argument_type(0), ())
        found = _without_parts(real, const=const)
        if found.kind != "struct":
            return found
        union = real.get_declaration().kind.name == "UNION_DECL"
        fields = self._fields(real, union=union)
        shared = union or any(inner.shared for _, inner in fields)
        return replace(found, fields=fields, shared=shared, hidden=_hidden(real))

    def _fields(self, struct: Any, *, union: bool) -> tuple[tuple[str, CType], ...]:
        """Return the members of a struct; a struct that is being read already (it points to itself) has none.

        The members of an unnamed struct are members of the struct around it. A bit field of a union has its own width.
        """
        name = struct.spelling
        if name in self.open:
            return ()
        self.open.append(name)
        self.inside += 1
        found: list[tuple[str, CType]] = []
        of_library = kind_of(name) != ""
        if of_library:
            found += [(part, self.type(of, ())) for part, of in members(struct)]
        for base in () if of_library else self._bases_of(struct):  # inherited members are its own members
            found += fields_of_base(self.type(base, ()))
        for each in () if of_library or is_lambda(name) else struct.get_fields():
            if is_lambda(each.type.get_canonical().spelling):
                continue  # its captures are passed separately
            of = self.type(each.type, ())
            inside = not union and of.kind == "struct" and not of.shared and not each.spelling.isidentifier()
            of = replace(of, bits=each.get_bitfield_width()) if each.is_bitfield() else of
            found += of.fields if inside else [(each.spelling, of)]
        self.open.pop()
        self.inside -= 1
        return tuple(found)

    def _bases_of(self, struct: Any) -> list[Any]:
        """Return the types of the bases of a struct."""
        of = struct.get_declaration()
        listed = [each for each in children_of(of) if each.kind.name == "CXX_BASE_SPECIFIER"]
        spelling = struct.spelling.removeprefix("const ")
        if spelling in self.bases:
            return self.bases[spelling]
        if listed and not list(of.get_children()):
            questions = [asked(spelling, each) for each in listed if each.type.get_canonical().kind.name != "RECORD"]
            self.unknown |= {question: None for question in questions if question is not None}
        return [_given(each.type, struct) for each in listed]
