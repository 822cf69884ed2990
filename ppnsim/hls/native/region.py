"""The dataflow region of an executed source: its tasks, its streams, and the memory that tasks share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ppnsim.c.pragmas.text import PragmaLine
from ppnsim.c.syntax import Function, SyntaxNode, TranslationUnit, Variable, refuse
from ppnsim.errors import InputError, did_you_mean
from ppnsim.hls.native.checks import check_loops, check_names, check_streams
from ppnsim.hls.native.directives import placed_in, pragmas_in
from ppnsim.hls.native.lanes import of_vectors
from ppnsim.hls.native.places import Places, called_functions, extent_of, opened_functions
from ppnsim.hls.native.statements import check_ports, check_region, is_endless, is_region, task_calls, writes
from ppnsim.hls.native.streams import NO_DEPTHS, ProjectDepths, RegionStream, stream_type, streams_of
from ppnsim.hls.pragmas.pragma import PlacedDirective

_PROJECTS = "a project (run_hls.tcl, hls_config.cfg) links several sources"


@dataclass(frozen=True, slots=True)
class NativeRegion:
    """A dataflow region as it is executed.

    Attributes
    ----------
    regions : the function that is the region, and the regions inside it.
    groups : the numbers of the calls of inner regions.
    functions : its tasks and the functions that they call, by name.
    opened : functions that have a loop or an access.
    places : the numbers of loops, accesses and calls of tasks.
    streams : streams by variable.
    after : for the number of a call, the calls beside it that have to end before (they write memory that it reads).
    pragmas : pragmas of all sources that preprocessor conditions keep, with numbers in place of macros.
    """

    unit: TranslationUnit
    regions: tuple[Function, ...]
    groups: frozenset[int]
    functions: Mapping[str, Function]
    opened: frozenset[str]
    places: Places
    streams: Mapping[Variable, RegionStream]
    after: Mapping[int, frozenset[int]]
    pragmas: Sequence[PragmaLine]

    @property
    def function(self) -> Function:
        """The function that is the outermost region."""
        return self.regions[0]


def native_region(
    unit: TranslationUnit, name: str | None, defines: Mapping[str, str], placed: Sequence[PlacedDirective] = (),
    depths: ProjectDepths = NO_DEPTHS,
) -> NativeRegion:  # fmt: skip
    """Return the dataflow region of a function; ``defines`` are the macros of the caller.

    ``placed`` are the directives of a project's script, ``depths`` its settings of streams.

    Raises
    ------
    InputError
        If there is no such function, it is no dataflow region, or the region does more than call tasks.
    """
    pragmas = [*pragmas_in(unit, defines), *placed_in(unit, placed)]
    function = _chosen(unit, name, pragmas)
    if any(Path(pragma.position.file).name == "hls_np_channel.h" for pragma in pragmas):
        refuse(function.position, f"'{function.name}' has hls::split or hls::merge, which are scheduled, not executed")
    check_names(pragmas)
    places = Places()
    regions = _numbered(unit, function, pragmas, places)
    groups = frozenset(n for n, call in enumerate(places.call) if unit.functions.get(call.text) in regions)
    for call in (places.call[number] for number in groups if is_endless(places.call[number])):
        refuse(
            call.position,
            f"the hls::task '{call.text}' is a dataflow region, which is not followed where it is executed",
        )
    tasks = [call for number, call in enumerate(places.call) if number not in groups]
    functions = called_functions(unit, tasks)
    check_ports((*regions, *functions.values()))
    opened = opened_functions(functions)
    _add_places(places, functions, opened, pragmas)
    missing = next((call for call in tasks if call.text not in functions), None)
    if missing is not None:
        refuse(missing.position, f"the task '{missing.text}' has no body in {_files(unit)}; {_PROJECTS}")
    places.add_rounds(functions, [n for n, call in enumerate(places.call) if is_endless(call)])
    streams = {
        v: stream for each in regions for v, stream in streams_of(each, pragmas, depths, top=each is function).items()
    }
    check_streams(places, frozenset((*streams, *(p for f in regions for p in f.parameters))))
    after: dict[int, frozenset[int]] = {}
    for each, outside in regions.items():
        after |= _after(unit, each, places, outside)
    return NativeRegion(unit, tuple(regions), groups, functions, opened, places, streams, after, pragmas)


def _add_places(
    places: Places, functions: Mapping[str, Function], opened: frozenset[str], pragmas: Sequence[PragmaLine]
) -> None:
    """Number the loops and accesses of the functions of tasks; refuse loops that cannot be executed."""
    for each in (f for f in functions.values() if not of_vectors(f)):
        if is_region(each, pragmas):
            words = f"'{each.name}' is a dataflow region that a task calls beside other work, which is not executed"
            refuse(each.position, f"{words}; let the region around the task call it")
        assert each.body is not None
        check_loops(each.body, pragmas)
        places.add(each.body, opened)


def _files(unit: TranslationUnit) -> str:
    return ", ".join(sorted({Path(f.position.file).name for f in unit.functions.values() if f.body is not None}))


def _numbered(
    unit: TranslationUnit, function: Function, pragmas: Sequence[PragmaLine], places: Places
) -> dict[Function, frozenset[Variable]]:
    """Number the calls of tasks in a region and in the regions that it calls.

    Return the regions, with their parameters that stand for memory outside of the outermost region.
    """
    found: dict[Function, frozenset[Variable]] = {}

    def visit(region: Function, outside: frozenset[Variable], around: tuple[Function, ...]) -> None:
        assert region.body is not None
        if region in around:
            refuse(region.position, f"'{region.name}' calls itself; hardware has no recursion")
        known = region in found
        if not known:
            check_region(unit, region, pragmas)
        found[region] = found[region] & outside if known else outside
        for call in task_calls(region.body):
            if not known:
                places.calls[extent_of(call)] = len(places.call)
                places.call.append(call)
            inner = unit.functions.get(call.text)
            if inner is not None and is_region(inner, pragmas):
                pairs = zip(inner.parameters, call.children, strict=False)
                its = frozenset(p for p, argument in pairs if not _shared(argument, found[region]))
                visit(inner, its, (*around, region))

    visit(function, frozenset(function.parameters), ())
    return found


def _chosen(unit: TranslationUnit, name: str | None, pragmas: Sequence[PragmaLine]) -> Function:
    regions = [each for each in unit.functions.values() if is_region(each, pragmas)]
    if name is None:
        if len(regions) == 1:
            return regions[0]
        if not regions:
            words = "no function has #pragma HLS dataflow or an hls::task, and only the tasks of a region are executed"
            raise InputError(f"{words}: ppnsim schedule counts the cycles of other functions")
        words = ", ".join(f"'{each.name}'" for each in regions)
        raise InputError(f"which function is the dataflow region? (regions: {words}); say it with --function")
    if name not in unit.functions or unit.functions[name].body is None:
        known = [each.name for each in unit.functions.values() if each.body is not None]
        raise InputError(f"no function '{name}'{did_you_mean(name, known)}", where=unit.file)
    found = unit.functions[name]
    if found not in regions:
        refuse(
            found.position,
            f"'{name}' has no #pragma HLS dataflow and no hls::task: only the tasks of a region are executed in time",
        )
    return found


def _after(
    unit: TranslationUnit, region: Function, places: Places, outside: frozenset[Variable]
) -> dict[int, frozenset[int]]:
    """Return which tasks start after the end of others: those that read memory which an earlier call writes (R7.3)."""
    assert region.body is not None
    found: dict[int, frozenset[int]] = {}
    writers: dict[Variable, set[int]] = {}
    for call in task_calls(region.body):
        number, parameters = places.calls[extent_of(call)], unit.functions[call.text].parameters
        zipped = zip(call.children, parameters, strict=False)
        pairs = [(v, p) for argument, p in zipped for v in _shared(argument, outside)]
        found[number] = frozenset()
        if is_endless(call):
            continue  # it never ends, so that no task waits for its end
        found[number] = frozenset(writer for v, _ in pairs for writer in writers.get(v, ()))
        for variable, parameter in pairs:
            if writes(unit, unit.functions[call.text], parameter):
                writers.setdefault(variable, set()).add(number)
    return found


def _shared(argument: SyntaxNode, parameters: Iterable[Variable]) -> list[Variable]:
    """Return the memory of the region that an argument passes on, without streams and without outside memory."""
    found = [node.variable for node in argument.walk() if node.kind == "name" and node.variable is not None]
    return [v for v in found if v not in parameters and stream_type(v.type) is None]
