"""Finds the variables that parts of a program assign, and the variables that decide how often a loop runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ppnsim.c.executed.named_variables import Flow, body_of, called_so, is_reference, names, root, start_of, ways_out
from ppnsim.c.kinds import LOOPS, STEPS, Kind
from ppnsim.c.syntax import Function, SyntaxNode, Variable

_CHANGING: frozenset[Kind] = frozenset(("return", "left", "call", "declare", "assign"))


@dataclass(slots=True)
class Influences:
    """Answers questions about the functions of a file; each answer is computed once."""

    functions: Mapping[str, Function]
    _outside: dict[int, tuple[SyntaxNode, frozenset[Variable]]] = field(default_factory=dict)
    _changed: set[Variable] | None = None
    _flows_of: dict[str, Flow] = field(default_factory=dict)
    _ways: dict[int, tuple[SyntaxNode, list[SyntaxNode]]] = field(default_factory=dict)
    _reached: dict[int, tuple[SyntaxNode, frozenset[str]]] = field(default_factory=dict)
    _candidates: dict[int, tuple[SyntaxNode, list[SyntaxNode]]] = field(default_factory=dict)

    def called(self, node: SyntaxNode) -> Function | None:
        """Return the function of a call whose body is known."""
        function = self.functions.get(node.text) if node.kind == "call" else None
        return function if function is not None and function.body is not None and not function.system else None

    def loops(self, node: SyntaxNode) -> frozenset[str]:
        """Return the positions of all loops and ``if`` in a node, and in the functions that it calls."""
        if (known := self._reached.get(id(node))) is not None:
            return known[1]
        self._reached[id(node)] = node, frozenset()  # for recursion, which is refused elsewhere
        found = set[str]()
        for each in node.walk(*LOOPS, "if", "call"):
            if each.kind in LOOPS or each.kind == "if":
                found.add(called_so(each))
            elif (function := self.called(each)) is not None and function.body is not None:
                found |= self.loops(function.body)
        self._reached[id(node)] = node, frozenset(found)
        return self._reached[id(node)][1]

    def candidates(self, node: SyntaxNode) -> list[SyntaxNode]:
        """Return the parts of a statement that may change a variable, or leave a loop, in textual order."""
        if id(node) not in self._candidates:
            self._candidates[id(node)] = node, list(filter(_may_change, node.walk(*_CHANGING, "unary")))
        return self._candidates[id(node)][1]

    def ways_out(self, loop: SyntaxNode) -> list[SyntaxNode]:
        """Return the early exits of a loop in its body, and the conditions around each exit."""
        if id(loop) not in self._ways:
            self._ways[id(loop)] = loop, ways_out(body_of(loop))
        return self._ways[id(loop)][1]

    def outside(self, node: SyntaxNode) -> frozenset[Variable]:
        """Return the variables that a node changes for later code, without counters that its loops initialise."""
        if (known := self._outside.get(id(node))) is not None:
            return known[1]
        self._outside[id(node)] = node, frozenset()
        found, inside = set(self._changed_by(node)), set[Variable]()
        for child in node.children:
            found |= self.outside(child)
            inside |= {child.variable} if child.kind == "declare" and child.variable is not None else set()
        if node.kind == "for" and (own := start_of(node)) is not None:
            # After other loops it is a number already (`ppnsim.c.plain.values_after_loops`).
            inside |= set() if self.ways_out(node) else {own}
        self._outside[id(node)] = node, frozenset(found - inside)
        return self._outside[id(node)][1]

    def _changed_by(self, node: SyntaxNode) -> set[Variable]:
        """Return the variables that a node itself changes, or that the function changes which it calls."""
        if node.kind == "assign" or (node.kind == "unary" and node.text in STEPS):
            target = root(node.children[0])
            return set() if target is None else {target}
        if node.kind != "call":
            return set()
        if (function := self.called(node)) is None or function.body is None:
            return {each for child in node.children for each in names(child)}
        given = zip(function.parameters, node.children, strict=False)
        outer = {each for each in self.outside(function.body) if each.scope in ("global", "static")}
        return outer | {each for parameter, part in given if is_reference(parameter) for each in names(part)}

    def fixed(self, variable: Variable) -> bool:
        """Return whether a global variable keeps its initial value: no code changes it, and no pointer refers to it."""
        if variable.scope not in ("global", "static") or variable.volatile or variable.type.kind == "pointer":
            return False
        if variable.type.base().const:
            return True
        if self._changed is None:
            self._changed = set()
            for function in self.functions.values():
                for node in function.walk():
                    self._changed |= self._escaping(node)
        return variable.type.kind == "array" and variable not in self._changed

    def _escaping(self, node: SyntaxNode) -> set[Variable]:
        """Return the variables that a node changes, takes the address of, or passes as a place."""
        if node.kind == "assign" or (node.kind == "unary" and node.text in (*STEPS, "&")):
            parts: tuple[SyntaxNode, ...] = node.children[:1]
            if node.kind == "assign" and node.type.kind == "pointer":
                parts = node.children
        elif node.kind == "declare" and node.variable is not None and is_reference(node.variable):
            parts = node.children
        elif node.kind == "name" and node.variable is not None and node.variable.initial is not None:
            parts = (node.variable.initial,)  # a global pointer is initialised with a place
        else:
            returned = node.kind == "return" and any(each.type.kind in ("pointer", "array") for each in node.children)
            parts = node.children if node.kind == "call" or returned else ()
        return {named for each in parts for named in names(each)}

    def flow(self, kernel: Function) -> Flow:
        """Return the data flow of a kernel and the functions that it calls: the sources of each variable."""
        if (known := self._flows_of.get(kernel.name)) is not None:
            return known
        found = self._flows_of[kernel.name] = Flow()
        seen, waiting = set[str](), [kernel]
        while waiting:
            function = waiting.pop()
            if function.name in seen or function.body is None:
                continue
            seen.add(function.name)
            self._add(function.body, frozenset(), found)
            waiting += [inner for each in function.body.walk("call") if (inner := self.called(each)) is not None]
        return found

    def _add(self, node: SyntaxNode, decided: frozenset[Variable], found: Flow) -> None:
        """Add the flows in a node whose execution the variables ``decided`` control."""
        if node.kind == "if":
            decided |= names(node.children[0])
        elif node.kind in LOOPS:
            decided |= frozenset(v for child in node.children[:-1] if child.kind != "block" for v in names(child))
            decided |= names(node.children[-1]) if node.kind == "do" else frozenset()
            decided |= {v for test in self.ways_out(node) for v in names(test)}
        if node.kind == "assign" or (node.kind == "unary" and node.text in STEPS):
            self._flows(root(node.children[0]), node, decided, found, points=node.type.kind == "pointer")
        elif node.kind == "declare" and node.variable is not None:
            self._flows(node.variable, node, decided, found, points=is_reference(node.variable))
        elif (function := self.called(node)) is not None:
            for parameter, argument in zip(function.parameters, node.children, strict=False):
                self._flows(parameter, argument, decided, found, points=is_reference(parameter))
        for child in node.children:
            self._add(child, decided, found)

    def _flows(
        self, target: Variable | None, value: SyntaxNode, decided: frozenset[Variable], found: Flow, *, points: bool
    ) -> None:  # fmt: skip
        """Add a flow into a variable; if it ``points`` to other variables, it may also change them."""
        if target is None:
            return
        found.setdefault(target, set()).update(self.sources(value), decided)
        places = {root(each) for each in value.walk() if each.kind == "unary" and each.text == "&"}
        places |= {root(value.bare), *(each for each in names(value) if each.type.kind != "integer")}
        for place in places if points else ():
            if place is not None:
                found.setdefault(place, set()).add(target)

    def sources(self, value: SyntaxNode) -> Iterator[Variable]:
        """Yield the variables from which the value of an expression may come, also in called functions."""
        yield from names(value)
        for each in value.walk():
            function = self.called(each)
            for inner in function.walk() if function is not None else ():
                if inner.kind == "return":
                    yield from names(inner)


def _may_change(node: SyntaxNode) -> bool:
    return node.kind in _CHANGING or (node.kind == "unary" and node.text in STEPS)
