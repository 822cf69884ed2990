"""Data-dependent behaviour in a source: non-blocking accesses, loops until a flag, accesses under conditions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ppnsim.c.blocks import in_words
from ppnsim.c.kinds import LOOPS
from ppnsim.c.syntax import Function, SyntaxNode, TranslationUnit, Variable
from ppnsim.errors import InputError
from ppnsim.hls.native.loops import imperfect
from ppnsim.hls.native.places import BLOCKING, access_of, accesses_in, called_functions
from ppnsim.hls.native.region import NativeRegion
from ppnsim.hls.native.timing import TaskTiming
from ppnsim.hls.project.model import Project


def _remedy(project: Project | None) -> str:
    own = ""
    if project is not None and project.testbench:
        own = f", --testbench project with the project's own ({Path(project.testbench[0]).name})"
    elif missing := [each for each in (project.missing if project is not None else ()) if each.testbench]:
        own = f" ({missing[0].where}: {missing[0].words})"
    return f"--testbench FILE executes the design with its input{own}"


def decided(unit: TranslationUnit, reason: InputError, project: Project | None = None) -> InputError:
    """Return the refusal of a source as a network, with the data-dependent code, if any, and the remedy.

    ``project`` is the project of the source, which may have a testbench.

    Examples
    --------
    >>> str(decided(TranslationUnit("k.cpp", {}), InputError("no kernel", where="k.cpp")))
    'k.cpp: no kernel'
    """
    # A source may be refused for another reason: the data-dependent code must be what was refused.
    words = reason.message
    searches = [_polls]
    if any(each in words for each in ("data decides", "loop", "break", "empty part")):
        searches.append(_until)
    if "data decides" in words:
        searches.append(_under)
    bodies = [each for each in unit.functions.values() if each.body is not None and not each.system]
    found = next(filter(None, (search(each) for search in searches for each in bodies)), None)
    if found is None:
        if "before" in words and words.endswith("writes it"):
            return InputError(f"{reason}; {_remedy(project)}, circles of tasks included")
        return InputError(f"{reason}; {_remedy(project)}") if "data decides which FIFO" in words else reason
    node, what = found
    place = str(node.position)
    return InputError(f"{what}; {_remedy(project)} (without it: {str(reason).removeprefix(f'{place}: ')})", where=place)


def timing_rule(region: NativeRegion, timings: Mapping[int, TaskTiming]) -> str:
    """Return a sentence about the timing rule of each task (R11.5); variables that decide count as data."""
    calls = {each.name: region.places.call[number] for number, each in timings.items()}
    bodies = {name: called_functions(region.unit, [call]).values() for name, call in calls.items()}
    found = [
        name for name, some in bodies.items()
        if any(search(each) for each in some for search in (_polls, _until, _under))
    ]  # fmt: skip
    known = [name for name in calls if name not in found]
    nests = sorted(
        {node.position.line for some in bodies.values() for each in some for node in imperfect(region, each)}
    )
    rule = (
        "rule R11.5 in ppnsim/hls/RULES.md: a loop begins one state after its start, "
        "no nest with statements between its loops is flattened, no two loops of a task overlap"
    )
    if nests:
        lines = ", ".join(map(str, nests))
        rule += (
            f"; ppnsim schedule flattens the nest of line {lines} for releases from 2023.2 on, and counts fewer cycles"
        )
    others = f"; so are {', '.join(known)}, which no data decides about" if found and known else ""
    return f"timed as tasks that are executed ({rule}): {', '.join(found or known)}{others}"


def _polls(function: Function) -> tuple[SyntaxNode, str] | None:
    assert function.body is not None
    for access in accesses_in(function.body):
        if access.kind not in BLOCKING:
            return access.node, f"'{in_words(str(access))}' does not wait, so time decides what happens next"
    return None


def _until(function: Function) -> tuple[SyntaxNode, str] | None:
    """Return an access in a loop without a trip count."""
    for loop in function.walk():
        exits = any(node.kind == "break" for node in loop.walk())
        if loop.kind in LOOPS and (loop.kind != "for" or exits):
            for access in accesses_in(loop):
                if access.node.position.line >= loop.position.line:
                    words = f"how often '{in_words(str(access))}' happens is decided by data, which ends the loop"
                    return access.node, f"{words} in line {loop.position.line}"
    return None


def _under(function: Function) -> tuple[SyntaxNode, str] | None:
    """Return an access under a condition that does not depend on iterators alone."""
    assert function.body is not None
    for conditions, iterators, node in _within(function.body, (), frozenset()):
        access = access_of(node)
        for condition in conditions if access is not None else ():
            names = {each.variable for each in condition.walk() if each.kind == "name"}
            if any(each.kind == "index" for each in condition.walk()) or not names <= iterators:
                return node, f"whether '{in_words(str(access))}' happens is decided by data: '{condition}'"
    return None


def _within(
    node: SyntaxNode, conditions: Sequence[SyntaxNode], iterators: frozenset[Variable | None]
) -> Iterator[tuple[Sequence[SyntaxNode], frozenset[Variable | None], SyntaxNode]]:
    """Yield all nodes with the conditions and the iterators around them."""
    yield conditions, iterators, node
    if node.kind == "for":
        iterators |= {each.variable for each in node.children[0].walk() if each.variable is not None}
    for place, child in enumerate(node.children):
        inner = (*conditions, node.children[0]) if node.kind == "if" and place else conditions
        yield from _within(child, inner, iterators)
