"""Statements of kernels, and a whole function."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from ppnsim.machine_code.expressions import Caller, Expressions, returned_type
from ppnsim.machine_code.types import (
    PLACE,
    WHOLE,
    ArrayType,
    KernelError,
    TupleType,
    Type,
    Value,
    number,
    registers_of,
)

_NOTHING = TupleType(())


class Function(Expressions):
    """Writes a function for arguments of some types: `text` has it in LLVM's language, ``returns`` what it returns."""

    def __init__(
        self, tree: ast.FunctionDef, name: str, arguments: Sequence[Type], known: Mapping[str, Any], call: Caller
    ) -> None:
        super().__init__(known, call)
        self._returned: Type | None = None
        self._loops: list[tuple[str, str]] = []  # labels behind `continue` and `break`
        parameters = [each.arg for each in tree.args.args]
        if len(parameters) != len(arguments):
            raise KernelError(f"{tree.name} takes {len(parameters)} arguments, not {len(arguments)}")
        given = []
        for parameter, kind in zip(parameters, arguments, strict=True):
            value = Value(kind, tuple(f"%{self.body.name()}" for _ in registers_of(kind)))
            given += [f"{each} {at}" for each, at in zip(registers_of(kind), value.registers, strict=True)]
            self.variables[parameter] = self.body.stack(kind)
            self.body.keep(self.variables[parameter], value)
        self._all(tree.body)
        if self.body.is_open:
            self.body.do("ret void" if self._returned in (None, _NOTHING) else "unreachable")
        self.returns = _NOTHING if self._returned is None else self._returned
        lines = [*self.body.slots, *self.body.lines]
        head = f"define internal {returned_type(self.returns)} @{name}({', '.join(given)}) nounwind {{"
        self.text = "\n".join([head, "begin:", *lines, "}"])

    def _all(self, statements: Sequence[ast.stmt]) -> None:
        for each in statements:
            if not self.body.is_open:
                return  # behind a jump
            self._statement(each)

    def _statement(self, node: ast.stmt) -> None:
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            raise KernelError(f"'{ast.unparse(node)}' is of no form that kernels have")
        method(node)

    def _expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring
            self.value(node.value)

    def _pass(self, _: ast.Pass) -> None:
        """Nothing."""

    def _assign(self, node: ast.Assign) -> None:
        value = self.value(node.value)
        for target in node.targets:
            self._set(target, value)

    def _annassign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._set(node.target, self.value(node.value))

    def _augassign(self, node: ast.AugAssign) -> None:
        target = node.target
        if isinstance(target, ast.Name):
            self._set(target, self.combined(self.value(target), node.op, self.value(node.value)))
            return
        if not isinstance(target, ast.Subscript):
            raise KernelError(f"'{ast.unparse(node)}' sets what kernels do not")
        array = self.value(target.value)
        place, rest = self.element(array, target.slice)
        if rest:
            raise KernelError(f"'{ast.unparse(target)}' is no element")
        before = self.body.read(array, place)
        self.body.write(array, place, self.combined(before, node.op, self.value(node.value)))

    def _set(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            if target.id not in self.variables:
                self.variables[target.id] = self.body.stack(value.type)
            self.body.keep(self.variables[target.id], value)
        elif isinstance(target, ast.Tuple):
            if not isinstance(value.type, TupleType) or len(value.type.parts) != len(target.elts):
                raise KernelError(f"'{ast.unparse(target)}' is not set by so many values")
            for each, part in zip(target.elts, value.parts(), strict=True):
                self._set(each, part)
        elif isinstance(target, ast.Subscript):
            array = self.value(target.value)
            place, rest = self.element(array, target.slice)
            if rest:
                raise KernelError(f"'{ast.unparse(target)}' is no element")
            self.body.write(array, place, value)
        else:
            raise KernelError(f"'{ast.unparse(target)}' is nothing that kernels set")

    def _return(self, node: ast.Return) -> None:
        value = self.value(node.value) if node.value is not None else Value(_NOTHING, ())
        if self._returned is None:
            self._returned = value.type
        value = self.body.as_type(value, self._returned)
        kinds = registers_of(self._returned)
        if not kinds:
            self.body.do("ret void")
        elif len(kinds) == 1:
            self.body.do(f"ret {kinds[0]} {value.register}")
        else:
            whole = "undef"
            for k, (kind, register) in enumerate(zip(kinds, value.registers, strict=True)):
                whole = self.body.put(f"insertvalue {returned_type(self._returned)} {whole}, {kind} {register}, {k}")
            self.body.do(f"ret {returned_type(self._returned)} {whole}")
        self.body.is_open = False

    def _if(self, node: ast.If) -> None:
        yes, no, behind = (self.body.name() for _ in range(3))
        self.branch(node.test, yes, no)
        self.body.place(yes)
        self._all(node.body)
        reached = self.body.is_open
        self.body.jump(behind)
        self.body.place(no)
        self._all(node.orelse)
        if reached or self.body.is_open:
            self.body.place(behind)

    def _break(self, _: ast.Break) -> None:
        self.body.jump(self._loops[-1][1])

    def _continue(self, _: ast.Continue) -> None:
        self.body.jump(self._loops[-1][0])

    def _while(self, node: ast.While) -> None:
        again, inside, ended, behind = (self.body.name() for _ in range(4))
        self.body.place(again)
        if isinstance(node.test, ast.Constant) and node.test.value:
            self.body.jump(inside)
        else:
            self.branch(node.test, inside, ended)
        self.body.place(inside)
        self._loop_body(node, again, behind)
        self.body.jump(again)
        self._ended(node, ended, behind)

    def _for(self, node: ast.For) -> None:
        """Write a loop over a range, which is counted apart from its variable."""
        start, stop, step = self._range(node.iter)
        kind = PLACE if stop.type == PLACE and self._is_place(start) else WHOLE
        room, end = self.body.stack(WHOLE), self.body.whole(stop).register
        self.body.keep(room, self.body.as_type(start, WHOLE))
        again, inside, following, ended, behind = (self.body.name() for _ in range(5))
        self.body.place(again)
        at = self.body.kept(room).register
        sign = ("u" if kind == PLACE else "s") + ("lt" if step > 0 else "gt")
        self.body.fork(Value("i1", (self.body.put(f"icmp {sign} i64 {at}, {end}"),)), inside, ended)
        self.body.place(inside)
        self._set(node.target, Value(kind, (at,)))
        self._loop_body(node, following, behind)
        self.body.place(following)
        before = self.body.kept(room).register
        self.body.keep(room, Value(WHOLE, (self.body.put(f"add nsw i64 {before}, {step}"),)))
        self.body.jump(again)
        self._ended(node, ended, behind)

    def _loop_body(self, node: ast.For | ast.While, following: str, behind: str) -> None:
        self._loops.append((following, behind))
        self._all(node.body)
        self._loops.pop()

    def _ended(self, node: ast.For | ast.While, ended: str, behind: str) -> None:
        """Write what comes after a loop that was not left by `break`."""
        self.body.place(ended)
        self._all(node.orelse)
        self.body.place(behind)

    def _range(self, node: ast.expr) -> tuple[Value, Value, int]:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id != "range":
            raise KernelError(f"'{ast.unparse(node)}': kernels only go through ranges")
        first, *others = [self.value(each) for each in node.args]
        start, stop = (first, others[0]) if others else (number(0), first)
        step = int(others[1].register) if len(others) > 1 else 1
        if not step:
            raise KernelError("a range needs steps")
        for each in (start, stop):
            if isinstance(each.type, ArrayType | TupleType):
                raise KernelError(f"'{ast.unparse(node)}' goes from number to number")
        return start, stop, step

    def _is_place(self, value: Value) -> bool:
        return value.type == PLACE or value.register.isdigit()
