"""Instrumentation of a source: calls of the runtime at loops, at stream accesses, and around calls of tasks."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ppnsim.c.kinds import LOOPS
from ppnsim.c.syntax import CType, SyntaxNode, refuse
from ppnsim.hls.native.places import StreamAccess, extent_of
from ppnsim.hls.native.region import NativeRegion
from ppnsim.hls.native.streams import stream_type

_SKIPPED = re.compile(rb"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'", re.DOTALL)

_STORAGE = re.compile(rb"\b(?:hls_thread_local|thread_local|static)\b(?=\s+(?:hls\s*::\s*)?task\b)")


class _Edits:
    """Insertions into a file; of several at one place, the last opening one comes first, the last closing one last."""

    def __init__(self, text: str) -> None:
        self.text = text.encode()
        self.clean = _SKIPPED.sub(lambda found: b" " * len(found[0]), self.text)
        self.made: list[tuple[int, int, int, str, int]] = []

    def put(self, at: int, text: str, *, closes: bool = False, until: int | None = None) -> None:
        """Insert a text before a byte, and replace the bytes up to ``until``."""
        number = len(self.made)
        self.made.append((at, 0 if closes else 1, -number if closes else number, text, at if until is None else until))

    def applied(self) -> str:
        parts, last = [], 0
        for at, _, _, text, until in sorted(self.made):
            parts += [self.text[last:at], text.encode()]
            last = until
        return b"".join([*parts, self.text[last:]]).decode()

    def statement_end(self, end: int) -> int:
        """Return the byte after a statement that ends at a byte: after its semicolon, if it has one."""
        found = re.compile(rb"\s*;").match(self.clean, end)
        return found.end() if found and self.clean[end - 1 : end] != b"}" else end

    def parts(self, start: int) -> list[tuple[int, int]]:
        """Return the begin and the end of each part in the parentheses after a byte."""
        at = self.clean.index(b"(", start)
        depth, first, found = 0, at + 1, []
        for here in range(at, len(self.clean)):
            letter = self.clean[here : here + 1]
            depth += (letter in b"([{") - (letter in b")]}")
            if (letter == b";" and depth == 1) or not depth:
                found.append((first, here))
                first = here + 1
            if not depth:
                break
        return found


_NOT_TIMED = "a loop that a macro or a range makes can not be executed in time; write it out"


def loop_parts(node: SyntaxNode, text: str) -> tuple[SyntaxNode | None, SyntaxNode | None, SyntaxNode | None]:
    """Return start, condition and step of a loop, each None if it is missing; the loop's body is its last child."""
    if node.kind in ("while", "do"):
        return None, node.children[0 if node.kind == "while" else -1], None
    edits = _Edits(text)
    there = [bool(edits.clean[first:end].strip()) for first, end in edits.parts(node.extent[0])]
    if len(there) == 1:  # a range-based loop, which is read as a loop over indices
        refuse(node.position, _NOT_TIMED)
    parts = iter(node.children[:-1])
    found = [next(parts) if each else None for each in there]
    return found[0], found[1], found[2]


def body_of(node: SyntaxNode) -> SyntaxNode:
    """Return the body of a loop."""
    return node.children[0] if node.kind == "do" else node.children[-1]


def instrumented(region: NativeRegion) -> Mapping[str, str]:
    """Return the sources of a region with the calls of the runtime, by file; lines keep their numbers."""
    edits = {file: _Edits(text) for file, text in region.unit.sources.items()}
    bodies = [f.body for name, f in region.functions.items() if name in region.opened and f.body is not None]
    for file, first, _ in dict.fromkeys(map(extent_of, bodies)):
        edits[file].put(first + 1, " ppnsim::Called ppnsim_called; ")
    for number, loop in enumerate(region.places.loop):
        _loop(edits[loop.position.file], number, loop)
    for number, access in enumerate(region.places.access):
        _access(edits[access.node.position.file], number, access)
    for (file, first, end), number in region.places.inner.items():
        edits[file].put(first, f"(ppnsim::calling({number}), ")
        edits[file].put(end, ")", closes=True)
    for each in region.regions:
        assert each.body is not None
        _region(edits[each.body.position.file], region, each.body)
    return {file: _headed(file, each.applied()) for file, each in edits.items()}


def _region(edits: _Edits, region: NativeRegion, body: SyntaxNode) -> None:
    for number, call in enumerate(region.places.call):
        if call.position.file == body.position.file and body.extent[0] <= call.extent[0] < body.extent[1]:
            if number in region.places.rounds:
                _endless(edits, number, call, region.places.rounds[number])
            else:
                _call(edits, number, call, body, group=number in region.groups)
    for node in body.walk():
        if node.kind == "return":
            edits.put(node.extent[0], "{ ppnsim::join(); ")
            edits.put(edits.statement_end(node.extent[1]), " }", closes=True)
    edits.put(body.extent[1] - 1, "ppnsim::join(); ")


def _headed(file: str, text: str) -> str:
    return f'#line 1 "{file}"\n{text}'


def _loop(edits: _Edits, number: int, loop: SyntaxNode) -> None:
    first, end = loop.extent
    word = edits.clean[first:].split(b"(")[0].split(b"{")[0].strip().split()[:1]
    if loop.kind == "range_for" or word[0:1] not in ([b"for"], [b"while"], [b"do"]):
        refuse(loop.position, "a loop that a macro or a range makes can not be executed in time; write it out")
    edits.put(first, f"{{ ppnsim::Leaving ppnsim_loop({number}); ")
    if loop.kind == "do":
        body = body_of(loop)
        edits.put(body.extent[0], f"{{ ppnsim::step({number}); ")
        edits.put(edits.statement_end(body.extent[1]), " }", closes=True)
        test = loop.children[-1].extent
        edits.put(test[0], f"ppnsim::held({number}, bool(")
        edits.put(test[1], "))", closes=True)
    else:
        parts = edits.parts(first)
        test = parts[1] if loop.kind == "for" else parts[0]
        opening, closing = f"(ppnsim::step({number}), ppnsim::held({number}, bool(", ")))"
        if edits.clean[test[0] : test[1]].strip():
            edits.put(test[0], opening)
            edits.put(test[1], closing, closes=True)
        else:
            edits.put(test[0], f"{opening}true{closing}")
    edits.put(edits.statement_end(end), " }", closes=True)


def _access(edits: _Edits, number: int, access: StreamAccess) -> None:
    (_, end), stream = access.node.extent, access.stream.extent
    rest = edits.clean[stream[1] :].lstrip()
    site = f"ppnsim::Site{{{number}}}"
    if rest[:1] in (b".", b"-"):
        before = edits.clean[: end - 1].rstrip()
        edits.put(end - 1, site if before.endswith(b"(") else f", {site}")
        return
    name = "write" if access.kind == "write" else "read"
    sign = edits.clean.index(b"<<" if name == "write" else b">>", stream[1])
    edits.put(stream[1], f".{name}(", until=sign + 2)
    edits.put(end, f", {site})", closes=True)


def _endless(edits: _Edits, number: int, call: SyntaxNode, loop: int) -> None:
    """Tell an ``hls::task`` its numbers; its constructor runs at each call of the region, even if it is static."""
    first = call.extent[0]
    start = max(edits.clean.rfind(end, 0, first) for end in (b";", b"{", b"}")) + 1
    for found in _STORAGE.finditer(edits.clean, start, first):
        edits.put(found.start(), "", until=found.end())
    edits.put(first, f"ppnsim::Endless{{{number}, {loop}}}, ")


def _call(edits: _Edits, number: int, call: SyntaxNode, body: SyntaxNode, *, group: bool) -> None:
    first, end = call.extent
    iterators = {
        node.variable.name for loop in body.walk() if loop.kind in LOOPS
        and loop.extent[0] <= first < loop.extent[1] for node in loop.children[0].walk()
        if node.kind in ("declare", "name") and node.variable is not None
    }  # fmt: skip
    copied = "".join(f", {name}" for name in sorted(iterators))
    named = "".join(
        " " + _named(edits.text[a.extent[0] : a.extent[1]].decode(), a.type, place)
        for place, a in enumerate(call.children) if stream_type(a.type) is not None
    )  # fmt: skip
    opening = f"ppnsim::group({number});{named} ppnsim::grouped" if group else f"ppnsim::task({number}, "
    edits.put(first, f"{{ {opening}{'(' if group else ''}[&{copied}] {{ ")
    edits.put(edits.statement_end(end), f" }});{'' if group else named} }}", closes=True)


def _named(text: str, of: CType, place: int, depth: int = 0) -> str:
    """Return the code that tells the runtime the streams of an argument; those of an array are told in its order."""
    if of.kind == "array" and isinstance(of.size, int) and of.element is not None:
        index = f"ppnsim_{depth}"
        inner = _named(f"{text}[{index}]", of.element, place, depth + 1)
        return f"for (int {index} = 0; {index} < {of.size}; {index}++) {inner}"
    return f"ppnsim::name({text}, {place});"
