"""What a schedule assumes of its buses: the states that each access takes (R6.4, R6.9, R6.24)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.schedule.model import ScheduledNest
from ppnsim.hls.structure.element_runs import SOONER
from ppnsim.hls.structure.lanes import is_bus
from ppnsim.hls.structure.members import without_structs
from ppnsim.loops.program import LoopProgram


def said_of_buses(program: LoopProgram, directives: Directives, nests: Sequence[ScheduledNest]) -> Iterator[str]:
    """Yield the latency of the accesses of each bus; the members of a struct are one word of the bus (R6.2)."""
    structs = {array.name for array in program.arrays if array.fields}
    by_hand = {each.member[0] for each in program.arrays if is_bus(each) and each.member is not None}
    found: dict[tuple[str, str, int], list[str]] = {}
    for name, kept in sorted(directives.storage.items()):
        whole = name.partition(".")[0]
        if kept.kind == "bus":
            found.setdefault((whole if whole in structs else name, kept.bundle, kept.latency), []).append(name)
    for (name, bundle, latency), ways in zip(found, _ways(program, found.values()), strict=True):
        states = {way: latency - SOONER * (way == "write") for way in ways}  # R6.4, R6.9
        yield from (f"a {way} of '{name}' over bus '{bundle}' takes {states[way]} states" for way in ways)
        if len(ways) > 1 and name in by_hand:
            yield f"what is read of '{name}' by hand waits for nothing that is written there (rule R6.4)"
    nodes = (node for nest in nests for node in nest.body.graph.nodes if node.beat)
    for name in sorted({node.access.array for node in nodes if node.access is not None}):
        yield f"elements of '{name}' in a row are one beat of its bus, which is widened and aligned (rule R6.24)"


def _ways(program: LoopProgram, every: Iterable[Sequence[str]]) -> Iterator[list[str]]:
    """Yield how arrays are accessed, bus by bus: ``read``, ``write`` or both, ``request`` if no access is seen."""
    statements = without_structs(program).statements()  # a store of a member does not load others (R6.22)
    found = {"read": {each.array for some in statements for each in some.reads}}
    found["write"] = {each.array for some in statements for each in some.writes}
    for names in every:
        begins = tuple(f"{name}_ppnsim_" for name in names)
        words = [each for known in found.values() for each in known if each.startswith(begins)] or names
        yield [way for way, known in found.items() if known & set(words)] or ["request"]
