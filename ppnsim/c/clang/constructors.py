"""Reads the calls of constructors: numbers made of text, lanes of vectors, objects of a source's classes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ppnsim.c.clang import names
from ppnsim.c.clang.joined import constructs, spelled_number
from ppnsim.c.clang.library import children_of
from ppnsim.c.clang.methods import maker_of
from ppnsim.c.clang.types import Types
from ppnsim.c.clang.unlisted import has_loop, unlisted
from ppnsim.c.kinds import Kind
from ppnsim.c.syntax import Function, SyntaxNode


class Constructors(Types):
    """The part of the reader of cursors that reads constructors; the reader has the functions read so far."""

    functions: dict[str, Function]

    def known(self, called: Any) -> Function:
        """Return a called function."""
        raise AssertionError(called)

    def _made(self, cursor: Any, kind: Kind, children: Iterable[SyntaxNode] = (), **more: Any) -> SyntaxNode:
        raise AssertionError(cursor, kind, children, more)

    def _of_text(self, cursor: Any, called: Any, arguments: Sequence[SyntaxNode]) -> SyntaxNode | None:
        """Return the number that a constructor makes of a text, None for other calls."""
        if not called or called.kind.name != "CONSTRUCTOR" or not arguments or arguments[0].bare.kind != "string":
            return None
        value = spelled_number(self.type(cursor.type, ()), arguments)
        return None if value is None else self._made(cursor, "integer", value=value)

    def _of_object(self, cursor: Any, called: Any, arguments: Sequence[SyntaxNode]) -> SyntaxNode | None:
        """Return the node of a constructor that does more than copy, None for other calls."""
        if not called or called.kind.name != "CONSTRUCTOR":
            return None
        if names.of_lanes(called) and len(arguments) == 1:
            return self._made(cursor, "list", arguments)
        if left := unlisted(called):
            words = f"the constructor of {called.spelling}, which leaves {left} to the compiler, and should list it"
            return self._made(cursor, "other", arguments, text=words)
        if words := self._not_followed(cursor, called):
            return self._made(cursor, "other", arguments, text=words)
        if not constructs(called):
            return None
        constructor = self.known(called)
        made = maker_of(constructor, self.type(called.semantic_parent.type, ()))
        self.functions.setdefault(made.name, made)
        return self._made(cursor, "call", arguments, text=made.name, spelled=constructor.name)

    def _not_followed(self, cursor: Any, called: Any) -> str:
        """Return what takes time when an object is made or ends, and is not read; "" if nothing does."""
        owner = called.semantic_parent
        if names.is_vendors(owner.type.get_canonical().spelling):
            return ""
        made = cursor.type.get_canonical().get_declaration()
        if (
            constructs(called)
            and made.kind.name in ("CLASS_DECL", "STRUCT_DECL")
            and made != owner.canonical != made.canonical
        ):
            return f"the constructor of {called.spelling}, which {made.spelling} inherits,"
        if (called.is_copy_constructor() or called.is_move_constructor()) and has_loop(called):
            return f"a constructor of {called.spelling} that copies in a loop"
        if any(each.kind.name == "DESTRUCTOR" and has_loop(each) for each in children_of(owner)):
            return f"an object whose destructor ~{called.spelling} has a loop"
        return ""
