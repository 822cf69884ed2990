"""Reads braced initialiser lists that leave out parts of an array or a struct: these get their class's values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ppnsim.c.clang import names
from ppnsim.c.clang.classes import is_lambda, value_of
from ppnsim.c.clang.designated_initialisers import Part, designated, in_order, zero
from ppnsim.c.clang.implicit_constructors import Making, refused
from ppnsim.c.clang.left_out_braces import with_braces
from ppnsim.c.clang.library import children_of, foreign, number_of
from ppnsim.c.clang.methods import maker_of
from ppnsim.c.clang.special_members import class_of, is_slow
from ppnsim.c.plain.nodes import has_nothing, number, with_children
from ppnsim.c.syntax import CType, SyntaxNode, converted

_MOST = 64
"""Most elements that a list leaves out and that are constructed one by one."""


class Aggregates(Making):
    """The part of the cursor reader that reads braced lists; the reader has the functions read so far."""

    plain: set[int]
    """Classes whose braced lists name all parts, by clang's number; cached because tables have many elements."""

    def listed(self, made: SyntaxNode, inner: Sequence[Any], cursor: Any) -> SyntaxNode:
        """Return a braced list with its elements; a designated element is put at its part.

        Braces around a single number are ignored: ``int i{0}`` is ``int i = 0``, and so is ``int i{}``.
        """
        if made.type.kind in ("integer", "real") and len(inner) <= 1:
            return converted(self.node(inner[0]) if inner else number(made, 0), made.type)
        if len(inner) == 1 and _is_copy(cursor, inner[0]):
            return self.node(inner[0])
        inner = _without_lambdas(made, inner)
        asked = [designated(each) for each in inner]
        if not any(asked):
            given = with_braces(with_children(made, [*map(self.element, inner)]))
            return _of_array(self.completed(given, cursor.type, cursor))
        values = [((), self.element(each)) if of is None else (of.parts, self.element(of.value))
                  for of, each in zip(asked, inner, strict=True)]  # fmt: skip
        found = in_order(made.type, values, made)
        return refused(cursor, found) if isinstance(found, str) else self._named_parts(found, values, cursor)

    def _named_parts(
        self, found: SyntaxNode, values: Sequence[tuple[tuple[Part, ...], SyntaxNode]], cursor: Any
    ) -> SyntaxNode:  # fmt: skip
        """Return a list with designated elements, in which the members without a name get the values of their class."""
        owner = class_of(cursor.type.get_canonical())
        parts = [] if owner is None else [each for each in children_of(owner) if each.kind.name == "FIELD_DECL"]
        if owner is None or not any(map(self._has_own, children_of(owner))):
            return found
        named = {each[0] for each, _ in values if each}
        if len(named) < len(values) or any(len(each) > 1 for each, _ in values) or len(parts) != len(found.type.fields):
            return refused(
                cursor, "members without a name in a list with names (their class gives them values: name all)"
            )
        every = [*found.children, *([found] * (len(parts) - len(found.children)))]
        own = (value if part.spelling in named else self._own(found, part, cursor)
               for part, value in zip(parts, every, strict=True))  # fmt: skip
        return with_children(found, [*own])

    def _own(self, made: SyntaxNode, part: Any, at: Any) -> SyntaxNode:
        """Return the value that its class gives to a part that a list leaves out."""
        value = value_of(part)
        return self._alone(made, part, at) if value is None else self.node(value)

    def element(self, cursor: Any) -> SyntaxNode:
        """Return an element of a list."""
        raise AssertionError(cursor)

    def completed(self, made: SyntaxNode, of: Any, at: Any) -> SyntaxNode:
        """Return a list completed with the default values of its classes; refuse constructors that do work."""
        if _has_no_numbers(made):
            return replace(made, kind="empty")
        real = of.get_canonical()
        if real.kind.name == "CONSTANTARRAY":
            missing = real.element_count - len(made.children)
            if missing <= 0 or not self._works(real.element_type, at):
                return made
            if missing > _MOST:
                return refused(at, "elements of a list in braces (name all of them)")
            one = self._nameless(made, real.element_type, at)
            return one if one.kind == "other" else with_children(made, [*made.children, *([one] * missing)])
        owner = class_of(real)
        if owner is None or owner.kind.name == "UNION_DECL" or number_of(owner) in self.plain:
            return made
        if is_slow(real, "end"):
            return refused(at, f"the end of {real.spelling}, whose destructor works")
        if foreign(owner.location):
            works = names.std_array(real.spelling) is not None and self.holds_made(real, at)
            full = made.children and made.type.size == len(made.children[0].children)
            return refused(at, "elements of a list in braces (name all of them)") if works and not full else made
        return self._with_parts(made, real, at)

    def _with_parts(self, made: SyntaxNode, real: Any, at: Any) -> SyntaxNode:
        bases = [each for each in children_of(real.get_declaration()) if each.kind.name == "CXX_BASE_SPECIFIER"]
        parts = [*bases, *(each for each in real.get_fields() if not is_lambda(each.type.get_canonical().spelling))]
        if not any(map(self._has_own, parts)):
            self.plain.add(number_of(class_of(real)))
            return made
        if len(made.children) > len(parts) or any(map(_differs, made.children, map(self._type_of, parts))):
            return refused(at, f"members of {real.spelling} in a list in braces (give each its own value, in order)")
        rest, found = parts[len(made.children) :], list(made.children)
        last = max((k for k, each in enumerate(rest) if self._has_own(each)), default=-1)
        found += [self._alone(made, e, at) if e in bases else self._own(made, e, at) for e in rest[: last + 1]]
        return with_children(made, found)

    def _alone(self, made: SyntaxNode, part: Any, at: Any) -> SyntaxNode:
        """Return the value of a part that neither a list nor its class initialises."""
        return self._nameless(made, part.type, at)

    def _nameless(self, made: SyntaxNode, written: Any, at: Any) -> SyntaxNode:
        of, real = self.type(written, ()), written.get_canonical()
        if not self._works(real, at):
            return zero(made, of)
        owner = class_of(real)
        parts = children_of(owner) if owner is not None else []
        makers = [each for each in parts if "CONSTRUCTOR" in each.kind.name]
        default = next((each for each in makers if each.is_default_constructor()), None)
        if owner is not None and not makers:
            return self.completed(replace(made, children=(), type=of), real, at)
        if default is not None and default.semantic_parent.kind.name == "CLASS_TEMPLATE":
            default = self.instantiated(real)
        if default is None or list(default.get_arguments()):
            return refused(at, f"a part that a list in braces does not name (write {real.spelling}())")
        constructor = self.known(default.get_definition() or default)
        maker = maker_of(constructor, of)
        self.functions.setdefault(maker.name, maker)
        return replace(made, kind="call", children=(), type=of, text=maker.name, spelled=constructor.name)

    def _type_of(self, part: Any) -> CType:
        return self.type(part.type, ())

    def _has_own(self, part: Any) -> bool:
        """Return whether the default value of a base or a member is not simply 0."""
        is_field = part.kind.name == "FIELD_DECL"
        return (is_field and value_of(part) is not None) or self._works(part.type, part)

    def _works(self, of: Any, at: Any) -> bool:
        """Return whether code constructs a default-initialised object."""
        return any(True for _ in self.made_alone(of.get_canonical(), self.some(of, at), "", at))


def _is_copy(whole: Any, part: Any) -> bool:
    """Return whether a list holds one object of its own class, ``P{p}``, which it copies."""
    of, given = (each.type.get_canonical() for each in (whole, part))
    return bool(of.kind.name == "RECORD" and of.get_declaration() == given.get_declaration())


def _without_lambdas(made: SyntaxNode, inner: Sequence[Any]) -> Sequence[Any]:
    """Return the values in a list without lambdas, because their captures are passed separately."""
    if "(lambda" not in made.type.text:
        return inner
    return [each for each in inner if not is_lambda(each.type.get_canonical().spelling)]


def _of_array(made: SyntaxNode) -> SyntaxNode:
    """Return the list of a ``std::array`` without the inner braces of its array, ``{{{1, 2}, {3, 4}}}``."""
    is_outer = made.kind == "list" and len(made.children) == 1 and made.children[0].kind == "list"
    of = made.children[0].type if is_outer else made.type
    inside = is_outer and of.kind == made.type.kind == "array" and made.type.element is not None
    if not inside or of.element is None or made.type.element is None or of.element.text != made.type.element.text:
        return made
    return with_children(made, made.children[0].children)


def _has_no_numbers(made: SyntaxNode) -> bool:
    """Return whether an object that a list constructs has no number to set."""
    return has_nothing(made.type) and all(each.bare.kind in ("name", "member", "empty") for each in made.children)


def _differs(given: SyntaxNode, part: CType) -> bool:
    """Return whether a value is of another kind than its part, because braces are left out or it is designated."""
    compound = ("struct", "array")
    return given.kind == "other" or (part.kind in compound) != (given.kind == "list" or given.type.kind in compound)
