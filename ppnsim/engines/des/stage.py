"""One pipeline step of a process at run time: its waits, its accesses, and the cycle in which each firing passed."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from simpy import Environment

from ppnsim.arrays import Int64Array
from ppnsim.engines.des.channel import RecordingChannel, Signal
from ppnsim.engines.program import ProcessProgram

_Access = tuple[RecordingChannel, "array[int]", "array[int]"]


class Step:
    """A step with its ports: reads of tokens, writes of tokens, both or none.

    ``passed[n]`` is the cycle in which firing n passed; firings pass in order.
    """

    __slots__ = ("_env", "_inputs", "_outputs", "_watchers", "passed")

    def __init__(self, env: Environment, inputs: Sequence[_Access], outputs: Sequence[_Access]) -> None:
        self._env = env
        self._inputs = tuple(inputs)
        self._outputs = tuple(outputs)
        self._watchers: list[tuple[int, int, Signal]] = []
        self.passed = array("q")

    def ready(self, firing: int) -> int | Signal:
        """Return the cycle from which all accesses of ``firing`` can happen, or an event to wait for and ask again."""
        when = 0
        for channel, need, _ in self._inputs:
            token = need[firing]
            if token >= 0:
                if token >= len(channel.writes):
                    return channel.written(token)
                at = channel.writes[token] + channel.forward
                if at > when:
                    when = at
        for channel, slots, _ in self._outputs:
            slot = slots[firing]
            if slot >= 0:
                if slot >= len(channel.releases):
                    return channel.released(slot)
                at = channel.releases[slot]
                if at > when:
                    when = at
        return when

    def act(self, firing: int, now: int) -> None:
        """Let ``firing`` pass: read, write, and tell whoever watches."""
        self.passed.append(now)
        for channel, _, freed in self._inputs:
            if freed[firing]:
                channel.free(freed[firing], now)
        for channel, _, count in self._outputs:
            if count[firing]:
                channel.put(count[firing], now)
        if self._watchers:
            for watched, delay, signal in self._watchers:
                if watched <= firing:
                    signal.fire(delay)
            self._watchers = [watcher for watcher in self._watchers if watcher[0] > firing]

    def passing(self, firing: int, delay: int = 0) -> Signal:
        """Return the event of ``firing`` passing, ``delay`` cycles later."""
        signal = Signal(self._env)
        self._watchers.append((firing, delay, signal))
        return signal


def steps_at_run_time(
    env: Environment, lowered: ProcessProgram, channels: Sequence[RecordingChannel], depths: Sequence[int | None]
) -> list[Step]:
    """Return the steps of one process, connected to its channels."""
    steps = []
    for number in range(lowered.steps.count):
        inputs = [
            (channels[port.channel], _flat(port.need), _flat(port.freed))
            for port in lowered.inputs
            if port.step == number
        ]
        outputs = [
            (channels[port.channel], _flat(port.slot(depths[port.channel])), _flat(port.count))
            for port in lowered.outputs
            if port.step == number
        ]
        steps.append(Step(env, inputs, outputs))
    return steps


def _flat(values: Int64Array) -> array[int]:
    # Indexing a numpy array one element at a time costs four times as much.
    return array("q", values.tobytes())
