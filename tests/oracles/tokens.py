"""Executes lowered programs with streams and structs: tokens are dictionaries by path, streams are queues."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ppnsim.loops.program import Access, LoopProgram, Operation, Statement
from tests.oracles.lowered import Evaluator, wrapped

Token = Any
"""A number, or the numbers of a struct by their paths, ``{"k": 1, "m.0": 2}``."""


class TokenEvaluator(Evaluator):
    """Executes a program; a read takes the next token of a queue, a write adds one."""

    def __init__(self, program: LoopProgram, memory: dict[Any, Token], queues: dict[str, list[Token]]) -> None:
        super().__init__(program, memory)
        self.queues, self.fields = queues, {each.name: dict(f[:2] for f in each.fields) for each in program.arrays}
        self.by_type = {each.type: list(self.fields[each.name]) for each in program.arrays if each.fields}
        self.taken: dict[int, Token] = {}
        self.statement: Statement | None = None

    def _fire(self, statement: Statement, iterators: Mapping[str, int]) -> None:
        self.taken, self.statement = {}, statement
        assert statement.value is not None
        value = self.value(statement.value, [], iterators)
        for number, access in enumerate(statement.reads):
            if access.array in self.queues:  # a token that is not used is taken, too
                self._read(number, (), iterators)
        (to,) = statement.writes
        if to.array in self.queues:
            assert not statement.member
            self.queues[to.array].append(value)
            return
        element, fields = self._at(to, statement.index, iterators), self.fields[to.array]
        if not fields:
            self.memory[element] = wrapped(value, self.types[to.array])
            return
        path = statement.member or ""
        new = {f"{path}.{key}".strip("."): each for key, each in value.items()} if isinstance(value, dict) else {
            path: wrapped(value, fields[path])
        }  # fmt: skip
        self.memory[element] = {**self.memory.get(element, {}), **new}  # type: ignore[dict-item, assignment]

    def _at(self, access: Access, index: tuple[Operation, ...], iterators: Mapping[str, int]) -> Any:
        """Return the element of an access; the subscripts that data decide are computed."""
        if not access.random:
            return self._element(access, iterators)
        return access.array, tuple(self.value(each, [], iterators) for each in index)

    def _read(self, number: int, index: tuple[Operation, ...], iterators: Mapping[str, int]) -> Token:
        assert self.statement is not None
        access = self.statement.reads[number]
        if access.array not in self.queues:
            return self.memory.get(self._at(access, index, iterators), {} if self.fields[access.array] else 0)
        if number not in self.taken:
            self.taken[number] = self.queues[access.array].pop(0)
        return self.taken[number]

    def value(self, tree: Operation, reads: list[int], iterators: Mapping[str, int]) -> Token:
        match tree.kind:
            case "read":
                assert tree.read is not None
                return self._read(tree.read, tree.operands, iterators)
            case "member":
                whole = self.value(tree.operands[0], reads, iterators)
                inside = {k.removeprefix(f"{tree.text}."): v for k, v in whole.items() if k.startswith(f"{tree.text}.")}
                return whole.get(tree.text, inside or 0)
            case "list":
                names = dict.fromkeys(path.split(".")[0] for path in self.by_type[tree.type])
                made: dict[str, int] = {}
                for name, each in zip(names, tree.operands, strict=False):
                    part = self.value(each, reads, iterators)
                    made |= {f"{name}.{k}": v for k, v in part.items()} if isinstance(part, dict) else {name: part}
                return made
            case "?:" if tree.type in self.by_type:
                test, *sides = tree.operands
                return self.value(sides[not self.value(test, reads, iterators)], reads, iterators)
            case "cast" if tree.type in self.by_type:
                return self.value(tree.operands[0], reads, iterators)
        return super().value(tree, reads, iterators)
