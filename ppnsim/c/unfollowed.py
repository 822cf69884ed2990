"""What to say of a part of a source that is not followed: code stands in quotes, words about it do not."""

from __future__ import annotations

from pathlib import Path

from ppnsim.c.syntax import SyntaxNode

_LONGEST = 60
_REMEDIES = {
    "empty": "a lambda as a value: call it, or hand it to a template",
    "list": "a list as a value: give it a name, T x = {..}",
    "string": "a text as a value: write its letters as an array of numbers",
    "name": "a function as a value: call it, or hand it to a template as its argument",
    "other": "write it with names, operators and calls",
}


def unsupported(node: SyntaxNode) -> str:
    """Return that an expression has no meaning here, as the source writes it, and what to do."""
    text = written(node)
    kind = "name" if node.kind == "other" and text == node.text else node.kind
    words = _REMEDIES.get(kind, _REMEDIES["other"])
    return unfollowed(node, f"'{text}' in an expression is not supported ({words})")


def written(node: SyntaxNode) -> str:
    """Return a node as the source writes it, in one line, shortened."""
    first, last = node.extent
    text = str(node)
    if first < last and Path(node.position.file).is_file():
        text = Path(node.position.file).read_bytes()[first:last].decode("utf-8", "replace")
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}.."


def unfollowed(node: SyntaxNode, otherwise: str) -> str:
    """Return that a node is not followed whose text is words about it, of other nodes ``otherwise``.

    Examples
    --------
    >>> from ppnsim.c.syntax import Position
    >>> at = Position("k.cpp", 3, 5)
    >>> unfollowed(SyntaxNode("other", at, text="a constructor of S that copies in a loop"), "...")
    'a constructor of S that copies in a loop is not followed'
    >>> unfollowed(SyntaxNode("other", at, text="CXX_TRY_STMT"), "'CXX_TRY_STMT' is no value")
    "'CXX_TRY_STMT' is no value"
    """
    if node.kind == "other" and " " in node.text:
        return f"{node.text.removesuffix(',')} is not followed"
    return otherwise
