"""Converts the value that ``operator=`` assigns to a vendor number to the type of the number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ppnsim.c.clang.names import ARBITRARY
from ppnsim.c.syntax import SyntaxNode


def converted(cursor: Any, sides: Sequence[SyntaxNode]) -> Sequence[SyntaxNode]:
    """Return both sides of ``operator=``; the value is converted if a C++ constructor would convert it."""
    if len(sides) != 2:
        return sides
    spelled = [each.type.get_canonical().spelling.replace("volatile ", "") for each in cursor.get_arguments()]
    left, right = (each.removeprefix("const ") for each in spelled)
    if left == right or left.startswith("ap_range_ref") or not ARBITRARY.fullmatch(left):
        return sides
    to, value = sides
    of = replace(to.type, const=False)
    return to, SyntaxNode("cast", value.position, of, (value,), end=value.end, extent=value.extent)
