"""Which variables parts of a program assign, and which of them decide how often a loop runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ppnsim.c.kinds import LOOPS, STEPS
from ppnsim.c.syntax import Function, SyntaxNode, Variable

Flow = dict[Variable, set[Variable]]


def root(node: SyntaxNode) -> Variable | None:
    """Return the variable that a place is a part of, or that points to it."""
    while node.kind in ("member", "index", "cast", "bits") or (node.kind == "unary" and node.text in ("*", "&")):
        node = node.children[0]
    return node.variable if node.kind == "name" else None


def is_reference(variable: Variable) -> bool:
    """Return whether a variable stands for a place, or points to one."""
    return variable.type.kind in ("pointer", "array") or "&" in variable.type.text


def is_handed(variable: Variable) -> bool:
    """Return whether the name of a variable means another place: a reference, or an array of the caller."""
    return "&" in variable.type.text or (variable.scope == "parameter" and variable.type.kind == "array")


def is_pointer(node: SyntaxNode) -> bool:
    """Return whether an expression has the value of a pointer; arrays that are handed over have it."""
    named = node.variable if node.kind == "name" else None
    if named is not None and "&" not in named.type.text and named.scope == "parameter":
        return named.type.kind in ("pointer", "array")
    return node.type.kind == "pointer"


def names(node: SyntaxNode) -> set[Variable]:
    """Return the variables that are named in a part of a program."""
    return {each.variable for each in node.walk() if each.kind == "name" and each.variable is not None}


def start_of(loop: SyntaxNode) -> Variable | None:
    """Return the variable that the start of a ``for`` sets to a value without it, None if there is none."""
    start = loop.children[0] if loop.kind == "for" else loop
    if start.kind == "block" and len(start.children) == 1:
        start = start.children[0]
    if start.kind == "declare":
        return start.variable
    if start.kind != "assign" or start.text != "=" or start.children[0].kind != "name":
        return None
    variable = start.children[0].variable
    return variable if variable not in names(start.children[1]) else None


@dataclass(slots=True)
class Influences:
    """Answers about the functions of a file, each found once."""

    functions: Mapping[str, Function]
    _outside: dict[int, tuple[SyntaxNode, frozenset[Variable]]] = field(default_factory=dict)
    _changed: set[Variable] | None = None
    _flows_of: dict[str, Flow] = field(default_factory=dict)
    _reached: dict[int, tuple[SyntaxNode, frozenset[str]]] = field(default_factory=dict)

    def called(self, node: SyntaxNode) -> Function | None:
        """Return the function of a call whose body is known."""
        function = self.functions.get(node.text) if node.kind == "call" else None
        return function if function is not None and function.body is not None and not function.system else None

    def loops(self, node: SyntaxNode) -> frozenset[str]:
        """Return the places of all loops and ``if`` in a part of a program, also in the functions that it calls."""
        if (known := self._reached.get(id(node))) is not None:
            return known[1]
        self._reached[id(node)] = node, frozenset()  # in a circle of calls, which is refused elsewhere
        found = set[str]()
        for each in node.walk():
            if each.kind in LOOPS or each.kind == "if":
                found.add(str(each.position))
            elif (function := self.called(each)) is not None and function.body is not None:
                found |= self.loops(function.body)
        self._reached[id(node)] = node, frozenset(found)
        return self._reached[id(node)][1]

    def outside(self, node: SyntaxNode) -> frozenset[Variable]:
        """Return the variables that a part of a program leaves changed, without counters that its loops start."""
        if (known := self._outside.get(id(node))) is not None:
            return known[1]
        self._outside[id(node)] = node, frozenset()
        found, inside = set(self._changed_by(node)), set[Variable]()
        for child in node.children:
            found |= self.outside(child)
            inside |= {child.variable} if child.kind == "declare" and child.variable is not None else set()
        if node.kind == "for" and (own := start_of(node)) is not None:
            inside.add(own)
        self._outside[id(node)] = node, frozenset(found - inside)
        return self._outside[id(node)][1]

    def _changed_by(self, node: SyntaxNode) -> set[Variable]:
        """Return the variables that a node itself changes, or the function that it calls."""
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
        """Return whether a variable outside of functions is what it starts with: nothing changes or points to it."""
        if variable.scope not in ("global", "static") or variable.volatile or variable.type.kind == "pointer":
            return False
        if variable.type.base().const:
            return True
        if self._changed is None:
            self._changed = set()
            for function in self.functions.values():
                for node in function.walk():
                    self._changed |= self._given_away(node)
        return variable.type.kind == "array" and variable not in self._changed

    def _given_away(self, node: SyntaxNode) -> set[Variable]:
        """Return the variables that a part of a program changes, points to, or hands over as a place."""
        if node.kind == "assign" or (node.kind == "unary" and node.text in (*STEPS, "&")):
            parts: tuple[SyntaxNode, ...] = node.children[:1]
            if node.kind == "assign" and node.type.kind == "pointer":
                parts = node.children
        elif node.kind == "declare" and node.variable is not None and is_reference(node.variable):
            parts = node.children
        else:
            parts = node.children if node.kind == "call" else ()
        return {named for each in parts for named in names(each)}

    def flow(self, kernel: Function) -> Flow:
        """Return for each variable those that its values may come from, in a kernel and all that it calls."""
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
            waiting += [inner for each in function.body.walk() if (inner := self.called(each)) is not None]
        return found

    def _add(self, node: SyntaxNode, decided: frozenset[Variable], found: Flow) -> None:
        """Add the flows in a part of a program that is executed as some variables have ``decided``."""
        if node.kind == "if":
            decided |= names(node.children[0])
        elif node.kind in LOOPS:
            decided |= frozenset(v for child in node.children[:-1] if child.kind != "block" for v in names(child))
            decided |= names(node.children[-1]) if node.kind == "do" else frozenset()
        if node.kind == "assign" or (node.kind == "unary" and node.text in STEPS):
            self._flows(root(node.children[0]), node, decided, found)
        elif node.kind == "declare":
            self._flows(node.variable, node, decided, found)
        elif (function := self.called(node)) is not None:
            for parameter, argument in zip(function.parameters, node.children, strict=False):
                self._flows(parameter, argument, decided, found)
        for child in node.children:
            self._add(child, decided, found)

    def _flows(self, target: Variable | None, value: SyntaxNode, decided: frozenset[Variable], found: Flow) -> None:
        if target is None:
            return
        sources = set(self.sources(value))
        found.setdefault(target, set()).update(sources, decided)
        if is_reference(target) or target.type.kind == "struct":
            for each in sources:
                found.setdefault(each, set()).add(target)

    def sources(self, value: SyntaxNode) -> Iterator[Variable]:
        """Yield the variables that the value of an expression may come from, those of called functions among them."""
        yield from names(value)
        for each in value.walk():
            function = self.called(each)
            for inner in function.walk() if function is not None else ():
                if inner.kind == "return":
                    yield from names(inner)


def closure(start: set[Variable], flow: Flow) -> frozenset[Variable]:
    """Return some variables and all that their values may come from."""
    found, waiting = set(start), list(start)
    while waiting:
        new = flow.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return frozenset(found)
