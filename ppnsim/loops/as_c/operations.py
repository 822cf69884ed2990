"""A statement's expression tree as C text: the same operations in the same order, casts only where C needs them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ppnsim.loops.as_c.affine import affine_text
from ppnsim.loops.as_c.types import common, constant_text, promoted
from ppnsim.loops.expressions import Ranges
from ppnsim.loops.program import Access, Array, Operation, Statement

# How strongly operators bind, weakest first; a choice is the weakest, a unary operator, a call or a name the strongest.
_GROUPS = ("||", "&&", "|", "^", "&", "== !=", "< <= > >=", "<< >>", "+ -", "* / %")
_LEVELS = {operator: level for level, group in enumerate(_GROUPS, start=2) for operator in group.split()}
_CHOICE, _UNARY = 1, 20
_BITS, _COMPARISONS = ({_LEVELS[one] for one in some} for some in (("|", "^", "&", "<<"), ("==", "<")))
_COMPOUND = ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Speller:
    """Writes statements; it knows the names of arrays and iterators in C, and the type and range of each iterator."""

    arrays: Mapping[str, Array]
    symbols: Mapping[str, str]
    iterators: Mapping[str, str]
    ranges: Ranges
    types: Mapping[str, str]
    cpp: bool = False

    def statement(self, statement: Statement) -> str:
        """Return a statement without its semicolon."""
        assert statement.value is not None
        if statement.member is None:
            return self.text(statement.value, statement)
        target, value = statement.writes[0], statement.value
        to = self.arrays[target.array].type
        if value.kind == "cast" and (statement.member or value.type == to):
            value = value.operands[0]  # assigning converts
        if self.symbols.get(target.array) == "return":
            return f"return {self.text(value, statement)}"
        left = _with_member(self.place(target), statement.member)
        if value.kind in _COMPOUND and _is(value.operands[0], target, statement):
            return f"{left} {value.kind}= {self.text(self._sides(value)[1], statement)}"
        return f"{left} = {self.text(value, statement)}"

    def place(self, access: Access) -> str:
        """Return an element, or a row of an array."""
        array, subscripts = self.arrays[access.array], access.subscripts
        if array.member is None:
            base = self.symbols[array.name]
        else:
            outer, path = array.member
            rank = len(self.arrays[outer].shape)
            base = _with_member(self.place(Access(outer, subscripts[:rank])), path)
            subscripts = subscripts[rank:]
        base = f"({base})" if subscripts and base.startswith("*") else base
        return base + "".join(f"[{affine_text(s, self.ranges, self.iterators)}]" for s in subscripts)

    def text(self, operation: Operation, statement: Statement) -> str:
        """Return an expression."""
        return self._written(operation, statement)[0]

    def _written(self, operation: Operation, statement: Statement) -> tuple[str, int]:
        """Return an expression, and how strongly its outermost operator binds."""
        operands = operation.operands
        match operation.kind:
            case "read" | "iterator" | "constant":
                return self._leaf(operation, statement)
            case "cast":
                return self._cast(operation, operands[0], statement)
            case "member":
                return _with_member(self.text(operands[0], statement), operation.text), _UNARY
            case "address" | "reference":
                return self._address(operation), _UNARY
            case "call":
                return f"{operation.text}({', '.join(self.text(each, statement) for each in operands)})", _UNARY
            case "list":
                head = operation.type if self.cpp else f"({operation.type})"
                return head + self._list(operation, statement), _UNARY
            case "?:":
                return self._choice(operation, statement), _CHOICE
        if len(operands) == 1:
            return self._unary(operation, statement), _UNARY
        return self._binary(operation, statement), _LEVELS[operation.kind]

    def _leaf(self, operation: Operation, statement: Statement) -> tuple[str, int]:
        if operation.kind == "read":
            assert operation.read is not None
            return self.place(statement.reads[operation.read]), _UNARY
        if operation.kind == "constant":
            return constant_text(operation.text, operation.type), _UNARY
        if operation.type != self.types[operation.text]:
            return self._cast(operation, replace(operation, type=self.types[operation.text]), statement)
        return self.iterators[operation.text], _UNARY

    def _choice(self, operation: Operation, statement: Statement) -> str:
        test, yes, no = _tested(operation.operands[0]), *self._sides(operation)
        asked = self._inside(test, statement, _CHOICE)
        return f"{asked} ? {self.text(yes, statement)} : {self.text(no, statement)}"

    def _unary(self, operation: Operation, statement: Statement) -> str:
        kind, inner = operation.kind, operation.operands[0]
        if kind == "!x":
            inner = _tested(inner)
        elif inner.kind == "cast" and promoted(inner.operands[0].type) == inner.type:
            inner = inner.operands[0]
        text = self._inside(inner, statement, _UNARY - 1)
        return kind[0] + (f"({text})" if text.startswith(kind[0]) else text)

    def _binary(self, operation: Operation, statement: Statement) -> str:
        level = _LEVELS[operation.kind]
        texts = []
        for number, side in enumerate(self._sides(operation)):
            text, strength = self._written(side, statement)
            loose = strength < level + number or _unclear(level, strength)
            texts.append(f"({text})" if loose else text)
        return f" {operation.kind} ".join(texts)

    def _sides(self, operation: Operation) -> tuple[Operation, Operation]:
        """Return both operands without the casts that C makes implicitly."""
        left, right = operation.operands[-2:]
        if operation.kind in ("&&", "||"):
            return _tested(left), _tested(right)
        if operation.kind in ("<<", ">>"):
            return _promoted(left), _promoted(right)
        if right.kind == "cast" and right.operands[0].kind == "constant":
            right = self._bare(right, left)
            return self._bare(left, right), right
        left = self._bare(left, right)
        return left, self._bare(right, left)

    def _bare(self, side: Operation, other: Operation) -> Operation:
        inner = side.operands[0] if side.kind == "cast" else None
        if side.kind == "iterator" and side.type != self.types[side.text]:
            inner = replace(side, type=self.types[side.text])
        if inner is None or common(side.type, other.type) != side.type:
            return side
        return inner if common(inner.type, other.type) == side.type else side

    def _cast(self, operation: Operation, inner: Operation, statement: Statement) -> tuple[str, int]:
        while inner.kind == "cast" and inner.type == operation.type:
            inner = inner.operands[0]
        return f"({operation.type}){self._inside(inner, statement, _UNARY - 1)}", _UNARY

    def _inside(self, operation: Operation, statement: Statement, level: int) -> str:
        text, strength = self._written(operation, statement)
        return text if strength > level else f"({text})"

    def _address(self, operation: Operation) -> str:
        access = operation.place
        assert access is not None
        if operation.kind == "reference":
            return _with_member(self.place(access), operation.text)
        array, last = self.arrays[access.array], access.subscripts[-1:]
        outer = len(self.arrays[array.member[0]].shape) if array.member else 0
        if not operation.text and len(access.subscripts) > outer and last[0].is_constant and not last[0].constant:
            return self.place(Access(access.array, access.subscripts[:-1]))
        text = _with_member(self.place(access), operation.text)
        return text[1:] if text.startswith("*") else f"&{text}"

    def _list(self, operation: Operation, statement: Statement) -> str:
        parts = ((self._list if part.kind == "list" else self.text)(part, statement) for part in operation.operands)
        return "{" + ", ".join(parts) + "}"


def _is(operation: Operation, target: Access, statement: Statement) -> bool:
    """Return whether an operation reads the place that the statement assigns to."""
    if statement.member:
        part = operation.kind == "member" and operation.text == statement.member
        operation = operation.operands[0] if part else operation
    read = operation.read if operation.kind == "read" else None
    return read is not None and statement.reads[read] == target


def _with_member(text: str, path: str) -> str:
    if not path:
        return text
    return f"{text[1:]}->{path}" if text.startswith("*") else f"{text}.{path}"


def _unclear(level: int, inner: int) -> bool:
    """Return whether compilers want parentheses: around && in ||, and around any other operator in one on bits."""
    if level == _LEVELS["||"]:
        return inner == _LEVELS["&&"]
    if level in _BITS:
        return level != inner < _UNARY
    return level in _COMPARISONS and inner in _COMPARISONS


def _tested(operation: Operation) -> Operation:
    """Return an operand of a test without its conversion to bool: the test compares it with 0 in any case."""
    return operation.operands[0] if operation.kind == "cast" and operation.type in ("bool", "_Bool") else operation


def _promoted(side: Operation) -> Operation:
    return side.operands[0] if side.kind == "cast" and promoted(side.operands[0].type) == side.type else side
