"""A whole kernel: its parameters, and the statements that jump."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ppnsim.machine_code.expressions import Caller, returned_type
from ppnsim.machine_code.statements import KernelStatements
from ppnsim.machine_code.types import (
    PLACE,
    WHOLE,
    ArrayType,
    Held,
    KernelError,
    TupleType,
    Type,
    number,
    registers_of,
)

_NOTHING = TupleType(())


@dataclass
class _Loop:
    """Labels behind `continue` and `break`, and the names that are sure to have a value at each `break`, and before."""

    following: str
    behind: str
    left: list[set[str]]
    before: set[str]


class KernelFunction(KernelStatements):
    """Writes a function for arguments of some types: `text` has it in LLVM's language, ``returns`` what it returns."""

    def __init__(
        self, tree: ast.FunctionDef, name: str, arguments: Sequence[Type], known: Mapping[str, Any], call: Caller
    ) -> None:
        super().__init__(known, call)
        self._returned: Type | None = None
        self._loops: list[_Loop] = []
        parameters = [each.arg for each in tree.args.args]
        others = (tree.args.posonlyargs, tree.args.kwonlyargs, tree.args.defaults, tree.args.vararg, tree.args.kwarg)
        if any(others) or any(ast.unparse(each) != "kernel" for each in tree.decorator_list):
            raise KernelError("kernels have plain parameters, and no decorator but `kernel`")
        stored = (each for each in ast.walk(tree) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store))
        self.local = {*parameters, *(each.id for each in stored)}
        self.sure = {*parameters}
        if len(parameters) != len(arguments):
            raise KernelError(f"{tree.name} takes {len(parameters)} arguments, not {len(arguments)}")
        given = []
        for parameter, kind in zip(parameters, arguments, strict=True):
            value = Held(kind, tuple(f"%{self.body.name()}" for _ in registers_of(kind)))
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

    def _on_return(self, node: ast.Return) -> None:
        value = self.value(node.value) if node.value is not None else Held(_NOTHING, ())
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

    def _on_if(self, node: ast.If) -> None:
        yes, no, behind = (self.body.name() for _ in range(3))
        self.branch(node.test, yes, no)
        before = {*self.sure}
        self.body.place(yes)
        self._all(node.body)
        after = self.sure if self.body.is_open else None
        self.body.jump(behind)
        self.body.place(no)
        self.sure = before
        self._all(node.orelse)
        if after is not None:
            self.sure = self.sure & after if self.body.is_open else after
        if after is not None or self.body.is_open:
            self.body.place(behind)

    def _on_break(self, _: ast.Break) -> None:
        self._loops[-1].left.append({*self.sure})
        self.body.jump(self._loops[-1].behind)

    def _on_continue(self, _: ast.Continue) -> None:
        self.body.jump(self._loops[-1].following)

    def _on_while(self, node: ast.While) -> None:
        again, inside, ended, behind = (self.body.name() for _ in range(4))
        self.body.place(again)
        if isinstance(node.test, ast.Constant) and node.test.value:
            self.body.jump(inside)
        else:
            self.branch(node.test, inside, ended)
        self.body.place(inside)
        loop = self._loop_body(node, _Loop(again, behind, [], {*self.sure}))
        self.body.jump(again)
        self._ended(node, ended, loop)

    def _on_for(self, node: ast.For) -> None:
        """Write a loop over a range, which is counted apart from its variable."""
        start, stop, step = self._range(node.iter)
        kind = PLACE if stop.type == PLACE and self._is_place(start) else WHOLE
        room, end = self.body.stack(WHOLE), self.body.whole(stop).register
        self.body.keep(room, self.body.as_type(start, WHOLE))
        again, inside, following, ended, behind = (self.body.name() for _ in range(5))
        self.body.place(again)
        at = self.body.kept(room).register
        sign = ("u" if kind == PLACE else "s") + ("lt" if step > 0 else "gt")
        self.body.fork(Held("i1", (self.body.put(f"icmp {sign} i64 {at}, {end}"),)), inside, ended)
        self.body.place(inside)
        loop = _Loop(following, behind, [], {*self.sure})
        self._set(node.target, Held(kind, (at,)))
        self._loop_body(node, loop)
        self.body.place(following)
        before = self.body.kept(room).register
        self.body.keep(room, Held(WHOLE, (self.body.put(f"add i64 {before}, {step}"),)))
        self.body.jump(again)
        self._ended(node, ended, loop)

    def _loop_body(self, node: ast.For | ast.While, loop: _Loop) -> _Loop:
        self._loops.append(loop)
        self._all(node.body)
        return self._loops.pop()

    def _ended(self, node: ast.For | ast.While, ended: str, loop: _Loop) -> None:
        """Write what comes after a loop that was not left by `break`."""
        self.body.place(ended)
        self.sure = {*loop.before}
        self._all(node.orelse)
        endless = isinstance(node, ast.While) and isinstance(node.test, ast.Constant) and bool(node.test.value)
        ways = [*loop.left, *([self.sure] if self.body.is_open and not endless else [])]
        self.sure = set.intersection(*ways) if ways else self.sure
        self.body.place(loop.behind)
        self.body.is_open = bool(ways)
        if not ways:
            self.body.do("unreachable")

    def _range(self, node: ast.expr) -> tuple[Held, Held, int]:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id != "range":
            raise KernelError(f"'{ast.unparse(node)}': kernels only go through ranges")
        if not 1 <= len(node.args) <= 3 or node.keywords or "range" in self.local or "range" in self.known:
            raise KernelError(f"'{ast.unparse(node)}' is no range")
        first, *others = [self.value(each) for each in node.args]
        start, stop = (first, others[0]) if others else (number(0), first)
        step = others[1].register if len(others) > 1 else "1"
        if not step.removeprefix("-").isdigit() or step == "0":
            raise KernelError(f"'{ast.unparse(node)}': its step is no constant")
        for each in (start, stop):
            if isinstance(each.type, ArrayType | TupleType):
                raise KernelError(f"'{ast.unparse(node)}' goes from number to number")
        return start, stop, int(step)

    def _is_place(self, value: Held) -> bool:
        return value.type == PLACE or value.register.isdigit()
