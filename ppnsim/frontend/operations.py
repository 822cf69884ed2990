"""Reads the value of a statement: its expression tree, and the accesses in it in textual order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ppnsim.affine.expressions import Affine
from ppnsim.affine.program import Access, Operation
from ppnsim.frontend.affine_reader import NotAffine, NotBound, named
from ppnsim.frontend.calls import Footprint, footprint
from ppnsim.frontend.clang_names import STEPS
from ppnsim.frontend.piecewise import Choice, Largest, Least, Value
from ppnsim.frontend.places import place
from ppnsim.frontend.scope import Place, Scope, refuse
from ppnsim.frontend.syntax import CType, Node


@dataclass(slots=True)
class Reading:
    """The accesses of one statement, gathered while its expression is read."""

    scope: Scope
    reads: list[Access] = field(default_factory=list)
    writes: list[Access] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)

    def operation(self, node: Node) -> Operation:
        """Return an expression as a tree."""
        match node.kind:
            case "integer":
                return self._made(node, "constant", text=str(node.value))
            case "real" | "string":
                return self._made(node, "constant", text=node.text)
            case "binary":
                if node.text == ",":
                    refuse(node.position, f"'{node}': a comma between values; write two statements")
                return self._made(node, node.text, node.children)
            case "choice":
                return self._made(node, "?:", node.children)
            case "cast":
                return self._made(node, "cast", node.children)
            case "call":
                return self._call(node)
            case "unary" if node.text in ("-", "+", "~", "!"):
                return self._made(node, f"{node.text}x", node.children)
            case "name" | "index" | "member" | "unary" if node.text not in STEPS:
                return self._read(node)
        if node.kind == "assign" or node.text in STEPS:
            refuse(node.position, f"'{node}' changes a variable inside an expression; write a statement of its own")
        return refuse(node.position, f"'{node.text or node.kind}' in an expression is not supported")

    def access(self, target: Place, of: CType, node: Node) -> Operation:
        """Add a read and return the node of the tree for it."""
        self.reads.append(whole(target, self.scope, node))
        return Operation("read", of.text, read=len(self.reads) - 1, position=node.position)

    def _made(self, node: Node, kind: str, children: Sequence[Node] = (), text: str = "") -> Operation:
        operands = tuple(self.operation(child) for child in children)
        return Operation(kind, node.type.text, operands, text, position=node.position)

    def _read(self, node: Node) -> Operation:
        if node.variable and node.type.kind == "integer":
            try:
                return self._integer(named(node.variable, node, self.scope), node) or self.access(
                    place(node, self.scope), node.type, node
                )
            except (NotAffine, NotBound):
                pass
        if node.type.kind in ("pointer", "array"):
            refuse(node.position, f"'{node}' is an array or a pointer, not a value; name an element of it")
        return self.access(place(node, self.scope), node.type, node)

    def _integer(self, value: Value, node: Node) -> Operation:
        """Return a whole-number value of iterators as a tree."""
        if isinstance(value, Choice):
            refuse(node.position, f"'{node}' stands for a choice of values; use '?:' in the statement itself")
        if isinstance(value, Least | Largest):
            refuse(node.position, f"'{node}' stands for a minimum or maximum; use '?:' in the statement itself")
        return tree(value, node)

    def _call(self, node: Node) -> Operation:
        found = footprint(node, self.scope)
        operands = []
        for argument, access in zip(node.children, found.arguments, strict=True):
            operands.append(self.operation(argument) if access is None else self._pointed(access, argument))
        self.reads += found.reads
        self.writes += found.writes
        if not self.scope.context.unit.functions[node.text].system:
            self.functions.append(node.text)
        return Operation("call", node.type.text, tuple(operands), node.text, position=node.position)

    def _pointed(self, access: Footprint, node: Node) -> Operation:
        start = len(self.reads)
        self.reads += access.reads
        self.writes += access.writes
        of = node.type.base().text
        parts = tuple(Operation("read", of, read=start + i, position=node.position) for i in range(len(access.reads)))
        return parts[0] if len(parts) == 1 else Operation("list", of, parts, position=node.position)


def whole(target: Place, scope: Scope, node: Node) -> Access:
    """Return a place as an access of one element; refuse rows and whole arrays."""
    if len(target.subscripts) != len(scope.context.arrays[target.array].shape):
        refuse(node.position, f"'{node}' is a whole array or a row of it; name one element")
    return target.access()


def tree(value: Affine, node: Node) -> Operation:
    """Return an affine value as an expression tree."""
    of, parts = node.type.text, []
    for atom, factor in value.terms:
        if isinstance(atom, str):
            part = Operation("iterator", of, text=atom, position=node.position)
        else:
            operator = "/" if type(atom).__name__ == "Quotient" else "%"
            by = Operation("constant", of, text=str(atom.by))
            part = Operation(operator, of, (tree(atom.of, node), by), position=node.position)
        parts.append(part if factor == 1 else Operation("*", of, (Operation("constant", of, text=str(factor)), part)))
    if value.constant or not parts:
        parts.append(Operation("constant", of, text=str(value.constant), position=node.position))
    result = parts[0]
    for part in parts[1:]:
        result = Operation("+", of, (result, part), position=node.position)
    return result
