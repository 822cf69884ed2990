"""Reads standard library calls on tuples and pairs: values, parts, assignments, comparisons."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ppnsim.c.clang import names, tuples
from ppnsim.c.clang.library import foreign
from ppnsim.c.clang.list_assignments import in_parts
from ppnsim.c.clang.methods import name_of
from ppnsim.c.clang.special_members import element_of, is_slow
from ppnsim.c.clang.utilities import Utilities
from ppnsim.c.plain.nodes import elements_of
from ppnsim.c.syntax import CType, Function, SyntaxNode, Variable

_MAKE = ("make_tuple", "make_pair", "tie", "forward_as_tuple")
_COMPARE = {f"operator{text}": text for text in ("==", "!=", "<", "<=", ">", ">=")}
_KNOWN = frozenset(
    (*_MAKE, *_COMPARE, "get", "tuple_cat", "apply", "tuple", "pair", "operator=", "swap", "minmax", "exchange")
)


class Tuples(Utilities):
    """The part of the cursor reader that reads calls on tuples and pairs."""

    def of_tuple(self, cursor: Any) -> SyntaxNode | None:
        """Return the node of a call of the standard library on tuples or pairs, None for other calls."""
        called = cursor.referenced
        if called is None or cursor.spelling not in _KNOWN or not foreign(called.location):
            return None
        given, name = list(cursor.get_arguments()), str(called.spelling)
        if called.kind.name in names.OF_OBJECTS:
            return self._of_object_of_tuples(cursor, called, given)
        if names.namespace(called) != "std::" or not given:
            return None
        if name in _MAKE:
            return self._listed(cursor, [self.node(each) for each in given])
        first = self.type(given[0].type, ())
        if name in _CHOSEN:
            return _CHOSEN[name](self, cursor, given)
        if not tuples.is_compound(first):
            return None
        if name == "get":
            return self._got(cursor, called, elements_of(self.node(given[0])))
        if name == "tuple_cat":
            return self._joined(cursor, [self.node(each) for each in given])
        if name in _COMPARE:
            both = [self.node(each) for each in given]
            return self._by_parts(cursor, both, lambda pair: tuples.compared(_COMPARE[name], *pair))
        return None

    def _of_object_of_tuples(self, cursor: Any, called: Any, given: Sequence[Any]) -> SyntaxNode | None:
        """Return the node of a constructor or a method of a tuple or a pair, None for copies and other objects."""
        owner, name = called.semantic_parent.type.get_canonical(), called.spelling
        if owner.spelling == "std::_Swallow_assign" and name == "operator=":
            return self.node(given[-1])
        if not tuples.kind_of(owner.spelling):
            return None
        if name == "operator=" and len(given) == 2:
            if is_slow(element_of(owner), "assignment") or any(map(_is_slow, owner_types(owner))):
                return None
            target, value = map(self.node, given)
            return in_parts(target, value if tuples.tied(target.type) else self._as(target.type, value, cursor))
        if name == "swap":
            target, arguments = names.parts(cursor)
            return None if target is None else self._swap(cursor, [self.node(target), self.node(arguments[0])])
        if called.kind.name != "CONSTRUCTOR" or self._not_followed(cursor, called):
            return None
        return self._constructed(cursor, owner, given)

    def _constructed(self, cursor: Any, owner: Any, given: Sequence[Any]) -> SyntaxNode | None:
        of = self.type(owner, ())
        near = self._made(cursor, "list")
        if not given:
            return near if near.type.kind == "array" else tuples.zeros(of, near)
        values = [self.node(each) for each in given]
        if len(values) == 1 and tuples.kind_of(tuples.held(self.type(given[0].type, ())).text):
            inner = of.fields[0][1] if len(of.fields) == 1 else None
            if tuples.held(values[0].type).text == of.text:
                return None
            if inner is None or tuples.held(inner).text != tuples.held(values[0].type).text:
                return self._as(of, values[0], cursor)
        if len(values) != len(of.fields):
            words = f"a constructor of {names.readable(of.text)} with {len(values)} arguments (give each part a value)"
            return self._made(cursor, "other", values, text=words)
        return self._listed(cursor, values)

    def _listed(self, cursor: Any, values: Sequence[SyntaxNode]) -> SyntaxNode:
        """Return the list of the parts of a tuple or a pair."""
        near = self._made(cursor, "list")
        if len(near.type.fields) != len(values) or any("reference_wrapper" in each.type.text for each in values):
            return self._made(cursor, "other", values, text="a tuple of std::ref (use std::tie)")
        types = [of for _, of in near.type.fields]
        return tuples.listed(near.type, [self._as(*pair, cursor) for pair in zip(types, values, strict=True)], near)

    def _as(self, of: CType, value: SyntaxNode, cursor: Any) -> SyntaxNode:
        """Return a value converted to another tuple type; a generated function takes a value with side effects."""
        bare = tuples.without_casts(value)
        if not tuples.kind_of(of.text) or tuples.held(bare.type).text == of.text:
            return value
        if tuples.is_spelled(bare):
            types = [inner for _, inner in of.fields]
            inner = [self._as(*pair, cursor) for pair in zip(types, bare.children, strict=True)]
            return tuples.listed(of, inner, bare)
        if not tuples.converts(of, value):
            return tuples.fitted(of, value)
        plain = replace(of, fields=tuple((name, tuples.held(inner)) for name, inner in of.fields))
        if plain.fields != of.fields:
            return value
        return self._by_parts(cursor, [value], lambda one: tuples.fitted(of, one[0]))

    def _got(self, cursor: Any, called: Any, value: SyntaxNode) -> SyntaxNode | None:
        """Return a part of a tuple, a pair or an array by its index or its type."""
        of = element_of(next(cursor.get_arguments()).type)
        if called.get_template_argument_kind(0).name == "INTEGRAL":
            at = called.get_template_argument_value(0)
        else:
            wanted = called.get_template_argument_type(0).get_canonical().spelling
            at = [each.get_canonical().spelling for _, each in tuples.members(of)].index(wanted)
        bare = tuples.without_casts(value)
        others = [each for k, each in enumerate(bare.children) if k != at] if tuples.is_spelled(bare) else []
        if any(map(tuples.has_effects, others)):
            return self._by_parts(cursor, [bare], lambda one: tuples.part(one[0], at))
        found = tuples.part(bare, at)
        return found if found.type.kind == "array" else replace(found, type=self.type(cursor.type, ()))

    def _joined(self, cursor: Any, values: Sequence[SyntaxNode]) -> SyntaxNode:
        near = self._made(cursor, "list")

        def joined(each: Sequence[SyntaxNode]) -> SyntaxNode:
            return tuples.listed(near.type, [part for one in each for part in tuples.parts(one)], near)

        return self._by_parts(cursor, values, joined)

    def _by_parts(self, cursor: Any, values: Sequence[SyntaxNode], build: tuples.Build) -> SyntaxNode:
        """Return an expression of the parts of values; a generated function takes values with side effects."""
        if all(map(tuples.is_repeatable, values)):
            return build(values)
        near = self._made(cursor, "call", map(tuples.without_casts, values))
        given = [
            Variable(f"x{k}", tuples.held(v.type), "parameter", near.position) for k, v in enumerate(near.children)
        ]
        made = build([name_of(each, near) for each in given])
        body = replace(near, kind="block", type=CType("void", "void"), children=(
            replace(near, kind="return", type=made.type, children=(made,)),))  # fmt: skip
        name = f"std_{cursor.spelling.replace('operator', 'compare')}_{near.position.line}_{near.position.column}"
        name = "".join(each if each.isalnum() else "_" for each in name)
        while name in self.functions:
            name += "_"
        self.functions[name] = Function(name, tuple(given), made.type, body, near.position, near.end)
        return replace(near, text=name, spelled=name, type=made.type)

    def applied(self, cursor: Any, given: Sequence[Any]) -> SyntaxNode | None:
        """Return the call of a function with the parts of a tuple as arguments, ``std::apply``."""
        raise AssertionError(cursor, given)

    def _swap(self, cursor: Any, arguments: Sequence[SyntaxNode]) -> SyntaxNode:
        raise AssertionError(cursor, arguments)


_CHOSEN: Mapping[str, Callable[[Tuples, Any, Sequence[Any]], SyntaxNode | None]] = {
    "apply": lambda self, cursor, given: self.applied(cursor, given), "minmax": Tuples.extremes,
    "exchange": Tuples.exchanged,
}  # fmt: skip


def _is_slow(of: Any) -> bool:
    return is_slow(element_of(of), "assignment") or is_slow(element_of(of), "copy")


def owner_types(owner: Any) -> list[Any]:
    """Return clang's types of the parts of a tuple or a pair."""
    return [of for _, of in tuples.members(owner)]
