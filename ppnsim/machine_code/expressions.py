"""Expressions of kernels."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from ppnsim.machine_code.body import Body, is_constant
from ppnsim.machine_code.marks import unsigned
from ppnsim.machine_code.operators import combined, compared, extreme_of
from ppnsim.machine_code.types import (
    PLACE,
    TRUTH,
    WHOLE,
    ArrayType,
    Held,
    KernelError,
    TupleType,
    Type,
    number,
    registers_of,
    tuple_of,
)

Caller = Callable[[Any, list[Held]], tuple[str, Type]]
"""Returns the name of a kernel for arguments of these types, and the type of what it returns."""

_BUILT_IN = {each.__name__: each for each in (len, max, min, int, bool)}


class KernelExpressions:
    """Writes what evaluates an expression; subclasses add statements.

    ``known`` are the names around the function: constants and functions. ``call`` compiles other kernels.
    """

    def __init__(self, known: Mapping[str, Any], call: Caller) -> None:
        self.known, self.call = known, call
        self.body = Body()
        self.variables: dict[str, Held] = {}
        self.local: set[str] = set()  # names that the function sets anywhere
        self.sure: set[str] = set()  # those of them that have a value on every way to here

    def value(self, node: ast.expr) -> Held:
        """Write an expression and return its value."""
        method = getattr(self, f"_on_{type(node).__name__.lower()}", None)
        if method is None:
            raise KernelError(f"'{ast.unparse(node)}' is of no form that kernels have")
        found: Held = method(node)
        return found

    def branch(self, node: ast.expr, yes: str, no: str, *, strict: bool = False) -> None:
        """Write the jump to one label or the other, as a condition says; what need not be looked at is not.

        ``strict``: numbers do not stand for truth values.
        """
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            self.branch(node.operand, no, yes)
        elif isinstance(node, ast.BoolOp):
            *before, last = node.values
            for each in before:
                following = self.body.name()
                if isinstance(node.op, ast.And):
                    self.branch(each, following, no, strict=strict)
                else:
                    self.branch(each, yes, following, strict=strict)
                self.body.place(following)
            self.branch(last, yes, no, strict=strict)
        else:
            value = self.value(node)
            if strict and value.type != TRUTH:
                raise KernelError(f"'{ast.unparse(node)}' is no truth value")
            self.body.fork(value, yes, no)

    def chosen(self, test: ast.expr, yes: Callable[[], Held], no: Callable[[], Held], *, strict: bool = False) -> Held:
        """Return one of two values, of which only the one that is wanted is evaluated."""
        labels = [self.body.name() for _ in range(3)]
        self.branch(test, labels[0], labels[1], strict=strict)
        self.body.place(labels[0])
        first = yes()
        room = self.body.stack(first.type)
        self.body.keep(room, first)
        self.body.jump(labels[2])
        self.body.place(labels[1])
        self.body.keep(room, no())
        self.body.place(labels[2])
        return self.body.kept(room)

    def _on_constant(self, node: ast.Constant) -> Held:
        if not isinstance(node.value, int):
            raise KernelError(f"{node.value!r} is no whole number")
        return number(node.value)

    def _on_name(self, node: ast.Name) -> Held:
        if node.id in self.sure:
            return self.body.kept(self.variables[node.id])
        if node.id not in self.local and isinstance(known := self.known.get(node.id), int):
            return number(known)
        raise KernelError(f"'{node.id}' has no value before it is used")

    def _on_tuple(self, node: ast.Tuple) -> Held:
        return tuple_of([self.value(each) for each in node.elts])

    def _on_ifexp(self, node: ast.IfExp) -> Held:
        return self.chosen(node.test, lambda: self.value(node.body), lambda: self.value(node.orelse))

    def _on_boolop(self, node: ast.expr) -> Held:
        return self.chosen(node, lambda: number(True), lambda: number(False), strict=True)

    def _on_unaryop(self, node: ast.UnaryOp) -> Held:
        if isinstance(node.op, ast.Not):
            return self._on_boolop(node)
        value = self.body.whole(self.value(node.operand))
        if isinstance(node.op, ast.USub):
            if is_constant(value):
                return number(-int(value.register))
            return Held(WHOLE, (self.body.put(f"sub i64 0, {value.register}"),))
        if isinstance(node.op, ast.Invert):
            return Held(WHOLE, (self.body.put(f"xor i64 {value.register}, -1"),))
        return value

    def _on_binop(self, node: ast.BinOp) -> Held:
        return combined(self.body, self.value(node.left), node.op, self.value(node.right))

    def _on_compare(self, node: ast.Compare) -> Held:
        if len(node.ops) > 1 and not all(isinstance(each, ast.Name | ast.Constant) for each in node.comparators):
            raise KernelError(f"'{ast.unparse(node)}' has more than names in it: write it with `and`")
        values = [self.value(each) for each in (node.left, *node.comparators)]
        found = None
        for left, sign, right in zip(values, node.ops, values[1:], strict=False):
            this = compared(self.body, left, sign, right)
            found = this if found is None else self.body.put(f"and i1 {found}, {this}")
        assert found is not None
        return Held(TRUTH, (found,))

    def _on_attribute(self, node: ast.Attribute) -> Held:
        of = self.value(node.value)
        if isinstance(of.type, TupleType) and node.attr in of.type.names:
            return of.parts()[of.type.names.index(node.attr)]
        if isinstance(of.type, ArrayType) and node.attr == "shape":
            return tuple_of([Held(WHOLE, (extent,)) for extent in of.registers[1:]])
        raise KernelError(f"'{ast.unparse(node)}' is not known")

    def _on_subscript(self, node: ast.Subscript) -> Held:
        of = self.value(node.value)
        if isinstance(of.type, TupleType):
            which = self.value(node.slice)
            if not is_constant(which):
                raise KernelError(f"'{ast.unparse(node)}': a part of a tuple is chosen by a constant")
            return of.parts()[int(which.register)]
        place, rest = self.element(of, node.slice)
        return self.body.row(of, place) if rest else self.body.read(of, place)

    def element(self, array: Held, subscript: ast.expr) -> tuple[str, int]:
        """Return how far from its beginning what a subscript means lies in an array, and its dimensions."""
        subscripts = subscript.elts if isinstance(subscript, ast.Tuple) else [subscript]
        if not isinstance(array.type, ArrayType) or not 0 <= (rest := array.type.dimensions - len(subscripts)) < 2:
            raise KernelError(f"'{ast.unparse(subscript)}' is no subscript of {array.type}")
        place = ""
        for extent, each in zip(array.registers[1:], subscripts, strict=False):
            index = self._index(self.value(each), extent)
            if place:
                before = self.body.put(f"mul i64 {place}, {extent}")
                index = self.body.put(f"add i64 {before}, {index}")
            place = index
        if rest:
            place = self.body.put(f"mul i64 {place}, {array.registers[-1]}")
        return place, rest

    def _index(self, index: Held, extent: str) -> str:
        """Return a subscript; a negative one counts from the end."""
        register = self.body.whole(index).register
        if index.type == PLACE or is_constant(index):
            return register
        behind = self.body.put(f"add i64 {register}, {extent}")
        negative = self.body.put(f"icmp slt i64 {register}, 0")
        return self.body.put(f"select i1 {negative}, i64 {behind}, i64 {register}")

    def _on_call(self, node: ast.Call) -> Held:
        called = self._called(node.func)
        if node.keywords:
            raise KernelError(f"'{ast.unparse(node)}' names its arguments, which kernels do not")
        arguments = [self.value(each) for each in node.args]
        extreme, few = called in (max, min), called in (len, unsigned, int, bool)
        if (few and len(arguments) != 1) or (extreme and len(arguments) < 2):
            raise KernelError(f"'{ast.unparse(node)}' has a number of arguments that kernels do not give it")
        if called is len:
            if not isinstance(arguments[0].type, ArrayType):
                raise KernelError(f"'{ast.unparse(node.args[0])}' is no array")
            return Held(WHOLE, (arguments[0].registers[1],))
        if extreme:
            return extreme_of(self.body, called.__name__, arguments)
        if called is unsigned:
            return Held(PLACE, (self.body.whole(arguments[0]).register,))
        if called is int:
            return self.body.whole(arguments[0])
        if called is bool:
            return Held(TRUTH, (self.body.truth(arguments[0]),))
        if (
            called is None
            or isinstance(called, type)
            or not (isinstance(called, FunctionType) or hasattr(called, "tree"))
        ):
            raise KernelError(f"'{ast.unparse(node.func)}' is nothing that kernels call")
        return self._kernel(called, arguments)

    def _called(self, node: ast.expr) -> Any:
        if not isinstance(node, ast.Name) or node.id in self.local:
            return None
        return self.known.get(node.id, _BUILT_IN.get(node.id))

    def _kernel(self, called: Any, arguments: list[Held]) -> Held:
        name, returns = self.call(called, arguments)
        kinds = [kind for each in arguments for kind in registers_of(each.type)]
        registers = [register for each in arguments for register in each.registers]
        given = ", ".join(f"{kind} {register}" for kind, register in zip(kinds, registers, strict=True))
        call = f"call {returned_type(returns)} @{name}({given})"
        count = len(registers_of(returns))
        if not count:
            self.body.do(call)
            return Held(returns, ())
        result = self.body.put(call)
        if count == 1:
            return Held(returns, (result,))
        whole = returned_type(returns)
        return Held(returns, tuple(self.body.put(f"extractvalue {whole} {result}, {k}") for k in range(count)))


def returned_type(kind: Type) -> str:
    """Return the type in LLVM of what a function returns; nothing is a tuple of nothing."""
    parts = registers_of(kind)
    return ("void", *parts)[len(parts)] if len(parts) < 2 else f"{{ {', '.join(parts)} }}"
