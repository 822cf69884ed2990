"""Rewrites non-blocking stream accesses, for timing alone: each gets its token, and the stream's state is data."""

from __future__ import annotations

from dataclasses import dataclass, field

from ppnsim.c.plain.nodes import BOOL, assign, binary, noted, with_children
from ppnsim.c.syntax import CType, SyntaxNode, Variable

_STATES = ("empty", "full", "size")
_MOVES = ("read_nb", "write_nb")


@dataclass(slots=True)
class Polls:
    """Rewrites the polls of a file; each state of each stream has one variable."""

    variables: dict[tuple[str, str], Variable] = field(default_factory=dict)

    def without(self, node: SyntaxNode) -> SyntaxNode:
        """Return a statement or an expression in which a variable replaces each poll.

        ``s.empty()`` becomes a variable that data sets, and ``s.read_nb(x)`` becomes ``x = s.read()`` and such a
        variable.
        """
        if not node.children:
            return node
        plain = with_children(node, tuple(self.without(child) for child in node.children))
        name, is_method, _ = plain.text.replace("of const ", "of ").partition(", a method of hls::stream<")
        if plain.kind != "other" or not is_method or name not in (*_STATES, *_MOVES):
            return plain
        stream, *given = plain.children
        state = self._state(stream, name, plain.type)
        if name not in _MOVES:
            return state
        element = stream.type.element or stream.type
        token = SyntaxNode("token", plain.position, element, (stream,), end=plain.end, extent=plain.extent)
        moved = assign(given[0], token) if name == "read_nb" else assign(token, given[0])
        words = f"'{stream}.{name}' in line {plain.position.line} moves a token each time: it does not wait, and time "
        said = binary(",", noted(plain, f"{words}decides whether there is one"), moved, moved.type)
        return binary(",", said, state, BOOL)

    def _state(self, stream: SyntaxNode, name: str, of: CType) -> SyntaxNode:
        root = next((each.variable for each in stream.walk() if each.variable is not None), None)
        key = (root.name if root is not None else str(stream), name)
        made = Variable("_".join(key), of, "parameter", stream.position, volatile=True)
        return SyntaxNode(
            "name", stream.position, of, variable=self.variables.setdefault(key, made), end=stream.end,
            extent=stream.extent,
        )  # fmt: skip
