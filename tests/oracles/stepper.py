"""The reference's cycles on flat arrays, so that machine code can step through millions of networks.

`tests.oracles.reference` says what a network is; `Tables` lays it out, and `walk` follows the same text of the rules
cycle by cycle: in each cycle units happen, each whole or not at all, until none of them can. Engines share nothing with
it. `walk` is Python that numba compiles: a test runs it as it stands, the bulk of `tests.fuzz` as machine code. Shared
resources are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba.extending import register_jitable
from numpy.typing import NDArray

from ppnsim.arrays import Int64Array
from ppnsim.model.network import STYLES, Network
from tests.oracles.reference import PortStep, _Simulation

Int8Array = NDArray[np.int8]

ELASTIC, FLUSHABLE, FROZEN = (STYLES.index(style) for style in ("elastic", "flushable", "frozen"))
NEVER, LONG = -1, 2**40  # of a cycle that is not known, and of one that never comes
MOST_CYCLES = 4096  # of a run, for which holds are kept


class Tables(NamedTuple):
    """A network as int64 arrays; an event is a firing passing one offset, numbered firing by firing, offsets ascending.

    ``process`` has a row per process: style, ii, C (0: no limit), its first firing and the one after its last, write
    latency, number of port steps. ``firing`` has a row per firing: its first event and the one after its last.
    ``of_step[f, s]`` is the event of port step s of firing f. ``offset`` and ``ends`` (whether the firing's end waits
    for it) are per event. ``steps`` has, per frozen process and step of its pipeline (``step_at[p]`` onwards), the
    first event due there, in ``due``, and the one after the last. ``reads`` are pairs (channel, token), of event e
    those from ``reads_at[e]`` on; ``puts`` triples (channel, token, tokens that this event writes there, 0 after the
    first); ``frees`` pairs (channel, token) for which it is the last read. ``channel``: initial, forward, release,
    first token.
    """

    process: Int64Array
    firing: Int64Array
    of_step: Int64Array
    offset: Int64Array
    ends: Int64Array
    step_at: Int64Array
    steps: Int64Array
    due: Int64Array
    reads_at: Int64Array
    reads: Int64Array
    puts_at: Int64Array
    puts: Int64Array
    frees_at: Int64Array
    frees: Int64Array
    channel: Int64Array


class State(NamedTuple):
    """What has happened: the cycle of each event and its beat (cycles without holds), and what follows from them."""

    passed: Int64Array
    own: Int64Array
    done: Int64Array  # events per firing
    oldest: Int64Array  # per process, the first firing that has not passed everything
    begun: Int64Array  # per process, firings that have started
    beat: Int64Array
    step: Int64Array
    stepped: Int64Array
    written: Int64Array  # per token, its cycle
    released: Int64Array  # per token, the cycle from which its slot is free
    inside: Int64Array  # per channel, tokens written
    unit: Int64Array  # the events of the unit in question


# -- what is there ----------------------------------------------------------------------------------------------------


@register_jitable
def possible(at: Tables, now: State, depth: Int64Array, size: int, t: int) -> bool:
    """Return whether all tokens and slots are there for the first ``size`` events of the unit, judged before any."""
    for place in range(size):
        event = now.unit[place]
        for row in range(at.reads_at[event], at.reads_at[event + 1]):
            channel, token = at.reads[row]
            written = now.written[at.channel[channel, 3] + token]
            if token >= at.channel[channel, 0] and (written < 0 or written + at.channel[channel, 1] > t):
                return False
        for row in range(at.puts_at[event], at.puts_at[event + 1]):
            channel, _, tokens = at.puts[row]
            if tokens and depth[channel] >= 0 and occupancy(at, now, channel, t) + tokens > depth[channel]:
                return False
    return True


@register_jitable
def occupancy(at: Tables, now: State, channel: int, t: int) -> int:
    """Return the tokens in a channel."""
    held = at.channel[channel, 0] + now.inside[channel]
    for token in range(at.channel[channel, 3], at.channel[channel + 1, 3]):
        held -= now.released[token] <= t
    return int(held)


@register_jitable
def let_pass(at: Tables, now: State, p: int, size: int, t: int) -> None:
    """Let a unit happen."""
    for place in range(size):
        event = now.unit[place]
        firing = at.process[p, 3]
        while at.firing[firing, 1] <= event:
            firing += 1
        now.passed[event] = t
        now.own[event] = now.beat[p] if at.process[p, 0] == FLUSHABLE else t
        now.done[firing] += 1
        now.begun[p] += at.offset[event] == 0
        for row in range(at.frees_at[event], at.frees_at[event + 1]):
            channel, token = at.frees[row]
            now.released[at.channel[channel, 3] + token] = t + at.channel[channel, 2]
        for row in range(at.puts_at[event], at.puts_at[event + 1]):
            channel, token, _ = at.puts[row]
            now.written[at.channel[channel, 3] + token] = t
            now.inside[channel] += 1
    while now.oldest[p] < at.process[p, 4] and is_complete(at, now, now.oldest[p]):
        now.oldest[p] += 1


@register_jitable
def is_complete(at: Tables, now: State, firing: int) -> bool:
    """Return whether a firing has passed everything."""
    return bool(now.done[firing] == at.firing[firing, 1] - at.firing[firing, 0])


# -- what a process allows itself -------------------------------------------------------------------------------------


@register_jitable
def is_due(at: Tables, now: State, p: int, firing: int, event: int, clock: int) -> bool:
    """Return whether an elastic or flushable process lets a firing pass an event now."""
    first = at.process[p, 3]
    if now.passed[event] >= 0:
        return False
    for earlier in range(at.firing[firing, 0], event):
        if now.passed[earlier] < 0 or now.own[earlier] + at.offset[event] - at.offset[earlier] > clock:
            return False
    ii, capacity = at.process[p, 1], at.process[p, 2]
    if firing > first:
        for step in range(at.process[p, 6]):
            if at.of_step[firing, step] == event:
                before = at.of_step[firing - 1, step]
                if now.passed[before] < 0 or now.own[before] + (1 if ii else 0) > clock:
                    return False
    if at.offset[event] > 0:
        return True
    if firing > first:
        before = at.firing[firing - 1, 0]
        if now.passed[before] < 0 or now.own[before] + ii > clock:
            return False
    return bool(not capacity or firing - capacity < first or is_complete(at, now, firing - capacity))


@register_jitable
def due_in_flight(at: Tables, now: State, p: int, clock: int) -> int:
    """Make what is due behind the starts the unit; return its size."""
    size = 0
    for firing in range(now.oldest[p], at.process[p, 3] + now.begun[p]):
        for event in range(at.firing[firing, 0], at.firing[firing, 1]):
            if at.offset[event] > 0 and is_due(at, now, p, firing, event, clock):
                now.unit[size] = event
                size += 1
    return size


@register_jitable
def one_passes(at: Tables, now: State, depth: Int64Array, p: int, t: int) -> bool:
    """Let the first unit of a process happen that can; return whether there is one."""
    style = at.process[p, 0]
    if style == FROZEN:
        if now.stepped[p] or now.oldest[p] == at.process[p, 4]:
            return False
        row, size = at.step_at[p] + now.step[p], 0
        for place in range(at.steps[row, 0], at.steps[row, 1]):
            now.unit[size] = at.due[place]
            size += 1
        if not possible(at, now, depth, size, t):
            return False
        let_pass(at, now, p, size, t)
        now.step[p] += 1
        now.stepped[p] = 1
        return True
    clock = now.beat[p] if style == FLUSHABLE else t
    size = due_in_flight(at, now, p, clock)
    if style == FLUSHABLE and size:  # nothing starts before it
        if not possible(at, now, depth, size, t):
            return False
        let_pass(at, now, p, size, t)
        return True
    for place in range(size):
        now.unit[0], now.unit[place] = now.unit[place], now.unit[0]
        if possible(at, now, depth, 1, t):
            let_pass(at, now, p, 1, t)
            return True
    firing = at.process[p, 3] + now.begun[p]
    if firing == at.process[p, 4]:
        return False
    now.unit[0] = at.firing[firing, 0]
    if is_due(at, now, p, firing, now.unit[0], clock) and possible(at, now, depth, 1, t):
        let_pass(at, now, p, 1, t)
        return True
    return False


Kernel = Callable[["Tables", "State", Int64Array, Int8Array, int], int]


def walk(at: Tables, now: State, depth: Int64Array, held: Int8Array, longest: int) -> int:
    """Run to the end or until nothing can ever happen again; return the finish, `NEVER` after a deadlock.

    Parameters
    ----------
    at, now : the network, and a state in which nothing has happened, which is changed.
    depth : of each channel, `NEVER` for unbounded.
    held : set to 1 for each process and cycle in which it is held, shape ``(processes, MOST_CYCLES)``.
    longest : cycles without an event after which nothing can happen any more.
    """
    processes, quiet = len(at.process), 0
    for t in range(held.shape[1]):
        now.stepped[:] = 0
        happened, again = False, True
        while again:
            again = False
            for p in range(processes):
                while one_passes(at, now, depth, p, t):
                    again = happened = True
        complete = True
        for p in range(processes):
            if at.process[p, 0] == FLUSHABLE and due_in_flight(at, now, p, now.beat[p]):
                held[p, t] = 1
            else:
                now.beat[p] += 1
            complete &= now.oldest[p] == at.process[p, 4]
        if complete:
            finish = 0
            for p in range(processes):
                for event in range(at.firing[at.process[p, 3], 0], at.firing[at.process[p, 4] - 1, 1]):
                    if at.ends[event]:
                        finish = max(finish, now.passed[event] + at.process[p, 5])
            return finish
        quiet = 0 if happened else quiet + 1
        if quiet > longest:
            return NEVER
    raise ValueError("the run is longer than what is kept of holds")


# -- a network laid out -----------------------------------------------------------------------------------------------


class Stepper:
    """A network without shared resources, laid out once and stepped through with any depths.

    Attributes
    ----------
    order : per process, the event of each of its steps and firings, as `Timeline.passed` has them, shape
        ``(steps, passings)``.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> stepper = Stepper(chain(firings=20, depth=1))
    >>> stepper.run(walk).finish, stepper.run(walk, {"c0": 2, "c1": 2}).finish
    (51, 32)
    """

    def __init__(self, network: Network) -> None:
        if network.resources:
            raise ValueError("shared resources are not stepped through")
        self.network = network
        self._laid_out = _Simulation(network)
        self.longest = self._laid_out._longest_timer()
        self.tables = self._tables()
        self.order = {process.name: self._order(number) for number, process in enumerate(network.processes)}

    def run(self, kernel: Kernel, depths: Mapping[str, int | None] | None = None) -> Stepped:
        """Step through the network with other depths for some channels; `walk` or the same compiled."""
        depth = _depths(self.network, depths or {})
        at = self.tables
        zero, tokens = np.zeros(len(at.process), np.int64), int(at.channel[-1, 3])
        first = at.process[:, 3].copy()
        now = State(
            passed=np.full(len(at.offset), NEVER), own=np.full(len(at.offset), NEVER),
            done=np.zeros(len(at.firing), np.int64), oldest=first, begun=zero.copy(), beat=zero.copy(),
            step=zero.copy(), stepped=zero.copy(), written=np.full(tokens, NEVER), released=np.full(tokens, LONG),
            inside=np.zeros(len(depth), np.int64), unit=np.zeros(len(at.offset), np.int64),
        )  # fmt: skip
        held = np.zeros((len(at.process), MOST_CYCLES), np.int8)
        finish = kernel(at, now, depth, held, self.longest)
        return Stepped(self, None if finish == NEVER else int(finish), now.passed, held)

    def _tables(self) -> Tables:
        states, numbers = self._laid_out.states, {c.name: n for n, c in enumerate(self.network.channels)}
        process, firing, of_step, steps = list[list[int]](), list[list[int]](), list[list[int]](), list[list[int]]()
        offset, ends, step_at, due = list[int](), list[bool](), list[int](), list[int]()
        reads, puts, frees = _Rows(2), _Rows(3), _Rows(2)
        most = max(len(state.firings[0].offset_of) for state in states)
        for state in states:
            declared = state.process
            process.append([
                STYLES.index(declared.style), declared.ii, state.capacity or 0, len(firing),
                len(firing) + len(state.firings), state.write, len(state.firings[0].offset_of),
            ])  # fmt: skip
            event_of = {}
            for n, each in enumerate(state.firings):
                own = {at: len(offset) + place for place, at in enumerate(each.offsets)}
                event_of.update({(n, at): event for at, event in own.items()})
                last = {at for (tie, _), at in each.offset_of.items() if tie == "end"}
                firing.append([len(offset), len(offset) + len(own)])
                of_step.append([own[at] for at in each.offset_of.values()] + [NEVER] * (most - len(each.offset_of)))
                for at in each.offsets:
                    offset.append(at)
                    ends.append(at in last)
                    reads.add([(numbers[name], token) for name, mine in each.reads.get(at, []) for token in mine])
                    puts.add([
                        (numbers[name], token, 0 if place else len(mine))
                        for name, mine in each.writes.get(at, []) for place, token in enumerate(mine)
                    ])  # fmt: skip
                    frees.add([
                        (numbers[name], token) for name, mine in each.reads.get(at, []) for token in dict.fromkeys(mine)
                        if self._laid_out.tokens[name].last_reader[token] == n
                    ])  # fmt: skip
            step_at.append(len(steps))
            for step in range(max(state.at_step) + 1 if declared.style == "frozen" else 0):
                there = [event_of[key] for key in state.at_step.get(step, [])]
                steps.append([len(due), len(due) + len(there)])
                due += there
        return Tables(
            process=_int64(process), firing=_int64(firing), of_step=_int64(of_step), offset=_int64(offset),
            ends=_int64(ends), step_at=_int64(step_at), steps=_int64(steps).reshape(-1, 2), due=_int64(due),
            reads_at=reads.at(), reads=reads.rows(), puts_at=puts.at(), puts=puts.rows(), frees_at=frees.at(),
            frees=frees.rows(), channel=self._channels(),
        )  # fmt: skip

    def _channels(self) -> Int64Array:
        rows, first = [], 0
        for channel in self.network.channels:
            tokens = self._laid_out.tokens[channel.name]
            named = [token for each in (*tokens.written_by, *tokens.read_by) for token in each]
            name = channel.name
            rows.append([channel.initial, self.network.forward(name), self.network.release(name), first])
            first += 1 + max([channel.initial, *named])
        return _int64([*rows, [0, 0, 0, first]])

    def _order(self, number: int) -> Int64Array:
        state, process = self._laid_out.states[number], self.network.processes[number]
        keys = list(state.firings[0].offset_of)
        steps, first = self.network.steps[process.name], int(self.tables.process[number, 3])
        if steps.stops is not None:
            places: Int64Array = first + steps.stops.places
            starts: Int64Array = self.tables.of_step[places, keys.index(("start", 0))][None]
            return starts
        longest = state.read + max(state.latencies)
        named: dict[int, PortStep] = {0: ("start", 0), steps.write_step: ("end", 0)}
        for (side, name), step in steps.port.items():
            channel = self.network.channel(name)
            distance = 0 if channel.from_offset is None else channel.from_offset - longest
            named[step] = ("start", channel.to_offset or 0) if side == "in" else ("end", distance)
        columns = [keys.index(named[step]) for step in range(steps.count)]
        found: Int64Array = self.tables.of_step[first : first + process.firings, columns].T
        return found


@dataclass(frozen=True)
class Stepped:
    """What happened: the finish (None after a deadlock), the cycle of each event, and who was held when."""

    stepper: Stepper
    finish: int | None
    events: Int64Array
    held: Int8Array

    def passed(self) -> dict[str, Int64Array]:
        """Return the cycles as `Timeline.passed` has them."""
        return {name: self.events[order] for name, order in self.stepper.order.items()}

    def holds(self, stopped: int) -> dict[str, list[int]]:
        """Return the cycles before ``stopped`` in which each flushable process was held."""
        rows = zip(self.stepper.network.processes, self.held, strict=True)
        return {each.name: np.nonzero(row[:stopped])[0].tolist() for each, row in rows if each.style == "flushable"}


class _Rows:
    """Rows of several events, one behind the other."""

    def __init__(self, columns: int) -> None:
        self._columns, self._rows, self._ends = columns, list[Sequence[int]](), [0]

    def add(self, rows: Sequence[Sequence[int]]) -> None:
        self._rows += rows
        self._ends.append(len(self._rows))

    def at(self) -> Int64Array:
        return _int64(self._ends)

    def rows(self) -> Int64Array:
        return _int64(self._rows).reshape(-1, self._columns)


def _int64(values: Sequence[object]) -> Int64Array:
    return np.array(values, dtype=np.int64)


def _depths(network: Network, other: Mapping[str, int | None]) -> Int64Array:
    depths = [other.get(channel.name, channel.depth) for channel in network.channels]
    return _int64([NEVER if depth is None else depth for depth in depths])
