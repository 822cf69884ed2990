"""Statements of kernels that are done one after the other."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ppnsim.machine_code.expressions import KernelExpressions
from ppnsim.machine_code.operators import combined
from ppnsim.machine_code.types import (
    Held,
    KernelError,
    TupleType,
)


class KernelStatements(KernelExpressions):
    """Writes statements; subclasses add those that jump."""

    def _all(self, statements: Sequence[ast.stmt]) -> None:
        for each in statements:
            if not self.body.is_open:
                return  # behind a jump
            self._statement(each)

    def _statement(self, node: ast.stmt) -> None:
        method = getattr(self, f"_on_{type(node).__name__.lower()}", None)
        if method is None:
            raise KernelError(f"'{ast.unparse(node)}' is of no form that kernels have")
        method(node)

    def _on_expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring
            self.value(node.value)

    def _on_pass(self, _: ast.Pass) -> None:
        """Nothing."""

    def _on_assign(self, node: ast.Assign) -> None:
        value = self.value(node.value)
        for target in node.targets:
            self._set(target, value)

    def _on_annassign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._set(node.target, self.value(node.value))

    def _on_augassign(self, node: ast.AugAssign) -> None:
        target = node.target
        if isinstance(target, ast.Name):
            self._set(target, combined(self.body, self.value(target), node.op, self.value(node.value)))
            return
        if not isinstance(target, ast.Subscript):
            raise KernelError(f"'{ast.unparse(node)}' sets what kernels do not")
        array = self.value(target.value)
        place, rest = self.element(array, target.slice)
        if rest:
            raise KernelError(f"'{ast.unparse(target)}' is no element")
        before = self.body.read(array, place)
        self.body.write(array, place, combined(self.body, before, node.op, self.value(node.value)))

    def _set(self, target: ast.expr, value: Held) -> None:
        if isinstance(target, ast.Name):
            if target.id not in self.variables:
                self.variables[target.id] = self.body.stack(value.type)
            self.body.keep(self.variables[target.id], value)
            self.sure.add(target.id)
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
