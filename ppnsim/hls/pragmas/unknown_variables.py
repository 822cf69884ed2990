"""Pragmas that a tool ignores or refuses: with a variable that their function does not have, or an empty II."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ppnsim.c.pragmas.text import without_comments
from ppnsim.errors import did_you_mean
from ppnsim.hls.pragmas.pragma import Pragma
from ppnsim.loops.program import Array, Frame

TYPES = "2021.1"
"""The first release that knows ``type=`` of a partition (R6.1)."""
_TYPED = ("array_partition", "array_reshape")
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)


def absent(
    found: Pragma, frames: Sequence[Frame], sources: Mapping[str, str], arrays: Sequence[Array], release: str = ""
) -> str:
    """Return why a pragma has no effect: its variable is a name that occurs nowhere in its function; else "".

    A ``pipeline`` with an empty ``II`` also has no effect, nor has a partition with a ``type=`` that is unknown to the
    ``release``, nor any pragma with a sign where the name of a clause must stand (R6.1).

    A name that the function uses, or that an array outside of functions has, is not passed over, since it may have a
    meaning that is not seen here.
    """
    if found.name == "pipeline" and not found.clauses.get("ii", "1"):
        return "with an II that is no number: the tool passes over it"
    if sign := next((each for each in found.clauses if not each.isidentifier()), ""):
        return f"with '{sign}' where the name of a clause must stand, depth=4: Vitis HLS passes over the directive"
    if found.name in _TYPED and "type" in found.clauses and "" < release < TYPES:
        kind = found.clauses["type"]
        return (f"with 'type=', which releases before {TYPES} do not know (R6.1): Vitis HLS passes over the directive, "
                f"Vivado HLS refuses the source; '{kind}' alone is known to all")  # fmt: skip
    if member := found.unused_member():
        return f"for '{member}', a member that nothing uses"
    name = found.unknown()
    if not frames or not name.isidentifier() or name in _outside(arrays):
        return ""
    for frame in frames:
        text = _DIRECTIVE.sub(lambda part: "\n" * part[0].count("\n"), without_comments(sources[frame.position.file]))
        lines = text.split("\n")[frame.position.line - 1 : frame.end or None]
        if re.search(rf"\b{name}\b", "\n".join(lines)):
            return ""
    words = did_you_mean(name, [key for key, parts in found.names.items() if parts])
    tools = "Vivado HLS passes over it, Vitis HLS refuses the source"
    return f"for '{name}', which '{frames[0].path[-1]}' does not have{words}: {tools}"


def _outside(arrays: Sequence[Array]) -> set[str]:
    """Return the names of the arrays that do not belong to a single function of the kernel."""
    return {each.name.partition(".")[0] for each in arrays if each.outside or each.role == "parameter"}
