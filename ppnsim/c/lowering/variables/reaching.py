"""Finds reaching definitions: which assignment each use of a variable sees, and which arrays stay constant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ppnsim.c.kinds import NON_AFFINE, STEPS
from ppnsim.c.syntax import SyntaxNode, Variable


class _Unknown(Exception):
    """A use may see one of several assignments."""


@dataclass(slots=True)
class Mentions:
    """The nodes of some statements that name each variable, and those that assign or declare it."""

    named: dict[Variable, set[int]] = field(default_factory=dict)
    changed: dict[Variable, set[int]] = field(default_factory=dict)

    @classmethod
    def of(cls, nodes: Iterable[SyntaxNode]) -> Mentions:
        """Return the mentions in statements; one walk finds them for all variables."""
        found = cls()
        for node in nodes:
            found._add(node, [])
        return found

    def _add(self, node: SyntaxNode, around: list[int]) -> None:
        around.append(id(node))
        if node.variable is not None:
            self.named.setdefault(node.variable, set()).update(around)
        if (changed := set_by(node)) is not None:
            self.changed.setdefault(changed, set()).update(around)
        for child in (*extents(node), *node.children):
            self._add(child, around)
        around.pop()


def followed(variable: Variable, body: SyntaxNode, *, known: bool = False, mentions: Mentions | None = None) -> bool:
    """Return whether each use of a variable sees the last assignment before it in the text.

    Then the variable can stand for the assigned value: after ``k = i + 1;`` all uses mean ``i + 1`` until the next
    assignment. This fails after a branch or loop that assigns the variable, and at the head of such a loop, where the
    value comes from the previous iteration. ``known``: the variable has a value before the body, as a parameter has.
    """
    return is_set_first(variable, (body,), known=known, mentions=mentions)


def is_set_first(
    variable: Variable, nodes: Sequence[SyntaxNode], *, known: bool = False, mentions: Mentions | None = None
) -> bool:  # fmt: skip
    """Return whether a sequence of statements assigns a variable before each use of it.

    ``mentions`` can be passed to share one walk between many variables.
    """
    mentions = mentions or Mentions.of(nodes)
    reaching = _Reaching(variable, mentions.named.get(variable, set()), mentions.changed.get(variable, set()))
    try:
        for node in nodes:
            known = reaching.after(node, known=known)
    except _Unknown:
        return False
    return True


@dataclass(frozen=True, slots=True)
class _Reaching:
    """Follows the assignments of a variable through the nodes that name it (``named``) or assign it (``changed``)."""

    variable: Variable
    named: set[int]
    changed: set[int]

    def after(self, node: SyntaxNode, *, known: bool) -> bool:
        """Return whether the assignment is known after a node; raise _Unknown at a use for which it is not known."""
        if id(node) not in self.named:
            return known
        variable = self.variable
        match node.kind:
            case "name":
                if node.variable is variable and not known:
                    raise _Unknown
                return known
            case "assign" if _is_name_of(node.children[0], variable):
                known_before = self.after(node.children[1], known=known)
                if node.text != "=" and not known_before:
                    raise _Unknown
                return True
            case "unary" if _is_name_of(node.children[0], variable) and node.text in (*STEPS, "&"):
                if node.text == "&" or not known:
                    raise _Unknown  # an alias may change it
                return True
            case "declare" if node.variable is variable:
                for child in node.children:
                    self.after(child, known=known)
                return bool(node.children)
        if node.kind == "for" or node.kind in NON_AFFINE or is_choice(node):
            return self._branching(node, known=known)
        for child in (*extents(node), *node.children):
            known = self.after(child, known=known)
        return known

    def _branching(self, node: SyntaxNode, *, known: bool) -> bool:
        if is_choice(node):
            known = self.after(node.children[0], known=known)
            ends = [self.after(child, known=known) for child in node.children[1:]]
            return known and all(ends) and not any(map(self._changes, node.children[1:]))
        parts = list(node.children)
        if node.kind == "for" and parts:
            start = parts.pop(0)
            known = self.after(start, known=known)
            if self._changes(start):  # it is the iterator: known in the body, unknown afterwards
                for part in parts:
                    self.after(part, known=True)
                return False
        changed = any(map(self._changes, parts))
        inside = known and not changed
        if node.kind == "for" and len(parts) > 1:
            parts = [parts[0], *parts[2:], parts[1]]  # the step comes after the body
        for part in parts:
            inside = self.after(part, known=inside)
        return known and not changed

    def _changes(self, node: SyntaxNode) -> bool:
        return id(node) in self.changed


def is_choice(node: SyntaxNode) -> bool:
    """Return whether the first child of a node decides which other children are executed."""
    return node.kind in ("if", "choice") or (node.kind == "binary" and node.text in ("&&", "||"))


def extents(node: SyntaxNode) -> Iterator[SyntaxNode]:
    """Yield the array sizes in the type of a declared variable or of a conversion."""
    of = node.variable.type if node.kind == "declare" and node.variable else node.type if node.kind == "cast" else None
    while of is not None:
        if isinstance(of.size, SyntaxNode):
            yield of.size
        of = of.element


def sets(node: SyntaxNode, variable: Variable) -> bool:
    """Return whether a node itself (not its children) assigns or declares a variable."""
    return set_by(node) is variable


def set_by(node: SyntaxNode) -> Variable | None:
    """Return the variable that a node itself (not its children) assigns or declares, None for other nodes."""
    if node.kind == "assign" or (node.kind == "unary" and node.text in STEPS):
        return node.children[0].variable if node.children[0].kind == "name" else None
    return node.variable if node.kind == "declare" else None


def _is_name_of(node: SyntaxNode, variable: Variable) -> bool:
    return node.kind == "name" and node.variable is variable


def is_table(variable: Variable, body: SyntaxNode | None) -> bool:
    """Return whether an array is constant: declared ``const``, or local and only read, one element at a time."""
    if variable.type.kind != "array" or variable.type.base().const:
        return variable.type.kind == "array"
    if variable.scope != "local" or body is None:
        return False
    mentions = elements = 0
    for node in body.walk():
        mentions += node.kind == "name" and node.variable is variable
        elements += node.kind == "index" and _root(node) is variable and node.type.kind == "integer"
        changes = node.kind == "assign" or (node.kind == "unary" and node.text in (*STEPS, "&"))
        declared = node.variable if node.kind == "declare" and node.children else None
        refers = declared is not None and "&" in declared.type.text
        if (changes or refers) and _root(node.children[0].bare) is variable:
            return False
    return mentions == elements


def _root(node: SyntaxNode) -> Variable | None:
    while node.kind in ("index", "cast", "bits"):
        node = node.children[0]
    return node.variable if node.kind == "name" else None
