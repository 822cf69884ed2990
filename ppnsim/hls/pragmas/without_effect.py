"""Directives without effect: they ask for what holds anyway, contradict the source, or have no object."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ppnsim.errors import InputError, did_you_mean
from ppnsim.hls.pragmas.directive_context import LoopsOfProgram, Seen, in_region, is_top
from ppnsim.hls.pragmas.pragma import DirectivesSoFar, Pragma
from ppnsim.hls.pragmas.stated_trips import contradicted
from ppnsim.hls.structure.counting import steady_trips
from ppnsim.loops.program import Array

_COMPACT = ("auto", "bit", "byte", "none")


_Check = Callable[[Seen], Iterator[str]]


def idle(found: Pragma, loops: LoopsOfProgram, asked: DirectivesSoFar) -> Iterator[str]:
    """Yield the parts of a directive that have no effect, after all directives have been ``asked``."""
    check = _CHECKS.get(found.name)
    if check is not None and not found.nowhere and not unmeant(found):
        yield from check(Seen(found, loops, asked))


def unmeant(found: Pragma) -> str:
    """Return why a directive cannot apply to its variable: a whole struct, or an unused variable; else ""."""
    name = found.clauses.get("variable", "").strip('"')
    if name == "return" and not found.strict and not any(each.endswith("_result") for each in found.names):
        return "of the value that a function returns, which has no variable here"
    if not name or found.name in PLAIN or found.names.get(name) != frozenset():  # a parameter may have no name
        return ""
    members = sorted(each for each in found.names if each.startswith(f"{name}."))
    return f"of the struct '{name}': name its members ({', '.join(members)})" if members else (
        f"of '{name}', which nothing uses"
    )  # fmt: skip


def _pipeline(seen: Seen) -> Iterator[str]:
    found, program, asked = seen.found, seen.program, seen.asked
    if found.flag("off") and "ii" in found.clauses:
        yield "the II of a pipeline that is off"
    if found.flag("rewind") and found.loop is None:
        yield "pipeline rewind of a function, which takes new arguments in every interval anyway"
    if found.loop is not None or is_top(found, program) or found.flag("off"):
        return
    tasks = in_region({frame.path for frame in found.frames}, program, asked)
    own = asked.functions.get(found.function) if found.function is not None else None
    if not tasks and not seen.has_loops and not (own is not None and own.endless):
        yield "pipeline of a function without loops: its statements belong to what calls it"


def _unroll(seen: Seen) -> Iterator[str]:
    found = seen.found
    if found.loop is None:
        return
    if found.flag("off") and "factor" in found.clauses:
        yield "the factor of an unroll that is off"
    if found.flag("region"):
        yield "unroll region: the loop itself is unrolled"
    factor = found.number("factor") or 0
    if found.flag("skip_exit_check"):
        yield "unroll skip_exit_check: exits are tested as without it"
    trips = [steady_trips(loop) for loop in seen.loops.at(found.loop)]
    known = [each for each in trips if each is not None]
    if known and len(known) == len(trips) and max(known) < factor and not found.flag("off"):
        yield f"unroll factor={factor} of a loop of {max(known)} iterations: all of them are copies, no more"


def _inline(seen: Seen) -> Iterator[str]:
    found, program, asked = seen.found, seen.program, seen.asked
    inner = any(found.flag(each) for each in ("region", "recursive"))
    name = found.frames[0].path[-1] if found.frames else program.name
    paths = {frame.path for frame in found.frames}
    if inner and paths and not any(frame.path[:-1] in paths for frame in program.frames):
        yield f"inline of what '{name}' calls, which is nothing"
    elif program.frames and is_top(found, program):
        if not inner and not found.flag("off"):
            yield f"inline of '{name}', which nothing calls"
    elif found.flag("off"):
        inside = ", and its loops are unrolled and flattened as those around" * seen.has_loops
        yield f"inline off of '{name}': a call takes no cycles of its own here{inside}, with or without it"
    elif not (inner or seen.has_loops or in_region(paths, program, asked)):
        yield f"inline of '{name}', which has no loops: its statements belong to what calls it anyway"


def _dependence(seen: Seen) -> Iterator[str]:
    found, asked = seen.found, seen.asked
    told = {each.array for each in asked.dependences if each.scope == found.loop}
    read, written = seen.loops.moved(found.loop)
    named = found.arrays() if "variable" in found.clauses else {""}
    what = "this function" if found.loop is None else "this loop"
    if named == {""} and not any(asked.arrays[each].shape for each in written):
        yield f"dependence: {what} writes no array"
    elif (named & told) and not (read & written & named or "" in named):
        yield f"dependence of '{found.clauses['variable']}': nothing in {what} both loads and stores it"


def _balance(seen: Seen) -> Iterator[str]:
    found, asked = seen.found, seen.asked
    own = asked.functions.get(found.function) if found.function is not None else None
    if found.loop is None and not (own and own.pipeline) and not seen.has_loops:
        yield "expression_balance of a function without loops, which is not pipelined"


def _interface(seen: Seen) -> Iterator[str]:
    found, program = seen.found, seen.program
    if found.clauses.get("port") == "return" and not is_top(found, program):
        yield f"interface port=return of another function than '{program.name}', which is the kernel"


def _tripcount(seen: Seen) -> Iterator[str]:
    found, program = seen.found, seen.program
    found.check("min", "max", "avg")
    if found.where.startswith("--pragma"):
        yield "loop_tripcount: iterations are read from the source alone; write it there, or give bounds with --set"
    elif found.loop is None:
        yield "loop_tripcount outside of loops"
    elif not found.clauses:
        yield "loop_tripcount without min, avg or max"
    else:
        yield from contradicted(found, program)


def _structs(seen: Seen) -> Iterator[str]:
    found, asked = seen.found, seen.asked
    found.check("variable", "compact", "off", "instance", "struct_level", "field_level", "byte_pad")
    compact = found.clauses.get("compact", "auto").lower()
    if compact not in _COMPACT:
        raise InputError(f"{found.name}: no compact '{compact}'{did_you_mean(compact, _COMPACT)}", where=found.where)
    if not (name := found.clauses.get("variable", "")):
        yield f"{found.name} of no variable (variable=NAME)"
        return
    parts = [asked.arrays[each] for each in sorted(found.arrays())]
    inner = {part for key, of in found.names.items() if key.startswith(f"{name}.") for part in of}
    members = [asked.arrays[each] for each in sorted(inner)] or [each for each in parts if _is_member(each, found)]
    if not members and parts and not any(each.fields for each in parts):
        yield f"{found.name} of '{name}', which is no struct"
    elif found.name != "disaggregate" and not all(_in_words(each, asked) for each in members):
        yield f"{found.name} of '{name}': its members are kept apart here"


def _in_words(array: Array, asked: DirectivesSoFar) -> bool:
    """Return whether members of structs are parts of words: of a token, of a memory word, or of a bus word (R6.2)."""
    kept = asked.storage.get(array.name)
    return bool(array.stream) or array.name in asked.aggregates or (kept is not None and kept.kind == "bus")


def _is_member(array: Array, found: Pragma) -> bool:
    """Return whether an array is a member of a struct, or of each struct in the array of a directive (R6.3)."""
    wholes = {dict(frame.names).get(found.clauses["variable"]) for frame in found.frames}
    return array.member is not None or any(array.name.startswith(f"{whole}.") for whole in wholes)


def _of_tasks(seen: Seen) -> Iterator[str]:
    found = seen.found
    yield f"{found.name}{_of(found)}: when tasks start and end is said by R7 alone (ppnsim/hls/RULES.md)"


def _reset(seen: Seen) -> Iterator[str]:
    found = seen.found
    yield f"{found.name}{_of(found)}: no cycle and no unit counted here depends on it"


def _instantiate(seen: Seen) -> Iterator[str]:
    found, program = seen.found, seen.program
    if not found.clauses.get("variable"):
        yield "function_instantiate of no variable (variable=NAME)"
    elif program.frames and is_top(found, program):
        yield f"function_instantiate of '{program.name}', which nothing calls"


def _top(seen: Seen) -> Iterator[str]:
    found, program = seen.found, seen.program
    name = found.clauses.get("name", program.name).strip('"')
    if not is_top(found, program):
        yield f"top of another function than '{program.name}', which is the one that is asked for"
    elif name != program.name:
        yield f"top name={name}: the kernel is called '{program.name}' here"


def _of(found: Pragma) -> str:
    return f" of '{name}'" if (name := found.clauses.get("variable", "")) else ""


PLAIN: Mapping[str, _Check] = {
    "loop_tripcount": _tripcount, "function_instantiate": _instantiate, "top": _top, "reset": _reset, "clock": _reset,
    "aggregate": _structs, "disaggregate": _structs, "data_pack": _structs, "stable": _of_tasks, "shared": _of_tasks,
}  # fmt: skip
"""Directives without a reader: the schedule needs none, or follows them anyway, or reads them with the loops."""
_CHECKS: Mapping[str, _Check] = {
    **PLAIN, "pipeline": _pipeline, "unroll": _unroll, "inline": _inline,
    "dependence": _dependence, "interface": _interface, "expression_balance": _balance,
}  # fmt: skip
