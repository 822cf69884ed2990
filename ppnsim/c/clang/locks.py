"""Rewrites locks of ``hls::stream_of_blocks`` as references to a block, with tokens at both ends of a lock (R7.7).

A block is a token of two streams. It is in ``held`` from its write lock to the end of its read lock, so that the depth
is the number of blocks. It is in ``full`` from the end of its write lock to its read lock.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from ppnsim.c.blocks import BLOCK, FULL, HELD, is_blocks
from ppnsim.c.clang.names import parts
from ppnsim.c.kinds import Kind
from ppnsim.c.plain.nodes import BOOL, assign, with_children
from ppnsim.c.syntax import CType, SyntaxNode, Variable

_LOCK = re.compile(r"(?:const )?hls::(read|write)_lock<.*>")
_LOOPS = ("for", "while", "do", "range_for")


def lock_of(spelling: str) -> Literal["read", "write"] | None:
    """Return the kind of lock that a type is, None for other types.

    Examples
    --------
    >>> lock_of("hls::write_lock<int[16]>"), lock_of("hls::stream<int>")
    ('write', None)
    """
    found = _LOCK.fullmatch(spelling)
    return None if found is None else "read" if found[1] == "read" else "write"


def through_lock(cursor: Any, read: Callable[[Any], SyntaxNode]) -> SyntaxNode | None:
    """Return the node of a block, of its element that a lock names, or of a test for blocks; None for other calls.

    A stream of blocks that is passed with another depth is the same stream.
    """
    called = cursor.referenced
    if called is None or called.kind.name not in ("CXX_METHOD", "CONVERSION_FUNCTION"):
        return None
    target, arguments = parts(cursor)
    owner = called.semantic_parent.type.get_canonical().spelling
    to_depth = called.kind.name == "CONVERSION_FUNCTION" and is_blocks(owner)
    asks = is_blocks(owner) and cursor.spelling in ("empty", "full")
    if target is None or not (to_depth or asks or lock_of(owner)):
        return None
    block = read(target)
    extent = (cursor.extent.start.offset, cursor.extent.end.offset)
    if is_blocks(owner) and not to_depth:
        return _asked(block, cursor.spelling, extent)
    if not arguments or block.type.element is None:
        return block
    made = SyntaxNode("index", block.position, block.type.element, (block, read(arguments[0])))
    return replace(made, end=cursor.extent.end.line, extent=extent)


def _asked(blocks: SyntaxNode, name: str, extent: tuple[int, int]) -> SyntaxNode:
    """Return the test of a state: no block is full (``empty``), or all blocks are held (``full``)."""
    member = FULL if name == "empty" else HELD
    of = dict(blocks.type.fields)[member]
    stream = SyntaxNode("member", blocks.position, of, (blocks,), member, end=blocks.end, extent=extent)
    text = f"{name}, a method of {of.text}"
    return SyntaxNode("other", blocks.position, BOOL, (stream,), text, end=blocks.end, extent=extent)


def locked(cursor: Any, lock: Variable, made: SyntaxNode) -> tuple[Variable, list[SyntaxNode], SyntaxNode]:
    """Return a lock as a reference to its block, the statements that begin the lock, and the statement that ends it."""
    blocks = next((each for each in made.walk() if BLOCK in dict(each.type.fields)), None)
    kind = lock_of(cursor.type.get_canonical().spelling)
    if blocks is None or lock.type.kind != "array":
        words = f"lock '{lock.name}' of a block that is no array (declare the stream of blocks of T[1])"
        other = SyntaxNode("other", lock.position, text=words, end=made.end, extent=made.extent)
        return lock, [other], replace(other, kind="empty")
    fields = dict(blocks.type.fields)

    def member(name: str) -> SyntaxNode:
        return SyntaxNode("member", lock.position, fields[name], (blocks,), name, end=made.end, extent=made.extent)

    def put(name: str) -> SyntaxNode:
        one = SyntaxNode("integer", lock.position, _token(fields[name]), value=1, end=made.end, extent=made.extent)
        return assign(_token_of(member(name), "write"), one)

    of = CType("pointer", f"{lock.type.text} &", 64, True, lock.type)
    named = replace(lock, type=of, initial=member(BLOCK))
    declared = SyntaxNode(
        "declare", lock.position, of, (member(BLOCK),), variable=named, end=made.end, extent=made.extent
    )  # fmt: skip
    begin, end = (put(HELD), put(FULL)) if kind == "write" else (_token_of(member(FULL)), _token_of(member(HELD)))
    return named, [begin, declared], end


def _token(stream: CType) -> CType:
    return stream.element or stream


def _token_of(stream: SyntaxNode, text: str = "") -> SyntaxNode:
    kind: Kind = "token"
    return replace(stream, kind=kind, type=_token(stream.type), children=(stream,), text=text)


def released(block: SyntaxNode, ends: Mapping[Variable, SyntaxNode]) -> SyntaxNode:
    """Return a block of statements with the ends of the locks that it declares, in reverse order.

    Unsupported code becomes a node with the reason: a statement that leaves the block while a lock is held, and two
    locks of one stream.
    """
    return (
        _released(with_children(block, tuple(_closed(each, ends) for each in block.children)), ends) if ends else block
    )


def _released(block: SyntaxNode, ends: Mapping[Variable, SyntaxNode]) -> SyntaxNode:
    found: list[SyntaxNode] = []
    wrong: list[SyntaxNode] = []
    for at, child in enumerate(block.children):
        locks = [each for each in _declared(child) if each in ends]
        tail = block.children[at + 1 :]
        last = tail[-1] if tail else None
        without = tail[:-1] if last is not None and last.kind == "return" and not last.children else tail
        for number, lock in enumerate(locks):
            later = [*locks[number + 1 :], *(each for below in tail for each in _all_declared(below) if each in ends)]
            wrong += [_second_lock(each, ends) for each in later if _owner(ends[each]) == _owner(ends[lock])]
            wrong += [_refused_exit(each, lock) for each in _leaving(without)]
        found += [ends[each] for each in locks]
    if not found:
        return block
    returns = [each for each in block.children[-1:] if each.kind == "return"]
    rest = block.children[: len(block.children) - len(returns)]
    return with_children(block, (*wrong[:1], *rest, *reversed(found), *returns))


def _closed(node: SyntaxNode, ends: Mapping[Variable, SyntaxNode]) -> SyntaxNode:
    """Return a statement in which a lock without braces ends with its branch: ``if (odd) read_lock<block> b(s);``."""
    if node.kind not in ("if", "switch", "case", "default", *_LOOPS):
        return node
    parts: list[SyntaxNode] = []
    for at, child in enumerate(node.children):
        locks = [each for each in _declared(child) if each in ends] if child.kind == "block" else []
        if not locks or any(each is ends[locks[0]] for each in child.children):
            parts.append(_closed(child, ends))
        elif node.kind == "for" and at == 0:
            words = f"lock '{locks[0].name}' in the head of a loop (declare it in a block around the loop)"
            parts.append(SyntaxNode("other", locks[0].position, text=words, end=child.end, extent=child.extent))
        else:
            parts.append(_released(child, ends))
    return with_children(node, tuple(parts))


def _declared(child: SyntaxNode) -> list[Variable]:
    """Return the variables that a statement declares."""
    every = child.children if child.kind == "block" else (child,)
    return [each.variable for each in every if each.kind == "declare" and each.variable is not None]


def _all_declared(node: SyntaxNode) -> list[Variable]:
    return [each.variable for each in node.walk() if each.kind == "declare" and each.variable is not None]


def _owner(end: SyntaxNode) -> str:
    """Return the stream of blocks to which the token at the end of a lock belongs."""
    if not end.children:
        return ""  # no stream
    token = end.children[0] if end.kind == "assign" else end
    return str(token.children[0].children[0])


def _second_lock(lock: Variable, ends: Mapping[Variable, SyntaxNode]) -> SyntaxNode:
    words = f"a second lock of '{_owner(ends[lock])}', '{lock.name}' (close the scope of the first one before)"
    return SyntaxNode("other", lock.position, text=words, end=ends[lock].end)


def _refused_exit(leaving: SyntaxNode, lock: Variable) -> SyntaxNode:
    words = f"a {leaving.kind} out of the scope of lock '{lock.name}' (let the scope end before it)"
    return replace(leaving, kind="other", children=(), text=words)


def _leaving(nodes: Sequence[SyntaxNode], *, inside: bool = False) -> Iterator[SyntaxNode]:
    """Yield the statements that leave a block; the ``break`` statements of inner loops and switches do not."""
    for node in nodes:
        if node.kind in ("return", "goto") or (node.kind in ("break", "continue") and not inside):
            yield node
        elif node.kind == "switch":
            yield from (each for each in _leaving(node.children, inside=inside) if each.kind != "break")
        else:
            yield from _leaving(node.children, inside=inside or node.kind in _LOOPS)
