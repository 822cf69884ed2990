"""How long the branches of an ``if`` take that data decides: the longer one counts, as in reports of synthesis."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256

from ppnsim.c.policy import HARDWARE, BranchCycles, LoweringPolicy
from ppnsim.c.pragmas.clauses import clauses
from ppnsim.c.pragmas.text import PragmaLine
from ppnsim.c.pragmas.trips import Count
from ppnsim.hls.library.library import Library
from ppnsim.hls.pragmas.buses import Buses
from ppnsim.hls.pragmas.pragma import PlacedDirective
from ppnsim.hls.pragmas.read import read_directives
from ppnsim.hls.pragmas.sources import sources_of
from ppnsim.hls.reports.model import Head
from ppnsim.hls.rules import TOOL, Rules
from ppnsim.hls.schedule.context import Known
from ppnsim.hls.schedule.machine import RECENT, state_machine
from ppnsim.hls.structure.members import without_structs
from ppnsim.loops.position import Position
from ppnsim.loops.program import LoopProgram, Node
from ppnsim.loops.work import COMPARED, STRUCTURED, spend
from ppnsim.source_networks.target import Target


def read_for(
    policy: LoweringPolicy, target: Target, head: Head, pragmas: Sequence[str], placed: Sequence[PlacedDirective]
) -> LoweringPolicy:
    """Return how the tool of a target reads C (R5.8, R5.11): the cycles of a branch are those of a kernel of its code.

    Parameters
    ----------
    head : what reports say of part and clock.
    pragmas, placed : directives as if they stood in the source, and those of a project.
    """
    library = target.library(head)
    fills = (target.release or library.device.timing.tool) >= RECENT
    cycles = _cycles(library, target.rules, target.buses, pragmas, placed)
    return replace(policy, cycles=cycles, fills_lists=fills, on_buses=_on_buses(pragmas, placed))


def _on_buses(pragmas: Sequence[str], placed: Sequence[PlacedDirective]) -> frozenset[tuple[str, str]]:
    """Return the arguments that directives outside of the source put on buses, with the function of each."""
    given = [("", each.rpartition(":")[2]) for each in pragmas]
    given += [(each.function.rpartition("::")[2], each.text) for each in placed]
    split = ((function, *text.strip().partition(" ")) for function, text in given)
    found = ((function, PragmaLine(Position(), name.lower(), clauses(rest)).bus) for function, name, _, rest in split)
    return frozenset(each for each in found if each[1])


def hardware_on(library: Library, rules: Rules = TOOL) -> LoweringPolicy:
    """Return how hardware of some operators reads C: its longer branches are those of more cycles there."""
    return replace(HARDWARE, cycles=_cycles(library, rules, Target().buses, (), ()))


def _cycles(
    library: Library, basis: Rules, buses: Buses, pragmas: Sequence[str], placed: Sequence[PlacedDirective]
) -> BranchCycles:
    schedules = Known().schedules  # bodies that branches share, as one around another does, in all counts and readings
    counted = dict[bytes, int]()  # branches that are the same in a further reading

    def of_program(program: LoopProgram, count: Count) -> Callable[[Sequence[Node]], int]:
        spend(STRUCTURED * len(program.statements()))
        directives = read_directives(sources_of(program), program, pragmas, placed)
        directives = buses.directed(directives)
        rules = replace(basis, count=count)
        common = sha256(pickle.dumps((count, directives, replace(program, body=()))))

        def cycles(branch: Sequence[Node]) -> int:
            body, hashed = tuple(branch), common.copy()
            # Equal branches may differ in what cycles depend on: in places, which directives name, and in trips.
            hashed.update(pickle.dumps(body))
            if (key := hashed.digest()) not in counted:
                spend(COMPARED * len(program.arrays))
                alone, known = without_structs(replace(program, body=body)), Known(schedules=schedules)
                counted[key] = state_machine(alone, library, directives, rules, known).cycles
            return counted[key]

        return cycles

    return of_program
