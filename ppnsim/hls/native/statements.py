"""The statements of an executed dataflow region: calls of tasks; other statements are refused (R11.6)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ppnsim.c.kinds import LOOPS, TASK
from ppnsim.c.pragmas.text import PragmaLine
from ppnsim.c.syntax import Function, SyntaxNode, TranslationUnit, Variable, refuse
from ppnsim.hls.native.directives import inside
from ppnsim.hls.native.places import access_of, changed_here

_PORT = re.compile(r"(?:const )?(hls::(?:ap_none|ap_vld|ap_ack|ap_hs|burst_maxi))<")


def is_endless(call: SyntaxNode) -> bool:
    """Return whether a call is an ``hls::task``, which runs again as long as tokens come."""
    return call.spelled == TASK


def is_region(function: Function, pragmas: Sequence[PragmaLine]) -> bool:
    """Return whether a function is a dataflow region: a directive says so, or it has an ``hls::task``."""
    if function.body is None:
        return False
    asked = any(each.makes_region and inside(each, function.body) for each in pragmas)
    return asked or any(each.kind == "call" and is_endless(each) for each in function.body.walk())


def task_calls(body: SyntaxNode) -> list[SyntaxNode]:
    """Return the calls of tasks in a region; refuse statements that a region cannot have here."""
    found = []
    for node in body.children:
        if node.kind == "call":
            found.append(node)
        elif node.kind == "for":
            found += task_calls(node.children[-1]) if node.children[-1].kind == "block" else [node.children[-1]]
        elif node.kind == "block":
            found += task_calls(node)
        elif node.kind in LOOPS or node.kind == "if":
            refuse(node.position, "a dataflow region that is executed calls its tasks in straight lines or for loops")
    return [call for call in found if call.kind == "call"]


def check_region(unit: TranslationUnit, region: Function, pragmas: Sequence[PragmaLine]) -> None:
    """Refuse statements of a region beside its tasks if they would run at another time than in hardware.

    Raises
    ------
    InputError
        For a loop that is a task itself, a region that a loop runs again, a task inside an expression, or a value that
        a task writes and the region itself reads.
    """
    assert region.body is not None
    for loop in (each for each in region.body.walk() if each.kind in LOOPS):
        _check_loop(loop, pragmas)
    _check_values(unit, region.body, set())


def check_ports(functions: Iterable[Function]) -> None:
    """Refuse functions with a port that has its own protocol."""
    for function in functions:
        for parameter in function.parameters:
            found = _PORT.match(parameter.type.base().text)
            if found and parameter.name != "this":  # a method of the port itself
                words = f"'{parameter.name}' is a port of {found[1]}, whose protocol is not followed"
                refuse(parameter.position, f"{words} where a design is executed")


def _check_loop(loop: SyntaxNode, pragmas: Sequence[PragmaLine]) -> None:
    if any(each.makes_region and inside(each, loop) for each in pragmas):
        words = "a dataflow region that a loop runs again is not followed where it is executed"
        refuse(loop.position, f"{words}; leave --testbench out, or put the loop into the tasks")
    calls = [each for each in loop.walk() if each.kind == "call"]
    if not calls:
        words = "a loop in a dataflow region is a task of its own, which is not followed where it is executed"
        refuse(loop.position, f"{words}; put it into a function")
    unrolled = any(each.name == "unroll" and inside(each, loop) for each in pragmas)
    if not unrolled and not all(map(is_endless, calls)):
        words = "the calls in this loop are one task, which makes one after the other; that is not followed"
        refuse(loop.position, f"{words} where it is executed; #pragma HLS unroll makes each call a task")


def _check_values(unit: TranslationUnit, body: SyntaxNode, written: set[Variable]) -> None:
    """Refuse statements between the calls that run tasks, or that read a variable that a task has ``written``."""
    for node in body.children:
        if node.kind == "call":
            written |= _handed(unit, node)
        elif node.kind in ("block", "for"):
            _check_values(unit, node, written)
        else:
            _check_value(unit, node, written)


def _check_value(unit: TranslationUnit, statement: SyntaxNode, written: set[Variable]) -> None:
    for node in statement.walk():
        if (access := access_of(node)) is not None:
            words = f"the region itself does '{access}', which is not followed where it is executed"
            refuse(node.position, f"{words}; put it into a task")
        function = unit.functions.get(node.text) if node.kind == "call" else None
        if function is not None and function.body is not None and not function.system and _moves(unit, node):
            words = f"'{node.text}' is called inside an expression of a dataflow region, so it is no task"
            refuse(node.position, f"{words} where it is executed; hand its result over by an argument")
        if node.kind == "name" and node.variable in written:
            words = (
                f"the region itself reads '{node.variable.name}', which a task before writes" if node.variable else ""
            )
            refuse(node.position, f"{words}; that is not followed where it is executed: read it in a task")


def _moves(unit: TranslationUnit, call: SyntaxNode) -> bool:
    """Return whether a call passes a stream or memory; other functions only compute."""
    parameters = unit.functions[call.text].parameters
    return any(each.type.kind in ("pointer", "array", "stream") for each in parameters)


def _handed(unit: TranslationUnit, call: SyntaxNode) -> set[Variable]:
    """Return the variables that a task may write."""
    function = unit.functions.get(call.text)
    if function is None:
        return set()
    pairs = zip(call.children, function.parameters, strict=False)
    given = [argument for argument, parameter in pairs if writes(unit, function, parameter)]
    names = [node for each in given for node in each.walk() if node.kind == "name"]
    return {node.variable for node in names if node.variable is not None}


def writes(unit: TranslationUnit, function: Function, parameter: Variable) -> bool:
    """Return whether a function may write the object behind a parameter, or passes it to a function that may."""
    if parameter.type.kind not in ("pointer", "array") or parameter.type.points_to_const:
        return False
    if function.body is None:
        return True
    for node in function.body.walk():
        if node.kind == "call" and node.text in unit.functions and unit.functions[node.text] is not function:
            called = unit.functions[node.text]
            pairs = zip(node.children, called.parameters, strict=False)
            if any(_mentions(argument, parameter) and writes(unit, called, its) for argument, its in pairs):
                return True
        by_name = node.kind == "declare" and node.variable is not None and node.variable.type.kind == "pointer"
        if any(_root(each) is parameter for each in (node.children if by_name else changed_here(node))):
            return True
    return False


def _mentions(node: SyntaxNode, variable: Variable) -> bool:
    return any(each.variable is variable for each in node.walk())


def _root(node: SyntaxNode) -> Variable | None:
    """Return the variable that contains an expression's place, or from which a pointer is made."""
    while node.variable is None and node.children:
        node = node.children[0]
    return node.variable
