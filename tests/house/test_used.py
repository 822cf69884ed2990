"""What a function is given or works out, it uses: an option that nobody reads is one that does nothing, in silence."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

import pytest

from tests.house.test_house import FILES, PACKAGE, tree_of

_GIVEN_BY_OTHERS = {"cli/app.py: format_commands(ctx)", "placed/run/behind_ports.py: put(now)"}


@cache
def _unused(room: str) -> frozenset[str]:
    return frozenset(
        f"{file.relative_to(PACKAGE).as_posix()}: {name}"
        for file in FILES
        if file.relative_to(PACKAGE).parts[0] == room
        for node in ast.walk(tree_of(file))
        if isinstance(node, ast.FunctionDef) and not _is_for_others(node)
        for name in _of_function(node)
    )


def _is_for_others(function: ast.FunctionDef) -> bool:
    """Return whether a function only says what others are given: a protocol, an overload, one of Python's own names."""
    says = [each for each in function.body if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))]
    return function.name.startswith("__") or all(_is_constant(each) for each in says)


def _is_constant(node: ast.stmt) -> bool:
    return isinstance(node, ast.Return) and (node.value is None or isinstance(node.value, ast.Constant))


def _of_function(function: ast.FunctionDef) -> Iterator[str]:
    used, set_here = set[str](), set[str]()
    for node in (each for statement in function.body for each in ast.walk(statement)):
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            used.add(node.target.id)  # of a caller's set or list, which is changed in its place
        elif isinstance(node, ast.Name):
            (set_here if isinstance(node.ctx, ast.Store) else used).add(node.id)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            used.update(node.names)
    given = function.args
    names = [
        each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg) if each
    ]
    yield from (f"{function.name}({name})" for name in names if name not in {*used, "self", "cls"} and name[0] != "_")
    yield from (f"{function.name}: {name}" for name in set_here - used if name[0] != "_")


@pytest.mark.parametrize("room", sorted({file.relative_to(PACKAGE).parts[0] for file in FILES}))
def test_every_parameter_and_every_variable_is_read(room: str) -> None:
    assert _unused(room) - _GIVEN_BY_OTHERS == set()
