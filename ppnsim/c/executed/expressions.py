"""Executes expressions on known values, with their side effects on variables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ppnsim.c.executed.memory import LARGEST, Known, Memory, Place, PointsTo
from ppnsim.c.executed.named_variables import fits, is_unsteady, site
from ppnsim.c.executed.operators import ComputedValues, common
from ppnsim.c.executed.places import TooMuch
from ppnsim.c.plain.evaluate import kept, operated
from ppnsim.c.plain.nodes import with_inherited
from ppnsim.c.syntax import CType, Function, SyntaxNode, Variable

DEEPEST = 30
"""Most levels of nested calls that are executed."""


class Returned(Exception):
    """A function returns a value."""

    def __init__(self, value: Known | None) -> None:
        super().__init__()
        self.value = value


@dataclass(slots=True)
class ExpressionRunner(ComputedValues):
    """Executes expressions in a memory; ``run`` executes the body of a called function.

    ``sites`` are the positions of the calls around, and ``unsure`` is the number of enclosing branches that data
    decides. If the called function may have returned already, ``returns`` holds its result and the memory at that time.
    ``active`` are the names of the functions that are being called.
    """

    run: Callable[[SyntaxNode], None] = print
    sites: tuple[str, ...] = ()
    unsure: int = 0
    returns: tuple[Known | None, Memory] | None = None
    active: list[str] = field(default_factory=list)

    def value(self, node: SyntaxNode) -> Known | None:
        """Execute an expression and return its value, None if it is not known."""
        self.spend()
        match node.kind:
            case "integer":
                return node.value
            case "name" | "member" | "index":
                return self._read(node)
            case "cast":
                inner = self.value(node.children[0])
                return inner if isinstance(inner, PointsTo) else self._kept(inner, node.type)
            case "choice":
                return self._chosen(node)
            case "unary":
                return self._unary(node)
            case "binary":
                return self._binary(node)
            case "assign":
                return self._assigned(node)
            case "call":
                return self.called(node)
        for child in node.children:
            self.value(child)
        return None

    def bind(self, variable: Variable, argument: SyntaxNode) -> None:
        """Bind a parameter, or a declared variable, to the value or the place of an expression."""
        known: Known | None
        if "&" in variable.type.text:
            place = self.place(argument)
            known = PointsTo(place) if place is not None else self.far(argument)
            if known is None and self.origin(argument) is None and argument.bare.kind in ("integer", "binary", "call"):
                kept_value, known = self.number(argument), PointsTo((variable, ".value"))
                self.memory.write((variable, ""), known)
                self.memory.write((variable, ".value"), kept_value)
                return
        elif variable.type.kind == "struct":
            self._copy((variable, ""), argument)
            return
        else:
            known = self.value(argument)
            known = self._kept(known, variable.type) if isinstance(known, int) else known
        self.memory.write((variable, ""), None if is_unsteady(variable) else known)

    def called(self, node: SyntaxNode) -> Known | None:
        """Execute a call and return its result."""
        function = self.influences.called(node)
        if function is None or function.body is None:
            for child in node.children:
                self.value(child)
                self.handed(child)
            return node.value
        if len(self.sites) > DEEPEST:
            raise TooMuch
        held = self._entered(function, node) if function.name in self.active else None
        if held is None:
            for parameter, argument in zip(function.parameters, node.children, strict=False):
                self.bind(parameter, argument)
        before = self.sites, self.unsure, self.returns
        self.sites, self.unsure, self.returns = (*self.sites, site(node)), 0, None
        self.active.append(function.name)
        found: Known | None = None
        try:
            self.run(function.body)
        except Returned as result:
            found = result.value
        if self.returns is not None:
            self.may_return(found)
            found, self.memory = self.returns
        self.active.pop()
        for variable, parts in (held or {}).items():
            self.memory.forget(variable)
            for path, known in parts.items():
                self.memory.write((variable, path), known)
        self.sites, self.unsure, self.returns = before
        return self._kept(found, function.result) if isinstance(found, int) else found

    def _entered(self, function: Function, call: SyntaxNode) -> dict[Variable, dict[str, Known]]:
        """Bind the parameters of a recursive function; return the values of its variables in the outer call."""
        if any("&" in each.type.text or each.type.kind == "struct" for each in function.parameters):
            raise TooMuch
        given = [self.value(each) for each in call.children]
        inside = (each.variable for each in function.walk() if each.kind == "declare")
        own = [*function.parameters, *(each for each in inside if each is not None and each.scope != "static")]
        held = {each: self.memory.parts((each, "")) for each in own}
        for each in own:
            self.memory.forget(each)
        for parameter, known in zip(function.parameters, given, strict=False):
            self.memory.write((parameter, ""), self._kept(known, parameter.type) if isinstance(known, int) else known)
        return held

    def may_return(self, value: Known | None) -> None:
        """Record that the called function may return a value here; only facts common to all such returns are kept."""
        memory = self.memory.copy()
        if self.returns is not None:
            value = value if value == self.returns[0] else None
            memory.join(self.returns[1])
        self.returns = value, memory

    def _assigned(self, node: SyntaxNode) -> Known | None:
        target, value = node.children
        if target.type.kind == "struct":
            place = self.place(target)
            if place is None or node.text != "=":
                self.write(target, None)
            else:
                self._copy(place, value)
            return None
        new = self.value(value)
        if node.text != "=":
            old = self.value(target)
            if isinstance(old, PointsTo) or isinstance(new, PointsTo):
                new = self._moved(old, new, node.text[:-1])
            else:
                new = operated(node.text[:-1], old, new, of=common(target.type, value.type))
        self.write(target, new)
        return new

    def returned(self, node: SyntaxNode) -> Known | None:
        """Execute the expression that a function returns; for a struct, return its place."""
        if node.type.kind != "struct":
            return self.value(node)
        place = self.place(node.bare)
        return None if place is None else PointsTo(place)

    def _copy(self, to: Place, value: SyntaxNode) -> None:
        """Copy a struct whose parts are known."""
        bare, source = value.bare, self.place(value.bare)
        if bare.kind == "list":
            self.listed(to, bare)
            return
        if bare.kind == "call":
            made = self.called(bare)
            source = made.place if isinstance(made, PointsTo) and self.influences.called(bare) is not None else None
            if source is None:
                self.memory.write(to, None)
                return
        if source is None:
            self.value(value)
            self.memory.write(to, None)
            return
        parts = self.memory.parts(source)
        self.memory.write(to, None)
        for path, known in parts.items():
            self.memory.write((to[0], to[1] + path), known)

    def listed(self, to: Place, value: SyntaxNode) -> None:
        """Set the members of a struct, or the elements of an array, to the values of a list."""
        self.memory.write(to, None)
        fields = value.type.fields
        value = with_inherited(value, value.type)
        if value.type.kind == "struct" and not fits(value, value.type):
            return
        if value.type.kind == "array" and isinstance(value.type.size, int) and value.type.size <= LARGEST:
            for at in range(len(value.children), value.type.size):
                self._zeroed((to[0], f"{to[1]}[{at}]"), value.type.element)
        for at, each in enumerate(value.children):
            path = f"{to[1]}.{fields[at][0]}" if at < len(fields) else f"{to[1]}[{at}]"
            if each.kind == "list":
                self.listed((to[0], path), each)
            else:  # a field may have fewer bits than its type
                of, found = fields[at][1] if at < len(fields) else each.type, self.value(each)
                self.memory.write((to[0], path), kept(found, of) if isinstance(found, int) else found)

    def _zeroed(self, to: Place, of: CType | None) -> None:
        """Set the parts that a list leaves out to 0, as in C."""
        if of is None or (of.kind == "integer" and of.text.startswith("ap_")):
            return  # the vendor's types keep the old value
        if of.kind == "integer":
            self.memory.write(to, 0)
        elif of.kind == "array" and isinstance(of.size, int) and of.size <= LARGEST:
            for at in range(of.size):
                self._zeroed((to[0], f"{to[1]}[{at}]"), of.element)
