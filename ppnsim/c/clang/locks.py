"""Locks of ``hls::stream_of_blocks``: a reference to the block, with its tokens where the lock begins and ends (R7.7).

A block is a token of two streams: ``held`` from its write lock to the end of its read lock, so that the depth is the
number of blocks, and ``full`` from the end of its write lock to its read lock.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from ppnsim.c.blocks import BLOCK, FULL, HELD, is_blocks
from ppnsim.c.clang.names import parts
from ppnsim.c.kinds import Kind
from ppnsim.c.plain.nodes import assign, with_children
from ppnsim.c.syntax import CType, SyntaxNode, Variable, refuse

_LOCK = re.compile(r"(?:const )?hls::(read|write)_lock<.*>")
_LOOPS = ("for", "while", "do", "range_for")


def lock_of(spelling: str) -> Literal["read", "write"] | None:
    """Return which lock of a block a type is, None for other types.

    Examples
    --------
    >>> lock_of("hls::write_lock<int[16]>"), lock_of("hls::stream<int>")
    ('write', None)
    """
    found = _LOCK.fullmatch(spelling)
    return None if found is None else "read" if found[1] == "read" else "write"


def through_lock(cursor: Any, read: Callable[[Any], SyntaxNode]) -> SyntaxNode | None:
    """Return the node of an element of a block that a lock names, or of the block; None for other calls.

    A stream of blocks that is handed on as one of another depth is itself.
    """
    called = cursor.referenced
    if called is None or called.kind.name not in ("CXX_METHOD", "CONVERSION_FUNCTION"):
        return None
    target, arguments = parts(cursor)
    owner = called.semantic_parent.type.get_canonical().spelling
    to_depth = called.kind.name == "CONVERSION_FUNCTION" and is_blocks(owner)
    if target is None or not (to_depth or lock_of(owner)):
        return None
    block = read(target)
    if not arguments or block.type.element is None:
        return block
    extent = (cursor.extent.start.offset, cursor.extent.end.offset)
    made = SyntaxNode("index", block.position, block.type.element, (block, read(arguments[0])))
    return replace(made, end=cursor.extent.end.line, extent=extent)


def locked(cursor: Any, lock: Variable, made: SyntaxNode) -> tuple[Variable, list[SyntaxNode], SyntaxNode]:
    """Return a lock as a reference to its block, the statements that begin it, and the one that ends it."""
    blocks = next((each for each in made.walk() if BLOCK in dict(each.type.fields)), None)
    kind = lock_of(cursor.type.get_canonical().spelling)
    if blocks is None or lock.type.kind != "array":
        refuse(lock.position, f"lock '{lock.name}' is of no array in a hls::stream_of_blocks that has a name")
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
    """Return a block of statements with the ends of the locks that it declares, the last one first.

    Raises
    ------
    InputError
        If a statement leaves the block while a lock is held.
    """
    found: list[SyntaxNode] = []
    for at, child in enumerate(block.children):
        declared = child.children if child.kind == "block" else (child,)
        locks = [each.variable for each in declared if each.kind == "declare" and each.variable in ends]
        if not locks:
            continue
        last = block.children[-1]
        tail = block.children[at + 1 :]
        without = tail[:-1] if last.kind == "return" and not last.children else tail
        if (leaving := next(_leaving(without), None)) is not None:
            words = f"leaves the scope of lock '{locks[0].name}', whose block would be released here and there"
            refuse(leaving.position, f"'{leaving.kind}' {words}: let the scope end where the lock is not held any more")
        found += [ends[each] for each in locks]
    if not found:
        return block
    returns = block.children[-1:] if block.children[-1].kind == "return" else ()
    rest = block.children[: len(block.children) - len(returns)]
    return with_children(block, (*rest, *reversed(found), *returns))


def _leaving(nodes: Sequence[SyntaxNode], *, inside: bool = False) -> Iterator[SyntaxNode]:
    """Yield the statements that leave a block; a loop or a ``switch`` in it has breaks of its own."""
    for node in nodes:
        if node.kind in ("return", "goto") or (node.kind in ("break", "continue") and not inside):
            yield node
        elif node.kind == "switch":
            yield from (each for each in _leaving(node.children, inside=inside) if each.kind != "break")
        else:
            yield from _leaving(node.children, inside=inside or node.kind in _LOOPS)
