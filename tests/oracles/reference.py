"""A second, slow implementation of the timing rules, written from their text alone, that every engine must agree with.

It walks through the run cycle by cycle. In every cycle it tries all *units* (whatever happens whole: one offset of one
elastic firing, one step of a frozen pipeline, everything behind the start of a flushable one, a flushable start) again
and again until none of them can happen any more: the least fixpoint. Tokens and slots are counted anew at every look.
It shares nothing with the engines but the declared network; not even which firing touches which token.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Literal

from ppnsim.model.latency import Distribution
from ppnsim.model.network import Channel, Network, Process
from ppnsim.model.step_lists import Entry, StepList
from ppnsim.model.tokens import Listed, Rates, Runs

Cycle = int | None
# A port step is tied to the start ("start", offset) or to the end of execution ("end", distance from RL). With one
# latency for all firings two of them may be the same offset in every firing; with a latency per firing, in some.
PortStep = tuple[Literal["start", "end"], int]
Classes = dict[str, int | dict[str, int]]


@dataclass
class Reference:
    """What happened, by name of process or channel; None stands for what never did."""

    start: dict[str, list[Cycle]]
    write: dict[str, list[Cycle]]
    end: dict[str, list[Cycle]]
    writes: dict[str, list[tuple[int, Cycle]]]
    reads: dict[str, list[tuple[int, int, Cycle]]]
    deadlocked: bool
    finish: Cycle
    stopped: int
    cycles: dict[str, Classes]
    max_occupancy: dict[str, int]
    average_parallelism: float | None
    maximum_parallelism: int


def simulate(network: Network) -> Reference:
    """Run a checked network to its finish, or until nothing can ever happen again."""
    return _Simulation(network).run()


# -- what is declared -------------------------------------------------------------------------------------------------


@dataclass
class _Tokens:
    """Token numbers that every firing writes and reads, and the firing that reads each token last."""

    written_by: list[list[int]]
    read_by: list[list[int]]
    last_reader: dict[int, int]


def _tokens_of(channel: Channel, producer: Process, consumer: Process) -> _Tokens:
    producer_firings, consumer_firings = _firings_of(producer), _firings_of(consumer)
    written_by: list[list[int]] = [[] for _ in range(producer_firings)]
    read_by: list[list[int]] = [[] for _ in range(consumer_firings)]
    if producer.schedule is not None or consumer.schedule is not None:
        _at_steps(channel, producer, consumer, written_by, read_by)
    elif isinstance(channel.tokens, Rates):
        produce, consume = channel.tokens.produce, channel.tokens.consume
        token = channel.initial
        for firing in range(producer_firings):
            for _ in range(produce[firing % len(produce)]):
                written_by[firing].append(token)
                token += 1
        token = 0
        for firing in range(consumer_firings):
            for _ in range(consume[firing % len(consume)]):
                read_by[firing].append(token)
                token += 1
    else:
        writers, pairs = _listed(channel.tokens)
        # A written value that nobody reads never enters the channel; those behind it move up.
        renumbered = {token: token for token in range(channel.initial)}
        for place, firing in enumerate(writers):
            token = channel.initial + place
            if any(read == token for _, read in pairs):
                renumbered[token] = len(renumbered)
                written_by[firing].append(renumbered[token])
        for firing, token in pairs:
            read_by[firing].append(renumbered[token])
        for tokens in read_by:
            tokens.sort()
    last_reader = {token: firing for firing, tokens in enumerate(read_by) for token in tokens}
    return _Tokens(written_by, read_by, last_reader)


def _firings_of(process: Process) -> int:
    """Return the firings of a process. A scheduled one is a frozen pipeline of ii 1 with a firing for each step."""
    return process.firings if process.schedule is None else process.schedule.steps * process.schedule.runs


def _steps_of(process: Process, listed: StepList) -> list[int]:
    """Return the step of every access of all runs of a scheduled process."""
    assert process.schedule is not None
    one, steps = [], process.schedule.steps
    for entry in listed.entries:
        one += _written_out(entry)
    return [run * steps + step for run in range(process.schedule.runs) for step in one]


def _written_out(entry: Entry) -> list[int]:
    if isinstance(entry, int):
        return [entry]
    if isinstance(entry, tuple):
        first, step, times = entry
        return [first + k * step for k in range(times)]
    inner = [value for each in entry.of for value in _written_out(each)]
    return [value + k * entry.every for k in range(entry.times) for value in inner]


def _at_steps(
    channel: Channel, producer: Process, consumer: Process, written_by: list[list[int]], read_by: list[list[int]]
) -> None:
    """Note the tokens of each firing where an end of the channel at least is scheduled."""
    tokens, named = channel.tokens, not isinstance(channel.tokens, Rates) or channel.read_tokens is not None
    if channel.write_steps is not None:
        writers = _steps_of(producer, channel.write_steps)
    elif isinstance(tokens, Rates):
        writers = [n for n in range(producer.firings) for _ in range(tokens.produce[n % len(tokens.produce)])]
    else:
        writers = _listed(tokens)[0]
    if channel.read_steps is not None:
        readers = _steps_of(consumer, channel.read_steps)
        numbers = list(range(len(readers)))
        if channel.read_tokens is not None:
            numbers = [value for entry in channel.read_tokens.entries for value in _written_out(entry)]
        pairs = list(zip(readers, numbers, strict=True))
    elif isinstance(tokens, Rates):
        readers = [n for n in range(consumer.firings) for _ in range(tokens.consume[n % len(tokens.consume)])]
        pairs = [(firing, token) for token, firing in enumerate(readers)]
    else:
        pairs = _listed(tokens)[1]
    renumbered = {token: token for token in range(channel.initial)}
    for place, firing in enumerate(writers):
        # Where tokens are named, a value that nobody reads never enters the channel.
        if not named or any(read == channel.initial + place for _, read in pairs):
            renumbered[channel.initial + place] = len(renumbered)
            written_by[firing].append(renumbered[channel.initial + place])
    for firing, token in pairs:
        read_by[firing].append(renumbered[token])
    for read in read_by:
        read.sort()


def _listed(tokens: Listed | Runs) -> tuple[list[int], list[tuple[int, int]]]:
    if isinstance(tokens, Listed):
        return list(tokens.writes), list(tokens.reads)
    writers = [first + step * i for first, step, times in tokens.writes for i in range(times)]
    readers = [first + step * i for first, step, times in tokens.reads for i in range(times)]
    return writers, [(firing, token) for token, firing in enumerate(readers)]


# -- state ------------------------------------------------------------------------------------------------------------


@dataclass
class _Firing:
    """One firing: where its port steps are, what it accesses at each offset, and when it passed them."""

    offset_of: dict[PortStep, int]
    reads: dict[int, list[tuple[str, list[int]]]]
    writes: dict[int, list[tuple[str, list[int]]]]
    passed: dict[int, int] = field(default_factory=dict)  # offset -> cycle
    own: dict[int, int] = field(default_factory=dict)  # offset -> the same on the clock of the process

    def __post_init__(self) -> None:
        self.offsets = sorted(set(self.offset_of.values()))

    @property
    def started(self) -> bool:
        return 0 in self.passed

    @property
    def complete(self) -> bool:
        return len(self.passed) == len(self.offsets)


@dataclass
class _State:
    """One process during the run."""

    process: Process
    read: int
    write: int
    latencies: list[int]
    firings: list[_Firing]
    capacity: int | None  # C of an elastic process, None for ii = 0
    unheld: int = 0  # flushable: cycles before this one in which it was not held; the clock of the process
    held: bool = False  # flushable: in this cycle
    step: int = 0  # frozen: the next step of the pipeline
    stepped: bool = False  # frozen: in this cycle
    next_start: int = 0  # firings that have started
    classes: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.at_step: dict[int, list[tuple[int, int]]] = {}  # frozen: the (firing, offset) at each step of the pipeline
        for n, firing in enumerate(self.firings):
            for offset in firing.offsets:
                self.at_step.setdefault(n * self.process.ii + offset, []).append((n, offset))

    @property
    def needs_decision(self) -> bool:
        # With ii = 0 the unit is held for no cycle at all: there is nothing to decide.
        return self.process.resource is not None and self.process.ii > 0

    @property
    def complete(self) -> bool:
        return all(firing.complete for firing in self.firings)

    @property
    def starts(self) -> list[int]:
        """The firings that are firings of the process: of a scheduled one, the steps at which one starts."""
        if self.process.schedule is None:
            return list(range(len(self.firings)))
        return _steps_of(self.process, self.process.schedule.start_steps)

    def end(self, n: int) -> Cycle:
        """Cycle in which firing n ends: ``write`` after the last of RL and all outputs; late reads do not count."""
        firing = self.firings[n]
        last = [offset for (tie, _), offset in firing.offset_of.items() if tie == "end"]
        if any(offset not in firing.passed for offset in last):
            return None
        return max(firing.passed[offset] for offset in last) + self.write


class _Simulation:
    def __init__(self, network: Network) -> None:
        self.network = network
        self.tokens = {
            channel.name: _tokens_of(channel, network.process(channel.source), network.process(channel.target))
            for channel in network.channels
        }
        self.states = [self._state(process) for process in network.processes]
        self.written_at: dict[str, dict[int, int]] = {channel.name: {} for channel in network.channels}
        self.read_at: dict[str, dict[int, int]] = {channel.name: {} for channel in network.channels}
        self.reserved: dict[str, dict[int, int]] = {name: {} for name in network.resources}

    def _state(self, process: Process) -> _State:
        network = self.network
        read, write = network.read_latency(process.name), network.write_latency(process.name)
        if isinstance(process.latency, Distribution):
            latencies = [int(latency) for latency in process.latency.draw(process.firings)]
        elif isinstance(process.latency, tuple):
            latencies = list(process.latency)
        elif process.schedule is not None:
            latencies = [0] * _firings_of(process)
        else:
            latencies = [process.latency] * process.firings
        longest = read + max(latencies)
        entering = {channel.name: channel.to_offset or 0 for channel in network.inputs(process.name)}
        leaving = {
            channel.name: 0 if channel.from_offset is None else channel.from_offset - longest
            for channel in network.outputs(process.name)
        }
        firings = []
        for n, latency in enumerate(latencies):
            own_end = read + latency
            offset_of: dict[PortStep, int] = {("start", 0): 0, ("end", 0): own_end}
            reads: dict[int, list[tuple[str, list[int]]]] = {}
            writes: dict[int, list[tuple[str, list[int]]]] = {}
            for name, offset in entering.items():
                offset_of["start", offset] = offset
                reads.setdefault(offset, []).append((name, self.tokens[name].read_by[n]))
            for name, distance in leaving.items():
                offset_of["end", distance] = own_end + distance
                writes.setdefault(own_end + distance, []).append((name, self.tokens[name].written_by[n]))
            firings.append(_Firing(offset_of, reads, writes))
        deepest = max(max(firing.offsets) for firing in firings)
        # Only an elastic pipeline is limited by count; the others by what their steps are.
        capacity = max(1, -(-deepest // process.ii)) if process.style == "elastic" and process.ii else None
        return _State(process, read, write, latencies, firings, capacity)

    # -- channels -----------------------------------------------------------------------------------------------------

    def _token_there(self, channel: str, token: int, t: int) -> bool:
        if token < self.network.channel(channel).initial:
            return True
        written = self.written_at[channel].get(token)
        return written is not None and written + self.network.forward(channel) <= t

    def _occupancy(self, channel: str, t: int) -> int:
        released = 0
        for reader in self.tokens[channel].last_reader.values():
            at = self.read_at[channel].get(reader)
            released += at is not None and at + self.network.release(channel) <= t
        return self.network.channel(channel).initial + len(self.written_at[channel]) - released

    def _needed(self, channel: str, t: int) -> int:
        """Return the depth that the writes of cycle t needed: tokens make no room for themselves and those before."""
        if t not in self.written_at[channel].values():
            return 0
        source = self.network.channel(channel).source
        needed, level = 0, self.network.channel(channel).initial
        released = level + len(self.written_at[channel]) - self._occupancy(channel, t)
        for firing in range(_firings_of(self.network.process(source))):
            mine = self.tokens[channel].written_by[firing]
            cycles = [self.written_at[channel][token] for token in mine if token in self.written_at[channel]]
            if cycles and cycles[0] == t:
                needed = max(needed, level + len(cycles) - min(released, self._freed_by(channel, firing)))
            level += len(cycles)
        return needed

    def _freed_by(self, channel: str, firing: int) -> int:
        """Return how many tokens can be freed before a firing of the producer writes, in its cycle or before."""
        there = set(range(self.network.channel(channel).initial))
        there |= {token for put in self.tokens[channel].written_by[:firing] for token in put}
        if self.network.forward(channel) + self.network.release(channel):
            return len(there)
        readers = self.tokens[channel].read_by
        able = next((n for n, taken in enumerate(readers) if not there.issuperset(taken)), len(readers))
        return sum(reader < able for reader in self.tokens[channel].last_reader.values())

    def _missing_inputs(self, state: _State, n: int, offset: int, t: int) -> set[str]:
        return {
            channel
            for channel, tokens in state.firings[n].reads.get(offset, [])
            if not all(self._token_there(channel, token, t) for token in tokens)
        }

    def _missing_slots(self, state: _State, n: int, offset: int, t: int) -> set[str]:
        missing = set()
        for channel, tokens in state.firings[n].writes.get(offset, []):
            depth = self.network.channel(channel).depth
            if tokens and depth is not None and self._occupancy(channel, t) + len(tokens) > depth:
                missing.add(channel)
        return missing

    def _possible(self, state: _State, unit: list[tuple[int, int]], t: int) -> bool:
        # All of it is judged before any of it happens: a unit cannot support itself.
        return not any(
            self._missing_inputs(state, n, offset, t) or self._missing_slots(state, n, offset, t) for n, offset in unit
        )

    def _pass(self, state: _State, unit: list[tuple[int, int]], t: int) -> None:
        for n, offset in unit:
            firing = state.firings[n]
            assert offset not in firing.passed
            firing.passed[offset] = t
            state.next_start += offset == 0
            firing.own[offset] = state.unheld if state.process.style == "flushable" else t
            for channel, _ in firing.reads.get(offset, []):
                self.read_at[channel][n] = t
            for channel, tokens in firing.writes.get(offset, []):
                for token in tokens:
                    assert token not in self.written_at[channel]
                    self.written_at[channel][token] = t

    # -- what a process allows itself ---------------------------------------------------------------------------------

    def _due(self, state: _State, n: int, offset: int, clock: int) -> bool:
        """Whether firing n may pass ``offset`` now, tokens and slots and resources aside (elastic and flushable).

        ``clock`` is the cycle in an elastic process, and the count of unheld cycles in a flushable one.
        """
        firing = state.firings[n]
        if offset in firing.passed:
            return False
        for earlier in firing.offsets:
            if earlier < offset and not (earlier in firing.own and firing.own[earlier] + offset - earlier <= clock):
                return False
        if n > 0:
            before = state.firings[n - 1]
            gap = 1 if state.process.ii else 0
            for port_step, at in firing.offset_of.items():
                if at == offset:
                    passed = before.own.get(before.offset_of[port_step])
                    if passed is None or passed + gap > clock:
                        return False
        return offset > 0 or (self._ii_elapsed(state, n, clock) and self._room_in_pipeline(state, n))

    def _ii_elapsed(self, state: _State, n: int, clock: int) -> bool:
        return n == 0 or (state.firings[n - 1].started and state.firings[n - 1].own[0] + state.process.ii <= clock)

    def _room_in_pipeline(self, state: _State, n: int) -> bool:
        """Whether firing n - C has passed its last step, so that fewer than C firings are in flight (elastic)."""
        return state.capacity is None or n < state.capacity or state.firings[n - state.capacity].complete

    def _clock(self, state: _State, t: int) -> int:
        return state.unheld if state.process.style == "flushable" else t

    def _due_in_flight(self, state: _State, t: int) -> list[tuple[int, int]]:
        """Return the (firing, offset) behind a start that are due now (elastic and flushable)."""
        return [
            (n, offset)
            for n, firing in enumerate(state.firings)
            if firing.started and not firing.complete
            for offset in firing.offsets
            if offset > 0 and self._due(state, n, offset, self._clock(state, t))
        ]

    def _frozen_step(self, state: _State) -> list[tuple[int, int]]:
        """Return the (firing, offset) at the next step of a frozen pipeline."""
        return state.at_step.get(state.step, [])

    def _start_unit(self, state: _State, t: int) -> list[tuple[int, int]] | None:
        """Return the unit that contains the next start, if the process itself allows it to happen now."""
        n = state.next_start
        if n == len(state.firings):
            return None
        if state.process.style == "frozen":
            unit = self._frozen_step(state)
            return unit if (n, 0) in unit and not state.stepped else None
        # Nothing starts while what is due behind the starts of a flushable process has not happened in this cycle.
        if state.process.style == "flushable" and self._due_in_flight(state, t):
            return None
        return [(n, 0)] if self._due(state, n, 0, self._clock(state, t)) else None

    # -- a cycle ------------------------------------------------------------------------------------------------------

    def _units(self, state: _State, t: int) -> Iterator[list[tuple[int, int]]]:
        """Yield the units that the process allows now and that need no decision about a resource."""
        start = self._start_unit(state, t)
        if start is not None and not state.needs_decision:
            yield start
        if state.process.style == "elastic":
            for due in self._due_in_flight(state, t):
                yield [due]
        elif state.process.style == "flushable":
            due_together = self._due_in_flight(state, t)
            if due_together:
                yield due_together
        elif start is None and not state.stepped and not state.complete:
            yield self._frozen_step(state)

    def _happen(self, state: _State, unit: list[tuple[int, int]], t: int) -> None:
        self._pass(state, unit, t)
        if state.process.style == "frozen":
            state.step += 1
            state.stepped = True

    def _close(self, t: int) -> bool:
        """Let units happen until none can any more, resources aside; return whether any did."""
        anything = False
        again = True
        while again:
            again = False
            for state in self.states:
                for unit in self._units(state, t):
                    if self._possible(state, unit, t):
                        self._happen(state, unit, t)
                        again = anything = True
                        break  # what is due may have changed: look anew
        return anything

    def _take_one_resource(self, t: int) -> bool:
        """Let the first process in order of declaration start that lacks nothing and finds a unit free."""
        for state in self.states:
            unit = self._start_unit(state, t)
            if unit is None or not state.needs_decision or not self._possible(state, unit, t):
                continue
            assert state.process.resource is not None
            reserved = self.reserved[state.process.resource]
            interval = range(t + state.read, t + state.read + state.process.ii)
            if all(reserved.get(cycle, 0) < self.network.resources[state.process.resource] for cycle in interval):
                for cycle in interval:
                    reserved[cycle] = reserved.get(cycle, 0) + 1
                self._happen(state, unit, t)
                return True
        return False

    def run(self) -> Reference:
        occupancy = {channel.name: channel.initial for channel in self.network.channels}
        quiet, longest = 0, self._longest_timer()
        finish: Cycle = None
        for t in count():
            for state in self.states:
                state.stepped = False
            happened = self._close(t)
            while self._take_one_resource(t):
                happened = True
                self._close(t)
            for channel in occupancy:
                occupancy[channel] = max(occupancy[channel], self._needed(channel, t))
            for state in self.states:
                # Held: what was due behind the starts is still due at the end of the cycle.
                state.held = state.process.style == "flushable" and bool(self._due_in_flight(state, t))
            for state in self.states:
                state.classes.append(self._class(state, t))
            for state in self.states:
                state.unheld += not state.held
            if all(state.complete for state in self.states):
                finish = max(end for state in self.states for end in self._ends(state) if end is not None)
                if t + 1 >= finish:
                    break
            quiet = 0 if happened else quiet + 1
            if finish is None and quiet > longest:
                break
        return self._reference(finish, occupancy)

    def _longest_timer(self) -> int:
        """Cycles without an event after which nothing can ever happen again.

        Every condition on the time refers to an event and a fixed delay after it: forward, release, ii, a distance
        between two steps, the 1 between two firings, a reservation. After the longest of these without an event all of
        them are met for good. A flushable pipeline without anything due moves on without an event, but each such cycle
        brings its youngest firing one step closer to its last; once something is due and does not happen it stays held.
        """
        forward = max((self.network.forward(channel.name) for channel in self.network.channels), default=0)
        release = max((self.network.release(channel.name) for channel in self.network.channels), default=0)
        deepest = max(max(firing.offsets) for state in self.states for firing in state.firings)
        interval = max(state.read + state.process.ii for state in self.states)
        return forward + release + deepest + interval + 2

    # -- the classes of a cycle, judged when its fixpoint is reached --------------------------------------------------

    def _class(self, state: _State, t: int) -> tuple[str, str]:
        if state.process.schedule is not None:
            return self._class_of_scheduled(state, t)
        if any(firing.passed.get(0) == t for firing in state.firings):
            return "starting", ""
        last_end = state.end(len(state.firings) - 1)
        if last_end is not None and last_end <= t:
            return "done", ""
        due = self._due_now(state, t)
        n = state.next_start
        without_slot = {channel for m, offset in due for channel in self._missing_slots(state, m, offset, t)}
        if (
            state.capacity is not None
            and n < len(state.firings)
            and self._ii_elapsed(state, n, t)
            and not self._room_in_pipeline(state, n)
        ):
            oldest = state.firings[n - state.capacity]
            for offset in oldest.offsets:
                if offset not in oldest.passed:
                    without_slot |= self._missing_slots(state, n - state.capacity, offset, t)
        if without_slot:
            return "blocked", self._first_declared(without_slot)
        if n == len(state.firings):
            return "draining", ""
        if state.stepped if state.process.style == "frozen" else not self._ii_elapsed(state, n, self._clock(state, t)):
            return "ii", ""
        without_token = self._missing_inputs(state, n, 0, t)
        for m, offset in due:
            if offset > 0:
                without_token |= self._missing_inputs(state, m, offset, t)
        if without_token:
            return "starved", self._first_declared(without_token)
        if state.needs_decision and (n, 0) in due:
            assert state.process.resource is not None
            return "resource", state.process.resource
        return "ii", ""

    def _class_of_scheduled(self, state: _State, t: int) -> tuple[str, str]:
        starts = state.starts
        if any(state.firings[n].passed.get(0) == t for n in starts):
            return "starting", ""
        if state.complete and state.firings[-1].passed[0] < t:
            return "done", ""
        if state.stepped:
            return ("draining" if state.firings[starts[-1]].started else "ii"), ""
        due = self._frozen_step(state)
        empty = {channel for n, offset in due for channel in self._missing_inputs(state, n, offset, t)}
        full = {channel for n, offset in due for channel in self._missing_slots(state, n, offset, t)}
        first = self._first_declared(empty | full)
        return ("starved" if first in empty else "blocked"), first

    def _due_now(self, state: _State, t: int) -> list[tuple[int, int]]:
        """Return the (firing, offset) that everything inside the process allows and that have not happened."""
        if state.process.style == "frozen":
            return [] if state.stepped else self._frozen_step(state)
        # A start of a held flushable process cannot happen either, but whether it finds a slot can still be asked.
        n = state.next_start
        start = n < len(state.firings) and self._due(state, n, 0, self._clock(state, t))
        return self._due_in_flight(state, t) + ([(n, 0)] if start else [])

    def _first_declared(self, names: set[str]) -> str:
        return next(channel.name for channel in self.network.channels if channel.name in names)

    # -- result -------------------------------------------------------------------------------------------------------

    def _ends(self, state: _State) -> list[Cycle]:
        return [state.end(n) for n in range(len(state.firings))]

    def _reference(self, finish: Cycle, occupancy: dict[str, int]) -> Reference:
        passed = [cycle for state in self.states for firing in state.firings for cycle in firing.passed.values()]
        stopped = finish if finish is not None else 1 + max(passed, default=-1)
        by_name = {state.process.name: state for state in self.states}
        writes: dict[str, list[tuple[int, Cycle]]] = {}
        reads: dict[str, list[tuple[int, int, Cycle]]] = {}
        for channel in self.network.channels:
            tokens, written, read = self.tokens[channel.name], self.written_at[channel.name], self.read_at[channel.name]
            writes[channel.name] = [(token, written.get(token)) for put in tokens.written_by for token in put]
            reads[channel.name] = [
                (firing, token, read.get(firing)) for firing, taken in enumerate(tokens.read_by) for token in taken
            ]
        executing = [
            cycle
            for state in self.states
            for firing, latency in zip(state.firings, state.latencies, strict=True)
            if firing.started
            for cycle in range(firing.passed[0] + state.read, firing.passed[0] + state.read + latency)
            if cycle < stopped  # of what a deadlock leaves behind, nothing is told after it
        ]
        executing += [
            cycle for state in self.states if state.process.schedule for firing in state.firings
            for cycle in firing.passed.values()
        ]  # fmt: skip
        at_once: dict[int, int] = {}
        for cycle in executing:
            at_once[cycle] = at_once.get(cycle, 0) + 1
        return Reference(
            start={name: [state.firings[n].passed.get(0) for n in state.starts] for name, state in by_name.items()},
            write={
                name: [state.firings[n].passed.get(state.firings[n].offset_of["end", 0]) for n in state.starts]
                for name, state in by_name.items()
            },
            end={name: [self._ends(state)[n] for n in state.starts] for name, state in by_name.items()},
            writes=writes,
            reads=reads,
            deadlocked=finish is None,
            finish=finish,
            stopped=stopped,
            cycles={name: _counts(state.classes[:stopped]) for name, state in by_name.items()},
            max_occupancy=occupancy,
            average_parallelism=None if finish is None else len(executing) / max(finish, 1),
            maximum_parallelism=max(at_once.values(), default=0),
        )


def _counts(classes: list[tuple[str, str]]) -> Classes:
    plain = {"starting": 0, "done": 0, "draining": 0, "ii": 0}
    named: dict[str, dict[str, int]] = {"blocked": {}, "starved": {}, "resource": {}}
    for kind, name in classes:
        if kind in plain:
            plain[kind] += 1
        else:
            named[kind][name] = named[kind].get(name, 0) + 1
    return {**plain, **named}
