"""Words the refusals of unsupported parts of a source; code is in quotes, and descriptions are not."""

from __future__ import annotations

import re
from pathlib import Path

from ppnsim.c.syntax import Function, SyntaxNode, Variable

_LONGEST = 60
_REMEDIES = {
    "empty": "a lambda as a value: call it, or hand it to a template",
    "list": "a list as a value: give it a name, T x = {..}",
    "string": "a text as a value: write its letters as an array of numbers",
    "name": "a function as a value: call it, or hand it to a template as its argument",
    "other": "write it with names, operators and calls",
}
POINTED = "call the function by its name, in an if where it may be one of several, or hand it to a template"
"""The advice for a call through a function pointer."""
_CLASSES = (
    (re.compile(r"std::function<"), POINTED),
    (re.compile(r"std::reference_wrapper<"), "hand the variable itself to a parameter that is a reference"),
    (re.compile(r"std::optional<"), "return a flag beside the value"),
    (re.compile(r"std::(__cxx11::)?basic_string<|std::string"), "hardware has no text: leave out what prints"),
    (
        re.compile(r"std::(vector|deque|list|queue|stack|map|set|multimap|unordered_map|unordered_set)<"),
        "its size changes as it runs: declare an array of the largest size",
    ),
)  # fmt: skip
"""Unsupported classes of the standard library, and the advice for each."""


def unsupported(node: SyntaxNode) -> str:
    """Return the words that refuse an expression, with its source text and advice."""
    text = written(node)
    kind = "name" if node.kind == "other" and text == node.text else node.kind
    words = _REMEDIES.get(kind, _REMEDIES["other"])
    return unfollowed(node, f"'{text}' in an expression is not supported ({words})")


def written(node: SyntaxNode) -> str:
    """Return the source text of a node, in one line, shortened."""
    first, last = node.extent
    text = str(node)
    if first < last and Path(node.position.file).is_file():
        text = Path(node.position.file).read_bytes()[first:last].decode("utf-8", "replace")
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}.."


def unfollowed(node: SyntaxNode, otherwise: str) -> str:
    """Return the words that refuse a node whose text describes it; for other nodes return ``otherwise``.

    Examples
    --------
    >>> from ppnsim.c.syntax import Position
    >>> at = Position("k.cpp", 3, 5)
    >>> unfollowed(SyntaxNode("other", at, text="a constructor of S that copies in a loop"), "...")
    'a constructor of S that copies in a loop is not followed'
    >>> unfollowed(SyntaxNode("other", at, text="CXX_TRY_STMT"), "'CXX_TRY_STMT' is no value")
    "'CXX_TRY_STMT' is no value"
    >>> unfollowed(SyntaxNode("other", at, text="size, a method of std::string"), "...")
    'size, a method of std::string is not followed; hardware has no text: leave out what prints'
    """
    if node.kind == "other" and " " in node.text:
        words = f"{node.text.removesuffix(',')} is not followed"
        remedy = _advice(node.text.partition(", a method of ")[2].removeprefix("const "))
        return f"{words}; {remedy}" if remedy else words
    return otherwise


def container(variable: Variable) -> str:
    """Return the words that refuse a variable of a class of the standard library, "" for other types."""
    remedy = _advice(variable.type.text)
    return f"'{variable.name}' is a {variable.type.text}, which is not followed; {remedy}" if remedy else ""


def _advice(name: str) -> str:
    """Return the advice for an unsupported class of the standard library, "" for other types."""
    return next((words for begins, words in _CLASSES if begins.match(name)), "")


def not_one(node: SyntaxNode) -> str:
    """Return why an expression names no single element: an array or a row, or a pointer is kept in an array."""
    kept = [each for each in node.walk("index", "member") if each is not node and each.type.kind == "pointer"]
    if kept and node.kind in ("index", "unary"):
        return in_object(kept[0])
    return f"'{node}' is a whole array or a row of it; name one element"


def in_object(node: SyntaxNode) -> str:
    """Return why nothing is behind a pointer that is kept in an array or an object."""
    return f"'{node}' is a pointer in an array or an object, which is not followed from here; name its array"


def no_place(node: SyntaxNode, around: Function) -> str:
    """Return why an expression has no place: it is a function, or is in the declaration of a container."""
    if node.type.kind == "other" and "(" in node.type.text:
        return f"'{written(node)}' stands for a function, and a pointer to one is not followed; {POINTED}"
    here = (each for each in around.walk() if each.kind == "declare" and each.variable is not None)
    said = (container(each.variable) for each in here if each.variable and each.position.line == node.position.line)
    return next(filter(None, said), f"'{written(node)}' is neither a variable nor an element of an array")
