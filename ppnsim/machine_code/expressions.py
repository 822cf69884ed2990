"""Expressions of kernels."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any

from ppnsim.machine_code.body import Body, is_constant
from ppnsim.machine_code.marks import unsigned
from ppnsim.machine_code.types import (
    PLACE,
    TRUTH,
    WHOLE,
    ArrayType,
    KernelError,
    TupleType,
    Type,
    Value,
    number,
    registers_of,
    tuple_of,
)

Caller = Callable[[Any, list[Value]], tuple[str, Type]]
"""Returns the name of a kernel for arguments of these types, and the type of what it returns."""

_ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
}  # fmt: skip
_COMPARED: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("eq", "eq"), ast.NotEq: ("ne", "ne"), ast.Lt: ("slt", "ult"), ast.LtE: ("sle", "ule"),
    ast.Gt: ("sgt", "ugt"), ast.GtE: ("sge", "uge"),
}  # fmt: skip
_BUILT_IN = {each.__name__: each for each in (len, max, min, int, bool)}


class Expressions:
    """Writes what evaluates an expression; subclasses add statements.

    ``known`` are the names around the function: constants and functions. ``call`` compiles other kernels.
    """

    def __init__(self, known: Mapping[str, Any], call: Caller) -> None:
        self.known, self.call = known, call
        self.body = Body()
        self.variables: dict[str, Value] = {}
        self.local: set[str] = set()  # names that the function sets anywhere
        self.sure: set[str] = set()  # those of them that have a value on every way to here

    def value(self, node: ast.expr) -> Value:
        """Write an expression and return its value."""
        method = getattr(self, f"_on_{type(node).__name__.lower()}", None)
        if method is None:
            raise KernelError(f"'{ast.unparse(node)}' is of no form that kernels have")
        found: Value = method(node)
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

    def chosen(
        self, test: ast.expr, yes: Callable[[], Value], no: Callable[[], Value], *, strict: bool = False
    ) -> Value:
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

    def _on_constant(self, node: ast.Constant) -> Value:
        if not isinstance(node.value, int):
            raise KernelError(f"{node.value!r} is no whole number")
        return number(node.value)

    def _on_name(self, node: ast.Name) -> Value:
        if node.id in self.sure:
            return self.body.kept(self.variables[node.id])
        if node.id not in self.local and isinstance(known := self.known.get(node.id), int):
            return number(known)
        raise KernelError(f"'{node.id}' has no value before it is used")

    def _on_tuple(self, node: ast.Tuple) -> Value:
        return tuple_of([self.value(each) for each in node.elts])

    def _on_ifexp(self, node: ast.IfExp) -> Value:
        return self.chosen(node.test, lambda: self.value(node.body), lambda: self.value(node.orelse))

    def _on_boolop(self, node: ast.expr) -> Value:
        return self.chosen(node, lambda: number(True), lambda: number(False), strict=True)

    def _on_unaryop(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            return self._on_boolop(node)
        value = self.body.whole(self.value(node.operand))
        if isinstance(node.op, ast.USub):
            if is_constant(value):
                return number(-int(value.register))
            return Value(WHOLE, (self.body.put(f"sub i64 0, {value.register}"),))
        if isinstance(node.op, ast.Invert):
            return Value(WHOLE, (self.body.put(f"xor i64 {value.register}, -1"),))
        return value

    def _on_binop(self, node: ast.BinOp) -> Value:
        return self.combined(self.value(node.left), node.op, self.value(node.right))

    def combined(self, left: Value, sign: ast.operator, right: Value) -> Value:
        """Return the result of an operator."""
        name = _ARITHMETIC.get(type(sign))
        if left.type == right.type == TRUTH and isinstance(sign, ast.BitAnd | ast.BitOr | ast.BitXor):
            return Value(TRUTH, (self.body.put(f"{name} i1 {left.register}, {right.register}"),))
        kind, (a, b) = self._alike(left, right)
        if name is not None:
            return Value(kind, (self.body.put(f"{name} i64 {a}, {b}"),))
        if isinstance(sign, ast.FloorDiv | ast.Mod):
            quotient, rest = self._divided(kind, a, b)
            return Value(kind, (quotient if isinstance(sign, ast.FloorDiv) else rest,))
        raise KernelError(f"kernels have no operator {type(sign).__name__}")

    def _alike(self, left: Value, right: Value) -> tuple[str, tuple[str, str]]:
        """Return the type of two numbers together: places if both are, or one is and the other is a constant."""
        places = [each.type == PLACE for each in (left, right)]
        fitting = all(place or is_constant(each) for place, each in zip(places, (left, right), strict=True))
        kind = PLACE if any(places) and fitting else WHOLE
        return kind, (self.body.whole(left).register, self.body.whole(right).register)

    def _divided(self, kind: str, a: str, b: str) -> tuple[str, str]:
        """Return quotient and remainder as Python has them: rounded down; 0 where it would raise an error."""
        put = self.body.put
        zero = put(f"icmp eq i64 {b}, 0")
        by = put(f"select i1 {zero}, i64 1, i64 {b}")
        if kind == PLACE:
            found = put(f"udiv i64 {a}, {by}"), put(f"urem i64 {a}, {by}")
        else:
            quotient, rest = put(f"sdiv i64 {a}, {by}"), put(f"srem i64 {a}, {by}")
            signs = put(f"xor i64 {rest}, {by}")
            apart, some = put(f"icmp slt i64 {signs}, 0"), put(f"icmp ne i64 {rest}, 0")
            below = put(f"and i1 {apart}, {some}")
            less = put(f"sub i64 {quotient}, 1")
            more = put(f"add i64 {rest}, {by}")
            found = (
                put(f"select i1 {below}, i64 {less}, i64 {quotient}"),
                put(f"select i1 {below}, i64 {more}, i64 {rest}"),
            )
        return put(f"select i1 {zero}, i64 0, i64 {found[0]}"), put(f"select i1 {zero}, i64 0, i64 {found[1]}")

    def _on_compare(self, node: ast.Compare) -> Value:
        if len(node.ops) > 1 and not all(isinstance(each, ast.Name | ast.Constant) for each in node.comparators):
            raise KernelError(f"'{ast.unparse(node)}' has more than names in it: write it with `and`")
        values = [self.value(each) for each in (node.left, *node.comparators)]
        found = None
        for left, sign, right in zip(values, node.ops, values[1:], strict=False):
            if type(sign) not in _COMPARED:
                raise KernelError(f"'{ast.unparse(node)}' compares what kernels do not")
            kind, (a, b) = self._alike(left, right)
            this = self.body.put(f"icmp {_COMPARED[type(sign)][kind == PLACE]} i64 {a}, {b}")
            found = this if found is None else self.body.put(f"and i1 {found}, {this}")
        assert found is not None
        return Value(TRUTH, (found,))

    def _on_attribute(self, node: ast.Attribute) -> Value:
        of = self.value(node.value)
        if isinstance(of.type, TupleType) and node.attr in of.type.names:
            return of.parts()[of.type.names.index(node.attr)]
        if isinstance(of.type, ArrayType) and node.attr == "shape":
            return tuple_of([Value(WHOLE, (extent,)) for extent in of.registers[1:]])
        raise KernelError(f"'{ast.unparse(node)}' is not known")

    def _on_subscript(self, node: ast.Subscript) -> Value:
        of = self.value(node.value)
        if isinstance(of.type, TupleType):
            which = self.value(node.slice)
            if not is_constant(which):
                raise KernelError(f"'{ast.unparse(node)}': a part of a tuple is chosen by a constant")
            return of.parts()[int(which.register)]
        place, rest = self.element(of, node.slice)
        return self.body.row(of, place) if rest else self.body.read(of, place)

    def element(self, array: Value, subscript: ast.expr) -> tuple[str, int]:
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

    def _index(self, index: Value, extent: str) -> str:
        """Return a subscript; a negative one counts from the end."""
        register = self.body.whole(index).register
        if index.type == PLACE or is_constant(index):
            return register
        behind = self.body.put(f"add i64 {register}, {extent}")
        negative = self.body.put(f"icmp slt i64 {register}, 0")
        return self.body.put(f"select i1 {negative}, i64 {behind}, i64 {register}")

    def _on_call(self, node: ast.Call) -> Value:
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
            return Value(WHOLE, (arguments[0].registers[1],))
        if extreme:
            return self._extreme("max" if called is max else "min", arguments)
        if called is unsigned:
            return Value(PLACE, (self.body.whole(arguments[0]).register,))
        if called is int:
            return self.body.whole(arguments[0])
        if called is bool:
            return Value(TRUTH, (self.body.truth(arguments[0]),))
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

    def _extreme(self, which: str, arguments: list[Value]) -> Value:
        found = arguments[0]
        for each in arguments[1:]:
            kind, (a, b) = self._alike(found, each)
            sign = "u" if kind == PLACE else "s"
            found = Value(kind, (self.body.put(f"call i64 @llvm.{sign}{which}.i64(i64 {a}, i64 {b})"),))
        return found

    def _kernel(self, called: Any, arguments: list[Value]) -> Value:
        name, returns = self.call(called, arguments)
        kinds = [kind for each in arguments for kind in registers_of(each.type)]
        registers = [register for each in arguments for register in each.registers]
        given = ", ".join(f"{kind} {register}" for kind, register in zip(kinds, registers, strict=True))
        call = f"call {returned_type(returns)} @{name}({given})"
        count = len(registers_of(returns))
        if not count:
            self.body.do(call)
            return Value(returns, ())
        result = self.body.put(call)
        if count == 1:
            return Value(returns, (result,))
        whole = returned_type(returns)
        return Value(returns, tuple(self.body.put(f"extractvalue {whole} {result}, {k}") for k in range(count)))


def returned_type(kind: Type) -> str:
    """Return the type in LLVM of what a function returns; nothing is a tuple of nothing."""
    parts = registers_of(kind)
    return ("void", *parts)[len(parts)] if len(parts) < 2 else f"{{ {', '.join(parts)} }}"
