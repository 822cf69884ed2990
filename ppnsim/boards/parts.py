"""Parts as a vendor's scripts write them, such as ``xcu280-fsvh2892-2L-e``: the table that each of them takes."""

from __future__ import annotations

import re
from collections.abc import Collection

# The table whose fabric is nearest, by the beginning of a part's name or family; the first that fits is taken.
_NEAREST = (
    (r"xcu\d|xcvu|virtexuplus|xcku\d+p|kintexuplus|xczu|zynquplus|xck\d|xcau|spartanuplus|xcvc|xcvp|xcve|xcvm|versal",
     "xcvu9p"),
    (r"xcku|xqku|kintexu|virtexu", "xcvu9p"),
    (r"x[caq]7v|virtex7|x[caq]7k|kintex7|xq7", "xc7vx690t"),
    (r"x[caq]7[zas]|zynq|artix7|spartan7|xa7", "xc7z020"),
    (r"xc6v|virtex6", "xc6vlx240t"),
)  # fmt: skip
# A part with its speed grade, or only a family; anything shorter may be a mistyped name of a table.
_WRITTEN = re.compile(r"x[cqa][a-z0-9]+.*-\d.*|(?:virtex|kintex|zynq|artix|spartan|versal)[a-z0-9]*")


def table_of(part: str, known: Collection[str]) -> tuple[str, str]:
    """Return the table of a part and "" if it is the part's own; else the nearest one and what is assumed.

    The name is "" if nothing is known of such a part.

    Parameters
    ----------
    known : names of tables in lower case.

    Examples
    --------
    >>> table_of("xc7z020clg400-1", {"xc7z020", "xcvu9p"})
    ('xc7z020', '')
    >>> table_of("xck26-sfvc784-2LV-c", {"xc7z020", "xcvu9p"})
    ('xcvu9p', "no table of part 'xck26-sfvc784-2LV-c': operators and resources are those of xcvu9p")
    """
    name = part.lower()
    same = max((each for each in known if len(each) > 4 and name.startswith(each)), key=len, default="")
    if same and re.match(r"$|[-_]|[a-z]{2,4}\d{3,4}(?:$|[-_])", name[len(same) :]):
        return same, ""
    if not _WRITTEN.fullmatch(name):
        return "", ""
    near = next((table for pattern, table in _NEAREST if re.match(pattern, name) and table in known), "")
    return near, f"no table of part '{part}': operators and resources are those of {near}" if near else ""
