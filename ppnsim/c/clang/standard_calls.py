"""Reads calls of the standard library: algorithms on consecutive elements, exchanges, selections of values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ppnsim.c.clang.algorithms import KNOWN, as_loop, clamped, difference, is_reversed, place_at, row_of
from ppnsim.c.clang.element_ranges import counted, is_on_row, placed, result_of, unwritten
from ppnsim.c.clang.function_pointers import Pointed
from ppnsim.c.clang.lambdas import swapped
from ppnsim.c.clang.library import position
from ppnsim.c.clang.methods import extreme
from ppnsim.c.clang.operations import WITH_OPERATION
from ppnsim.c.clang.special_members import element_of, is_slow
from ppnsim.c.syntax import VOID, SyntaxNode

# Functions of the standard library that return their argument and only change how it may be used.
_SAME = frozenset(("move", "forward", "as_const"))
_REVERSED = "elements from one to another that stands before it (exchange the two)"


class OfStandard(Pointed):
    """The part of the cursor reader that reads calls of functions of std."""

    def of_std(self, cursor: Any, called: Any, arguments: Sequence[SyntaxNode]) -> SyntaxNode | None:
        """Return the node of a supported call of the standard library, None for others."""
        if (found := self._of_values(cursor, called.spelling, arguments)) is not None:
            return found
        if (is_on_row(called) or called.spelling in (*KNOWN, *WITH_OPERATION)) and is_reversed(arguments):
            return self._made(cursor, "other", text=f"std::{called.spelling} of {_REVERSED}")
        if is_on_row(called):
            return None
        name = "copy" if called.spelling == "move" else called.spelling
        found = self.algorithm(cursor, name, arguments)
        if found is not None:
            return found
        rows = any(each.type.kind in ("array", "pointer") for each in arguments)
        if rows and called.spelling not in WITH_OPERATION and (words := unwritten(called)):
            return self._made(cursor, "other", arguments, text=words)
        return self.with_operation(cursor, called, arguments)

    def _of_values(self, cursor: Any, name: str, arguments: Sequence[SyntaxNode]) -> SyntaxNode | None:
        """Return the node of a call of std that takes single values, None for others."""
        match name, len(arguments):
            case (("min" | "max"), 1):
                return extreme(arguments[0].bare, "<" if name == "min" else ">")
            case "swap", 2:
                return self._swap(cursor, arguments)
            case "clamp", 3:
                return clamped(self._made(cursor, "choice", arguments))
            case "distance", 2:
                return difference(self._made(cursor, "binary", reversed(arguments), text="-"))
        return arguments[0] if name in _SAME and len(arguments) == 1 else None

    def on_row(self, cursor: Any, called: Any, arguments: Sequence[SyntaxNode]) -> SyntaxNode:
        """Return the call of an algorithm of the project's headers on consecutive elements, or the place it finds."""
        if (row := row_of(arguments, kinds=("integer", "real", "struct"))) is None:
            words = f"std::{called.spelling} of other than elements of one array (write its loop)"
            return self._made(cursor, "other", arguments, text=words)
        general = self.known(called)
        self.functions[self.name(called)] = replace(general, system=True)  # not a kernel of the file
        function = replace(placed(counted(general), position(cursor.location)), system=False)
        self.functions.setdefault(function.name, function)
        given = [arguments[0], row[1], *arguments[2:], *self.further(general, cursor)]
        spelled = f"std::{called.spelling}"
        made = replace(self._made(cursor, "call", given, text=function.name, spelled=spelled), type=function.result)
        return made if (start := result_of(called, arguments)) is None else place_at(start, made)

    def algorithm(self, cursor: Any, name: str, arguments: Sequence[SyntaxNode]) -> SyntaxNode | None:
        """Return the call of an algorithm on consecutive elements; for an algorithm that finds a place, that place."""
        if (found := as_loop(name, arguments, position(cursor.location))) is None:
            return None
        function, given = found
        function = self.functions.setdefault(function.name, function)
        spelled = f"std::{name}"
        made = replace(self._made(cursor, "call", given, text=function.name, spelled=spelled), type=function.result)
        return place_at(given[0], made) if function.result != VOID and name.endswith("_element") else made

    def _swap(self, cursor: Any, arguments: Sequence[SyntaxNode]) -> SyntaxNode:
        """Return the node of an exchange of two variables."""
        of = element_of(next(cursor.get_arguments()).type)
        if is_slow(of, "copy") or is_slow(of, "assignment"):
            words = "std::swap of objects that are copied by code of their own (exchange their members)"
            return self._made(cursor, "other", arguments, text=words)
        made = swapped(replace(arguments[0].type, const=False), position(cursor.location))
        return self._made(cursor, "call", arguments, text=self.functions.setdefault(made.name, made).name)
