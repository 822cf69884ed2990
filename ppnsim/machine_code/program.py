"""A kernel with all that it calls, in LLVM's language, for arguments of some types."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import FunctionType
from typing import Any

from ppnsim.machine_code.expressions import returned_type
from ppnsim.machine_code.function import KernelFunction
from ppnsim.machine_code.marks import unsigned
from ppnsim.machine_code.types import Held, KernelError, TupleType, Type, registers_of

ENTRY = "entry"  # the function that Python calls
_DECLARED = "\n".join(f"declare i64 @llvm.{sign}{which}.i64(i64, i64)" for sign in "su" for which in ("max", "min"))


@dataclass(frozen=True, eq=False)
class KernelCode:
    """A function as a tree, and the names around it: numbers, functions, and other codes."""

    tree: ast.FunctionDef
    known: Mapping[str, Any]


@cache
def code_of(function: FunctionType) -> KernelCode:
    """Return the code of a function, from its source."""
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(tree, ast.FunctionDef)
    return KernelCode(tree, function.__globals__)


@cache
def codes_of(text: str) -> Mapping[str, KernelCode]:
    """Return the codes of the functions of a text by name; they know each other and `unsigned`."""
    known: dict[str, Any] = {"unsigned": unsigned}
    found = {each.name: KernelCode(each, known) for each in ast.parse(text).body if isinstance(each, ast.FunctionDef)}
    known.update(found)
    return found


def program_of(code: KernelCode, arguments: Sequence[Type]) -> tuple[str, Type]:
    """Return the text of a code with all that it calls, and the type of what it returns.

    Raises
    ------
    KernelError
        If it has a form that no kernel has.
    """
    return _Functions().of(code, arguments)


class _Functions:
    """Functions in LLVM's language, each once for each types of arguments."""

    def __init__(self) -> None:
        self._made: dict[tuple[KernelCode, tuple[Type, ...]], tuple[str, Type]] = {}
        self._texts: list[str] = []

    def of(self, code: KernelCode, arguments: Sequence[Type]) -> tuple[str, Type]:
        name, returns = self._function(code, tuple(arguments))
        return "\n\n".join([_DECLARED, *self._texts, _entry(name, arguments, returns)]), returns

    def _called(self, called: KernelCode | FunctionType, arguments: list[Held]) -> tuple[str, Type]:
        code = called if isinstance(called, KernelCode) else code_of(called)
        return self._function(code, tuple(each.type for each in arguments))

    def _function(self, code: KernelCode, arguments: tuple[Type, ...]) -> tuple[str, Type]:
        if (code, arguments) not in self._made:
            name = f"{code.tree.name}.{len(self._made)}"
            self._made[code, arguments] = name, TupleType(())  # until it is known: no kernel calls itself
            try:
                made = KernelFunction(code.tree, name, arguments, code.known, self._called)
            except KernelError as error:
                raise KernelError(f"{code.tree.name}: {error}") from error
            self._made[code, arguments] = name, made.returns
            self._texts.append(made.text)
        return self._made[code, arguments]


def _entry(name: str, arguments: Sequence[Type], returns: Type) -> str:
    """Return the function that Python calls: all registers come, and go, in a row of words of 64 bits."""
    lines, given = list[str](), list[str]()
    for k, kind in enumerate(each for argument in arguments for each in registers_of(argument)):
        lines += [f"  %a{k} = getelementptr i64, ptr %words, i64 {k}", f"  %w{k} = load i64, ptr %a{k}"]
        register = f"%w{k}"
        if kind != "i64":
            register = f"%g{k}"
            made = f"inttoptr i64 %w{k} to ptr" if kind == "ptr" else f"icmp ne i64 %w{k}, 0"
            lines.append(f"  {register} = {made}")
        given.append(f"{kind} {register}")
    kinds, whole = registers_of(returns), returned_type(returns)
    lines.append(f"  {'%r = ' if kinds else ''}call {whole} @{name}({', '.join(given)})")
    for k, kind in enumerate(kinds):
        register = "%r"
        if len(kinds) > 1:
            register = f"%p{k}"
            lines.append(f"  {register} = extractvalue {whole} %r, {k}")
        if kind == "i1":
            lines.append(f"  %z{k} = zext i1 {register} to i64")
            register = f"%z{k}"
        lines += [f"  %o{k} = getelementptr i64, ptr %words, i64 {k}", f"  store i64 {register}, ptr %o{k}"]
    return "\n".join([f"define void @{ENTRY}(ptr %words) {{", *lines, "  ret void", "}"])
