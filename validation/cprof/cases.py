"""The estimates that the thesis prints, program by program, as data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from ppnsim.model.network import Network
from validation.cprof import programs
from validation.cprof.programs import atax, by_both, by_half, by_i, by_j, communication, predictor
from validation.harness.rows import Rounding

NS = "ns"
DOWN = Rounding(down=True, why="the thesis rounds averages down (7.1)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """One estimate: finish in cycles or ns, average and maximum degree of parallelism; "" = not printed.

    ``derivation`` says how the figures follow from the thesis's rules that it draws as bars without a number.
    """

    source: str
    finish: str
    average: str = ""
    maximum: str = ""
    unit: str = "cycles"
    derivation: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A program with what is printed about it."""

    name: str
    build: Callable[[], Network]
    absolute: Printed
    unbounded: Printed | None = None
    processes: str = ""
    kind: str = ""  # classification of the channel that leaves the first process
    latencies: str = ""


_C = "thesis 6.3.3, Fig. 6.13; listing C."
_ATAX = "thesis 7.6, Fig. 7.7"
# A firing is a read, three cycles of execute and a write: its value is there 5 cycles after its start. atax has 3168
# firings, 9504 cycles of execute: A 1024, x 32, zero 32, tmp 1024, y 1024, sink 32.
_WAVE = "{} the source's a[1][0], 7 transformers of the longest path and a sink, 5 cycles each: {}"
_ROWS = (
    "its bars have no number: the last row of tmp starts at {}, its sum is there at {}; y's {} adds to it, then the "
    "sink passes 32 values on: {}; 9504 / {}"
)

CASES: tuple[Case, ...] = (
    Case(
        name="four processes",
        build=programs.four_processes,
        absolute=Printed(source="thesis 4.3.1", finish="14", average="20/14", maximum="3"),
        unbounded=Printed(source="thesis 4.3.2", finish="8", average="20/8", maximum="8"),
        processes="4",
    ),
    Case(
        name="predictor",
        build=predictor,
        absolute=Printed(
            source="thesis 6.3.1 and 6.3.3", finish="830", average="171/83", maximum="5", unit=NS,
            derivation="the average is printed as 2: 57 firings execute for 3 cycles each, in 83",
        ),
        unbounded=Printed(source="thesis 6.3.1, Fig. 6.9", finish="450", average="3.8", maximum="25", unit=NS),
        processes="3",
    ),
    Case(
        name="predictor, inner loop unrolled",
        build=partial(predictor, transformer=by_j),
        absolute=Printed(source=f"{_C}1", finish="500", unit=NS),
        processes="6",
    ),
    Case(
        name="predictor, outer loop unrolled",
        build=partial(predictor, transformer=by_i),
        absolute=Printed(source=f"{_C}2", finish="500", unit=NS),
        processes="6",
    ),
    Case(
        name="predictor, inner and outer loop unrolled",
        build=partial(predictor, transformer=by_both),
        absolute=Printed(source=f"{_C}3", finish="500", unit=NS),
        processes="18",
    ),
    Case(
        name="predictor, inner, outer and sink unrolled",
        build=partial(predictor, transformer=by_both, sink=by_both),
        absolute=Printed(
            source=f"{_C}4", finish="50", maximum="9",
            derivation=_WAVE.format("its bars have no number: firing 5 of", "5 + 9 x 5")
            + "; 9 is what the rules give, without a shorter way to it",
        ),
    ),
    Case(
        name="predictor, source, inner and outer unrolled",
        build=partial(predictor, source=by_both, transformer=by_both),
        absolute=Printed(
            source=f"{_C}5", finish="45", average="3.8", maximum="25",
            derivation=_WAVE.format("printed as 450 ns:", "9 x 5"),
        ),
    ),
    Case(
        name="predictor, all unrolled",
        build=partial(predictor, source=by_both, transformer=by_both, sink=by_both),
        absolute=Printed(
            source=f"{_C}6", finish="45", average="3.8", maximum="25",
            derivation=_WAVE.format("printed as 450 ns:", "9 x 5"),
        ),
    ),
    *(
        Case(
            name=f"communication model {name}",
            build=partial(communication, in_order=name.startswith("I"), multiplicity=name.endswith("+")),
            absolute=Printed(source=f"thesis 6.2.{section}, Fig. 6.6", finish=finish, unit=NS),
            processes="3",
            kind=name,
        )
        for name, section, finish in (
            ("IOM-", 1, "190"), ("IOM+", 2, "290"), ("OOM-", 3, "230"), ("OOM+", 4, "330"),
        )
    ),
    Case(
        name="hierarchy",
        build=programs.hierarchy,
        absolute=Printed(source="thesis 6.4.2", finish="10350", unit=NS),
        unbounded=Printed(source="thesis 6.4.2", finish="360", unit=NS),
    ),
    Case(
        name="atax",
        build=atax,
        absolute=Printed(
            source=_ATAX, finish="5042", average="1.88", maximum="10",
            derivation=_ROWS.format("5 + 31 x 156", "4841 + 31 x 5 + 5 = 5001", "last of 32 is there at 5037 and",
                                    "5042", "5042 = 1.88; 10 follows from 66, which is printed as 560 % more"),
        ),
        unbounded=Printed(
            source=_ATAX, finish="330", average="28.8", maximum="1088",
            derivation="the finish has a bar without a number: 5 for the streams, 32 x 5 for a row of tmp, 32 x 5 for "
            "a column of y, 5 for the sink; average and maximum are printed",
        ),
        processes="6",
    ),
    Case(
        name="atax, modulo unfolding by 32",
        build=partial(atax, by_j),
        absolute=Printed(
            source=_ATAX, finish="1198", average="7.93", maximum="66",
            derivation=_ROWS.format("997, when A is there,", "997 + 31 x 5 + 5 = 1157", "32, at once,",
                                    "1162 + 31 + 5 = 1198", "1198 = 7.93, printed as 7.9; 66 is printed"),
        ),
        processes="130",
    ),
    Case(
        name="atax, plane cutting",
        build=partial(atax, by_half),
        absolute=Printed(
            source=_ATAX, finish="2562", average="3.70", maximum="16",
            derivation=_ROWS.format("5 + 31 x 76", "2361 + 75 + 5 + 75 + 5 = 2521", "first is there at 2526 and",
                                    "2526 + 31 + 5 = 2562", "2562 = 3.70; 16 is printed as 60 % more than 10"),
        ),
        processes="10",
    ),
)  # fmt: skip
