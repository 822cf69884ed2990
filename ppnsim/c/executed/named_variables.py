"""Lists the variables that parts of a program name, and defines the data flow between variables."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

from ppnsim.c.kinds import LOOPS
from ppnsim.c.syntax import CType, SyntaxNode, Variable

_PARTED = ("struct", "array")
Ways = Literal["all", "sure", "most", "none", "first"]
"""Which early exits of a loop are taken: "sure" takes those that numbers decide; "most" also ignores tests of data.

"first" only asks whether there is a first iteration.
"""
Flow = dict[Variable, set[Variable]]
"""For each variable, the variables from which its values may come."""
Step = tuple[int, int | None] | None
"""An iteration of a loop: its number from 0 on, and the value of the loop's counter; None for any iteration."""
Visits = dict[tuple[Step, ...], int | None]
"""The iterations of a loop in each visit, by the iterations of the loops around it; None if they are not known."""


@lru_cache(maxsize=1 << 10)
def called_so(node: SyntaxNode) -> str:
    """Return the identifier of a loop or an ``if``, which is its position."""
    return f"if {node.position}" if node.kind == "if" else str(node.position)


@lru_cache(maxsize=1 << 10)
def site(call: SyntaxNode) -> str:
    """Return the identifier of a call: its position and the name of the function."""
    return f"{call.position} {call.text}"


def root(node: SyntaxNode) -> Variable | None:
    """Return the variable to which a place belongs, or which points to the place."""
    while node.kind in ("member", "index", "cast", "bits") or (node.kind == "unary" and node.text in ("*", "&")):
        node = node.children[0]
    return node.variable if node.kind == "name" else None


def is_reference(variable: Variable) -> bool:
    """Return whether a variable stands for a place, or points to one."""
    return variable.type.kind in ("pointer", "array") or "&" in variable.type.text


def is_handed(variable: Variable) -> bool:
    """Return whether the name of a variable means another place: a reference, or an array of the caller."""
    return "&" in variable.type.text or (variable.scope == "parameter" and variable.type.kind == "array")


def is_unsteady(variable: Variable) -> bool:
    """Return whether code outside of the program may change a variable; local variables are never changed so."""
    return variable.volatile and variable.scope != "local"


def is_pointer(node: SyntaxNode) -> bool:
    """Return whether an expression has the value of a pointer, as array parameters have."""
    named = node.variable if node.kind == "name" else None
    if named is not None and "&" not in named.type.text and named.scope == "parameter":
        return named.type.kind in ("pointer", "array")
    return node.type.kind == "pointer"


def names(node: SyntaxNode) -> set[Variable]:
    """Return the variables that a node names."""
    return {each.variable for each in node.walk() if each.kind == "name" and each.variable is not None}


def fits(values: SyntaxNode, of: CType) -> bool:
    """Return whether each value of a list belongs to the part at its position, because no inner braces are left out."""
    listed = values.children
    inner = [part for _, part in of.fields] if of.kind == "struct" else [of.element] * len(listed)
    pairs = zip(listed, inner, strict=False)
    return len(listed) <= len(inner) and all(
        part is not None and (each.type.kind == part.kind or (part.kind in _PARTED) == (each.kind == "list"))
        for each, part in pairs
    )


def body_of(loop: SyntaxNode) -> SyntaxNode:
    """Return the statements that a loop repeats."""
    return loop.children[0 if loop.kind == "do" else -1]


def ways_out(body: SyntaxNode) -> list[SyntaxNode]:
    """Return the early exits in the body of a loop, and the conditions around each exit."""
    if body.kind in ("left", "return"):
        return [body]
    if body.kind in LOOPS:
        return []
    inner = [each for child in body.children for each in ways_out(child)]
    return [body.children[0], *inner] if inner and body.kind == "if" else inner


def start_of(loop: SyntaxNode) -> Variable | None:
    """Return the variable that the start of a ``for`` sets to a value without it, None if there is none."""
    start = loop.children[0] if loop.kind == "for" else loop
    if start.kind == "block" and len(start.children) == 1:
        start = start.children[0]
    if start.kind == "declare":
        return start.variable
    if start.kind != "assign" or start.text != "=" or start.children[0].kind != "name":
        return None
    variable = start.children[0].variable
    return variable if variable not in names(start.children[1]) else None


def closure(start: Iterable[Variable], flow: Flow, most: int) -> frozenset[Variable]:
    """Return some variables and all possible sources of their values, without real numbers and larger arrays."""
    found = {each for each in start if _is_followed(each, most)}
    waiting = list(found)
    while waiting:
        new = {each for each in flow.get(waiting.pop(), set()) - found if _is_followed(each, most)}
        found |= new
        waiting += new
    return frozenset(found)


def _is_followed(variable: Variable, most: int) -> bool:
    of, size = variable.type, 1
    while of.kind == "array" and of.element is not None:
        of, size = of.element, size * (of.size if isinstance(of.size, int) else 1)
    return size <= most and of.kind in ("integer", "pointer", "struct")
