"""Anti and output dependences against a naive interpreter that remembers, per location, who touched it since when."""

from collections import defaultdict

import pytest
from hypothesis import HealthCheck, given, settings

from ppnsim.errors import InputError
from ppnsim.loops.orderings import ordering_dependences
from ppnsim.loops.program import LoopProgram
from tests.helpers.loop_programs import Location, at, do, executions, kernel, location, loop, loop_programs

Key = tuple[str, str, int, str, int]


def by_execution(program: LoopProgram) -> dict[Key, list[list[int]]]:
    """Execute; each write waits for the last write to its location and for the reads since then."""
    found: dict[Key, list[list[int]]] = defaultdict(list)
    written: dict[Location, tuple[str, int, int]] = {}
    read: dict[Location, list[tuple[str, int, int]]] = defaultdict(list)
    firings: dict[str, int] = defaultdict(int)
    for statement, values in executions(program):
        name, firing = statement.name, firings[statement.name]
        firings[name] += 1
        for argument, access in enumerate(statement.reads):
            read[location(access, values)].append((name, argument, firing))
        for write, access in enumerate(statement.writes):
            place = location(access, values)
            waits = [("anti", *each) for each in read.pop(place, [])]
            waits += [("output", *written[place])] if place in written else []
            for kind, earlier, number, then in waits:
                if (earlier, then) != (name, firing):
                    found[kind, earlier, number, name, write].append([firing, then])
            written[place] = name, write, firing
    return dict(found)


@given(loop_programs())
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_orderings_are_those_of_executing(program: LoopProgram) -> None:
    found = ordering_dependences(program)
    keys = [(each.kind, each.earlier, each.access, each.later, each.write) for each in found]
    ours = {key: each.pairs.tolist() for key, each in zip(keys, found, strict=True)}
    assert len(ours) == len(found)
    assert ours == {key: sorted(pairs) for key, pairs in by_execution(program).items()}


def test_a_firing_that_overwrites_what_it_reads_does_not_wait_for_itself() -> None:
    program = kernel("sum", {"s": ()}, loop("i", 0, 2, do("add", reads=(at("s"),), writes=(at("s"),))))
    assert [(each.kind, each.pairs.tolist()) for each in ordering_dependences(program)] == [
        ("output", [[1, 0], [2, 1]])
    ]


def test_an_undeclared_array_is_refused() -> None:
    with pytest.raises(InputError, match=r"^statement 's', write 0 of a\[0\]: the array is not declared"):
        ordering_dependences(kernel("k", {}, do("s", writes=(at("a", 0),))))
