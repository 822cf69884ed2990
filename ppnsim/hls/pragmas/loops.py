"""A reader for directives on loops, functions and dependences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ppnsim.errors import InputError, did_you_mean
from ppnsim.hls.pragmas.directives import DependenceDirective, LoopDirective, all_loops, direct_loops, scope_of
from ppnsim.hls.pragmas.pragma import DirectivesSoFar, Pragma
from ppnsim.hls.pragmas.tasks import makes_region
from ppnsim.hls.structure.counting import steady_trips
from ppnsim.hls.structure.unrolling import is_from
from ppnsim.loops.program import Frame, Loop, LoopProgram, Node

_STYLES = ("stp", "flp", "frp")
_WORDS = {"direction": ("raw", "war", "waw"), "dependent": ("true", "false"), "class": ("array", "pointer")}


def read_loop(found: Pragma, asked: DirectivesSoFar) -> None:
    """Read a directive on a loop or a function."""
    of_loop = found.loop is not None and found.name != "inline"
    table, scope = (asked.loops, found.loop) if of_loop else (asked.functions, found.function)
    if scope is None or (not found.loop and found.name == "unroll"):
        raise InputError(f"#pragma HLS {found.name} stands in no loop", where=found.where)
    old = table.get(scope, LoopDirective())
    if found.name == "loop_flatten":
        found.check("off")
        new = replace(old, flatten=not found.flag("off"))
    elif found.name == "pipeline":
        found.check("ii", "off", "rewind", "style", "enable_flush")
        pipeline, rewind = not found.flag("off"), found.flag("rewind")
        drains = _checked_style(found, asked) != "stp"
        ii = found.number("ii")
        new = replace(old, pipeline=pipeline, ii=ii or 1, firm=bool(ii), rewind=rewind, drains=drains)
    elif found.name == "dataflow":
        new = replace(old, dataflow=makes_region(found, asked, scope, old))
    elif found.name == "latency":
        new = _latency(found, asked, old)
    elif found.name == "inline":
        found.check("off", "region", "recursive", "self")  # "self" is the default
        whole = found.flag("region") or found.flag("recursive")
        new = replace(old, inline=not found.flag("off") and not found.flag("region"), region=whole)
    elif found.name == "expression_balance":
        found.check("off")
        new = replace(old, balance=not found.flag("off"))
    else:
        found.check("factor", "skip_exit_check", "off", "region")
        new = replace(old, unroll=1 if found.flag("off") else found.number("factor") or 0)
    _check_both(old, new, found, asked)
    table[scope], asked.places[scope, found.name] = new, found.where


def _latency(found: Pragma, asked: DirectivesSoFar, old: LoopDirective) -> LoopDirective:
    """Return a directive with the requested least latency; a greatest latency is only noted."""
    found.check("min", "max")
    least, most = found.number("min", 0) or 0, found.number("max", 0)
    if not {"min", "max"} & found.clauses.keys():
        asked.ignore(found, "latency without min or max")
    if most is not None:
        asked.ignore(found, f"latency max{f'={most}, which is less than min={least}' if most < least else ''}")
    return replace(old, least=least, least_at=found.where) if least > old.least else old


def _checked_style(found: Pragma, asked: DirectivesSoFar) -> str:
    """Return the style of a pipeline; note a style other than the one that all pipelines have here (R7.2)."""
    style = found.clauses.get("style", "flp" if found.flag("enable_flush") else "stp").lower()
    if style not in _STYLES:
        raise InputError(f"pipeline: no style '{style}'{did_you_mean(style, _STYLES)}", where=found.where)
    if style != "stp":
        said = f"style={style}" if "style" in found.clauses else "enable_flush"
        asked.ignore(found, f"pipeline {said}: pipelines stand still as a whole here (R7.2 in ppnsim/hls/RULES.md)")
    return style


def _check_both(old: LoopDirective, new: LoopDirective, found: Pragma, asked: DirectivesSoFar) -> None:
    """Refuse a directive that contradicts an earlier one; note if one of them makes the other ineffective."""
    if new.pipeline and new.unroll == 0 and not (old.pipeline and old.unroll == 0):
        asked.ignore(found, "pipeline of a loop that is unrolled completely: the loop around it may be pipelined")
    clash = any(
        getattr(old, name) is not None and getattr(new, name) != getattr(old, name)
        for name in ("pipeline", "unroll", "flatten", "balance")
    )
    if old.pipeline and new.pipeline and new.ii != old.ii:
        asked.ignore(found, f"a pipeline with II {old.ii} before this one, which is followed with II {new.ii}")
    if clash or (new.dataflow and (new.pipeline or new.unroll == 0)):
        words = f"conflicting pragmas: {found.name} contradicts an earlier directive on this "
        words += "loop" if found.loop else "function"
        raise InputError(words, where=found.where)


def read_dependence(found: Pragma, asked: DirectivesSoFar) -> None:
    """Read a ``dependence`` (R6.6): ``variable=a inter false``, ``type=inter dependent=false distance=4``."""
    words = ("inter", "intra", "true", "false", "raw", "war", "waw", "array", "pointer")
    found.check("variable", "type", "class", "direction", "dependent", "distance", *words)
    between = _between(found)
    direction = next((w for w in ("raw", "war", "waw") if w in found.clauses), found.clauses.get("direction", "raw"))
    _check_words(found, direction)
    if direction.lower() != "raw":
        asked.ignore(found, f"dependence {direction.upper()}: only loads that wait for stores (RAW) cost time here")
        return
    none = "false" in found.clauses or found.clauses.get("dependent", "").lower() == "false"
    if (distance := 0 if none else found.number("distance")) is None:
        asked.ignore(found, "dependence without false or a distance: it is assumed anyway")
        return
    if none and "distance" in found.clauses:
        asked.ignore(found, "the distance of a dependence that is false")
    if "this" in found.names and not found.strict and (unknown := found.unknown()):
        asked.ignore(found, f"dependence of '{unknown}', which no array of the object is called")
        return
    if not none and not all(between):
        asked.ignore(found, "the distance of a dependence in one iteration (intra): iterations are counted between two")
    _note_dependence(found, asked, [inter for inter in between if inter or none], distance)


def _between(found: Pragma) -> list[bool]:
    """Return whether a ``dependence`` is between iterations or in one iteration, for each of its types."""
    kinds = {"inter", "intra"} & found.clauses.keys() or {found.clauses.get("type", "inter")}
    for kind in kinds:
        if kind.lower() not in ("inter", "intra"):
            raise InputError(f"dependence: no type '{kind}' (inter or intra)", where=found.where)
    return [kind.lower() == "inter" for kind in sorted(kinds)]


def _note_dependence(found: Pragma, asked: DirectivesSoFar, between: Sequence[bool], distance: int) -> None:
    """Note the distance of a dependence for each array, ``between`` iterations or in one."""
    for array in sorted(found.arrays()) if "variable" in found.clauses else ("",):
        if array and not asked.arrays[array].shape:
            asked.ignore(found, f"dependence of '{found.clauses['variable']}', which is not an array")
            continue
        asked.dependences += [DependenceDirective(array, inter, distance, found.loop) for inter in between]


def _check_words(found: Pragma, direction: str) -> None:
    """Refuse words that a ``dependence`` does not have."""
    said = {"direction": direction, "dependent": found.clauses.get("dependent", "false")}
    said["class"] = found.clauses.get("class", "array")
    for clause, known in _WORDS.items():
        if said[clause].lower() not in known:
            words = f"dependence: no {clause} '{said[clause]}'{did_you_mean(said[clause].lower(), known)}"
            raise InputError(words, where=found.where)


def without_unknown(body: Sequence[Node], asked: DirectivesSoFar, around: tuple[Loop, ...] = ()) -> None:
    """Drop the unrolling of loops with unknown trip counts, and the pipelining of loops around one, as the tool does.

    A trip count is unknown if data decides it, or an outer iterator of a loop that is not unrolled.
    """
    for loop in direct_loops(body):
        _without_unknown(loop, asked, around)
        without_unknown(loop.body, asked, (*around, loop))


def without_unknown_inside(program: LoopProgram, asked: DirectivesSoFar) -> None:
    """Drop the pipelining of functions that contain a loop with an unknown trip count, as of loops around one."""
    loops = list(all_loops(program.body))
    doubtful = [loop for loop in loops if _is_unknown(loop, frozenset())]
    for frame in program.frames:
        found = asked.functions.get(scope_of(frame))
        if found is None or not found.pipeline or not any(is_from(loop, frame, program.frames) for loop in doubtful):
            continue
        inside = [loop for loop in loops if is_from(loop, frame, program.frames)]
        fixed = frozenset(each.iterator for each in inside)
        if any(_is_unknown(loop, fixed) for loop in inside):
            where = _place(frame, "pipeline", asked)
            asked.ignored.append(f"{where}: pipeline of a function with a loop whose trip count is not known")
            asked.functions[scope_of(frame)] = replace(found, pipeline=None, ii=LoopDirective().ii)
            _unroll_known(inside, fixed, asked)


def _unroll_known(inside: Sequence[Loop], fixed: frozenset[str], asked: DirectivesSoFar) -> None:
    """Unroll the loops in what could not be pipelined, but those around a loop with an unknown trip count (R1.3)."""
    for loop in inside:
        if not any(_is_unknown(each, fixed) for each in (loop, *all_loops(loop.body))):
            asked.loops[scope_of(loop)] = LoopDirective(unroll=0)


def _without_unknown(loop: Loop, asked: DirectivesSoFar, around: tuple[Loop, ...]) -> None:
    found = asked.loops.get(scope_of(loop))
    if found is None:
        return
    fixed = frozenset(each.iterator for each in around if _is_copied(each, asked, around))
    if found.unroll is not None and _is_unknown(loop, fixed):
        asked.ignored.append(f"{_place(loop, 'unroll', asked)}: unroll of a loop whose trip count is not known")
        found = replace(found, unroll=None)
    inside = list(all_loops(loop.body))
    fixed |= {each.iterator for each in inside}
    if found.pipeline and any(_is_unknown(inner, fixed) for inner in inside):
        where = _place(loop, "pipeline", asked)
        asked.ignored.append(f"{where}: pipeline of a loop around one whose trip count is not known")
        # R1.4: a loop with a pipeline directive is never the outer loop of a flattened nest.
        found = replace(found, pipeline=None, ii=LoopDirective().ii, flatten=found.flatten or False)
        _unroll_known(inside, fixed, asked)
    asked.loops[scope_of(loop)] = found


def _place(part: Loop | Frame, name: str, asked: DirectivesSoFar) -> str:
    """Return the place of a directive on a loop or a function, or of that itself if the directive is in no text."""
    return asked.places.get((scope_of(part), name), str(part.position))


def _is_copied(loop: Loop, asked: DirectivesSoFar, around: tuple[Loop, ...]) -> bool:
    """Return whether a loop is unrolled completely, by its own directive or by the pipeline around it."""
    directives = [asked.loops.get(scope_of(each)) for each in around[: around.index(loop)]]
    own = asked.loops.get(scope_of(loop))
    return (own is not None and own.unroll == 0) or any(each is not None and each.pipeline for each in directives)


def _is_unknown(loop: Loop, fixed: frozenset[str]) -> bool:
    """Return whether a loop has no constant trip count even if some iterators have fixed values."""
    if loop.assumed or steady_trips(loop) is not None:
        return loop.assumed
    return any(bound.iterators() - fixed for bound in (*loop.first, *loop.last))
