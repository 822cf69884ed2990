"""Reads labels and loops: heads with empty parts or declarations, loops over the elements of an array or a list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ppnsim.c.clang import names
from ppnsim.c.clang.library import header_semicolons, number_of
from ppnsim.c.clang.methods import name_of
from ppnsim.c.clang.object_declarations import Declared
from ppnsim.c.clang.ranges import held_range, over_elements
from ppnsim.c.plain.nodes import assign, binary, block_of, number, with_children
from ppnsim.c.syntax import CType, SyntaxNode, Variable

_BACK = {"x--": "+", "x++": "-"}


class Looped(Declared):
    """The part of the cursor reader that reads loops and labels; ``labels`` are those that a ``goto`` names."""

    labels: set[str]

    def gone(self, cursor: Any, inner: Sequence[Any]) -> SyntaxNode:
        """Read a ``goto`` with the name of its label as text."""
        self.labels.update(each.spelling for each in inner)
        return self._made(cursor, "goto", text=inner[0].spelling if inner else "")

    def returned(self, cursor: Any, inner: Sequence[Any]) -> SyntaxNode:
        """Read a ``return``; a returned void expression, ``return f();``, becomes a statement before it."""
        made = self._made(cursor, "return", map(self.node, inner))
        if not made.children or (made.children[0].type.kind != "void" and inner[0].type.spelling != "void"):
            return made  # the node of a write of a stream has the type of its token
        return block_of(made, (made.children[0], replace(made, children=())))

    def labelled(self, cursor: Any, inner: Sequence[Any]) -> SyntaxNode:
        """Read the statement after a label; if an earlier ``goto`` names the label, it is in a block of this name."""
        made = self.node(inner[-1])
        return replace(block_of(made, (made,)), text=cursor.spelling) if cursor.spelling in self.labels else made

    def looped(self, cursor: Any, inner: Sequence[Any]) -> SyntaxNode:
        """Read a ``for`` or a ``while``; ``while (int r = f())`` sets r before each test."""
        declared = [each for each in inner[:-1] if each.kind.name == "VAR_DECL"]
        heads = [self._tested(each) for each in declared]
        rest = [each for each in inner if each not in declared]
        kind = names.KINDS[cursor.kind.name]
        made = self._head(cursor, rest) if kind == "for" else self._made(cursor, kind, map(self.node, rest))
        if not heads:
            return made
        at, (bare, given) = int(kind == "for"), heads[0]
        if given is None:
            return bare
        if kind == "while" and (before := _before_step(given.children[1].bare)) is not None:
            body = block_of(
                made.children[1], (bare, with_children(given, (given.children[0], before)), made.children[1])
            )
            return with_children(made, (given.children[1], body))
        test = binary(",", given, made.children[at], made.children[at].type)
        return block_of(made, (bare, with_children(made, (*made.children[:at], test, *made.children[at + 1 :]))))

    def _tested(self, cursor: Any) -> tuple[SyntaxNode, SyntaxNode | None]:
        """Return the declaration of a variable in the test of a loop, and the assignment of its value."""
        variable = self.variable(cursor)
        if variable.type.kind not in ("integer", "real") or variable.initial is None:
            words = f"'{variable.name}', which the head of a loop declares (declare it in the body; leave by a break)"
            return self._made(cursor, "other", text=words), None
        of = replace(variable.type, const=False)
        self.variables[number_of(cursor.canonical)] = bare = replace(variable, type=of, initial=None)
        return self._made(cursor, "declare", variable=bare), assign(name_of(bare, variable.initial), variable.initial)

    def _head(self, cursor: Any, inner: Sequence[Any]) -> SyntaxNode:
        """Read a ``for``; clang leaves out empty parts, and the semicolons tell which parts are empty."""
        if len(inner) == 4:
            return self._made(cursor, "for", map(self.node, inner))
        semicolons = header_semicolons(cursor)
        parts: list[SyntaxNode | None] = [None, None, None]
        for each in inner[:-1]:
            parts[sum(each.extent.start.offset > at for at in semicolons)] = self.node(each)
        empty = self._made(cursor, "empty")
        return self._made(cursor, "for", [*(part or empty for part in parts), self.node(inner[-1])])

    def over_range(self, cursor: Any, inner: Sequence[Any]) -> SyntaxNode:
        """Read a loop over the elements of an array, or of a list, as a loop over indices; refuse others."""
        whole = self.node(inner[1]) if len(inner) == 3 else None
        loop = self._made(cursor, "for")
        if whole is not None and (listed := whole.bare).kind == "list":
            variable = self.variable(inner[0])
            of = variable.type.element if "&" in variable.type.text else variable.type
            if of is None or of.kind not in ("integer", "real") or not listed.children:
                return self._made(cursor, "range_for")
            size = len(listed.children)
            row = CType("array", f"{of.text}[{size}]", element=replace(of, const=False), size=size)
            held = Variable("listed", row, "local", loop.position, replace(listed, type=row))
            start = SyntaxNode(
                "declare", loop.position, row, (replace(listed, type=row),), variable=held, end=loop.position.line
            )
            name = replace(name_of(held, loop), type=row)
            return block_of(loop, (start, over_elements(name, variable, self.node(inner[2]), loop)))
        before, array = held_range(whole, self.functions) if whole is not None else ((), loop)
        if array.type.kind != "array" or not isinstance(array.type.size, int):
            return self._made(cursor, "range_for")
        made = over_elements(array, self.one(inner[0], array), self.node(inner[2]), loop)
        return block_of(loop, (*before, made)) if before else made


def _before_step(step: SyntaxNode) -> SyntaxNode | None:
    """Return the value of a variable before the postfix step in a test, ``n--``; None for other tests."""
    name = step.children[0] if step.kind == "unary" and step.text in _BACK else None
    if name is None or name.kind != "name" or name.type.kind != "integer":
        return None
    return SyntaxNode("cast", step.position, name.type, (binary(_BACK[step.text], name, number(step, 1), name.type),))
