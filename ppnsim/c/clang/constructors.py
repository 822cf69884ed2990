"""Reads the calls of constructors: numbers from text, lanes of vectors, objects of classes in the source."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from ppnsim.c.clang import names
from ppnsim.c.clang.aggregates import Aggregates
from ppnsim.c.clang.concatenations import DOUBLE, constructs, spelled_fraction, spelled_number
from ppnsim.c.clang.library import foreign
from ppnsim.c.clang.methods import maker_of
from ppnsim.c.clang.special_members import element_of, is_slow, works
from ppnsim.c.kinds import Kind
from ppnsim.c.syntax import Function, SyntaxNode

ELEMENTS = "a std::array of objects whose constructors work, without a name (give it one)"
"""The words for an array of objects that a declaration constructs element by element."""


class Constructors(Aggregates):
    """The part of the cursor reader that reads constructors; the reader has the functions read so far."""

    def _made(self, cursor: Any, kind: Kind, children: Iterable[SyntaxNode] = (), **more: Any) -> SyntaxNode:
        raise AssertionError(cursor, kind, children, more)

    def _of_text(self, cursor: Any, called: Any, arguments: Sequence[SyntaxNode]) -> SyntaxNode | None:
        """Return the number that a constructor makes from a text, None for other calls."""
        if not called or called.kind.name != "CONSTRUCTOR" or not arguments or arguments[0].bare.kind != "string":
            return None
        of, first = self.type(cursor.type, ()), arguments[0].bare
        if (text := spelled_fraction(of, arguments)) is not None:
            return self._made(cursor, "cast", (replace(first, kind="real", type=DOUBLE, text=text),))
        value = spelled_number(of, arguments)
        return None if value is None else self._made(cursor, "integer", value=value)

    def _of_object(self, cursor: Any, called: Any, arguments: Sequence[SyntaxNode]) -> SyntaxNode | None:
        """Return the node of a constructor that does more than copy, None for other calls."""
        if not called or called.kind.name != "CONSTRUCTOR":
            return None
        if names.of_lanes(called) and len(arguments) == 1:
            return self._made(cursor, "list", arguments)
        if words := self._not_followed(cursor, called):
            return self._made(cursor, "other", arguments, text=words)
        if (constructor := self._followed(called)) is None:
            return None
        if not arguments and len(constructor.parameters) == 1:
            self.makers[element_of(cursor.type).get_canonical().spelling] = constructor
        made = maker_of(constructor, self.type(called.semantic_parent.type, ()))
        self.functions.setdefault(made.name, made)
        return self._made(cursor, "call", arguments, text=made.name, spelled=constructor.name)

    def _followed(self, called: Any) -> Function | None:
        """Return the constructor that a call executes, None if it only copies or does nothing."""
        owner, copies = called.semantic_parent, called.is_copy_constructor() or called.is_move_constructor()
        if names.is_vendors(owner.type.get_canonical().spelling) or foreign(called.location):
            return None
        if copies and not works(called):
            return None
        return self.known(called) if constructs(called) else self.working(called)

    def _not_followed(self, cursor: Any, called: Any) -> str:
        """Return the unsupported work when an object is constructed or destroyed; "" if there is none."""
        of = element_of(cursor.type)
        if names.is_vendors(of.spelling):
            return ""
        copies = called.is_copy_constructor() or called.is_move_constructor()
        if copies and is_slow(of, "copy") and not works(called):
            return f"a copy of {of.spelling}, whose members are copied by code of their own,"
        if is_slow(of, "end"):
            return f"an object of {of.spelling}, whose destructor works (write a method that is called instead),"
        if not copies and foreign(called.location) and self.holds_made(of, cursor):
            array = f"{of.spelling}, which holds objects whose constructors work (set them in a loop),"
            return ELEMENTS if names.std_array(of.spelling) is not None else array
        return ""
