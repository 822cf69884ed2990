"""Members of unions, which share their bits."""

from __future__ import annotations

from ppnsim.c.syntax import SyntaxNode


def is_covered(target: SyntaxNode) -> bool:
    """Return whether a member of a union covers all its bits, so that a write of it keeps no old bits."""
    while target.kind in ("member", "cast"):
        owner = target.children[0].type.base()
        member = dict(owner.fields).get(target.text)
        if target.kind == "member" and (member is None or member.bits != owner.bits):
            return False
        target = target.children[0]
    return True
