"""Flushable pipelines (T3.2): a firing enters when its step 0 can happen; a blocked later access holds the process.

The pipeline advances in its own count of cycles in which it was not held, called ``beat`` here. A firing that starts in
beat s passes its step at offset a in beat s + a, whichever cycle that is.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Any

from simpy.events import Event

from ppnsim.engines.des.process import Activity, RunningProcess


def launch(running: RunningProcess) -> None:
    """Start one SimPy process for the whole pipeline."""
    running.env.process(_Pipeline(running).run())


@dataclass
class _Pipeline:
    running: RunningProcess
    beat: int = 0
    next_firing: int = 0
    due: list[tuple[int, int, int]] = field(default_factory=list)  # heap of (beat, step, firing) in flight
    last_beat: dict[int, int] = field(default_factory=dict)  # by step, of the youngest firing in flight

    def run(self) -> Activity:
        """Start firings and let them pass, until all have passed their last step."""
        while self.due or self.next_firing < self.running.firings:
            if self.next_firing < self.running.firings and (not self.due or self.earliest_start() < self.due[0][0]):
                yield from self.try_to_start()
            else:
                yield from self.pass_due()

    def earliest_start(self) -> int:
        """Return the beat from which the next firing may start as far as its own pipeline is concerned."""
        together = self.running.groups(self.next_firing)[0][1]
        process = self.running.lowered.process
        beats = [self.last_beat[step] + (process.ii if step == 0 else 1) for step in together if step in self.last_beat]
        return max([self.beat, *beats])

    def try_to_start(self) -> Activity:
        """Start the next firing; if something is due before it can start, wait no longer than that."""
        steps, firing, now = self.running.steps, self.next_firing, self.running.now
        together = self.running.groups(firing)[0][1]
        start = self.earliest_start()
        for step in together:
            ready = steps[step].ready(firing)
            if not isinstance(ready, int):
                yield from self.wait_before_due(ready)
                return
            start = max(start, self.beat + ready - now)
        if self.due and start >= self.due[0][0]:
            yield from self.wait_until(self.due[0][0])
            return
        yield from self.wait_until(start)
        if not (yield from self.take_unit()):
            return
        for step in together:
            steps[step].act(firing, self.running.now)
        self.enter(firing)

    def enter(self, firing: int) -> None:
        """Note in which beats the started firing is due at its later steps."""
        beat, last_offset = self.beat, 0
        for offset, together in self.running.groups(firing):
            # Results leave in order: with a latency per firing a short one may have to wait behind a long one.
            order = [self.last_beat[step] + 1 for step in together if step in self.last_beat]
            beat = max([beat + offset - last_offset, *order]) if offset else beat
            last_offset = offset
            for step in together:
                self.last_beat[step] = beat
                if offset:
                    heappush(self.due, (beat, step, firing))
        self.next_firing += 1

    def pass_due(self) -> Activity:
        """Let everything that is due next pass together; until it can, the process is held."""
        env, steps = self.running.env, self.running.steps
        yield from self.wait_until(self.due[0][0])
        together = []
        while self.due and self.due[0][0] == self.beat:
            together.append(heappop(self.due))
        held_from = self.running.held_since = self.running.now
        for _, step, firing in together:
            while type(ready := steps[step].ready(firing)) is not int:
                yield ready
            if ready > self.running.now:
                yield env.timeout(ready - self.running.now)
        self.running.held_since = None
        now = self.running.now
        if now > held_from:
            self.running.holds.append((held_from, now))
        for _, step, firing in together:
            steps[step].act(firing, now)

    def take_unit(self) -> Generator[Any, Any, bool]:
        """Return whether a unit of the shared resource was granted before the next due access."""
        process, arbiter = self.running.lowered.process, self.running.arbiter
        if process.resource is None:
            return True
        request = arbiter.request(self.running.number, process.resource, self.running.lowered.steps.read, process.ii)
        yield from self.wait_before_due(request.granted)
        if request.granted.triggered:
            return True
        arbiter.withdraw(request)
        return False

    def wait_until(self, beat: int) -> Activity:
        if beat > self.beat:
            yield self.running.env.timeout(beat - self.beat)
            self.beat = beat

    def wait_before_due(self, event: Event) -> Activity:
        """Wait for ``event``, but no longer than until the next due access; the process is not held meanwhile."""
        since = self.running.now
        yield (event | self.running.env.timeout(self.due[0][0] - self.beat)) if self.due else event
        self.beat += self.running.now - since
