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
    """One estimate as printed: finish in cycles or ns, average and maximum degree of parallelism; "" = not printed."""

    source: str
    finish: str
    average: str = ""
    maximum: str = ""
    unit: str = "cycles"


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
_ATAX = "thesis 7.6, Fig. 7.7; recomputed"

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
        absolute=Printed(source="thesis 6.3.3; recomputed", finish="830", average="171/83", maximum="5", unit=NS),
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
        absolute=Printed(source=f"{_C}4; recomputed", finish="50", maximum="9"),
    ),
    Case(
        name="predictor, source, inner and outer unrolled",
        build=partial(predictor, source=by_both, transformer=by_both),
        absolute=Printed(source=f"{_C}5; recomputed", finish="45", average="3.8", maximum="25"),
    ),
    Case(
        name="predictor, all unrolled",
        build=partial(predictor, source=by_both, transformer=by_both, sink=by_both),
        absolute=Printed(source=f"{_C}6; recomputed", finish="45", average="3.8", maximum="25"),
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
        absolute=Printed(source=_ATAX, finish="5042", average="1.88", maximum="10"),
        unbounded=Printed(source=_ATAX, finish="330", average="28.8", maximum="1088"),
        processes="6",
    ),
    Case(
        name="atax, modulo unfolding by 32",
        build=partial(atax, by_j),
        absolute=Printed(source=_ATAX, finish="1198", average="7.93", maximum="66"),
        processes="130",
    ),
    Case(
        name="atax, plane cutting",
        build=partial(atax, by_half),
        absolute=Printed(source=_ATAX, finish="2562", average="3.70", maximum="16"),
        processes="10",
    ),
)  # fmt: skip
