"""What the syntax of statements tells before they are read: what they change, and where they jump."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial, reduce

from ppnsim.c.kinds import LOOPS, NON_AFFINE, STEPS, WORDS
from ppnsim.c.syntax import CType, SyntaxNode, Variable, refuse

GLOBAL_SPACES = ("global", "generic")  # a generic pointer may point to global memory
_SHORT = ("&&", "||")
_THROUGH = ("block", "binary", "cast", "assign", "index", "unary", "declare")
_BOOL = CType("integer", "int", 32)


@dataclass(slots=True)
class Changes:
    """Variables of a loop.

    Attributes
    ----------
    assigned : variables that are assigned, with their assignments.
    through : variables whose elements, members or targets are assigned.
    declared : variables that are declared in it.
    """

    assigned: dict[Variable, list[SyntaxNode]] = field(default_factory=dict)
    through: set[Variable] = field(default_factory=set)
    declared: set[Variable] = field(default_factory=set)

    def touches(self, node: SyntaxNode) -> bool:
        """Return whether an expression names a variable that the loop changes."""
        return not set(_names(node)).isdisjoint(self.assigned.keys() | self.declared)


def changes(nodes: Sequence[SyntaxNode]) -> Changes:
    """Return what statements change."""
    found = Changes()
    for node in (each for one in nodes for each in one.walk()):
        if node.kind == "declare" and node.variable is not None:
            found.declared.add(node.variable)
        elif node.kind == "assign" or (node.kind == "unary" and node.text in (*STEPS, "&")):
            _add(found, node.children[0], node)
        elif node.kind == "call":
            for argument in node.children:  # a function may write through its pointer arguments
                if argument.type.kind == "pointer" and not argument.type.points_to_const:
                    found.through |= set(_names(argument))
    return found


def once(changed: Changes, statements: Sequence[SyntaxNode]) -> dict[Variable, SyntaxNode]:
    """Return the variables that every iteration changes exactly once, with their assignments in order of execution."""
    found: dict[Variable, SyntaxNode] = {}
    for node in _always(statements):
        variable = node.children[0].variable if node.children[0].kind == "name" else None
        if variable is not None and changed.assigned.get(variable) == [node] and variable not in changed.through:
            found[variable] = node
    return found


def opened_blocks(statements: Sequence[SyntaxNode]) -> Iterator[SyntaxNode]:
    """Yield statements; blocks are replaced by their statements."""
    for node in statements:
        if node.kind == "block":
            yield from opened_blocks(node.children)
        else:
            yield node


def same_loads(nodes: Sequence[SyntaxNode], changed: Changes) -> Iterator[SyntaxNode]:
    """Yield the loads that every iteration makes at the same address, outermost ones first."""
    for node in nodes:
        loads = is_place(node) and node.type.kind in ("integer", "real", "vector") and node.type.space in GLOBAL_SPACES
        if loads and not changed.touches(node) and set(_names(node)).isdisjoint(changed.through):
            yield node
        elif node.kind == "assign":
            left, right = node.children
            yield from same_loads((*left.children, right), changed)
        elif node.kind in ("if", "choice") or (node.kind == "binary" and node.text in _SHORT):
            yield from same_loads(node.children[:1], changed)
        elif node.kind not in NON_AFFINE and not (node.kind == "unary" and node.text == "&"):
            yield from same_loads(node.children, changed)


def is_place(node: SyntaxNode) -> bool:
    """Return whether an expression names an element, a member, or what a pointer points to."""
    return node.kind in ("index", "member") or (node.kind == "unary" and node.text == "*")


def _always(statements: Sequence[SyntaxNode]) -> Iterator[SyntaxNode]:
    """Yield the assignments in statements and expressions that always execute."""
    for node in statements:
        if any(_continues(each) for each in (node.children if node.kind == "block" else ())):
            continue  # the statements after a continue may be skipped
        if node.kind in ("assign", "unary"):
            yield node
        if node.kind in _THROUGH and node.text not in _SHORT:
            yield from _always(node.children)


def _continues(node: SyntaxNode) -> bool:
    """Return whether a statement may continue with the next iteration."""
    return node.kind == "continue" or (node.kind not in LOOPS and any(_continues(each) for each in node.children))


def _add(found: Changes, place: SyntaxNode, node: SyntaxNode) -> None:
    behind = False
    while place.kind != "name":
        behind = behind or place.kind in ("index", "member", "unary", "lanes")
        if not place.children:
            return
        place = place.children[0]
    if place.variable is None:
        return
    if behind or node.text == "&":
        found.through.add(place.variable)
    if not behind:
        found.assigned.setdefault(place.variable, []).append(node)


def _names(node: SyntaxNode) -> Iterator[Variable]:
    return (each.variable for each in node.walk() if each.kind == "name" and each.variable)


def leaves(node: SyntaxNode) -> bool:
    """Return whether a statement always ends with a return, break or continue."""
    if node.kind == "block":
        return bool(node.children) and leaves(node.children[-1])
    if node.kind == "if":
        return len(node.children) == 3 and all(leaves(each) for each in node.children[1:])
    return node.kind in ("return", "break", "continue")


def without_jump(*sides: Sequence[SyntaxNode]) -> bool:
    """Return whether no side of an if jumps out of it; refuse a side that does so in some cases only."""
    jumps = [each for side in sides for node in side for each in _jumps(node, inside=False)]
    if not jumps:
        return True
    for side in sides:
        for node in side:
            inner = next(_jumps(node, inside=False), None)
            if inner is not None and not leaves(node):
                words = f"{WORDS[inner.kind]} under two conditions is not followed"
                refuse(inner.position, f"{words}: join them with &&, or use else")
    return False


def _jumps(node: SyntaxNode, *, inside: bool) -> Iterator[SyntaxNode]:
    """Yield the returns and continues that leave a statement; a break ends only its own loop or switch."""
    if node.kind == "return" or (node.kind == "continue" and not inside):
        yield node
    inside = inside or node.kind in LOOPS
    for child in node.children:
        yield from _jumps(child, inside=inside)


def early_ends(body: SyntaxNode) -> Iterator[SyntaxNode]:
    """Yield the breaks and returns that end a loop before its condition does."""
    if body.kind in ("return", "break"):
        yield body
    if body.kind == "switch":
        yield from (each for each in body.walk() if each.kind == "return")
        return
    for child in body.children:
        if child.kind in LOOPS:
            yield from (each for each in child.walk() if each.kind == "return")
        else:
            yield from early_ends(child)


def last_of(nodes: Sequence[SyntaxNode]) -> SyntaxNode | None:
    """Return the last statement, inside blocks too."""
    last = nodes[-1] if nodes else None
    return last_of(last.children) if last is not None and last.kind == "block" else last


def as_ifs(node: SyntaxNode, value: Variable) -> SyntaxNode:
    """Return a switch as a chain of ifs; ``value`` holds the value that it compares.

    Raises
    ------
    InputError
        If a case goes on into the next one.
    """
    subject = SyntaxNode("name", node.position, value.type, variable=value)
    made = partial(replace, node, kind="binary", type=_BOOL)
    groups = _groups(node)
    chain = replace(node, kind="block", text="", children=())
    for number, (labels, body) in sorted(enumerate(groups), key=lambda each: (not _has_default(each[1][0]), -each[0])):
        ends = [place for place, each in enumerate(body) if leaves(each)]
        if not ends and number + 1 < len(groups):
            refuse(body[-1].position, "a case that goes on into the next one is not followed: end it with break")
        kept = body[: ends[0] + (body[ends[0]].kind == "return")] if ends else body
        for each in (inner for one in kept for inner in early_ends(one) if inner.kind != "return"):
            refuse(each.position, "a break under a condition within a case is not followed: use else")
        block = replace(node, kind="block", text="", children=tuple(kept))
        if _has_default(labels):
            chain = block  # wherever it stands, it is the last alternative
            continue
        tests = (made(text="==", children=(subject, each)) for each in labels)
        test = reduce(lambda one, other: made(text="||", children=(one, other)), tests)
        chain = replace(node, kind="if", text="", children=(test, block, chain))
    return chain


def _groups(node: SyntaxNode) -> list[tuple[list[SyntaxNode], list[SyntaxNode]]]:
    """Return the groups of labels of a switch, each with its statements."""
    groups: list[tuple[list[SyntaxNode], list[SyntaxNode]]] = []
    for statement in node.children[1].children:
        labels, inner = [], statement
        while inner.kind in ("case", "default"):
            labels.append(inner.children[0] if inner.kind == "case" else inner)
            inner = inner.children[-1]
        if labels:
            groups.append((labels, []))
        if groups:
            groups[-1][1].extend(opened_blocks([inner]))
    return groups


def _has_default(labels: Sequence[SyntaxNode]) -> bool:
    return any(each.kind == "default" for each in labels)
