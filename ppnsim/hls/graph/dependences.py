"""Dependence analysis: which locations of a loop depend on each other across iterations (R4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter

from ppnsim.hls.rules import Rules
from ppnsim.hls.structure.aliases import beside, flattened_distance, is_fixed, never_meet, surely_apart
from ppnsim.hls.structure.apart_by_bounds import proven_apart
from ppnsim.hls.structure.blocks import locked_in
from ppnsim.hls.structure.locations import Role, distinct, stored_by_data
from ppnsim.hls.structure.parity import SubscriptParities, oddly_apart
from ppnsim.hls.structure.reuse_distance import Nearest, is_plain
from ppnsim.hls.structure.trees import Pipeline
from ppnsim.loops.program import Access, Loop


@dataclass(frozen=True)
class Dependences:
    """The dependences between iterations of a pipelined loop.

    Attributes
    ----------
    outer : loops around it, outermost first.
    roles : the role of each location that the loop writes.
    accesses : all accesses of its statements.
    registers : arrays of which each element is a register.
    bank : the memory of an access.
    unlike : arrays whose elements are accessed again by subscripts of another form, after other than one iteration
        (R4.8).
    unseen : arrays whose elements may be accessed again sooner in iterations that the search does not reach.
    """

    pipeline: Pipeline
    outer: Sequence[Loop]
    roles: Mapping[Access, Role]
    accesses: tuple[Access, ...]
    rules: Rules
    registers: frozenset[str] = frozenset()
    bank: Callable[[Access], str] = attrgetter("array")
    unlike: set[str] = field(default_factory=set, compare=False)
    unseen: set[str] = field(default_factory=set, compare=False)

    @cached_property
    def reused(self) -> frozenset[Access]:
        """The loads that compare their address with that of the last store, and may take its value (R4.4)."""
        found: set[Access] = set()
        for access, role in self.roles.items() if self.rules.reuse and self.rules.memory else ():
            if role.kind == "reuse" and self._is_only(access) and (access.random or access not in self._left_out):
                found |= self._reused_with(access)
            elif role.kind == "forward":
                found |= {a for a in self.beside(access) if a.subscripts[:-1] != access.subscripts[:-1]}
            elif role.kind == "move" and self._is_only(access) and not role.stays and access not in self._left_out:
                found |= {
                    a for a in self._others(access) if not (a.random or access.random) and self._is_next(access, a)
                }
        return frozenset(found)

    @cached_property
    def _left_out(self) -> frozenset[Access]:
        return stored_by_data(self.pipeline.steps) if self.rules.recent else frozenset()

    def _is_next(self, store: Access, load: Access) -> bool:
        """Return whether a load with other subscripts may read an element that the previous iteration stored (R4.8)."""
        return flattened_distance(store, load, self.pipeline.loops) is None and self._alias_distance(store, load) == 1

    def _reused_with(self, access: Access) -> set[Access]:
        """Return the loads that take the last stored value of a location, the only one its array stores to."""
        others = self._others(access)
        if access.random:
            return {access} if self._updated(access) and not others else set()
        return {access} if all(self._proven(access, other) for other in others) else {access, *others}

    def _others(self, access: Access) -> list[Access]:
        return [a for a in self._banks[self.bank(access)] if a != access]

    @cached_property
    def _banks(self) -> dict[str, list[Access]]:
        found: dict[str, list[Access]] = {}
        for access in self.accesses:
            found.setdefault(self.bank(access), []).append(access)
        return found

    def beside(self, access: Access) -> list[Access]:
        """Return the accesses to elements that the inner loop's previous iteration may have stored."""
        return [a for a in self._others(access) if beside(access, a, self.pipeline.loops[-1]) == 1]

    def least(self, array: str) -> int:
        """Return the iterations until an element of an array may be accessed again, by directives: 0 for never."""
        return 0 if array in self._locked else self.pipeline.distances.get(array, self.pipeline.distances.get("", 1))

    @cached_property
    def _locked(self) -> frozenset[str]:
        """The blocks that locks of an iteration change: the next iteration has other blocks (R7.7)."""
        steps = (*self.pipeline.before, *self.pipeline.steps, *self.pipeline.after)
        return locked_in([step.statement for step in distinct(steps)])

    @cached_property
    def _parities(self) -> SubscriptParities:
        return SubscriptParities(self.pipeline.steps)

    def distance(self, store: Access, role: Role, load: Access) -> int | None:
        """Return the least number of iterations until a load may need the stored value, None if it never does."""
        inner = self.pipeline.loops[-1]
        if load.random or store.random:
            never = never_meet(store, load, self.pipeline.loops) or oddly_apart(self._parities, store, load)
            return None if never else 1
        if store.array in self.registers and (load != store or self._chosen(store, load)):
            return self._of_registers(store, load)
        if load == store:
            return self._again(store, role)
        if role.kind == "reuse":
            return 1 if self._needs_memory(store, load) else None
        if self.pipeline.unrolled and _other_row(store, load, inner.iterator):
            return 1  # R4.7: the tool does not see that copies of an unrolled statement store to other rows
        pairs = zip(store.subscripts, load.subscripts, strict=True)
        still = ((left, right) for left, right in pairs if inner.iterator not in left.iterators())
        apart = beside(store, load, inner)
        if apart and apart > 0 and all(left.minus(right) == 0 for left, right in still):
            return apart
        return self._of_the_nest(store, load)

    def form(self, access: Access) -> tuple[object, ...] | None:
        """Return all of a store that `distance` depends on but for constants in subscripts, whose differences count.

        None where more counts: data chooses the element, or a proof by bounds is asked for (R4.5).
        """
        role = self.roles.get(access)
        if access.random or (role is not None and role.kind == "reuse"):
            return None
        return access.array, tuple([each.terms for each in access.subscripts]), role, access in self._left_out

    def _of_the_nest(self, store: Access, load: Access) -> int | None:
        """Return the distance in flattened loops; after conditional stores it may be 1 (R4.11)."""
        if store in self._left_out:
            return None if never_meet(store, load, self.pipeline.loops) else 1
        found = flattened_distance(store, load, self.pipeline.loops)
        return self._alias_distance(store, load) if found is None else found

    def _again(self, access: Access, role: Role) -> int | None:
        """Return the iterations until a location is accessed again by its own subscripts."""
        if role.distance and access in self._left_out:
            return 1  # R4.11
        looked_for = role.kind == "move" and role.distance != 1 and not is_plain(access)
        if looked_for and not self._itself.whole(access):
            self.unseen.add(access.array)
        return role.distance or None

    def _alias_distance(self, store: Access, load: Access) -> int | None:
        """Return the distance of aliases whose subscripts differ in form, None if they never alias (R4.8)."""
        if never_meet(store, load, self.pipeline.loops):
            return None
        found = self._nearest.distance(store, load)
        if found != 1 and any(a.minus(b) is None for a, b in zip(store.subscripts, load.subscripts, strict=True)):
            self.unlike.add(store.array)
        if found != 1 and not self._nearest.whole(store, load):
            self.unseen.add(store.array)
        return found

    @cached_property
    def _nearest(self) -> Nearest:
        return Nearest(tuple(self.outer), tuple(self.pipeline.loops))

    @cached_property
    def _itself(self) -> Nearest:
        return Nearest((), tuple(self.pipeline.loops))

    def _of_registers(self, store: Access, load: Access) -> int | None:
        """Return the distance between two accesses to an array of registers, as `distance` does."""
        if self._chosen(store, load):
            return 1
        apart = beside(store, load, self.pipeline.loops[-1])
        return apart if apart and apart > 0 else None if surely_apart(store, load) else 1

    def _chosen(self, store: Access, load: Access) -> bool:
        """R9.27: before 2023.2, a store to a register that an iterator chooses counts as a store to all of them."""
        return self.rules.recent and not self.rules.joins and not (is_fixed(store) and is_fixed(load))

    def _needs_memory(self, store: Access, load: Access) -> bool:
        """Return whether no proof tells a load from a store, and no reuse register serves the load."""
        if (self.rules.reuse and self._is_only(store)) or self._proven(store, load):
            return False
        return load not in self.reused

    def _proven(self, store: Access, load: Access) -> bool:
        if never_meet(store, load, self.pipeline.loops):
            return True
        return proven_apart(store, load, self.pipeline.loops, self.outer, exact=self.rules.exact)

    def _is_only(self, store: Access) -> bool:
        """Return whether a memory has no other location that the loop writes."""
        return self._written[self.bank(store)] == 1

    def shares(self, access: Access) -> bool:
        """Return whether the loop also writes other locations of a memory: it then loads its start value (R9.17)."""
        return self.rules.recent and not self._is_only(access)

    @cached_property
    def _written(self) -> Counter[str]:
        return Counter(self.bank(access) for access in self.roles)

    def _updated(self, access: Access) -> bool:
        """Return whether a data-dependent element is read and written: a register may keep its last value.

        Only one of several stores may remain (R2.2), which is known once they are in the graph.
        """
        reads, writes = self.counts
        return access in reads and access in writes and access.array not in self.registers

    @cached_property
    def counts(self) -> tuple[Counter[Access], Counter[Access]]:
        """The number of reads and of writes of each location in the statements."""
        statements = [step.statement for step in self.pipeline.steps]
        reads = Counter(access for each in statements for access in each.reads)
        return reads, Counter(access for each in statements for access in each.writes)


def _other_row(store: Access, load: Access, inner: str) -> bool:
    """Return whether only the last subscript of two accesses moves, and earlier ones differ by constants."""
    if len(store.subscripts) < 2 or not any(inner in a.subscripts[-1].iterators() for a in (store, load)):
        return False
    rows = list(zip(store.subscripts[:-1], load.subscripts[:-1], strict=True))
    still = all(inner not in (a.iterators() | b.iterators()) for a, b in rows)
    return still and any(a.minus(b) for a, b in rows)
