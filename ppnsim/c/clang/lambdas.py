"""Turns lambdas into functions: the variables that they capture become further parameters."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from itertools import takewhile
from typing import Any

from ppnsim.c.clang.classes import is_lambda
from ppnsim.c.clang.library import number_of
from ppnsim.c.clang.methods import name_of
from ppnsim.c.kinds import STEPS
from ppnsim.c.plain.nodes import with_children
from ppnsim.c.syntax import CType, Function, SyntaxNode, Variable
from ppnsim.loops.program import Position


def is_mutable(cursor: Any) -> bool:
    """Return whether a lambda may change its copies, ``[n](int x) mutable {..}``."""
    words = (token.spelling for token in cursor.get_tokens())
    return "mutable" in takewhile(lambda word: word != "{", words)


Captures = tuple[Variable, ...]


def with_captures(
    function: Function, seen: Collection[Variable] | None = None, held: Collection[Variable] = ()
) -> tuple[Function, Captures]:
    """Return a function with the captured variables as further parameters, and these variables.

    For a lambda, ``seen`` is None: it takes the variables that it changes by reference, and the others by value,
    because their values at the call are the same. Another function, to which lambdas are passed, takes variables of
    ``seen`` by reference, because it may change them through other names; ``held`` are copies, which have no other
    name.
    """
    if function.body is None:
        return function, ()
    nodes = list(function.body.walk())
    inside = {*function.parameters, *(each.variable for each in nodes if each.kind == "declare")}
    named = dict.fromkeys(each.variable for each in nodes if each.kind == "name" and each.variable is not None)
    taken = [each for each in named if each not in inside and _is_of_function(each)]
    if seen is not None:
        taken = [each for each in taken if each in seen]
    changed = _changed(nodes) if seen is None else {each for each in taken if each not in held and not each.type.const}
    by = {each: _parameter(each, each in changed or each.scope == "static") for each in taken}
    body = _renamed(function.body, by)
    return replace(function, parameters=(*function.parameters, *by.values()), body=body), tuple(by)


def _is_of_function(variable: Variable) -> bool:
    """Return whether a variable belongs to a function; constants of a function are the same everywhere."""
    constant = variable.type.const or variable.type.base().const
    return variable.scope in ("local", "parameter") or (variable.scope == "static" and not constant)


def this_is_copied(cursor: Any) -> bool:
    """Return whether a lambda holds a copy of the object around it, ``[*this]``."""
    words = [token.spelling for token in cursor.get_tokens()]
    return "*this" in "".join(words[: words.index("]")])


def is_copied(variable: Variable) -> bool:
    """Return whether a lambda that copies a variable gets a separate value."""
    of = value_type(variable.type)
    return of.kind in ("integer", "real", "struct", "pointer") and not is_lambda(of.text)


def value_type(of: CType) -> CType:
    """Return the type of a copy of a variable; for a reference, the type of its target."""
    refers = of.kind == "pointer" and "&" in of.text and of.element is not None
    return replace(of.element if refers and of.element is not None else of, const=False)


def moved(function: Function, captured: int) -> Variable | None:
    """Return a captured pointer among a function's last parameters that the function moves, None if there is none."""
    pointers = {
        each for each in function.parameters[-captured:] if each.type.kind == "pointer" and "&" not in each.type.text
    }
    for each in function.body.walk() if pointers and function.body is not None else ():
        changes = each.kind == "assign" or (each.kind == "unary" and each.text in STEPS)
        if changes and each.children[0].bare.kind == "name" and (found := each.children[0].bare.variable) in pointers:
            return found
    return None


def _changed(nodes: Iterable[SyntaxNode]) -> set[Variable | None]:
    """Return the variables that statements change or refer to; a called function may change its arguments."""
    found: set[Variable | None] = set()
    for each in nodes:
        if each.kind in ("assign", "token") or (each.kind == "unary" and each.text in (*STEPS, "&")):
            found.add(_root(each.children[0]))
        elif each.kind == "call":
            found |= {_root(given) for given in each.children if given.kind != "cast"}
        elif each.kind == "declare" and each.variable is not None and each.variable.type.kind == "pointer":
            found |= {_root(given) for given in each.children}
    return found


def copied(introducer: str) -> tuple[bool, frozenset[str], frozenset[str]]:
    """Return whether ``[..]`` of a lambda copies by default, and the names captured by copy and by reference.

    Examples
    --------
    >>> default, copies, references = copied("[=, &total]")
    >>> default, sorted(copies), sorted(references)
    (True, [], ['total'])
    """
    parts = [part.strip() for part in introducer.strip("[] ").split(",")]
    references = frozenset(part[1:].strip() for part in parts if part.startswith("&") and part != "&")
    return "=" in parts, frozenset(part for part in parts if part.isidentifier()), references


def copied_variables(cursor: Any) -> Iterator[Any]:
    """Yield the declarations of the variables around a lambda of which it holds copies."""
    inside = list(cursor.walk_preorder())
    tokens = [token.spelling for token in cursor.get_tokens()]
    default, names, references = copied("".join(tokens[: tokens.index("]") + 1]))
    own = {number_of(each) for each in inside if each.kind.name in ("VAR_DECL", "PARM_DECL")}
    for each in inside:
        declared = each.referenced if each.kind.name == "DECL_REF_EXPR" else None
        if declared is None or declared.kind.name not in ("VAR_DECL", "PARM_DECL") or number_of(declared) in own:
            continue
        if declared.spelling in names or (default and declared.spelling not in references):
            yield declared


def given_captures(cursor: Any) -> list[Any]:
    """Return the declarations of captures with an initialiser, ``[n = a + 1]``."""
    captured = (each.referenced for each in cursor.get_children() if each.kind.name == "VARIABLE_REF")
    return [each for each in captured if each is not None and each.semantic_parent.spelling == "operator()"]


def _root(node: SyntaxNode) -> Variable | None:
    while node.children and node.kind in ("index", "member", "unary", "cast", "bits", "token"):
        node = node.children[0]
    return node.variable


def _parameter(captured: Variable, changed: bool) -> Variable:
    of = captured.type
    if of.kind not in ("array", "pointer") and (changed or of.kind in ("struct", "stream")):
        of = CType("pointer", f"{of.text} &", 64, False, of)
    return Variable(captured.name, of, "parameter", captured.position)


def _renamed(node: SyntaxNode, by: dict[Variable, Variable]) -> SyntaxNode:
    node = with_children(node, tuple(_renamed(child, by) for child in node.children))
    found = by.get(node.variable) if node.variable is not None else None
    return node if found is None else replace(node, variable=found)


def swapped(of: CType, at: Position) -> Function:
    """Return the function that swaps two variables of a type, ``std::swap``."""
    to = CType("pointer", f"{of.text} &", 64, False, of)
    one, other = (Variable(name, to, "parameter", at) for name in ("x", "y"))
    old = Variable("old", of, "local", at)
    first, second, third = (replace(name_of(each, at), type=of) for each in (one, other, old))
    parts = (
        SyntaxNode("declare", at, of, (first,), variable=old, end=at.line),
        SyntaxNode("assign", at, of, (first, second), "=", end=at.line),
        SyntaxNode("assign", at, of, (second, third), "=", end=at.line),
    )
    body = SyntaxNode("block", at, children=parts, end=at.line)
    name = f"swap_{''.join(each if each.isalnum() else '_' for each in of.text)}"
    return Function(name, (one, other), CType("void", "void", 0), body, at, at.line)


def exchanged(of: CType, at: Position) -> Function:
    """Return the function that sets a variable of a type and returns the old value, ``std::exchange``."""
    target = Variable("x", CType("pointer", f"{of.text} &", 64, False, of), "parameter", at)
    new, old = Variable("y", of, "parameter", at), Variable("old", of, "local", at)
    place = replace(name_of(target, at), type=of)
    parts = (
        SyntaxNode("declare", at, of, (place,), variable=old, end=at.line),
        SyntaxNode("assign", at, of, (place, name_of(new, at)), "=", end=at.line),
        SyntaxNode("return", at, of, (name_of(old, at),), end=at.line),
    )
    body = SyntaxNode("block", at, children=parts, end=at.line)
    name = f"exchange_{''.join(each if each.isalnum() else '_' for each in of.text)}"
    return Function(name, (target, new), of, body, at, at.line)
