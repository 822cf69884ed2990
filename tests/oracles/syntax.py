"""Executes the plain syntax tree of C and C++ naively: lists for arrays, dicts for structs, references for pointers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ppnsim.c.syntax import CType, Function, SyntaxNode, Variable


@dataclass
class Ref:
    """A place: an element of a list or a member of a dict."""

    of: Any
    at: Any

    def get(self) -> Any:
        return self.of[self.at]

    def set(self, value: Any) -> None:
        self.of[self.at] = value


class _Return(Exception):
    pass


def execute(function: Function, arguments: list[Any], functions: Mapping[str, Function]) -> Any:
    """Return what a function returns; arrays among the arguments are changed in place."""
    run = _Run(functions, {})
    for parameter, value in zip(function.parameters, arguments, strict=True):
        run.known[parameter] = Ref([value], 0)
    assert function.body is not None
    try:
        run.statement(function.body)
    except _Return as result:
        return result.args[0]
    return None


class _Run:
    def __init__(self, functions: Mapping[str, Function], known: dict[Variable, Ref]) -> None:
        self.functions, self.known = functions, known

    def statement(self, node: SyntaxNode) -> None:
        match node.kind:
            case "block":
                for each in node.children:
                    self.statement(each)
            case "declare":
                assert node.variable is not None
                given = node.children[0] if node.children and node.children[0].kind not in ("empty", "list") else None
                value = fresh(node.variable.type) if given is None else wrapped(self.value(given), node.variable.type)
                self.known[node.variable] = Ref([value], 0)
            case "if":
                taken = node.children[1:2] if self.value(node.children[0]) else node.children[2:3]
                for each in taken:
                    self.statement(each)
            case "for":
                start, test, step, body = node.children
                self.statement(start)
                while self.value(test):
                    self.statement(body)
                    self.statement(step)
            case "while":
                while self.value(node.children[0]):
                    self.statement(node.children[1])
            case "do":
                self.statement(node.children[0])
                while self.value(node.children[1]):
                    self.statement(node.children[0])
            case "return":
                raise _Return(self.value(node.children[0]) if node.children else None)
            case "empty":
                pass
            case _:
                self.value(node)

    def place(self, node: SyntaxNode) -> Ref:
        match node.kind:
            case "name":
                assert node.variable is not None
                cell = self.known[node.variable]
                reference = node.variable.type.kind == "pointer" and node.type.kind != "pointer"
                return cell.get() if reference else cell
            case "index":
                base, at = self.value(node.children[0]), self.value(node.children[1])
                return Ref(base.of, base.at + at) if isinstance(base, Ref) else Ref(base, at)
            case "member":
                inner = node.children[0]
                owner = self.value(inner) if inner.type.kind == "pointer" else self.place(inner)
                return Ref(owner.get(), node.text)
            case "unary" if node.text == "*":
                found = self.value(node.children[0])
                return found if isinstance(found, Ref) else Ref(found, 0)
            case "cast":
                return self.place(node.children[0])
        raise AssertionError(node.kind)

    def value(self, node: SyntaxNode) -> Any:
        match node.kind:
            case "integer":
                return node.value
            case "name" | "index" | "member":
                return self.place(node).get()
            case "cast":
                return wrapped(self.value(node.children[0]), node.type)
            case "choice":
                return self.value(node.children[1 if self.value(node.children[0]) else 2])
            case "assign":
                return self._assigned(node)
            case "unary":
                return self._unary(node)
            case "binary":
                return self._binary(node)
            case "call":
                function = self.functions[node.text]
                handed = [
                    self.place(a) if "&" in p.type.text and a.type.kind != "pointer" else self.value(a)
                    for p, a in zip(function.parameters, node.children, strict=True)
                ]
                return execute(function, handed, self.functions)
        raise AssertionError(node.kind)

    def _assigned(self, node: SyntaxNode) -> Any:
        target = self.place(node.children[0])
        value = self.value(node.children[1])
        if node.text != "=":
            value = operated(node.text[:-1], target.get(), value)
        target.set(wrapped(value, node.children[0].type))
        return target.get()

    def _unary(self, node: SyntaxNode) -> Any:
        inner = node.children[0]
        if node.text == "*":
            return self.place(node).get()
        if node.text == "&":
            return self.place(inner)
        if node.text in ("x++", "x--", "++", "--"):
            place = self.place(inner)
            old = place.get()
            place.set(wrapped(old + (1 if "+" in node.text else -1), inner.type))
            return old if node.text[0] == "x" else place.get()
        value = self.value(inner)
        by = {"-": -value, "+": value, "~": ~value, "!": int(not value)}
        return wrapped(by[node.text], node.type)

    def _binary(self, node: SyntaxNode) -> Any:
        left, right = node.children
        if node.text == "&&":
            return int(bool(self.value(left)) and bool(self.value(right)))
        if node.text == "||":
            return int(bool(self.value(left)) or bool(self.value(right)))
        return wrapped(operated(node.text, self.value(left), self.value(right)), node.type)


def operated(text: str, left: Any, right: Any) -> Any:
    """Return the result of an operator of C on whole numbers."""
    if text in ("/", "%"):
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return quotient if text == "/" else left - quotient * right
    if text in ("<<", ">>"):
        return left << right if text == "<<" else left >> right
    by = {
        "+": left + right, "-": left - right, "*": left * right, "&": left & right, "|": left | right,
        "^": left ^ right, "<": int(left < right), ">": int(left > right), "<=": int(left <= right),
        ">=": int(left >= right), "==": int(left == right), "!=": int(left != right), ",": right,
    }  # fmt: skip
    return by[text]


def wrapped(value: Any, of: CType) -> Any:
    """Return a whole number as a type of C keeps it; other values as they are."""
    if of.kind != "integer" or not isinstance(value, int):
        return dict(value) if isinstance(value, dict) else value
    low, high = of.limits
    return (value - low) % (high - low + 1) + low


def fresh(of: CType) -> Any:
    """Return the zeros of a type."""
    if of.kind == "array" and of.element is not None:
        assert isinstance(of.size, int)
        return [fresh(of.element) for _ in range(of.size)]
    return {name: fresh(inner) for name, inner in of.fields} if of.kind == "struct" else 0
