"""A naive evaluator of loop programs with the widths of C: guards on data, tables, short circuits."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterable, Mapping

from ppnsim.loops.expressions import holds
from ppnsim.loops.program import Access, Array, Execution, Guard, LoopProgram, Node, Operation, Statement

Memory = dict[tuple[str, tuple[int, ...]], int]
_BITS = {"char": 8, "short": 16, "int": 32, "long": 64, "long long": 64}


def wrapped(value: int, of: str) -> int:
    """Return a whole number as a type of C keeps it."""
    if of in ("bool", "_Bool"):
        return int(bool(value))
    plain = re.sub(r"^(un)?signed ", "", of)
    of_vendor = re.fullmatch(r"ap_u?int<(\d+)>", of)
    bits = int(of_vendor[1]) if of_vendor else _BITS[plain]
    value %= 1 << bits
    return value - (1 << bits) if not of.startswith(("unsigned", "ap_uint")) and value >> (bits - 1) else value


class _Values(dict[str, int]):
    """Values of iterators, and of scalars that guards name."""

    def __init__(self, iterators: Mapping[str, int], memory: Memory) -> None:
        super().__init__(iterators)
        self.memory = memory

    def __missing__(self, name: str) -> int:
        return self.memory[name, ()]


class Evaluator:
    """Executes a program on a memory; what nobody has set is 0."""

    def __init__(self, program: LoopProgram, memory: Memory) -> None:
        self.memory, self.types = memory, {each.name: each.type for each in program.arrays}
        first: dict[str, list[Array]] = {}
        for array in program.arrays:
            if array.initial:
                first.setdefault(array.symbol, []).append(array)
        for arrays in first.values():
            table = ast.literal_eval(arrays[0].initial.replace("{", "[").replace("}", "]"))
            for member, array in enumerate(arrays):
                self._fill(array.name, table, array.shape, (), member)

    def _fill(self, name: str, table: object, shape: tuple[int, ...], at: tuple[int, ...], member: int) -> None:
        assert isinstance(table, list | int)
        if shape:
            assert isinstance(table, list)
            for k, each in enumerate(table):
                self._fill(name, each, shape[1:], (*at, k), member)
        else:
            self.memory[name, at] = table[member] if isinstance(table, list) else table

    def run(self, nodes: Iterable[Node], iterators: Mapping[str, int]) -> None:
        known = _Values(iterators, self.memory)
        for node in nodes:
            if isinstance(node, Execution):
                self._fire(node.statement, iterators)
            elif isinstance(node, Guard):
                self.run(node.body if holds(node.condition, known) else node.otherwise, iterators)
            else:
                first, last = ([end.value(known) for end in ends] for ends in (node.first, node.last))
                up = range(max(first), min(last) + 1, node.step) if node.step > 0 else None
                for at in up if up is not None else range(min(first), max(last) - 1, node.step):
                    self.run(node.body, {**iterators, node.iterator: at})

    def _element(self, access: Access, iterators: Mapping[str, int]) -> tuple[str, tuple[int, ...]]:
        known = _Values(iterators, self.memory)
        return access.array, tuple(each.value(known) for each in access.subscripts)

    def _fire(self, statement: Statement, iterators: Mapping[str, int]) -> None:
        reads = [self.memory.get(self._element(each, iterators), 0) for each in statement.reads]
        assert statement.value is not None
        element = self._element(statement.writes[0], iterators)
        self.memory[element] = wrapped(self.value(statement.value, reads, iterators), self.types[element[0]])

    def value(self, tree: Operation, reads: list[int], iterators: Mapping[str, int]) -> int:
        if tree.kind in ("&&", "||", "?:"):
            test, *rest = tree.operands
            truth = bool(self.value(test, reads, iterators))
            if tree.kind != "?:" and truth is (tree.kind == "||"):
                return int(truth)
            chosen = self.value(rest[0 if truth or tree.kind != "?:" else 1], reads, iterators)
            return int(bool(chosen)) if tree.kind != "?:" else wrapped(chosen, tree.type)
        parts = [self.value(each, reads, iterators) for each in tree.operands]
        match tree.kind:
            case "constant":
                found = int(tree.text)
            case "iterator":
                found = iterators[tree.text]
            case "read":
                assert tree.read is not None
                found = reads[tree.read]
            case "cast":
                (found,) = parts
            case "-x" | "~x" | "!x":
                found = {"-": -parts[0], "~": ~parts[0], "!": int(not parts[0])}[tree.kind[0]]
            case "min" | "max":
                found = (min if tree.kind == "min" else max)(parts)
            case "bits":
                found = parts[0] >> parts[2] & (1 << parts[1] - parts[2] + 1) - 1
            case "insert":
                held = (1 << parts[1] - parts[2] + 1) - 1
                found = parts[0] & ~(held << parts[2]) | (parts[3] & held) << parts[2]
            case "/":
                found = math.trunc(parts[0] / parts[1])
            case "%":
                found = int(math.fmod(*parts))
            case _:
                found = int(eval(f"a {tree.kind} b", {"a": parts[0], "b": parts[1]}))
        return wrapped(found, tree.type)
