"""What a task's execution reports becomes steps: loops of every kind, left in every way, step for step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ppnsim.hls.native.session import Code, NativeEvent
from ppnsim.hls.native.timing import PipelineTiming, PlaceKey, SerialTiming, StraightTiming, TaskTiming
from ppnsim.hls.native.walk import TaskWalk
from tests.golden.records import unlike

Event = tuple[Code, int]
READ, WRITE = 7, 8


def _pipeline(loop: int, **given: object) -> PipelineTiming:
    values = {"outer": (), "ii": 1, "depth": 3, "test": 0, "tail": False, "stages": {(READ,): 0, (WRITE,): 2}}
    return PipelineTiming(loop=loop, bound="", line="", **(values | given))  # type: ignore[arg-type]


def _around(loop: PipelineTiming, start: int = 1, states: int = 5) -> StraightTiming:
    key = (loop.whole,)
    return StraightTiming(states, {(READ,): 0, (WRITE,): states - 1}, {key: start}, {key: loop})


def _plain(states: int = 2) -> StraightTiming:
    return StraightTiming(states, {(READ,): 0, (WRITE,): states - 1}, {}, {})


def _loop(loop: int, bodies: Sequence[Sequence[Event]], *, tail: bool = False, left: bool = False) -> list[Event]:
    """Return the events of a loop: a test before each body, one more behind them, or none where it is left."""
    inside = [each for body in bodies for each in ((Code.STEP, loop), *body)]
    last = [] if left else [(Code.EXIT, loop)] if tail else [(Code.STEP, loop), (Code.EXIT, loop)]
    return [(Code.ENTER, loop), *inside, *last, (Code.LEAVE, loop)]


_BOTH: list[Event] = [(Code.READ, READ), (Code.WRITE, WRITE)]
_NEST = {"outer": (1,), "ii": 2, "depth": 4, "test": 1, "stages": {(READ,): 1, (WRITE,): 3}}
_COPIES = {"copies": 2, "ii": 3, "depth": 5, "stages": {(READ, 0): 0, (READ, 1): 1, (WRITE, 0): 3, (WRITE, 1): 4}}
_PIPELINES: dict[str, dict[str, object]] = {
    "plain": {}, "at 2": {"ii": 2, "test": 1}, "tail": {"tail": True},
    "late test": {"depth": 1, "test": 2, "ii": 4, "stages": {(READ,): 0, (WRITE,): 0}},
}  # fmt: skip


def _walks() -> Iterator[tuple[str, TaskTiming, list[Event]]]:
    for count in (0, 1, 3):
        bodies = [_BOTH] * count
        for name, given in _PIPELINES.items():
            timing = TaskTiming("t", (_around(_pipeline(2, **given)),), True)
            for left in (False, True) if count else (False,):
                events = [_BOTH[0], *_loop(2, bodies, tail=name == "tail", left=left), _BOTH[1]]
                yield f"{name} {count}{' left' if left else ''}", timing, events
        nest = TaskTiming("t", (_around(_pipeline(2, **_NEST)),), True)
        yield f"nest of {count}", nest, [*_loop(1, [_loop(2, [_BOTH] * n) for n in range(count + 1)]), _BOTH[1]]
        copies = TaskTiming("t", (_around(_pipeline(2, **_COPIES), 2),), True)
        for number in (count, count + 1):
            yield f"copies of {number}", copies, [*_loop(2, [_BOTH] * number), _BOTH[1]]
        for tail in (False, True) if count else (False,):
            serial = SerialTiming(3, tail, (_plain(3),))
            task = TaskTiming("t", (_plain(), serial, _plain()), True)
            for left in (False, True) if count else (False,):
                events = [*_BOTH, *_loop(3, bodies, tail=tail, left=left), *_BOTH]
                yield f"serial {count}{' tail' if tail else ''}{' left' if left else ''}", task, events
        inner = SerialTiming(3, False, (_around(_pipeline(2)), SerialTiming(4, True, (_plain(),)), _plain(4)))
        body = [_BOTH[0], *_loop(2, bodies), _BOTH[1], *_loop(4, [_BOTH] * 2, tail=True), *_BOTH]
        yield f"serials of {count}", TaskTiming("t", (_plain(), inner, _plain()), True), _loop(3, [body] * 2)
        forever = (_plain(1), SerialTiming(3, False, (_plain(4),)), _plain(1))
        yield f"endless {count}", TaskTiming("t", forever, True, endless=True), _loop(3, bodies)
        stages: dict[PlaceKey, int] = {(each, n): n + (each == WRITE) for n in range(4) for each in (READ, WRITE)}
        flat = TaskTiming("t", (StraightTiming(6, stages, {}, {}),), True, frozenset((5,)))
        yield f"unrolled {count}", flat, _loop(5, bodies)
        called = TaskTiming("t", (StraightTiming(6, {(READ, 9): 2, (READ,): 3}, {}, {}),), True)
        yield f"called {count}", called, [(Code.CALL, 9), _BOTH[0], (Code.RETURN, 9), _BOTH[0]]


def walks() -> str:
    """Return the steps of the accesses in each walk, and of its end."""
    lines = []
    for name, timing, events in _walks():
        walk = TaskWalk(timing)
        found = [walk.follow(NativeEvent(code, 0, place, 0)) for code, place in (*events, (Code.END, 0))]
        steps = " ".join(str(each) for each in found if each is not None)
        lines.append(f"{name}: {steps}; ends {walk.steps}, settled {walk.settled}, starts {walk.starts}")
    return "".join(f"{line}\n" for line in lines)


def test_executions_become_steps_as_recorded() -> None:
    assert unlike("task_walks") == []
