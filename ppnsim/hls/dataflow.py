"""From statements to a data-flow graph: values, loads and stores, each location forwarded where it is known (R2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from ppnsim.affine.expressions import Condition
from ppnsim.affine.program import Access, Array, Operation, Statement
from ppnsim.errors import InputError
from ppnsim.hls.counting import condition_iterators
from ppnsim.hls.graph import Graph
from ppnsim.hls.library import Library
from ppnsim.hls.locations import Step, surely_apart
from ppnsim.hls.types import Format, joined, result

BIT = Format("integer", 1, 0, False)
_ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "/": "div", "%": "div"}
_COMPARED = frozenset(("<", "<=", ">", ">=", "==", "!="))
_LOGIC = frozenset(("&", "|", "^", "&&", "||"))
_ROOTS = frozenset(("sqrt", "sqrtf", "sqrtl"))
_ELEMENTARY = frozenset(
    "exp expf exp2 log logf log2 log10 sin sinf cos cosf tan tanf atan atan2 pow powf sinh cosh tanh".split()  # noqa: SIM905
)
_SIGNS = frozenset(("fabs", "fabsf", "abs", "floor", "floorf", "ceil", "ceilf", "round", "labs"))
_CHOICES = frozenset(("fmax", "fmin", "fmaxf", "fminf", "max", "min"))


@dataclass(slots=True)
class Memory:
    """What is in flight to one array: stores not yet overwritten, and loads, with their nodes."""

    stores: list[tuple[Access, int]] = field(default_factory=list)
    loads: list[tuple[Access, int]] = field(default_factory=list)


@dataclass(slots=True)
class Flow:
    """The graph of straight-line code while it is built.

    ``known``: the node with the value of a location. ``address``: (state, ns) from which on the address of an access is
    there. ``argument``: what a loop body takes from around it becomes an input through this. ``muxed``: locations whose
    loads may take the last value stored instead, ``muxes``: where they do, by load.
    """

    library: Library
    arrays: Mapping[str, Array]
    graph: Graph = field(default_factory=Graph)
    known: dict[Access, int] = field(default_factory=dict)
    memory: dict[str, Memory] = field(default_factory=dict)
    address: Callable[[Access], tuple[int, float]] = lambda access: (0, 0.0)
    argument: Callable[[Operation, Statement], int | None] = lambda tree, statement: None
    muxed: set[Access] = field(default_factory=set)
    muxes: dict[int, int] = field(default_factory=dict)
    _same: dict[tuple[object, ...], int] = field(default_factory=dict)

    def step(self, step: Step) -> None:
        """Add a statement."""
        statement = step.statement
        if statement.value is None or not statement.writes:
            if statement.value is not None:
                self.value(statement.value, statement)
            return
        target = statement.writes[0]
        to = self.format(target)
        node = self.converted(self.value(statement.value, statement, to.whole), to)
        for condition in step.conditions:
            test = self.condition(condition)
            if (old := self.known.get(target)) is None and not target.subscripts:
                old = self.load(target)
            if old is not None:
                node = self.op("select", to, (test, node, old))
        self.store(target, node)
        for access in statement.writes[1:]:
            self.store(access, node)

    def format(self, access: Access) -> Format:
        """Return the number format of an array's elements."""
        return Format.of(self.arrays[access.array].type)

    def op(self, name: str, format_: Format, operands: tuple[int, ...], where: str = "", wide: Format | None = None) -> int:
        """Add an operator, or return the one that computes the same; ``wide`` decides its delay."""
        key = (name, format_, operands)
        if key not in self._same:
            found = self.library.operator(name, wide or format_, where)
            self._same[key] = self.graph.add(
                "op", name, format_, operands, states=found.states, delay=found.delay, entry=found.entry, unit=found.unit
            )
        return self._same[key]

    def constant(self, text: str, format_: Format) -> int:
        """Return the node of a number."""
        key = ("constant", text, format_)
        if key not in self._same:
            self._same[key] = self.graph.add("input", text, format_)
            self.graph.nodes[-1].unit = "constant"
        return self._same[key]

    def condition(self, condition: Condition) -> int:
        """Return the comparison of iterators that a condition is."""
        counter = self.input("".join(sorted(condition_iterators(condition))), Format("integer", 32))
        return self.op("cmp", BIT, (counter, self.constant(str(condition), BIT)), wide=Format("integer", 32))

    def input(self, name: str, format_: Format) -> int:
        """Return a value that is there from the start."""
        key = ("input", name, format_)
        if key not in self._same:
            self._same[key] = self.graph.add("input", name, format_)
        return self._same[key]

    def load(self, access: Access) -> int:
        """Return the value of a location: what is known of it, or a load of its array."""
        if access in self.known:
            return self.known[access]
        format_ = self.format(access)
        if not access.subscripts and not access.random:
            return self.known.setdefault(access, self.input(str(access), format_))
        node = self.graph.add(
            "load", str(access), format_, delay=self.library.device.ram_ns, port=access.array, access=access,
            ready=self.address(access), states=1,
        )  # fmt: skip
        memory = self.memory.setdefault(access.array, Memory())
        for other, stored in memory.stores:
            if not surely_apart(other, access):
                self.graph.order(stored, node, 1)
        memory.loads.append((access, node))
        if access in self.muxed:
            self.muxes[node] = mux = self.op("select", format_, (node,))
            node = mux
        if not access.random:
            self.known[access] = node
        return node

    def store(self, access: Access, value: int) -> None:
        """Give a location a value; a store before it that nobody could have loaded is dropped."""
        for other in [o for o in self.known if o.array == access.array and o != access]:
            if not surely_apart(other, access):
                del self.known[other]
        if not access.random:
            self.known[access] = value
        if not access.subscripts and not access.random:
            return
        memory = self.memory.setdefault(access.array, Memory())
        self.drop(access)
        node = self.graph.add(
            "store", str(access), self.format(access), (value,), delay=self.library.device.ram_ns, port=access.array,
            access=access, ready=self.address(access),
        )  # fmt: skip
        for other, loaded in memory.loads:
            if not surely_apart(other, access):
                self.graph.order(loaded, node, 0)
        for other, stored in memory.stores:
            if not surely_apart(other, access):
                self.graph.order(stored, node, 1)
        memory.stores.append((access, node))

    def drop(self, access: Access) -> None:
        """Remove the last store to a location if no load after it may need it."""
        memory = self.memory.get(access.array, Memory())
        for place, (other, node) in enumerate(memory.stores):
            if other == access and not any(
                later > node and not surely_apart(where, access) for where, later in memory.loads
            ):
                self.graph.nodes[node].kind = "dead"
                del memory.stores[place]
                return

    def converted(self, node: int, to: Format) -> int:
        """Return a value in another format; between fixed-point formats that is wiring."""
        at = self.graph.nodes[node]
        if at.unit == "constant":
            return self.constant(at.name, to)
        if at.format.real != to.real or (to.real and at.format.bits != to.bits):
            return self.op("cast", to if to.real else at.format, (node,))
        return node

    def value(self, tree: Operation, statement: Statement, whole: int | None = None) -> int:
        """Return the node of an expression of which ``whole`` bits before the point are wanted (None: all)."""
        if (given := self.argument(tree, statement)) is not None:
            return given
        where = str(tree.position)
        match tree.kind:
            case "constant":
                return self.constant(tree.text, Format.of(tree.type, where))
            case "iterator":
                return self.input(tree.text, Format("integer", 32))
            case "read":
                assert tree.read is not None
                for operand in tree.operands:
                    self.value(operand, statement)
                return self.load(statement.reads[tree.read])
            case "cast" | "+x":
                to = Format.of(tree.type, where)
                node = self.value(tree.operands[0], statement, to.whole if to.family == "fixed" else whole)
                return self.converted(node, to)
            case "-x":
                node = self.value(tree.operands[0], statement, whole)
                return self.op("add", self.graph.nodes[node].format, (node,), where)
            case "~x" | "!x":
                node = self.value(tree.operands[0], statement)
                return self.op("logic", BIT if tree.kind == "!x" else self.graph.nodes[node].format, (node,), where)
            case "?:":
                return self._choice(tree, statement, whole)
            case "call":
                return self._call(tree, statement)
            case "<<" | ">>":
                node, by = (self.value(operand, statement) for operand in tree.operands)
                if self.graph.nodes[by].unit == "constant":
                    return node
                return self.op("shift", self.graph.nodes[node].format, (node, by), where)
        if tree.kind in _ARITHMETIC or tree.kind in _COMPARED or tree.kind in _LOGIC:
            return self._binary(tree, statement, whole)
        raise InputError(f"'{tree.kind}' has no operator in hardware", where=where)

    def _binary(self, tree: Operation, statement: Statement, whole: int | None) -> int:
        where = str(tree.position)
        name = _ARITHMETIC.get(tree.kind, "")
        wanted = whole if name in ("add", "sub") else None
        left, right = (self.value(operand, statement, wanted) for operand in tree.operands)
        left, right = self._alike(left, right)
        formats = [self.graph.nodes[n].format for n in (left, right)]
        common = joined(*formats)
        if tree.kind in _COMPARED:
            return self.op("cmp", BIT, (left, right), where, wide=common)
        if tree.kind in _LOGIC:
            return self.op("logic", BIT if tree.kind in ("&&", "||") else common, (left, right), where)
        full = result(name, *formats)
        if name in ("add", "sub"):
            if whole is not None and not full.real and full.whole > whole:
                full = replace(full, bits=whole + full.fraction)
            return self.op("add", full, (left, right) if name == "sub" else _ordered(left, right), where)
        if full.real:
            return self.op(name, full, (left, right), where)
        return self._product(left, right, full, where) if name == "mul" else self._quotient(left, right, full, where)

    def _alike(self, left: int, right: int) -> tuple[int, int]:
        """Return operands of which a number of C has the other one's format, and integers of C are floating point."""
        a, b = self.graph.nodes[left], self.graph.nodes[right]
        if a.format.real != b.format.real:
            if a.unit == "constant" or (b.unit != "constant" and b.format.real):
                return self.converted(left, b.format), right
            return left, self.converted(right, a.format)
        if a.format.real and a.format.bits != b.format.bits:
            return self.converted(left, joined(a.format, b.format)), self.converted(right, joined(a.format, b.format))
        return left, right

    def _product(self, left: int, right: int, full: Format, where: str) -> int:
        bits = []
        for node in (left, right):
            number = self._number(node)
            if number is not None and _power_of_two(number):
                other = right if node == left else left
                return self.graph.nodes[other].index
            bits.append(self.graph.nodes[node].format.bits if number is None else _bits(number))
        return self.op("mul", full, _ordered(left, right), where, wide=replace(full, bits=max(bits)))

    def _quotient(self, left: int, right: int, full: Format, where: str) -> int:
        number = self._number(right)
        if number is None:
            return self.op("div", full, (left, right), where, wide=replace(full, bits=max(full.bits, 1)))
        if _power_of_two(number):
            return left
        # By a constant: times its reciprocal, then a correction of the sign (R2, fixed / constant).
        times = self.op("mul", full, (left, self.constant(f"1/{number}", full)), where, wide=replace(full, bits=64))
        for delay in (4.8, 2.4, self.library.device.mux_ns):
            key = ("fix", delay, times)
            times = self._same.setdefault(
                key, self.graph.add("op", "fix", full, (times,), delay=delay)
            )  # fmt: skip
        return times

    def _number(self, node: int) -> int | None:
        """Return a constant operand as a whole number of its last fraction bit, None for a value."""
        at = self.graph.nodes[node]
        if at.unit != "constant":
            return None
        try:
            scaled = Fraction(at.name.rstrip("fFlLuU")) * (1 << at.format.fraction)
        except ValueError:
            return None
        return int(scaled)

    def _choice(self, tree: Operation, statement: Statement, whole: int | None) -> int:
        test = self.value(tree.operands[0], statement)
        first, second = (self.value(operand, statement, whole) for operand in tree.operands[1:])
        first, second = self._alike(first, second)
        common = joined(self.graph.nodes[first].format, self.graph.nodes[second].format)
        return self.op("select", common, (test, first, second), str(tree.position))

    def _call(self, tree: Operation, statement: Statement) -> int:
        where, name = str(tree.position), tree.text.rsplit("::", 1)[-1]
        operands = tuple(self.value(operand, statement) for operand in tree.operands)
        formats = [self.graph.nodes[operand].format for operand in operands] or [Format("integer", 32)]
        wide = formats[0]
        kind = next(
            (k for k, names in (("sqrt", _ROOTS), ("elementary", _ELEMENTARY), ("select", _SIGNS)) if name in names), ""
        )
        if name in _CHOICES and len(operands) == 2:
            test = self.op("cmp", BIT, operands, where, wide=joined(*formats))
            return self.op("select", joined(*formats), (test, *operands), where)
        to = Format.of(tree.type, where)
        if kind:
            if to.real and not wide.real:
                operands, wide = tuple(self.converted(o, to) for o in operands), to
            return self.op(kind, to, operands, where, wide=to if to.real else wide)
        if statement.latency is None:
            known = "sqrt, exp, log, pow, sin, cos, tan, fabs, fmin, fmax"
            raise InputError(
                f"function '{name}' has no operator (known: {known}); '#pragma ppnsim latency(N)' before the statement "
                "makes it a unit of N states", where=where,
            )  # fmt: skip
        return self.graph.add("op", name, to, operands, states=statement.latency, entry=self.library.budget, unit=name)


def _ordered(left: int, right: int) -> tuple[int, int]:
    return (left, right) if left < right else (right, left)


def _bits(number: int) -> int:
    """Return the bits of a constant factor: zeros at its end are wiring."""
    number = abs(number)
    while number and number % 2 == 0:
        number //= 2
    return number.bit_length() + 1


def _power_of_two(number: int) -> bool:
    return number != 0 and abs(number) & (abs(number) - 1) == 0
