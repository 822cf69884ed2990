"""Operators, constants and wires of a graph; equal computations are one node (R2.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ppnsim.hls.graph.graph import Graph
from ppnsim.hls.library.library import Library
from ppnsim.hls.library.types import SINGLE, Format
from ppnsim.loops.program import Access, Array


@dataclass(slots=True)
class Operators:
    """A graph while operators are added to it; ``same`` are its nodes by the value that they compute."""

    library: Library
    arrays: Mapping[str, Array]
    graph: Graph = field(default_factory=Graph)
    same: dict[tuple[object, ...], int] = field(default_factory=dict)
    _formats: dict[str, Format] = field(default_factory=dict)

    def op(
        self, name: str, format_: Format, operands: tuple[int, ...], where: str = "", wide: Format | None = None,
        *, kind: str = "", negative: int = -1,
    ) -> int:  # fmt: skip
        """Add an operator, or return the node that computes the same value; ``wide`` decides its delay.

        ``kind`` tells apart operators that cost the same; ``negative`` is the operand that is subtracted.
        """
        key = (name, format_, operands, kind, negative)
        if (node := self.same.get(key)) is None:
            found = self.library.operator(name, wide or format_, where)
            node = self.same[key] = self.graph.add(
                "op", name, format_, operands, states=found.states, delay=found.delay, entry=found.entry,
                unit=found.unit, wide=wide or format_, negative=negative, pressed=found.pressed,
            )  # fmt: skip
        return node

    def constant(self, text: str, format_: Format) -> int:
        """Return the node of a constant."""
        return self._once("input", text, format_, unit="constant")

    def input(self, name: str, format_: Format) -> int:
        """Return a value that is available from the start."""
        return self._once("input", name, format_)

    def wire(self, name: str, to: Format, *nodes: int, delay: float = 0.0) -> int:
        """Return values concatenated to one, or a value in another format; it takes ``delay`` ns."""
        return self._once("op", name, to, nodes, delay=delay)

    def _once(self, kind: str, name: str, format_: Format, operands: tuple[int, ...] = (), **more: object) -> int:
        key = (kind, name, format_, operands, *more.values())
        if (node := self.same.get(key)) is None:
            node = self.same[key] = self.graph.add(kind, name, format_, operands, **more)
        return node

    def converted(self, node: int, to: Format) -> int:
        """Return a value in another format; a conversion between fixed-point formats is wiring."""
        at = self.graph.nodes[node]
        if at.unit == "constant":
            return self.constant(at.name, to)
        if at.format is to:  # the usual case
            return node
        if at.format.real or to.real:
            return self._of_real(node, to)
        if at.format.family == to.family == "integer" and to.bits < at.format.bits:
            return self.wire("cut", to, node)
        return node

    def _of_real(self, node: int, to: Format) -> int:
        """Return a value in another format, of which one is floating point."""
        at = self.graph.nodes[node]
        if self.is_choice(node):
            # Constants are converted at compile time, also those of a choice (R1.1).
            return self.op("select", to, (at.operands[0], *(self.converted(each, to) for each in at.operands[1:])))
        if at.format.real == to.real and at.format.bits == to.bits:
            return node
        if at.format.real != to.real and "half" in (at.format.family, to.family):
            return self.converted(self.converted(node, SINGLE), to)  # R2.12
        if at.format.real and to.family == "integer" and self.library.uncut:
            return self._cut_off(node, to)
        unit = "cast" if at.format.real == to.real else "from_integer" if to.real else "to_integer"
        of = to if to.real else at.format
        cast = self.op(unit if self.library.knows(unit, of) else "cast", of, (node,))
        # The unit that converts to an integer has the size of its operand; its result is cut.
        return cast if to.real else self.wire("cut", to, cast)

    def _cut_off(self, node: int, to: Format) -> int:
        """Return a number of floating point as a whole number by logic: shifted by its exponent, signed (R2.20)."""
        exponent, mantissa = (12, 54) if self.graph.nodes[node].format.bits > 32 else (9, 25)
        delay, choice = self.library.delay_ns, self.library.delay_ns("select", 32)
        distance = self.wire("fix", Format("integer", exponent), node, delay=delay("add", exponent) + choice)
        whole = self.op("shift", Format("integer", to.bits), (node, distance), wide=Format("integer", mantissa))
        return self.wire("fix", to, whole, delay=delay("add", to.bits) + choice)

    def narrowed(self, node: int, to: Format) -> int:
        """Return the part of a fixed-point value that remains in the format of the location that holds it."""
        at = self.graph.nodes[node]
        if at.format is to or at.unit == "constant" or at.format == to or to.real or at.format.real:
            return node
        fits = at.format.family == to.family == "integer" and at.format.bits <= to.bits
        return node if fits else self.wire("cut", to, node)

    def format(self, access: Access) -> Format:
        """Return the number format of an array's elements."""
        if (found := self._formats.get(access.array)) is None:
            found = self._formats[access.array] = Format.held(self.arrays[access.array])
        return found

    def is_constant(self, node: int) -> bool:
        """Return whether a node is a constant."""
        return self.graph.nodes[node].unit == "constant"

    def is_choice(self, node: int) -> bool:
        """Return whether a node chooses one of two constants."""
        at = self.graph.nodes[node]
        return at.name == "select" and len(at.operands) == 3 and all(map(self.is_constant, at.operands[1:]))
