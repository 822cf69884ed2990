"""Defines the syntax tree of C as plain data: clang's tree without parentheses and implicit nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, NoReturn

from ppnsim.c.inactive_text import without_lines
from ppnsim.c.kinds import BITS, NON_AFFINE, WORDS, Kind
from ppnsim.errors import InputError
from ppnsim.loops.position import Position


@dataclass(frozen=True, slots=True)
class CType:
    """A type with typedefs resolved.

    ``text`` is its spelling without qualifiers. ``element`` is the type of an array's or stream's elements, or of a
    pointer's target. ``size`` of an array is a number, an expression (variable length) or None (not given); for a
    stream it is the depth. ``fields`` are the members of a struct or union, and ``hidden`` those that are private or
    protected. A union, or a struct that contains one, is ``shared``: some members have bits in common. A ``vector`` of
    OpenCL C has ``size`` lanes of type ``element``; ``space`` is the address space there: ``global``, ``local``,
    ``constant`` or "" (private).
    """

    kind: Literal["integer", "real", "pointer", "array", "struct", "stream", "vector", "void", "other"]
    text: str = ""
    bits: int = 0
    const: bool = False
    element: CType | None = None
    size: int | SyntaxNode | None = None
    fields: tuple[tuple[str, CType], ...] = ()
    space: str = ""
    shared: bool = False
    hidden: frozenset[str] = frozenset()

    def base(self) -> CType:
        """Return the innermost element type of arrays and pointers."""
        return self.element.base() if self.element else self

    @property
    def wraps(self) -> int:
        """2 ** bits for an unsigned integer, whose negative values wrap around; 0 for other types."""
        return 1 << self.bits if self.kind == "integer" and self.text.startswith(("unsigned", "ap_uint")) else 0

    @property
    def limits(self) -> tuple[int, int]:
        """The smallest and the largest value of an integer."""
        if self.text == "bool":
            return 0, 1
        wraps, half = self.wraps, 1 << self.bits - 1
        return (0, wraps - 1) if wraps else (-half, half - 1)

    @property
    def points_to_const(self) -> bool:
        """Whether the target of a pointer or the elements of an array are constant."""
        return self.element is not None and (self.element.const or self.element.points_to_const)


VOID = CType("void", "void")


def unsigned(bits: int) -> CType:
    """Return the unsigned type with a number of bits.

    Examples
    --------
    >>> unsigned(3).text
    'ap_uint<3>'
    """
    return CType("integer", f"ap_uint<{bits}>", bits)


@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """A variable of the source; two of the same name are two objects. ``some_volatile``: only some members of it are.

    ``pointed``: a pointer or a reference may change the variable at unknown places of the program.
    """

    name: str
    type: CType
    scope: Literal["global", "parameter", "local", "static"]
    position: Position
    initial: SyntaxNode | None = None
    volatile: bool = False
    some_volatile: bool = False
    pointed: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class SyntaxNode:
    """An expression or a statement.

    Expressions by ``kind``: ``integer`` (``value``), ``real`` and ``string`` (``text``), ``name`` (``variable``),
    ``index`` (array, subscript), ``member`` (struct; ``text`` is the field), ``unary``, ``binary`` and ``assign``
    (``text`` is the operator; ``x++`` is the postfix one), ``choice``, ``call`` (``text`` is the function), ``cast``,
    ``list``. High-level synthesis adds ``token`` (the next token of a stream, or a new one), ``bits`` (of a number,
    from a high to a low bit), ``join`` (the bits of one number above those of another) and ``reduce`` (all bits to
    one). OpenCL C adds ``lanes`` (lanes of a vector, named by ``text``; "?" if a macro hides the names). Statements:
    ``block``, ``declare`` (``variable``), ``for`` (start, condition, step, body), ``if``, ``return``, ``empty``,
    ``left`` (an early exit that is not taken, with the message as ``text``), and those of `NON_AFFINE`.

    ``spelled`` is the name of a called function in the source: with namespaces, and without the number of an overload.
    A node begins at byte ``extent[0]`` of its file and ends before ``extent[1]``. ``held``: a bit for each kind in it.
    """

    kind: Kind
    position: Position
    type: CType = VOID
    children: tuple[SyntaxNode, ...] = ()
    text: str = ""
    value: int | None = None
    variable: Variable | None = None
    end: int = 0
    extent: tuple[int, int] = (0, 0)
    spelled: str = ""
    held: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        held = BITS[self.kind]
        for child in self.children:
            held |= child.held
        object.__setattr__(self, "held", held)

    @property
    def bare(self) -> SyntaxNode:
        """The expression without conversions around it."""
        return self.children[0].bare if self.kind == "cast" else self

    def walk(self, *kinds: Kind) -> Iterator[SyntaxNode]:
        """Yield the node and all nodes below it, in textual order; with ``kinds``, only nodes of these kinds."""
        todo, wanted = [self], 0
        for kind in kinds:
            wanted |= BITS[kind]
        while todo:
            node = todo.pop()
            if not wanted or node.kind in kinds:
                yield node
            if node.children and (not wanted or node.held & wanted):
                todo += node.children[::-1]

    def __str__(self) -> str:
        spell = _SPELLING.get(self.kind)
        return spell(self) if spell else self.kind


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A function; ``body`` is None if it is only declared.

    ``system``: a system header declares it. ``prototype``: its parameters are declared. ``values`` are the integers
    among its template arguments. ``attributes`` are those of OpenCL C, such as ``kernel`` and ``reqd_work_group_size
    16,16,1``, with macros replaced. ``instance`` is the name of a template instance: ``f<8>``.
    """

    name: str
    parameters: tuple[Variable, ...]
    result: CType
    body: SyntaxNode | None
    position: Position
    end: int = 0
    system: bool = False
    prototype: bool = True
    values: tuple[tuple[str, int], ...] = ()
    attributes: tuple[str, ...] = ()
    instance: str = ""

    def walk(self, *kinds: Kind) -> Iterator[SyntaxNode]:
        """Yield all nodes of the body, in textual order; with ``kinds``, only nodes of these kinds."""
        return self.body.walk(*kinds) if self.body else iter(())

    def calls(self) -> Iterator[SyntaxNode]:
        """Yield the calls in the body."""
        return self.walk("call")


@dataclass(frozen=True, slots=True, eq=False)
class TranslationUnit:
    """A file with all included headers; ``variables`` are global.

    ``macros`` are the macros of OpenCL C without parameters, with their text. ``left_out`` are the first and last lines
    of the ranges that an ``#if`` leaves out of each file. ``elsewhere`` are the files that define functions without a
    body, and ``assumed`` are sentences about assumptions, such as where headers were found.
    """

    file: str
    functions: Mapping[str, Function]
    variables: tuple[Variable, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)
    macros: Mapping[str, str] = field(default_factory=dict)
    left_out: Mapping[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    elsewhere: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    assumed: tuple[str, ...] = ()

    @property
    def active(self) -> dict[str, str]:
        """The sources with empty lines for ranges that are left out, whose pragmas and macros have no effect."""
        return {file: without_lines(text, self.left_out.get(file, ())) for file, text in self.sources.items()}


def refuse(position: Position, message: str) -> NoReturn:
    """Raise an InputError at a position in the source."""
    raise InputError(message, where=str(position))


def converted(node: SyntaxNode, to: CType) -> SyntaxNode:
    """Return a node inside C's implicit conversion, if the conversion changes the type of a number."""
    numbers = ("integer", "real")
    if to.kind not in numbers or node.type.kind not in numbers or to.text == node.type.text:
        return node
    return SyntaxNode("cast", node.position, to, (node,), end=node.end)


# How strongly operators bind, strongest first.
_LEVELS = ("* / %", "+ -", "<< >>", "< <= > >=", "== !=", "&", "^", "|", "&&", "||")
_STRENGTH = {operator: level for level, group in enumerate(_LEVELS) for operator in group.split()}


def _in_parentheses(node: SyntaxNode) -> str:
    return f"({node})" if node.kind in ("binary", "choice", "assign") else str(node)


def _operand(child: SyntaxNode, node: SyntaxNode) -> str:
    """Return an operand, in parentheses if C needs them."""
    child = child.bare
    inner, outer = _STRENGTH.get(child.text, 99), _STRENGTH.get(node.text, 99)
    right = child is node.children[-1] and inner == outer
    loose = child.kind == "binary" and (inner > outer or right)
    return f"({child})" if loose or child.kind in ("choice", "assign") else str(child)


def _text(node: SyntaxNode) -> str:
    return node.text


def _named(node: SyntaxNode) -> str:
    return node.variable.name if node.variable else node.text


def _unary(node: SyntaxNode) -> str:
    operand = _in_parentheses(node.children[0])
    return f"{operand}{node.text[1:]}" if node.text[0] == "x" else f"{node.text}{operand}"


def _binary(node: SyntaxNode) -> str:
    left, right = (_operand(child, node) for child in node.children)
    return f"{left}{node.text}{right}" if node.text in ("*", "/", "%") else f"{left} {node.text} {right}"


def _choice(node: SyntaxNode) -> str:
    test, yes, no = map(_in_parentheses, node.children)
    return f"{test} ? {yes} : {no}"


def _listed(node: SyntaxNode) -> str:
    return ", ".join(map(str, node.children))


_SPELLING: Mapping[Kind, Callable[[SyntaxNode], str]] = {
    "integer": lambda node: str(node.value),
    **dict.fromkeys(("real", "string", "other"), _text),
    **dict.fromkeys(("name", "declare"), _named),
    "index": lambda node: f"{_in_parentheses(node.children[0])}[{node.children[1]}]",
    "member": lambda node: f"{_in_parentheses(node.children[0])}.{node.text}",
    "lanes": lambda node: f"{_in_parentheses(node.children[0])}.{node.text}",
    "unary": _unary,
    "binary": _binary,
    "assign": _binary,
    "choice": _choice,
    "call": lambda node: f"{node.text}({_listed(node)})",
    "cast": lambda node: str(node.children[0]),
    "list": lambda node: "{" + _listed(node) + "}",
    "token": lambda node: f"{_in_parentheses(node.children[0])}.{node.text or 'read'}()",
    "bits": lambda node: f"{_in_parentheses(node.children[0])}({node.children[1]}, {node.children[2]})",
    "join": lambda node: f"({_listed(node)})",
    "reduce": lambda node: f"{_in_parentheses(node.children[0])}.{node.text}()",
    **{kind: lambda node: WORDS[node.kind] for kind in NON_AFFINE},
}
