"""A loop program as C: its source file with the statements of the kernel replaced."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ppnsim.errors import InputError
from ppnsim.loops.as_c.affine import affine_text, condition_text
from ppnsim.loops.as_c.names import iterator_names, symbols_of, used_arrays
from ppnsim.loops.as_c.operations import Speller
from ppnsim.loops.program import Array, Execution, Guard, Loop, LoopProgram, Node, Position, Statement
from ppnsim.loops.rewrite.elimination import value_range

_STEP = "    "
_CPP = (".cc", ".cpp", ".cxx", ".C", ".hh", ".hpp")


def c_source(program: LoopProgram, source: str, *, note: str = "") -> str:
    """Return the file of a kernel with the statements of the program in place of the old ones.

    The code around the kernel's statements does not change. Parameters appear as numbers. A called kernel appears as
    its loops and local arrays. A comment behind each statement gives its name.

    Parameters
    ----------
    program : a kernel from the front-end, transformed or not.
    source : the text of its file.
    note : a comment above the new text.

    Raises
    ------
    InputError
        If part of the kernel would be lost, or only the timing of part of it is known.
    """
    region = program.region
    if region is None:
        raise InputError("does not come from C, so its source cannot be written", where=program.name)
    if region.obstacle:
        raise InputError(region.obstacle, where=str(region.where))
    data = source.encode()
    before, after = data[: region.start].decode(), data[region.end :].decode()
    line = before.rpartition("\n")[2]
    indent = line if not line.strip() else _STEP
    if before.endswith("\n"):
        found = re.match(rb"[ \t]*", data[region.start :])
        indent = found[0].decode() if found and found[0] else _STEP
        before += indent
    lines = ([f"/* {note} */"] if note else []) + list(_body(program, source, after))
    text = f"\n{indent}".join(lines).replace(f"\n{indent}#", "\n#")
    return before + text + ("\n" if data[: region.end].endswith(b"\n") else "") + after


def _body(program: LoopProgram, source: str, after: str) -> Iterator[str]:
    symbols, taken = symbols_of(program, source)
    speller = Speller(
        arrays={array.name: array for array in program.arrays}, symbols=symbols,
        iterators=iterator_names(program, taken, source), ranges={}, types={}, cpp=program.file.endswith(_CPP),
    )  # fmt: skip
    local = [a for a in map(program.array, used_arrays(program)) if not a.symbol and a.member is None]
    yield from (_declaration(array, symbols[array.name]) for array in local)
    declared = {symbols[array.name] for array in local}
    for name, of in program.region.names if program.region else ():
        if of and name not in declared and re.search(rf"\b{name}\b", after):
            yield f"{of} {name};"
    yield from _lines(program.body, speller)


def _declaration(array: Array, symbol: str) -> str:
    sizes = "".join(f"[{size}]" for size in array.shape)
    return f"{array.type} {symbol}{sizes}{f' = {array.initial}' if array.initial else ''};"


def _inside(loop: Loop, speller: Speller) -> Speller:
    """Return the speller of a loop's body, which knows range and type of the iterator."""
    name, ranges = loop.iterator, speller.ranges
    low, high = value_range(loop, ranges)
    of = "int" if max(-low, high) + abs(loop.step) < 1 << 31 else "long"
    return replace(speller, ranges={**ranges, name: (low, max(low, high))}, types={**speller.types, name: of})


def _head(loop: Loop, of: str, speller: Speller) -> str:
    """Return the head of a loop whose iterator has the type ``of``."""
    name, up = speller.iterators[loop.iterator], loop.step > 0
    first, *others = (affine_text(bound, speller.ranges, speller.iterators) for bound in loop.first)
    for other in others:
        both = [f"({text})" if " " in text else text for text in (first, other)]
        first = f"{both[0]} {'>' if up else '<'} {both[1]} ? {both[0]} : {both[1]}"
    ends = []
    for bound in loop.last:
        shut = up and (bound.is_constant or bound.constant == -1)
        text = affine_text(bound + 1 if shut else bound, speller.ranges, speller.iterators)
        ends.append(f"{name} {'<' if up else '>'}{'' if shut else '='} {text}")
    size = abs(loop.step)
    step = f"{name}{'++' if up else '--'}" if size == 1 else f"{name} {'+' if up else '-'}= {size}"
    return f"for ({of} {name} = {first}; {' && '.join(ends)}; {step})"


def _lines(nodes: tuple[Node, ...], speller: Speller) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, Execution):
            yield from _statement(node.statement, speller)
        elif isinstance(node, Loop):
            if node.assumed:
                raise _refused(node.position, "how often the loop runs")
            inner = _inside(node, speller)
            yield from _block(_head(node, inner.types[node.iterator], speller), tuple(_lines(node.body, inner)))
        else:
            yield from _guard(node, speller)


def _guard(guard: Guard, speller: Speller, before: str = "") -> Iterator[str]:
    head = f"{before}if ({condition_text(guard.condition, speller.ranges, speller.iterators)})"
    body, otherwise = tuple(_lines(guard.body, speller)), guard.otherwise
    if not otherwise:
        yield from _block(head, body)
        return
    yield f"{head} {{"
    yield from _indented(body)
    if len(otherwise) == 1 and isinstance(otherwise[0], Guard):
        yield from _guard(otherwise[0], speller, "} else ")
        return
    yield "} else {"
    yield from _indented(_lines(otherwise, speller))
    yield "}"


def _block(head: str, body: tuple[str, ...]) -> Iterator[str]:
    closing = head.startswith("}")
    yield head if len(body) == 1 and not closing else f"{head} {{"
    yield from _indented(body)
    if len(body) != 1 or closing:
        yield "}"


def _indented(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines one level deeper; pragmas stay where they are."""
    return (line if line.startswith("#") else _STEP + line for line in lines)


def _statement(statement: Statement, speller: Speller) -> Iterator[str]:
    if statement.value is None:
        raise _refused(statement.position, f"what statement '{statement.name}' computes")
    if any(access.random for access in (*statement.reads, *statement.writes)):
        raise _refused(statement.position, f"which elements statement '{statement.name}' needs")
    timing = [(word, value) for word, value in (("latency", statement.latency), ("ii", statement.ii)) if value]
    if timing:
        yield "#pragma ppnsim " + " ".join(f"{word}({value})" for word, value in timing)
    yield f"{speller.statement(statement)}; /* {statement.name} */"


def _refused(where: Position, what: str) -> InputError:
    return InputError(f"{what} is not known, only its timing; it cannot be written as C", where=str(where))
