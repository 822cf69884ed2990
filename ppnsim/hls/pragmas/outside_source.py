"""A reader for directives outside of the source: from the caller, and from scripts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from ppnsim.c.pragmas.clauses import clauses
from ppnsim.errors import InputError, did_you_mean
from ppnsim.hls.pragmas.directives import Scope, all_loops, scope_of
from ppnsim.hls.pragmas.labels import labels
from ppnsim.hls.pragmas.names import names_in
from ppnsim.hls.pragmas.pragma import DirectivesSoFar, PlacedDirective, Pragma
from ppnsim.loops.program import Frame, Loop, LoopProgram, Position


def inside(position: Position, part: Loop | Frame) -> bool:
    """Return whether a line belongs to a loop or a function."""
    return part.position.file == position.file and part.position.line <= position.line <= (part.end or position.line)


def _is_dead(line: int, program: LoopProgram) -> bool:
    return any(first <= line <= last for frame in program.frames for first, last in frame.dead)


def given(more: Sequence[str], program: LoopProgram, asked: DirectivesSoFar) -> Iterable[Pragma]:
    """Yield the directives of the caller: ``4: unroll factor=4`` belongs to the loop in line 4."""
    lines = sorted({scope_of(loop) for loop in all_loops(program.body)})
    kernel = program.frames[:1]
    function = scope_of(kernel[0]) if kernel else None
    names, values = names_in(program.arrays, kernel), {name: value for each in kernel for name, value in each.values}
    for text in more:
        line, colon, rest = text.rpartition(":")
        name, *clause = rest.split(maxsplit=1) or [""]
        if not name or (colon and not line.strip().isdecimal()):
            raise InputError(f"'{text}' is not of the form '4: unroll factor=4' or 'dataflow'", where="--pragma")
        # If several loops begin in one line, a directive after them belongs to the last one.
        loop = _begun(int(line), lines, text, asked) if colon else None
        if colon and loop is None and _is_dead(int(line), program):
            asked.ignored.append(f"--pragma {text}: line {line.strip()} is in a branch that is not executed here")
            continue
        if colon and loop is None:
            known = ", ".join(str(each[1]) for each in lines)
            raise InputError(f"no loop begins in line {line.strip()} (loops: {known})", where="--pragma")
        own = None if colon else function
        found = dict(clauses("".join(clause)))
        yield Pragma(name.lower(), "--pragma", found, loop, own, names, values, strict=True, frames=kernel)


def _begun(line: int, loops: Sequence[Scope], text: str, asked: DirectivesSoFar) -> Scope | None:
    """Return the last loop that begins in a line, and note the other loops that a directive does not reach."""
    begin = [each for each in loops if each[1] == line]
    if len(begin) > 1:
        words = f"for the other {len(begin) - 1} of {len(begin)} loops that begin in line {line}"
        asked.ignored.append(f"--pragma {text}: {words}: it is for that at {':'.join(map(str, begin[-1]))}")
    return begin[-1] if begin else None


def placed_in(
    directives: Sequence[PlacedDirective], sources: Mapping[str, str], program: LoopProgram, asked: DirectivesSoFar
) -> Iterable[Pragma]:  # fmt: skip
    """Yield the directives of a script; a directive for a function outside of this kernel is left out.

    A directive for a function, a label or a variable that no source has changes nothing, as in the tool: "WARNING: [HLS
    200-1986] Could not apply PIPELINE directive, invalid function, label, or variable".
    """
    loops = list(all_loops(program.body))
    known = labels(sources, loops)
    for each in directives:
        frames = [frame for frame in program.frames if frame.path[-1] == each.function]
        if not frames:
            if not any(re.search(rf"\b{re.escape(each.function)}\s*\(", text) for text in sources.values()):
                functions = did_you_mean(each.function, [frame.path[-1] for frame in program.frames])
                words = f"{each.text.split()[0]} for a function '{each.function}' that is not there{functions}"
                asked.ignored.append(f"{each.where}: {words}")
            else:
                words = f"{each.text.split()[0]} for '{each.function}', which is not part of '{program.name}'"
                asked.ignored.append(f"{each.where}: {words}")
            continue
        own = [scope_of(loop) for loop in loops if any(inside(loop.position, frame) for frame in frames)]
        here = [scope for scope in own if known.get(scope) == each.label]
        if each.label and not here:
            words = did_you_mean(each.label, [known[scope] for scope in own if scope in known])
            words = f"{each.text.split()[0]} for a loop '{each.label}' that '{each.function}' does not have{words}"
            asked.ignored.append(f"{each.where}: {words}")
            continue
        name, _, rest = each.text.partition(" ")
        values = {key: value for frame in frames for key, value in frame.values}
        found = Pragma(
            name.lower(), each.where, dict(clauses(rest)), here[0] if each.label else None, scope_of(frames[0]),
            names_in(program.arrays, frames), values, strict=True, frames=frames,
        )  # fmt: skip
        yield from _named(found, each.function, asked)


def _named(found: Pragma, function: str, asked: DirectivesSoFar) -> Iterable[Pragma]:
    """Yield a directive if its function has the named variable; else note it."""
    if member := found.unused_member():
        asked.ignore(found, f"{found.name} for '{member}', a member that nothing uses")
    elif unknown := found.unknown():
        words = did_you_mean(unknown, [key for key, parts in found.names.items() if parts])
        asked.ignore(found, f"{found.name} for '{unknown}', which '{function}' does not have{words}")
    else:
        yield found
