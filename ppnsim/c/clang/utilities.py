"""Reads calls of ``std::minmax`` and ``std::exchange`` on numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ppnsim.c.clang import tuples
from ppnsim.c.clang.constructors import Constructors
from ppnsim.c.clang.lambdas import exchanged as exchange_of
from ppnsim.c.clang.methods import extreme
from ppnsim.c.syntax import SyntaxNode


class Utilities(Constructors):
    """The part of the cursor reader that reads ``std::minmax`` and ``std::exchange``."""

    def extremes(self, cursor: Any, given: Sequence[Any]) -> SyntaxNode | None:
        """Return the minimum and the maximum of two values, ``std::minmax``, as a pair of values."""
        values = [self.node(each) for each in given]
        if len(values) == 1:
            inner = values[0].bare
            ends = [extreme(inner, relation) for relation in "<>"]
        else:
            both = replace(values[0], kind="list", children=tuple(values), variable=None, text="", value=None)
            ends = [extreme(both, relation) for relation in "<>"] if len(values) == 2 else [None]
        found = [each for each in ends if each is not None]
        if len(found) != 2 or any(map(tuples.has_effects, found)) or found[0].type.kind not in ("integer", "real"):
            words = "std::minmax of other than two numbers without effects (use std::min and std::max)"
            return self._made(cursor, "other", values, text=words)
        near = self._made(cursor, "list")
        fields = tuple((name, tuples.held(of)) for name, of in near.type.fields)
        return tuples.listed(replace(near.type, fields=fields), found, near)

    def exchanged(self, cursor: Any, given: Sequence[Any]) -> SyntaxNode | None:
        """Return the call of a function that sets a variable and returns its old value."""
        target, value = map(self.node, given)
        if target.type.kind not in ("integer", "real") or value.kind == "list":
            words = "std::exchange of other than numbers (copy the old value, then assign)"
            return self._made(cursor, "other", (target, value), text=words)
        made = exchange_of(replace(target.type, const=False), target.position)
        return self._made(cursor, "call", (target, value), text=self.functions.setdefault(made.name, made).name)
