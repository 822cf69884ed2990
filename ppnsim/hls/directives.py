"""What ``#pragma HLS`` says of loops and arrays: pipeline, unroll, loop_flatten, array_partition."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ppnsim.affine.program import Array, Guard, Loop, LoopProgram, Position
from ppnsim.affine.program import Node as Lowered
from ppnsim.errors import InputError, did_you_mean
from ppnsim.hls.partitions import Partition

_LINE = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+HLS[ \t]+(\w+)(.*)$", re.MULTILINE | re.IGNORECASE)
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_WORD = re.compile(r"(\w+)(?:\s*=\s*([\w.]+))?")
# What changes no schedule here: how ports look outside, names, hints of trip counts, where functions end.
_WITHOUT_EFFECT = frozenset(("interface", "inline", "loop_tripcount", "dependence", "top", "resource", "bind_op"))
_KNOWN = ("pipeline", "unroll", "loop_flatten", "array_partition", *sorted(_WITHOUT_EFFECT))


@dataclass(frozen=True, slots=True)
class LoopDirective:
    """What is asked of a loop; None where nothing is said. ``unroll`` 0 is complete."""

    pipeline: bool | None = None
    ii: int = 1
    unroll: int | None = None
    flatten: bool | None = None


@dataclass(frozen=True, slots=True)
class Directives:
    """All directives of a kernel; loops by file and line, partitions by array."""

    loops: Mapping[tuple[str, int], LoopDirective] = field(default_factory=dict)
    partitions: Mapping[str, Partition] = field(default_factory=dict)
    ignored: tuple[str, ...] = ()

    def of(self, loop: Loop) -> LoopDirective:
        """Return what is asked of a loop."""
        return self.loops.get((loop.position.file, loop.position.line), LoopDirective())

    def keeps(self, loop: Loop) -> bool:
        """Return whether something is asked of a loop inside this one that makes it stay a loop."""
        for node in loop.body:
            if isinstance(node, Loop):
                asked = self.of(node)
                if asked.pipeline is not None or asked.unroll or self.keeps(node):
                    return True
        return False


def read_directives(sources: Mapping[str, str], program: LoopProgram, more: Sequence[str] = ()) -> Directives:
    """Return the directives in the sources of a program.

    Parameters
    ----------
    sources : text of each file.
    more : directives of the caller, ``LINE: unroll factor=4``, which stand as if they were in the loop of that line.

    Raises
    ------
    InputError
        For an unknown directive or clause, two that contradict each other, a loop or an array that is not there.
    """
    lines = sorted({(loop.position.file, loop.position.line) for loop in all_loops(program.body)})
    loops: dict[tuple[str, int], LoopDirective] = {}
    partitions: dict[str, Partition] = {}
    ignored: list[str] = []
    for at, loop, name, clauses in [*_written(sources, lines), *_given(more, lines)]:
        where = str(at) if at.line else "--pragma"
        if name not in _KNOWN:
            raise InputError(f"#pragma HLS knows no '{name}' here{did_you_mean(name, _KNOWN)}", where=where)
        if name in _WITHOUT_EFFECT:
            ignored.append(f"{where}: {name}")
        elif name == "array_partition":
            array, partition = _partition(clauses, program, where)
            if partitions.setdefault(array, partition) != partition:
                raise InputError(f"conflicting pragmas: two partitions of '{array}'", where=where)
        elif loop is None:
            raise InputError(f"#pragma HLS {name} stands in no loop", where=where)
        else:
            loops[loop] = _merged(loops.get(loop, LoopDirective()), name, clauses, where)
    return Directives(loops, partitions, tuple(ignored))


_Found = tuple[Position, tuple[str, int] | None, str, dict[str, str]]


def _written(sources: Mapping[str, str], lines: list[tuple[str, int]]) -> list[_Found]:
    found: list[_Found] = []
    for file, text in sorted(sources.items()):
        clean = _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text)
        for match in _LINE.finditer(clean):
            line = clean.count("\n", 0, match.start()) + 1
            # A directive is the first thing in its loop: the loop is the last one that begins before it.
            before = [each for each in lines if each[0] == file and each[1] < line]
            where = Position(file, line, 1)
            found.append((where, before[-1] if before else None, match[1].lower(), _clauses(match[2])))
    return found


def _given(more: Sequence[str], lines: list[tuple[str, int]]) -> list[_Found]:
    found: list[_Found] = []
    for text in more:
        line, colon, rest = text.partition(":")
        words = rest.split(maxsplit=1)
        if not colon or not words or not line.strip().isdecimal():
            raise InputError(f"'{text}' is not of the form 'LINE: unroll factor=4'", where="--pragma")
        loop = next((each for each in lines if each[1] == int(line)), None)
        if loop is None:
            known = ", ".join(str(each[1]) for each in lines)
            raise InputError(f"no loop begins in line {line.strip()} (loops: {known})", where="--pragma")
        found.append((Position(), loop, words[0].lower(), _clauses(words[1] if len(words) > 1 else "")))
    return found


def _clauses(text: str) -> dict[str, str]:
    return {word.lower(): value for word, value in _WORD.findall(text)}


def _merged(old: LoopDirective, name: str, clauses: dict[str, str], where: str) -> LoopDirective:
    known = {"pipeline": ("ii", "off", "rewind", "style"), "unroll": ("factor", "skip_exit_check", "off")}
    for clause in clauses:
        if clause not in known.get(name, ("off",)):
            raise InputError(
                f"{name} knows no '{clause}'{did_you_mean(clause, known.get(name, ('off',)))}", where=where
            )
    if name == "loop_flatten":
        new = replace(old, flatten="off" not in clauses)
    elif name == "pipeline":
        new = replace(old, pipeline="off" not in clauses, ii=_number(clauses, "ii", where) or 1)
    else:
        factor = 1 if "off" in clauses else _number(clauses, "factor", where) or 0
        new = replace(old, unroll=factor)
    clash = (old.pipeline, new.pipeline) in ((True, False), (False, True)) or (
        old.unroll is not None and new.unroll != old.unroll
    )
    if clash or (new.pipeline and new.unroll == 0):
        raise InputError(f"conflicting pragmas: {name} beside what this loop is told already", where=where)
    return new


def _number(clauses: dict[str, str], name: str, where: str) -> int | None:
    if name not in clauses:
        return None
    if not clauses[name].isdecimal() or not int(clauses[name]):
        raise InputError(f"{name} = {clauses[name] or 'nothing'} is no whole number from 1 on", where=where)
    return int(clauses[name])


def _partition(clauses: dict[str, str], program: LoopProgram, where: str) -> tuple[str, Partition]:
    arrays: dict[str, Array] = {array.name: array for array in program.arrays if array.shape}
    name = clauses.get("variable", "")
    if name not in arrays:
        raise InputError(f"array_partition: no array '{name}'{did_you_mean(name, arrays)}", where=where)
    kinds = ("cyclic", "block", "complete")
    kind = clauses.get("type") or next((each for each in kinds if each in clauses), "complete")
    if kind not in kinds:
        raise InputError(f"array_partition: no type '{kind}'{did_you_mean(kind, kinds)}", where=where)
    for clause in clauses:
        if clause not in ("variable", "type", "factor", "dim", *kinds):
            known = ("variable", "type", "factor", "dim")
            raise InputError(f"array_partition knows no '{clause}'{did_you_mean(clause, known)}", where=where)
    shape = arrays[name].shape
    text = clauses.get("dim", "1")
    dim = int(text) if text.isdecimal() else -1
    if not 0 <= dim <= len(shape):
        raise InputError(
            f"array_partition: '{name}' has no dimension {text} (1 to {len(shape)}, 0 for all)", where=where
        )
    extent = shape[dim - 1] if dim else 0
    factor = _number(clauses, "factor", where)
    if kind != "complete" and factor is None:
        raise InputError(f"array_partition: {kind} needs a factor", where=where)
    if kind != "complete" and not dim:
        raise InputError(f"array_partition: {kind} needs one dimension (1 to {len(shape)}), not all", where=where)
    return name, Partition(kind, dim, factor or extent, extent)  # type: ignore[arg-type]


def all_loops(body: Sequence[Lowered]) -> Iterable[Loop]:
    """Yield every loop of a body, outermost first."""
    for node in body:
        if isinstance(node, Loop):
            yield node
            yield from all_loops(node.body)
        elif isinstance(node, Guard):
            yield from all_loops(node.body)
            yield from all_loops(node.otherwise)
