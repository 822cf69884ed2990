"""Rows for what the thesis derives from its estimates: RTL results beside them, and percentages in the text."""

from __future__ import annotations

from fractions import Fraction

from ppnsim.analysis.throughput import absolute, unbounded
from ppnsim.model.network import Network
from validation.cprof.programs import atax, by_both, by_half, by_i, by_j, communication, hierarchy, predictor
from validation.harness.rows import Expected, Rounding, Row, ratio

_STALL = (
    "two cycles, which the author puts down to an unexplained stall of the producer's reads in the hardware that "
    "Compaan DDE generated ({}); nothing in the process network asks for it"
)
_DOWN = Rounding(down=True, why="the thesis rounds down (7.1)")
_NEAREST = Rounding(down=False, why="one decimal is printed; here the thesis rounds to the nearest")


def rtl_rows() -> list[Row]:
    """Return the RTL finish times that are printed beside the estimates; 10 ns a cycle."""
    alike = [_finish(predictor(transformer=split)) for split in (by_j, by_i, by_both)]
    models = [communication(in_order=order, multiplicity=many) for order in (True, False) for many in (False, True)]
    printed = (
        ("predictor", "thesis 6.3.3", "850", _finish(predictor()), 830, "said of IOM-; 6.3.3 itself gives no reason"),
        (
            "predictor, inner loop unrolled",
            "thesis 6.3.3",
            "520",
            alike[0],
            500,
            f"said of IOM-; all unrollings: {alike} cycles",
        ),
        ("communication model IOM-", "thesis 6.2.1", "210", _finish(models[0]), 190, "Fig. F.1"),
        ("communication model IOM+", "thesis 6.2.2", "310", _finish(models[1]), 290, "Fig. F.2"),
        ("communication model OOM-", "thesis 6.2.3", "230", _finish(models[2]), 230, ""),
        ("communication model OOM+", "thesis 6.2.4", "330", _finish(models[3]), 330, ""),
    )
    rows = []
    for group, source, figure, finish, ours, detail in printed:
        rows.append(
            Row(
                group=group, what="RTL simulation beside the absolute finish", source=source, printed=figure,
                ours=finish * 10, unit="ns", explained=Expected(ours=ours, why=_STALL.format(detail)),
            )
        )  # fmt: skip
    return rows


def percentage_rows() -> list[Row]:
    """Return the percentages of chapters 6 and 7, from our figures before any rounding."""
    one, halves, single = Fraction(1), atax(by_half), atax()
    slow, fast, cut = _finish(single), _finish(atax(by_j)), _finish(halves)
    widths = [absolute(network).parallelism.maximum for network in (single, atax(by_j), halves)]
    deep, flat = _finish(hierarchy()), unbounded(hierarchy()).finish or 0
    plain, ideal = absolute(predictor()), unbounded(predictor())
    before, after = plain.finish or 0, ideal.finish or 0
    unrolled = _finish(predictor(transformer=by_j))
    more = ratio(ideal.parallelism.average or 0) / ratio(plain.parallelism.average or 1)
    wider = Fraction(ideal.parallelism.maximum, plain.parallelism.maximum)
    rounded = "the printed one divides the averages after they were rounded down: {}"
    return [
        _percent("predictor", "rise of the average parallelism", "6.3.1", "90.0", more - one,
                 explained=Expected(ours=Fraction(3800, 45), why=rounded.format("3.8 / 2.0"))),
        _percent("predictor", "rise of the maximum parallelism", "6.3.1", "500", wider - one,
                 explained=Expected(ours=400, why="25 is 500 % of 5, a rise by 400 %")),
        _percent("predictor", "reduction of the finish", "6.3.1", "45.7", 1 - Fraction(after, before), _DOWN),
        Row(group="predictor", what="largest speed-up", source="thesis 6.3.3", printed="1.8",
            ours=Fraction(before, after), allowed=_DOWN),
        _percent("predictor, inner loop unrolled", "RTL (520 ns, quoted) over the estimate, share of RTL", "6.3.3",
                 "3.8", 1 - Fraction(unrolled * 10, 520), _DOWN),
        Row(group="predictor, inner loop unrolled", what="RTL (520 ns, quoted) over the unbounded finish",
            source="thesis 6.3.3", printed="1.2", ours=Fraction(520, after * 10), allowed=_NEAREST),
        _percent("hierarchy", "reduction by the unbounded estimate", "6.4.2", "95.5", 1 - Fraction(flat, deep),
                 explained=Expected(ours=Fraction(100 * 999, 1035),
                                    why="misprint: its own 360 ns of 10350 ns are a reduction by 96.5 %")),
        _percent("atax, modulo unfolding by 32", "rise of the average parallelism", "7.6", "338.8",
                 Fraction(slow, fast) - one,
                 explained=Expected(ours=Fraction(384400, 1198), why=rounded.format("7.9 / 1.8"))),
        _percent("atax, modulo unfolding by 32", "rise of the maximum parallelism", "7.6", "560",
                 Fraction(widths[1], widths[0]) - one),
        _percent("atax, modulo unfolding by 32", "reduction of the finish", "7.6", "76.6", 1 - Fraction(fast, slow),
                 explained=Expected(ours=Fraction(384400, 5042),
                                    why="misprint: 1198 of 5042 cycles are a reduction by 76.2 %")),
        _percent("atax, plane cutting", "rise of the average parallelism", "7.6", "105.5", Fraction(slow, cut) - one,
                 explained=Expected(ours=Fraction(248000, 2562), why=rounded.format("3.7 / 1.8"))),
        _percent("atax, plane cutting", "rise of the maximum parallelism", "7.6", "60",
                 Fraction(widths[2], widths[0]) - one),
        _percent("atax, plane cutting", "reduction of the finish", "7.6", "49.2", 1 - Fraction(cut, slow), _NEAREST),
    ]  # fmt: skip


def _percent(
    group: str,
    what: str,
    section: str,
    printed: str,
    share: Fraction,
    allowed: Rounding | None = None,
    explained: Expected | None = None,
) -> Row:
    return Row(
        group=group, what=what, source=f"thesis {section}", printed=printed, ours=share * 100, unit="%",
        allowed=allowed, explained=explained,
    )  # fmt: skip


def _finish(network: Network) -> int:
    finish = absolute(network).finish
    assert finish is not None  # none of these programs has a circle of data dependences
    return finish
