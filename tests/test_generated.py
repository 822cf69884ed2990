"""Generated code against the general kernel: the same cycle for every passing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from ppnsim.engines.compiled.generated import Generated
from ppnsim.engines.compiled.kernel import evaluate
from ppnsim.engines.compiled.long_run import finish
from ppnsim.engines.compiled.recurrences import Recurrences
from ppnsim.engines.compiled.repetition import Repetition
from ppnsim.engines.compiled.rounds import Rounds
from ppnsim.engines.compiled.tape import BASE, COUNT, DONE, Tape, tape_of
from ppnsim.engines.program import Program
from ppnsim.engines.run import run
from ppnsim.errors import InputError, UnsupportedByEngine
from ppnsim.model.builders import chain, fork_join
from ppnsim.model.network import Channel, Network, Process, Style
from ppnsim.model.sequence import Int64Array
from ppnsim.model.tokens import Rates

NO_LIMIT = 1 << 60
# No database, as in test_against_reference; compiling a kernel takes a second, so examples are interpreted.
some = settings(deadline=None, database=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def repeating(draw: st.DrawFn, *, styles: Sequence[Style] = ("elastic", "frozen"), rates: bool = True) -> Network:
    """Draw a network of plain channels (or rates) with offsets, initial tokens, latencies of 0 and circles."""
    names = [f"p{i}" for i in range(draw(st.integers(1, 5)))]
    often = {name: draw(st.integers(1, 3)) if rates else 1 for name in names}
    iterations = draw(st.integers(8, 40))
    # Firings that are left over need to be fewer in those who read.
    rests = sorted(draw(st.lists(st.integers(0, 3), min_size=5, max_size=5)) if draw(st.booleans()) else 5 * [0])
    processes = []
    for name in names:
        style = draw(st.sampled_from(list(styles)))
        processes.append(
            Process(
                name=name,
                firings=often[name] * iterations + rests.pop(),
                ii=draw(st.sampled_from([1, 1, 2, 3] + ([0] if style == "elastic" else []))),
                latency=draw(st.integers(0, 6)),
                read=draw(st.none() | st.integers(0, 2)),
                write=draw(st.none() | st.integers(0, 2)),
                style=style,
            )
        )
    ends = [(draw(st.integers(0, i - 1)), i) for i in range(1, len(names))]
    several = st.tuples(st.integers(0, len(names) - 1), st.integers(0, len(names) - 1))
    ends += draw(st.lists(several, max_size=3))
    channels = []
    for number, (source, target) in enumerate(ends):
        produce, consume = often[names[target]], often[names[source]]
        initial = draw(st.sampled_from([1, 2, 3, 6, 12] if source >= target else [0, 0, 0, 1, 2]))
        depth = draw(st.none() | st.integers(0, 12))
        few = st.sampled_from([None, None, 0, 1, 2])
        channels.append(
            Channel(
                name=f"c{number}",
                source=names[source],
                target=names[target],
                tokens=Rates(produce, consume),
                initial=initial,
                depth=None if depth is None else max(initial, 1) + depth,
                forward=draw(few),
                release=draw(few),
                from_offset=draw(st.none() | st.integers(0, 9)) if draw(st.booleans()) else None,
                to_offset=draw(st.none() | st.integers(0, 4)) if draw(st.booleans()) else None,
            )
        )
    return Network(processes=processes, channels=channels)


def tape_and_repeats(network: Network) -> tuple[Tape, Int64Array] | None:
    try:
        network.checked()
    except InputError:
        return None
    repetition = Repetition.of(network)
    if repetition is None:
        return None
    recurrences = Recurrences.of(Program.of(network))
    repeats = [repetition.firings[process.name] for process in network.processes]
    return tape_of(recurrences), np.repeat(repeats, np.diff(recurrences.first))


def interpreted(generated: Generated, begin: int, end: int) -> None:
    """Evaluate rounds by the generated text as plain Python, on Python's integers."""
    text = generated.source.replace("from numba import njit", "").replace("import numpy as np", "")
    text = text.replace('@njit(cache=True, error_model="numpy")', "").replace("np.uint64", "int")
    names: dict[str, object] = {}
    exec(compile(text, "generated", "exec"), names)
    kernel = names["rounds"]
    assert callable(kernel)
    with np.errstate(all="raise"):
        kernel(generated.tape.cycles, generated.at.tolist(), generated.weights.tolist(), [], begin, end - begin, 1)


def compiled(generated: Generated, begin: int, end: int) -> None:
    generated.walk(begin, end)


def everything(tape: Tape) -> list[list[int]]:
    return [tape.cycles[row[BASE] : row[BASE] + row[DONE]].tolist() for row in tape.nodes]


def by_general_kernel(network: Network) -> list[list[int]]:
    tape = tape_of(Recurrences.of(Program.of(network)))
    evaluate(tape, NO_LIMIT)
    return everything(tape)


@some
@given(network=repeating())
def test_every_passing_is_that_of_the_general_kernel(network: Network) -> None:
    prepared = tape_and_repeats(network)
    generated = Generated.of(*prepared) if prepared else None
    event("generated" if generated else "left to the general kernel" if prepared else "not a network")
    if prepared is None or generated is None:
        return
    tape = prepared[0]
    begin, end = generated.rounds.begin, generated.rounds.end
    generated.start()
    assert (tape.nodes[:, DONE] == [generated.rounds.passed(node, begin) for node in range(len(tape.nodes))]).all()
    interpreted(generated, begin, end)
    generated.leave_at(end)
    evaluate(tape, NO_LIMIT)
    assert everything(tape) == by_general_kernel(network)
