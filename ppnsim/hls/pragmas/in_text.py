"""Directives in the text of a program, each with the function and the loop that contain it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from ppnsim.c.kinds import OUR_HEADERS
from ppnsim.c.pragmas.numbers import holds, number
from ppnsim.c.pragmas.text import PragmaLine, depths_of, hls_pragmas
from ppnsim.errors import InputError
from ppnsim.hls.pragmas.directives import Scope, all_loops, scope_of
from ppnsim.hls.pragmas.names import ArrayNames, declared_before
from ppnsim.hls.pragmas.of_calls import FOLLOWED
from ppnsim.hls.pragmas.outside_source import inside
from ppnsim.hls.pragmas.pragma import Pragma
from ppnsim.hls.pragmas.unknown_variables import absent
from ppnsim.loops.program import Frame, Loop, LoopProgram, Node

_OF_CALLS = frozenset(("loop_tripcount", "array_partition", "array_reshape", "stream", "allocation"))
"""Directives whose numbers may differ between the calls of a template."""

_Before = tuple[tuple[tuple[str, ...], int], ...]
"""Calls of a function, and how many declarations of names that blocks declare again stand before a line, in each."""


def written_in(
    sources: Mapping[str, str], program: LoopProgram, beside: Sequence[Frame], release: str
) -> Iterable[Pragma]:
    """Yield the directives in the text, each with the function and the loop that contain it."""
    known: dict[Scope, dict[_Before, tuple[list[Frame], dict[str, frozenset[str]]]]] = {}
    arrays = ArrayNames(program.arrays)
    loops = list({(scope_of(loop), loop.end): loop for loop in all_loops(program.body)}.values())
    calls = _calls(program)
    for file, text in sorted(sources.items()):
        depths, elsewhere = depths_of(text), list[PragmaLine]()
        for pragma in hls_pragmas(file, text):
            around, nowhere = _around(pragma, calls.values(), depths[pragma.position.line - 1])
            if nowhere:
                yield Pragma(pragma.name, str(pragma.position), {}, None, None, {}, {}, nowhere)
            if program.frames and not around:
                elsewhere += [pragma] * (not nowhere and not any(inside(pragma.position, each) for each in beside))
                continue
            function = max((scope_of(frame) for frame in around), default=(file, 0, 0))
            frames = [frame for frame in around if scope_of(frame) == function]
            values = {name: value for frame in frames for name, value in frame.values}
            if not holds(pragma, values):
                continue
            loop = _innermost(loops, pragma, function, program.body)
            frames, names = _named(arrays, frames, pragma, known.setdefault(function, {}))
            for words in _lost(pragma, frames, loop):
                yield Pragma(pragma.name, str(pragma.position), {}, None, None, {}, {}, words)
            at, given = str(pragma.position), dict(pragma.clauses)
            one = Pragma(pragma.name, at, given, loop, function, names, values, frames=frames)
            yield replace(one, nowhere=absent(one, frames, sources, program.arrays, release))
        if elsewhere and OUR_HEADERS not in file:
            yield _of_other_code(elsewhere, program)


def _calls(program: LoopProgram) -> dict[tuple[Scope, int], list[Frame]]:
    """Return the frames of each function together."""
    found: dict[tuple[Scope, int], list[Frame]] = {}
    for frame in program.frames:
        found.setdefault((scope_of(frame), frame.end), []).append(frame)
    return found


def _named(
    arrays: ArrayNames, frames: list[Frame], pragma: PragmaLine,
    known: dict[_Before, tuple[list[Frame], dict[str, frozenset[str]]]],
) -> tuple[list[Frame], dict[str, frozenset[str]]]:  # fmt: skip
    """Return the calls of a function with the names that a directive sees, and the arrays that its names mean.

    ``known`` are the answers so far.
    """
    line = pragma.position.line
    before = tuple((frame.path, sum(at <= line for _, at, _ in frame.again)) for frame in frames)
    if before not in known:
        seen = [declared_before(frame, line) for frame in frames]
        known[before] = seen, arrays.meant(seen)
    return known[before]


def _of_other_code(found: Sequence[PragmaLine], program: LoopProgram) -> Pragma:
    """Return a note about directives in functions without code in the kernel: not called, or not instantiated."""
    lines = ", ".join(map(str, dict.fromkeys(each.position.line for each in found)))
    words = f"in code that is not part of '{program.name}' (line{'s' * (', ' in lines)} {lines})"
    return Pragma("directives", str(found[0].position), {}, None, None, {}, {}, words)


def _lost(pragma: PragmaLine, frames: Sequence[Frame], loop: Scope | None) -> Iterable[str]:
    """Yield the parts of a directive that are ignored: a repeated clause, or differing numbers of other calls."""
    again = [name for name, count in Counter(name for name, _ in pragma.clauses).items() if count > 1]
    if again:
        yield f"{again[0]}={dict(reversed(pragma.clauses))[again[0]]}, which it says again"
    own = pragma.name in FOLLOWED and loop is not None
    if not own and pragma.name not in _OF_CALLS and (differs := _differing(pragma, frames)):
        yield differs


def _around(pragma: PragmaLine, calls: Collection[Sequence[Frame]], depth: int) -> tuple[list[Frame], str]:
    """Return the functions that contain a directive, and why it has no effect if none of their code runs.

    ``calls`` are the frames of each function together.
    """
    position = pragma.position
    within = [frame for frames in calls if inside(position, frames[0]) for frame in frames]
    around = [each for each in within if not any(first < position.line <= last for first, last in each.dead)]
    if around or not calls or (depth and not within):
        return around, ""
    nowhere = "in code of which nothing is executed" if within else "outside of functions"
    if pragma.name == "top":
        nowhere += f": to choose '{(name := dict(pragma.clauses).get('name', 'NAME'))}' give --function {name}"
    return around, nowhere


def _differing(pragma: PragmaLine, frames: Sequence[Frame]) -> str:
    """Return a note if the calls of a template give a clause several numbers, "" if they do not."""
    for clause, text in pragma.clauses:
        named = clause in ("variable", "port") or not text  # a name, even if a template's number has the same name
        given = {} if named else {number(text, dict(frame.values)): None for frame in frames}
        if len(given) > 1 and None not in given:
            *others, last = map(str, given)
            return f"{clause}={text} of some calls ({', '.join(others)}): {last} counts for all"
    return ""


def _innermost(loops: Sequence[Loop], pragma: PragmaLine, function: Scope, body: Sequence[Node]) -> Scope | None:
    """Return the innermost loop of a function around a directive; without ends of loops, the last one before it.

    ``for (..) for (..) {`` in one line: what stands behind is in the inner one. A directive at the very place of a loop
    is of one macro with it, and in it.
    """
    position = pragma.position
    within = [loop for loop in loops if inside(position, loop)]
    scopes = [scope_of(loop) for loop in within if scope_of(loop)[1:] <= (position.line, position.column)]
    found = max((scope for scope in scopes if scope[1] >= function[1]), default=None)
    here = found == (position.file, position.line, position.column)
    same = [loop for loop in all_loops(body) if scope_of(loop) == found] if here else []
    if any(scope_of(inner) == found for loop in same for inner in all_loops(loop.body)):
        words = f"{pragma.name} and several loops inside each other are of one macro: it is not known which of them"
        raise InputError(f"{words} it is in; write the loops without the macro", where=str(position))
    return found
