"""Short lists stand for their values: counted, ordered and written down as one would one by one."""

from __future__ import annotations

import time
from itertools import pairwise
from random import Random

import numpy as np
import pytest

from ppnsim.errors import InputError
from ppnsim.model.step_lists import Entry, Nest, StepList


def drawn(random: Random, deep: int = 2) -> tuple[Entry, ...]:
    """Return entries of every kind, small enough for their values to meet and to overlap."""
    entries: list[Entry] = []
    for _ in range(random.randint(0, 3)):
        kind = random.choice("irn" if deep else "ir")
        if kind == "i":
            entries.append(random.randint(0, 9))
        elif kind == "r":
            entries.append((random.randint(0, 9), random.randint(0, 3), random.randint(0, 3)))
        else:
            entries.append(Nest(random.randint(0, 3), random.randint(0, 9), drawn(random, deep - 1)))
    return tuple(entries)


def values(entries: tuple[Entry, ...]) -> list[int]:
    """The values, one by one."""
    found: list[int] = []
    for entry in entries:
        if isinstance(entry, int):
            found.append(entry)
        elif isinstance(entry, Nest):
            found += [turn * entry.every + each for turn in range(entry.times) for each in values(entry.of)]
        else:
            found += [entry[0] + entry[1] * k for k in range(entry[2])]
    return found


def has_empty(entries: tuple[Entry, ...]) -> bool:
    return any(not values((each,)) or (isinstance(each, Nest) and has_empty(each.of)) for each in entries)


def test_drawn_lists_are_what_one_counts_one_by_one() -> None:
    random, seen = Random(5), {True: 0, False: 0}
    for _ in range(2000):
        entries = drawn(random)
        made, told = StepList(entries), values(entries)
        assert made.expand().tolist() == told
        assert len(made) == made.count == len(told)
        rises = bool(told) and all(one <= other for one, other in pairwise(told))
        expected = (told[0], told[-1]) if rises and not has_empty(entries) else None
        assert made.ascending_ends() == expected, entries
        seen[expected is not None] += 1
        assert StepList.of(told).expand().tolist() == told
    assert min(seen.values()) > 100


@pytest.mark.parametrize(
    ("told", "entries"),
    [
        ([], ()), ([5], (5,)), ([5, 6], (5, 6)), ([5, 6, 7], ((5, 1, 3),)), ([7, 6, 5], (7, 6, 5)),
        ([4, 4, 4], ((4, 0, 3),)), ([0, 3, 6, 9, 10], ((0, 3, 4), 10)), ([0, 1, 5, 6], (0, 1, 5, 6)),
        ([0, 1, 2, 9, 10, 11], ((0, 1, 3), (9, 1, 3))),
        ([0, 1, 2, 9, 10, 11, 18, 19, 20], (Nest(3, 9, ((0, 1, 3),)),)),
        ([0, 1, 2, 9, 10, 11, 18, 19, 20, 29, 30, 31], (Nest(3, 9, ((0, 1, 3),)), (29, 1, 3))),
        ([0, 1, 2, 9, 10, 11, 18, 20, 22], ((0, 1, 3), (9, 1, 3), (18, 2, 3))),
        ([18, 19, 20, 9, 10, 11, 0, 1, 2], ((18, 1, 3), (9, 1, 3), (0, 1, 3))),
    ],
)  # fmt: skip
def test_even_values_are_runs_and_three_runs_alike_a_nest(told: list[int], entries: tuple[Entry, ...]) -> None:
    assert StepList.of(told).entries == entries
    assert StepList.of(np.array(told, dtype=np.int64)).entries == entries


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ((-1,), "-1 must be whole numbers from 0 on"),
        ((True,), "True must be whole numbers from 0 on"),
        (((0, 1, -1),), "[0, 1, -1] must be whole numbers from 0 on"),
        (((0, 1.5, 2),), "[0, 1.5, 2] must be whole numbers from 0 on"),
        (((0, 1),), "run [0, 1] must be [first, step, count]"),
        ((Nest(-1, 2, (0,)),), "{times = -1, every = 2} must be whole numbers from 0 on"),
        ((Nest(1, -2, (0,)),), "{times = 1, every = -2} must be whole numbers from 0 on"),
        ((Nest(2, 2, (-3,)),), "-3 must be whole numbers from 0 on"),
        (((0, 1, 400_000_001),), "stands for 400000001 values (at most 400000000)"),
    ],
)
def test_what_is_no_list_is_refused(entries: tuple[Entry, ...], words: str) -> None:
    with pytest.raises(InputError) as refused:
        StepList(entries).check("steps")
    assert str(refused.value) in (f"steps: {words}", f"steps {words}")


def test_the_longest_list_is_taken() -> None:
    StepList(((0, 0, 400_000_000),)).check("steps")
    StepList((0, (0, 0, 0), Nest(0, 0, ()))).check("steps")


def test_a_list_is_shortened_in_a_time_that_grows_with_its_length() -> None:
    def seconds(rounds: int) -> float:
        given = np.cumsum(np.tile([1, 1, 1, 5, 2, 2, 9], rounds))
        begin = time.process_time()
        assert len(StepList.of(given).entries) > 2 * rounds
        return time.process_time() - begin

    # Eight times the list takes about eight times as long; 64 times, when each entry was looked for from the beginning.
    long, short = (min(seconds(rounds) for _ in range(3)) for rounds in (20_000, 2_500))
    assert long < 30 * short
