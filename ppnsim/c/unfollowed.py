"""What to say of a part of a source that is not followed: code stands in quotes, words about it do not."""

from __future__ import annotations

from ppnsim.c.syntax import SyntaxNode


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
