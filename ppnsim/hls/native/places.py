"""Numbers for the places of a source that its execution reports: loops, stream accesses, calls of tasks."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from ppnsim.c.kinds import LOOPS, STEPS
from ppnsim.c.syntax import Function, SyntaxNode, TranslationUnit, refuse
from ppnsim.hls.native.lanes import of_vectors

AccessKind = Literal["read", "write", "read_nb", "write_nb", "empty", "full", "size"]
_KINDS: tuple[AccessKind, ...] = get_args(AccessKind)
BLOCKING = frozenset(("read", "write"))
Extent = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class StreamAccess:
    """An access to a stream in the source; ``stream`` is its name, ``given`` the values written or variables read."""

    kind: AccessKind
    node: SyntaxNode
    stream: SyntaxNode
    given: tuple[SyntaxNode, ...] = ()

    def __str__(self) -> str:
        return f"{self.stream}.{self.kind}()"


def access_of(node: SyntaxNode) -> StreamAccess | None:
    """Return the stream access of a node of the syntax tree, None for other nodes.

    A write is an assignment to a token, a read is a token, and non-blocking methods are of kind ``other``.
    """
    if node.kind == "assign" and node.children[0].kind == "token":
        return StreamAccess("write", node, node.children[0].children[0], node.children[1:])
    if node.kind == "token":
        return StreamAccess("read", node, node.children[0])
    method = node.text.partition(",")[0]
    if node.kind == "other" and node.children and method in _KINDS:
        return StreamAccess(method, node, node.children[0], node.children[1:])
    return None


def accesses_in(node: SyntaxNode) -> Iterator[StreamAccess]:
    """Yield the accesses below a node, in textual order."""
    access = access_of(node)
    if access is not None:
        yield access
    written = access is not None and access.kind == "write"
    for child in access.given if access is not None and written else node.children:
        yield from accesses_in(child)


def extent_of(node: SyntaxNode) -> Extent:
    """Return the key of a place: file, first byte and last byte."""
    return node.position.file, *node.extent


@dataclass(slots=True)
class Places:
    """The numbers of loops, accesses and calls of a source, by extent, and the node of each number.

    ``calls`` are calls of tasks, ``inner`` calls inside tasks of functions with a loop or an access. ``rounds`` are the
    numbers of the loops that stand for calls of an ``hls::task``, by the number of the call.
    """

    loops: dict[Extent, int] = field(default_factory=dict)
    accesses: dict[Extent, int] = field(default_factory=dict)
    calls: dict[Extent, int] = field(default_factory=dict)
    inner: dict[Extent, int] = field(default_factory=dict)
    access: list[StreamAccess] = field(default_factory=list)
    loop: list[SyntaxNode] = field(default_factory=list)
    call: list[SyntaxNode] = field(default_factory=list)
    rounds: dict[int, int] = field(default_factory=dict)

    def add(self, body: SyntaxNode, opened: Container[str]) -> None:
        """Number the loops and accesses of a function, and its calls of functions that have any (``opened``)."""
        for node in body.walk():
            if node.kind == "call" and node.text in opened:
                self.inner.setdefault(extent_of(node), len(self.inner))
            if node.kind in LOOPS and extent_of(node) not in self.loops:
                self.loops[extent_of(node)] = len(self.loop)
                self.loop.append(node)
        for access in accesses_in(body):
            if extent_of(access.node) not in self.accesses:
                self.accesses[extent_of(access.node)] = len(self.access)
                self.access.append(access)

    def add_rounds(self, functions: Mapping[str, Function], endless: Sequence[int]) -> None:
        """Number the rounds of tasks that run again and again, as loops around their bodies, after all other loops."""
        for number in endless:
            around = extent_of(rounds_of(functions[self.call[number].text]))
            self.rounds[number] = self.loops.setdefault(around, len(self.loops))


def rounds_of(function: Function) -> SyntaxNode:
    """Return the endless loop that an ``hls::task`` makes of its function."""
    body = function.body
    assert body is not None
    always = SyntaxNode("integer", body.position, value=1)
    return SyntaxNode("while", body.position, children=(always, body), end=body.end, extent=body.extent)


def called_functions(unit: TranslationUnit, calls: Sequence[SyntaxNode]) -> Mapping[str, Function]:
    """Return the functions with a body that some calls reach, by name; refuse recursion."""
    found: dict[str, Function] = {}

    def visit(name: str, open_: tuple[str, ...], call: SyntaxNode) -> None:
        function = unit.functions.get(name)
        if name in open_:
            refuse(call.position, f"'{name}' calls itself; hardware has no recursion")
        if function is None or function.body is None or function.system or name in found:
            return
        for inner in function.calls():
            visit(inner.text, (*open_, name), inner)
        found[name] = function

    for call in calls:
        visit(call.text, (), call)
    return found


def opened_functions(functions: Mapping[str, Function]) -> frozenset[str]:
    """Return the functions that contain a loop or an access, also in calls; callers come after their callees."""
    found: set[str] = set()
    for name, function in functions.items():
        assert function.body is not None
        own = [each.kind in LOOPS or access_of(each) is not None for each in function.body.walk()]
        if of_vectors(function):
            continue
        if any(own) or any(call.text in found for call in function.calls()):
            found.add(name)
    return frozenset(found)


def changed(node: SyntaxNode) -> Iterator[SyntaxNode]:
    """Yield the places that code below a node writes; a call may write its arguments."""
    for each in node.walk():
        yield from changed_here(each)
        if each.kind == "call":
            yield from (child for child in each.children if child.kind in ("name", "unary"))


def changed_here(node: SyntaxNode) -> tuple[SyntaxNode, ...]:
    """Return the place that a node itself writes, if any."""
    assigned = node.kind == "assign" and node.children[0].kind != "token"
    if assigned or (node.kind == "unary" and node.text in STEPS):
        return node.children[:1]
    if node.kind == "other" and node.text.startswith("read_nb") and len(node.children) == 2:
        return node.children[1:]
    return ()
