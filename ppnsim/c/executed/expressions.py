"""Expressions executed on known values, with their effects on variables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ppnsim.c.executed.memory import Known, Memory, Place, Pointer
from ppnsim.c.executed.mentions import Mentions, is_handed, is_pointer
from ppnsim.c.kinds import STEPS
from ppnsim.c.plain.evaluate import kept, operated
from ppnsim.c.syntax import CType, SyntaxNode, Variable

MOST = 200_000
"""Parts of a program that are executed for one loop before its iterations count as unknown."""
DEEPEST = 30
"""Calls in calls that are executed."""


class TooMuch(Exception):
    """The iterations of a loop are not looked for any further."""


class Returned(Exception):
    """A function returns a value."""

    def __init__(self, value: Known | None) -> None:
        super().__init__()
        self.value = value


@dataclass(slots=True)
class Expressions:
    """Executes expressions in a memory; ``run`` executes the body of a called function.

    ``sites`` are the places of the calls around, ``unsure`` says how many branches around are taken or not as data says.
    """

    mentions: Mentions
    memory: Memory
    run: Callable[[SyntaxNode], None]
    sites: tuple[str, ...] = ()
    unsure: int = 0
    left: int = MOST

    def spend(self) -> None:
        """Count a part of the program that is executed; raise TooMuch if there were too many."""
        self.left -= 1
        if self.left < 0:
            raise TooMuch

    def number(self, node: SyntaxNode) -> int | None:
        """Execute an expression and return its value if it is a known number."""
        found = self.value(node)
        return found if isinstance(found, int) else None

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
                return inner if isinstance(inner, Pointer) else self._kept(inner, node.type)
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

    def place(self, node: SyntaxNode) -> Place | None:
        """Return the place that an expression names, None if it is not known or none of a variable."""
        match node.kind:
            case "name" if node.variable is not None:
                return self._referred(node.variable) if is_handed(node.variable) else (node.variable, "")
            case "cast" | "bits":
                return self.place(node.children[0])
            case "member":
                outer = self._base(node.children[0])
                return None if outer is None else (outer[0], f"{outer[1]}.{node.text}")
            case "index":
                at, outer = self.number(node.children[1]), self._base(node.children[0])
                if outer is None or at is None:
                    return None
                return moved(outer, at) if is_pointer(node.children[0]) else (outer[0], f"{outer[1]}[{at}]")
            case "unary" if node.text == "*":
                return self.pointed(node.children[0])
        return None

    def _base(self, node: SyntaxNode) -> Place | None:
        return self.pointed(node) if is_pointer(node) else self.place(node)

    def _referred(self, variable: Variable) -> Place | None:
        """Return the place that a reference stands for, or the first element of an array that was handed over."""
        found = self.memory.read((variable, ""))
        return found.place if isinstance(found, Pointer) else None

    def pointed(self, node: SyntaxNode) -> Place | None:
        """Return the place that a pointer points to."""
        found = self.value(node)
        return found.place if isinstance(found, Pointer) else None

    def write(self, target: SyntaxNode, value: Known | None) -> None:
        """Set the place that an expression names; if that is not known, whatever it may be is not known either."""
        place, inner = self.place(target), target.bare
        while inner.kind == "bits":
            inner, value = inner.children[0].bare, None
        if place is None:
            self.lose(inner)
        elif place[0].type.base().shared or place[0].volatile:
            self.memory.forget(place[0])
        else:
            self.memory.write(place, kept(value, inner.type) if isinstance(value, int) else value)

    def lose(self, node: SyntaxNode) -> None:
        """Forget all that may be changed at a place which is not known."""
        origin = self.origin(node)
        if isinstance(origin, Variable):
            self.memory.forget(origin)
        elif origin is None:
            self.memory.forget_shared()

    def origin(self, node: SyntaxNode) -> Variable | Pointer | None:
        """Return the variable that a place is a part of, a pointer if it is the caller's, None if it may be any."""
        match node.kind:
            case "name" if node.variable is not None:
                return self._target(node) if is_handed(node.variable) else node.variable
            case "cast" | "bits":
                return self.origin(node.children[0])
            case "member" | "index":
                inner = node.children[0]
                return self._target(inner) if is_pointer(inner) else self.origin(inner)
            case "unary" if node.text in ("*", "&"):
                return self._target(node.children[0]) if node.text == "*" else self.origin(node.children[0])
        return None

    def _target(self, node: SyntaxNode) -> Variable | Pointer | None:
        """Return what a pointer points into."""
        named = node.variable if node.kind == "name" else None
        found = self.memory.read((named, "")) if named is not None and is_handed(named) else self.value(node)
        if isinstance(found, Pointer):
            return found if found.place is None else found.place[0]
        inner = [each for each in node.children if each.type.kind in ("pointer", "array")]
        return self._target(inner[0]) if node.kind in ("binary", "cast") and inner else None

    def bind(self, variable: Variable, argument: SyntaxNode) -> None:
        """Let a parameter, or a declared variable, be what an expression is."""
        known: Known | None
        if "&" in variable.type.text:
            place = self.place(argument)
            known = Pointer(place) if place is not None else self._far(argument)
            if known is None and self.origin(argument) is None and argument.bare.kind in ("integer", "binary", "call"):
                kept_value, known = self.number(argument), Pointer((variable, ".value"))
                self.memory.write((variable, ""), known)
                self.memory.write((variable, ".value"), kept_value)
                return
        elif variable.type.kind == "struct":
            self._copy((variable, ""), argument)
            return
        else:
            known = self.value(argument)
            known = self._kept(known, variable.type) if isinstance(known, int) else known
        self.memory.write((variable, ""), None if variable.volatile else known)

    def called(self, node: SyntaxNode) -> Known | None:
        """Execute a call and return its result."""
        function = self.mentions.called(node)
        if function is None or function.body is None:
            for child in node.children:
                self.value(child)
                self.handed(child)
            return node.value
        if len(self.sites) > DEEPEST:
            raise TooMuch
        for parameter, argument in zip(function.parameters, node.children, strict=False):
            self.bind(parameter, argument)
        before, unsure, self.unsure = self.sites, self.unsure, 0
        self.sites = (*before, site(node))
        try:
            self.run(function.body)
        except Returned as result:
            return self._kept(result.value, function.result) if isinstance(result.value, int) else result.value
        finally:
            self.sites, self.unsure = before, unsure
        return None

    def handed(self, argument: SyntaxNode) -> None:
        """Forget what a function without a body may change through an argument."""
        bare = argument.bare
        if bare.kind in ("name", "member", "index") or (bare.kind == "unary" and bare.text in ("*", "&")):
            self.lose(bare)
        if bare.type.kind == "pointer" and isinstance(found := self._target(bare), Variable):
            self.memory.forget(found)
        elif bare.type.kind == "pointer" and found is None:
            self.memory.forget_shared()

    def refer(self, parameter: Variable, argument: SyntaxNode) -> None:
        """Let a parameter point into what an argument is a part of, or points into."""
        by_name = "&" in parameter.type.text
        found = self.origin(argument) if by_name else self._target(argument)
        known = Pointer((found, "")) if isinstance(found, Variable) else found
        self.memory.write((parameter, ""), known)

    def _read(self, node: SyntaxNode) -> Known | None:
        if node.type.kind == "array":
            if node.kind == "name" and node.variable is not None and is_handed(node.variable):
                found = self.memory.read((node.variable, ""))
                return found if "&" not in node.variable.type.text else self._first(self.place(node))
            return self._first(self.place(node))
        place = self.place(node)
        found = self.memory.read(place)
        return found if place is None or found is not None else self._constant(*place)

    @staticmethod
    def _first(place: Place | None) -> Pointer | None:
        return Pointer((place[0], f"{place[1]}[0]")) if place is not None else None

    def _constant(self, owner: Variable, path: str) -> Known | None:
        """Return the value of a constant number, or of an element of a constant table."""
        initial = owner.initial
        if owner.type.kind == "pointer" or owner.volatile:
            return None
        if not (owner.type.base().const or self.mentions.fixed(owner)):
            return None
        for part in path.replace("]", "").split("[")[1:]:
            if initial is None or initial.kind != "list" or not part.isdigit():
                return None
            at = int(part)
            initial = initial.children[at] if at < len(initial.children) else None
        if initial is None or initial.kind == "list" or "." in path:
            return None
        found = self.number(initial)
        return None if found is None else self._kept(found, owner.type.base())

    def _chosen(self, node: SyntaxNode) -> Known | None:
        test = self.number(node.children[0])
        if test is not None:
            return self.value(node.children[1 if test else 2])
        found = [self.value(child) for child in node.children[1:]]  # both without effects: those are statements
        return found[0] if found[0] == found[1] else None

    def _unary(self, node: SyntaxNode) -> Known | None:
        inner = node.children[0]
        if node.text == "*":
            return self.memory.read(self.pointed(inner))
        if node.text == "&":
            place = self.place(inner)
            return Pointer(place) if place is not None else self._far(inner)
        old = self.value(inner)
        if node.text in STEPS:
            new = self._added(old, 1 if "+" in node.text else -1, node.type)
            self.write(inner, new)
            return old if node.text[0] == "x" else new
        if not isinstance(old, int) or node.text not in ("-", "+", "!", "~"):
            return None
        return self._kept({"-": -old, "+": old, "!": int(not old), "~": ~old}[node.text], node.type)

    def _binary(self, node: SyntaxNode) -> Known | None:
        left = self.value(node.children[0])
        if node.text in ("&&", "||") and isinstance(left, int) and bool(left) == (node.text == "||"):
            return int(bool(left))
        right = self.value(node.children[1])
        if node.text == ",":
            return right
        if isinstance(left, Pointer) or isinstance(right, Pointer):
            return self._moved(left, right, node.text)
        return operated(node.text, left, right, of=node.type)

    def _moved(self, left: Known | None, right: Known | None, operator: str) -> Known | None:
        """Return a pointer that is moved: one to memory of the caller stays there, others are not followed."""
        pointer = left if isinstance(left, Pointer) else right
        other = right if isinstance(left, Pointer) else left
        if not isinstance(pointer, Pointer) or isinstance(other, Pointer) or operator not in ("+", "-"):
            return None
        if pointer.place is None:
            return pointer
        by = None if other is None else -other if operator == "-" else other
        place = None if by is None else moved(pointer.place, by)
        return None if place is None else Pointer(place)

    def _added(self, old: Known | None, by: int, of: CType) -> Known | None:
        if isinstance(old, Pointer):
            return self._moved(old, by, "+")
        return None if old is None else self._kept(old + by, of)

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
            if isinstance(old, Pointer) or isinstance(new, Pointer):
                new = self._moved(old, new, node.text[:-1])
            else:
                new = operated(node.text[:-1], old, new, of=_common(target.type, value.type))
        self.write(target, new)
        return new

    def returned(self, node: SyntaxNode) -> Known | None:
        """Execute what a function returns; of a struct, the place of the one that is returned."""
        if node.type.kind != "struct":
            return self.value(node)
        place = self.place(node.bare)
        return None if place is None else Pointer(place)

    def _copy(self, to: Place, value: SyntaxNode) -> None:
        """Copy a struct whose parts are known."""
        bare, source = value.bare, self.place(value.bare)
        if bare.kind == "list":
            self.listed(to, bare)
            return
        if bare.kind == "call":
            made = self.called(bare)
            source = made.place if isinstance(made, Pointer) and self.mentions.called(bare) is not None else None
            if source is None:
                self.memory.write(to, None)
                return
        if source is None:
            self.value(value)
            self.memory.write(to, None)
            return
        parts = {p[1][len(source[1]) :]: known for p, known in self.memory.values.items() if _is_in(p, source)}
        self.memory.write(to, None)
        for path, known in parts.items():
            self.memory.write((to[0], to[1] + path), known)

    def listed(self, to: Place, value: SyntaxNode) -> None:
        """Set the members of a struct, or the elements of an array, to those of a list."""
        self.memory.write(to, None)
        fields = [f".{name}" for name, _ in value.type.fields]
        for at, each in enumerate(value.children):
            path = f"{to[1]}{fields[at]}" if at < len(fields) else f"{to[1]}[{at}]"
            if each.kind == "list":
                self.listed((to[0], path), each)
            else:
                found = self.value(each)
                self.memory.write((to[0], path), kept(found, each.type) if isinstance(found, int) else found)

    def _far(self, node: SyntaxNode) -> Pointer | None:
        """Return a pointer to memory of the caller if an expression names a part of that, else None."""
        origin = self.origin(node)
        return origin if isinstance(origin, Pointer) else None

    @staticmethod
    def _kept(value: Known | None, of: CType) -> int | None:
        return kept(value, of) if isinstance(value, int) and of.kind == "integer" else None


def site(call: SyntaxNode) -> str:
    """Return the place of a call, by which calls of a function are told apart."""
    return f"{call.position} {call.text}"


def _is_in(part: Place, whole: Place) -> bool:
    return part[0] is whole[0] and (not whole[1] or part[1].startswith((f"{whole[1]}.", f"{whole[1]}[")))


def moved(place: Place, by: int) -> Place | None:
    """Return the place some elements behind another one, None if it is none of the same array."""
    variable, path = place
    if not by:
        return place
    whole, _, last = path.removesuffix("]").rpartition("[")
    return (variable, f"{whole}[{int(last) + by}]") if path.endswith("]") else None


def _common(left: CType, right: CType) -> CType:
    """Return the type in which ``x op= y`` is computed: the wider one, and no narrower than an ``int``."""
    wider = left if (left.bits, bool(left.wraps)) >= (right.bits, bool(right.wraps)) else right
    return wider if wider.bits >= 32 or wider.kind != "integer" else CType("integer", "int", 32)
