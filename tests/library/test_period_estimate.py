"""The answer for a network too large to be gone through: its rows and its words, and those where there is none."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from ppnsim.analysis.k_periodic import PeriodBounds
from ppnsim.errors import InputError
from ppnsim.explore.fifo.graph_sizes import GraphSizes
from ppnsim.library import estimate_period
from ppnsim.library.estimate_period import PeriodEstimate
from ppnsim.library.subject import NetworkFile
from ppnsim.model.builders import chain
from ppnsim.report.table import Screen

NETWORK = chain(firings=4, length=2)
SUBJECT = NetworkFile(network=NETWORK, file="net.toml")


def part(least: int | None, most: int | None, critical: str = "", **firings: int) -> PeriodBounds:
    ends = [None if each is None else Fraction(each) for each in (least, most)]
    own = firings or {"a": 2, "b": 3}
    return PeriodBounds(firings=own, least=ends[0], most=ends[1], critical=critical, unrolled=7)


SIZES = GraphSizes(
    parts=(part(6, 6), part(7, 7)), periods=(Fraction(6), Fraction(7)), least={"c": 2, "d": 6}, live={"c": 1, "d": 2},
    most={"c": 3, "d": 7},
)  # fmt: skip


def told(*parts: PeriodBounds, sizes: GraphSizes | str = "") -> list[str]:
    """The lines that are printed, blanks between words as one."""
    screen = Screen(room=500)
    with screen.capture() as lines:
        PeriodEstimate(parts=parts, subject=SUBJECT, sizes=sizes).print(screen)
    return [" ".join(line.split()) for line in lines.get().splitlines() if line.strip("─ ")]


HEAD = [
    "chain", f"{NETWORK.events} firings and tokens are too many to go through: the steady state is that of the graph",
    "part with processes firings of an iteration cycles of an iteration",
]  # fmt: skip


@pytest.mark.parametrize(
    ("given", "lines"),
    [
        (part(6, 6, "ii of a"), ["a 2 5 6", "bound by ii of a"]),
        (part(6, 6), ["a 2 5 6", "followed firing by firing, at the earliest, until an iteration took as long as any"]),
        (part(5, 6, "ii of a"), ["a 2 5 5 at least, 6 at most", "the upper bound is that of ii of a"]),
        (part(5, 6), ["a 2 5 5 at least, 6 at most"]),
        (part(5, None), ["a 2 5 5 at least, no upper bound found"]),
        (part(None, None), ["a 2 5 deadlock"]),
        (part(None, None, "c, d"), ["a 2 5 deadlock", "bound by c, d"]),
        (part(0, 0), ["a 2 5 0"]),
        (part(6, 6, "x" * 400, one=9), ["one 1 9 6", f"bound by {'x' * 400}"]),
        (part(6, 6, "x" * 401, one=9), ["one 1 9 6", f"bound by {'x' * 400} ..."]),
    ],
)
def test_a_part_is_told_with_its_period_and_what_binds_it(given: PeriodBounds, lines: list[str]) -> None:
    assert told(given) == [*HEAD, *lines]


def test_depths_are_told_with_the_period_that_they_are_enough_for() -> None:
    lines = told(part(6, 6), sizes=SIZES)
    assert lines[-4:] == [
        "channel live from lossless from enough", "c 1 2 3", "d 2 6 7",
        "8 tokens at least for the period of FIFOs that never fill; 10 are enough for a period of 6, 7 (gap 25.0%)",
    ]  # fmt: skip
    longer = replace(SIZES, periods=(Fraction(13, 2), Fraction(7_000_001, 1_000_000)))
    assert told(part(6, 6), sizes=longer)[-1].endswith("for a period of 13/2, 7.001 (longer than theirs)")
    nothing = GraphSizes(parts=(), periods=(), least={}, live={}, most={})
    assert told(part(6, 6), sizes=nothing) == told(part(6, 6))
    assert told(part(6, 6), sizes="no depth helps")[-1] == "no depth helps"


def test_rows_and_the_dictionary_have_every_number() -> None:
    parts = part(5, 6, "ii of a"), part(None, None, c=4), part(6, 6, d=1)
    answer = PeriodEstimate(parts=parts, subject=SUBJECT, sizes=SIZES)
    assert answer.to_dict() == {
        "file": "net.toml", "name": "chain", "periods": answer.rows(),
        "depths": [{"channel": "c", "live": 1, "least": 2, "enough": 3},
                   {"channel": "d", "live": 2, "least": 6, "enough": 7}],
    }  # fmt: skip
    assert [list(row.values()) for row in answer.rows()] == [
        ["a", 2, 5, False, False, "5", "6", 7, "ii of a"],
        ["c", 1, 4, True, True, None, None, 7, ""],
        ["d", 1, 1, True, False, "6", "6", 7, ""],
    ]
    assert list(answer.rows()[0]) == [
        "part", "processes", "firings", "exact", "deadlock", "period_least", "period_most", "unrolled", "critical"
    ]  # fmt: skip
    assert answer.deadlocked
    assert not PeriodEstimate(parts=parts[::2], subject=SUBJECT, sizes=SIZES).deadlocked
    assert not PeriodEstimate(parts=(part(5, None),), subject=SUBJECT, sizes=SIZES).deadlocked
    assert PeriodEstimate(parts=parts, subject=SUBJECT, sizes="no").to_dict()["depths"] == []


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (InputError("no period"), "and there is no period"),
        (MemoryError(), "and an iteration is too long to find the period of its graph"),
    ],
)
def test_what_has_no_period_is_refused_with_its_size(
    error: Exception, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> Any:
        raise error

    monkeypatch.setattr(estimate_period, "period_bounds", fail)
    with pytest.raises(InputError) as refused:
        PeriodEstimate.of(SUBJECT)
    start = f"{NETWORK.events} firings and tokens are more than an estimate goes through"
    assert str(refused.value) == f"{start}, {words}"


def test_sizes_start_from_the_periods_where_no_channel_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    parts, asked = (part(6, 6),), list[Any]()

    def sizes(_: object, known: object) -> GraphSizes:
        asked.append(known)
        if len(asked) > 2:
            raise InputError("a process is scheduled")
        return SIZES

    monkeypatch.setattr(estimate_period, "period_bounds", lambda _: parts)
    monkeypatch.setattr(estimate_period, "graph_sizes", sizes)
    bounded = NetworkFile(network=chain(firings=4, length=3, depth=2).with_depths({"c1": None}))
    found = [PeriodEstimate.of(each) for each in (SUBJECT, bounded, SUBJECT)]
    assert asked == [parts, None, parts]
    assert [each.sizes for each in found] == [SIZES, SIZES, "a process is scheduled"]
    assert all(each.parts == parts for each in found)
