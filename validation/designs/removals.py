"""What a rule of the scheduler is in the code, and what stands in its place when it is removed (RULES.md).

Most rules are one function that changes a program or a graph, or answers a question. To remove one is to put another
function in its place: what it was given comes back as it was, or the answer is the one that changes nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from types import MappingProxyType
from typing import Any

Function = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Removal:
    """A rule: the function that it is, as ``module:name`` or ``module:Class.name``, and what stands in its place.

    ``instead`` gets the function itself, and what that is given. If the function ``changes`` what it is given, its
    answer does not show whether it has an effect.
    """

    place: str
    instead: Function
    changes: bool = False

    def watched(self, told: Callable[[], None]) -> Removal:
        """Return one that removes nothing, and tells when the rule has an effect."""

        def watching(rule: Function, *given: Any, **named: Any) -> Any:
            found = rule(*given, **named)
            if self.changes or self.instead(lambda *_, **__: found, *given, **named) != found:
                told()
            return found

        return Removal(self.place, watching)


def _off(**switches: bool) -> Removal:
    """Return the removal of a rule that has a switch."""
    return Removal("schedule.machine:of_release", lambda rule, *given: replace(rule(*given), **switches))


def _says(place: str, answer: object) -> Removal:
    return Removal(place, lambda *_, **__: answer)


def _skips(place: str) -> Removal:
    return Removal(place, lambda *_, **__: None, changes=True)


def _keeps(place: str, which: int = 0) -> Removal:
    """Return the removal of a rule that returns one of its arguments changed."""
    return Removal(place, lambda _, *given, **__: given[which])


REMOVALS: dict[str, Removal] = {
    "R1.2 sums are stored behind the loop": _off(sink=False),
    "R1.2 loads before the loop": _off(hoist=False),
    "R1.8 loads of Vivado HLS": _says("schedule.body:_staying", frozenset()),
    "R1.3 short loops are unrolled": _off(unroll=False),
    "R1.4, R9.2, R9.22 nests are flattened": _off(flatten=False),
    "R1.9 loops that run once": _keeps("structure.unrolling:without_single"),
    "R1.11 sums in registers": _says("structure.element_runs:sum_of", None),
    "R1.10 the last iteration counts": Removal(
        "structure.last_only:without_last_only", lambda _, program, *__: program.body
    ),
    "R1.12 remainders of iterators": _says("structure.known_remainders:has_known_remainders", False),
    "R2.3 operators share units": _off(sharing=False),
    "R2.3 loops share units": _off(common=False),
    "R2.4, R9.14 addresses take time": _off(addresses=False),
    "R2.7 adders of three inputs": _off(ternary=False),
    "R2.8 counters of remainders": _says("graph.remainders:counted", None),
    "R2.18 products by two digits": _says("graph.arithmetic:_two_digits", None),
    "R2.19 the sign of a number": _says("graph.arithmetic:_of_sign", None),
    "R2.9 multiply-add": _off(mac=False),
    "R2.10 registers of AXI-lite": _skips("schedule.regions:RegionBuilder._through_port"),
    "R2.11 operators of both branches": _says("graph.common_operators:for_both", None),
    "R3.1 operators share a state": _off(chaining=False),
    "R3.4 operands of a recurrence": _says("graph.balance:closes", False),
    "R3.6 ways of a branch share ports": _off(exclusive=False),
    "R3.7 intervals above the length": Removal("schedule.body:_interval", lambda _, __, schedule, *___: schedule.ii),
    "R3.8 writes to AXI streams": _says("schedule.body:_registered", False),
    "R3.9 memories of lookup tables": _off(tables=False),
    "R3.10 time of FIFOs": Removal(
        "library.library:Library.ns", lambda rule, library, name: 0.0 if name == "fifo" else rule(library, name)
    ),
    "R3.11 tokens behind the test of a loop": _says("schedule.body:_tested", False),
    "R3.12 state of AXI streams": _says("schedule.body:_polled", frozenset()),
    "R3.13 memories of very many words": _says("structure.small:of_many_words", MappingProxyType({})),
    "R3.15 intervals beyond the clock": _says("schedule.forwarded_variables:beyond_clock", None),
    "R4 dependences through memory": _off(memory=False),
    "R4.3 reuse register": _off(reuse=False),
    "R4.5 proofs by bounds": _says("structure.apart_by_bounds:proven_apart", False),
    "R4.7 copies of an unrolled statement": _says("graph.dependences:_other_row", False),
    "R4.9 sums of float": _off(sums=False),
    "R4.10 tests that end a loop": _skips("graph.carried:Carried._ended"),
    "R4.11 stores that data leaves out": _says("structure.locations:left_out", False),
    "R4.12 updates in nests of unknown length": Removal(
        "structure.locations:recent_role", lambda rule, *given, **_: rule(*given, updated=False)
    ),
    "R4.13 stores under conditions": _says("structure.locations:sometimes", False),
    "R4.14 sides of a buffer": _says("structure.parity:oddly_apart", False),
    "R4.15 updates over a bus": _says("graph.carried:Carried._unproven", False),
    "R4.16 loads under conditions": _says("graph.speculation:Speculation.waits", False),
    "R4.17 bursts of one iteration": _skips("graph.region_bursts:order_bursts"),
    "R5.3 elements that wait for no state": _says("schedule.regions:RegionBuilder._sooner", False),
    "R5.4 loops in ways of a branch": _says("schedule.regions:RegionBuilder._in_other_ways", frozenset()),
    "R5.5 rows before a loop": _says("schedule.regions:RegionBuilder._base_state", 0),
    "R5.6 memory between loops": _skips("schedule.regions:RegionBuilder._wait"),
    "R5.7 stores apart by a number": _says("graph.memory_order:MemoryOrder.counted_apart", False),
    "R5.8 jump threading": _keeps("structure.threaded:with_alternatives"),
    "R5.8 one multiplexer": _skips("graph.wide_multiplexers:widen"),
    "R5.8 arms of a chain": _says("structure.locations:arms", frozenset()),
    "R5.10 dead code": _keeps("unused:without_unused"),
    "R2.2 elements by the values that choose them": _keeps("graph.memories:Memories.place", 1),
    "R5.11 initialisers are loops": _keeps("structure.initial:with_fills", 1),
    "R5.12 cycles of reports": _keeps("as_reports:as_reports_count"),
    "R5.13 code after a loop": _skips("schedule.regions:RegionBuilder._divide"),
    "R5.14 loops under conditions": _keeps("structure.always_counted:always_run"),
    "R5.21 functions that are called several times": _keeps("structure.shared_functions:as_modules"),
    "R5.26 loops that rewind": _says("structure.rewound:_hindrance", "the rule is removed"),
    "R6.2 words": Removal("structure.words:words_of", lambda *_, **__: lambda _: None, changes=True),
    "R6.3 arrays in registers": _says("structure.trees:scattered", ()),
    "R6.7 trees of integers": _off(integers=False),
    "R6.9 responses": _off(responses=False),
    "R6.21 elements in a row": _says("structure.element_runs:runs_of", (MappingProxyType({}), 0)),
    "R6.24 widened beats": _says("structure.widened:beats_of", MappingProxyType({})),
    "R6.26 pointers as wires": _says("pragmas.wires:wires_of", ()),
    "R6.22 structs as words": _says("structure.aggregates:aggregates_of", MappingProxyType({})),
    "R9.1 faster operators on recurrences": _off(pressed=False),
    "R9.3 inferred partitions": _off(infer=False),
    "R9.4 factors that do not divide": _says("structure.decisions:_Builder._is_ended", False),
    "R9.5 cyclic banks by residue": _says("structure.partitions:_crowded", True),
    "R9.10 remainders choose banks": _says("graph.addresses:AddressTiming.chosen", 0),
    "R9.11 AXI-lite control": _says("kernel:control_cycles", 0),
    "R9.13 trees with an old value": _says("graph.old_value_trees:keeps_first", False),
    "R9.15 simpler floating point": _skips("graph.simplify:simplify"),
    "R9.16 a loop of one iteration": _says("structure.perfect:runs_once", None),
    "R9.17 sums in registers": _says("structure.roles:_alone", False),
    "R9.18 arguments of several tasks": _keeps("region.struct_words:with_shared_ports", 1),
    "R9.19 arrays of zeros": _keeps("structure.constant_fills:with_computed_tables"),
    "R9.20 functions at the same time": _keeps("schedule.concurrent_functions:with_calls_at_once"),
    "R9.21 adders on a recurrence": _keeps("schedule.faster_operators:eased_by"),
    "R9.23 memories with many ports": _says("structure.many_ports:with_many_ports", MappingProxyType({})),
    "R9.24 what leaves all loops": _says("structure.loop_registers:kept_in_registers", frozenset()),
    "R9.25 calls with one memory": _says("schedule.regions:RegionBuilder._called_with", frozenset()),
    "R9.26 small arrays": _says("structure.inferred:small", MappingProxyType({})),
    "R9.27 registers that iterators choose": _says("graph.dependences:Dependences._chosen", False),
    "R9.28 subscripts that are numbers": _says("structure.inferred:numbered", MappingProxyType({})),
    "R9.29 many sums in a memory": _says("structure.roles:_is_few", True),
    "R9.30 copied tables": _says("structure.many_ports:with_copied_tables", MappingProxyType({})),
    "R9.32 handed on within a state": _says("schedule.forwarded_variables:handed_on", None),
    "R9.33 third operand of a multiply-add": _says("graph.passes:_is_carried", False),
    "R9.34 elements that data chooses": _says("graph.carried:Carried._updated", False),
    "R9.37 stores in their order": _skips("graph.overwritten:in_order"),
    "R9.38 blocks": _says("graph.addresses:AddressTiming._inside", 0),
    "R9.44 tables of constants": _keeps("structure.roms:with_roms"),
    "R9.41 addresses beside a sum": _says("graph.addresses:AddressTiming._product", 0),
}
"""The rules by number and name."""

KEPT: dict[str, str] = {
    "what a schedule is, and how it is searched and counted": (
        "R1.1 R1.5 R2.1 R2.5 R3.2 R3.3 R3.5 R4.1 R4.2 R4.4 R4.6 R4.8 R5.1 R5.2 R5.9 R5.15 R5.22 R5.23 R9.6"
    ),
    "entries of the tables of operators and memories, whose loops are counted in [operators](operators.md)": (
        "R2.6 R2.12 R2.13 R2.14 R2.15 R2.16 R2.17 R2.20 R9.9 R9.31 R9.35 R9.36 R9.39 R9.42"
    ),
    "what directives and releases ask for": (
        "R1.6 R1.7 R3.14 R6.1 R6.4 R6.5 R6.6 R6.8 R6.23 R6.25 R9.8 R9.12 R9.43 R9.45"
    ),
    "functions of the vendor's libraries, and black boxes": "R2.21 R6.10 R7.6 R7.8 R7.9 R9.46",
    "regions as networks, and as reports count them": "R7.1 R7.2 R7.3 R7.4 R7.5 R7.7 R7.10 R7.11 R9.7 R9.40",
    "area": "R8.1 R8.2",
    "how reports are read": "R10.1 R10.2 R10.3 R10.4",
    "designs that are executed": "R11.1 R11.2 R11.3 R11.4 R11.5 R11.6 R11.7 R11.8 R11.9 R11.10",
    "buses behind the ports of regions": "R12.1 R12.2 R12.3 R12.4 R12.5",
}
"""The other rules, by what they say: without one of them there is no schedule that could be scored in its place."""


@contextmanager
def without(removal: Removal) -> Iterator[None]:
    """Run what stands inside without a rule; functions that were imported by name are replaced where they are.

    Examples
    --------
    >>> from ppnsim.hls import kernel
    >>> from ppnsim.hls.pragmas.directives import Directives
    >>> from ppnsim.hls.rules import TOOL
    >>> with without(REMOVALS["R9.11 AXI-lite control"]):
    ...     kernel.control_cycles(Directives(control=("return",)), replace(TOOL, recent=True))
    0
    """
    module_name, name = removal.place.split(":")
    owner: Any = import_module(f"ppnsim.hls.{module_name}")
    *classes, last = name.split(".")
    for each in classes:
        owner = getattr(owner, each)
    rule = vars(owner)[last]

    def instead(*given: Any, **named: Any) -> Any:
        return removal.instead(rule, *given, **named)

    modules = [module for name, module in sys.modules.items() if name.startswith("ppnsim.")]
    places = [(where, key) for where in [owner, *modules] for key, value in vars(where).items() if value is rule]
    for where, key in places:
        setattr(where, key, instead)
    try:
        yield
    finally:
        for where, key in places:
            setattr(where, key, rule)
