"""Rows for the pipeline utilisation of the predictor, tables 6.1 and 6.2."""

from __future__ import annotations

from ppnsim.analysis.throughput import absolute
from ppnsim.model.metrics import utilisation_of
from validation.cprof.programs import LATENCY, Partition, by_both, by_i, by_j, predictor, whole
from validation.harness.rows import Rounding, Row, ratio

_NEAREST = Rounding(down=False, why="one decimal is printed")

_TABLES: tuple[tuple[str, str, Partition, dict[str, tuple[str, str]]], ...] = (
    ("predictor", "thesis, table 6.1", whole, {
        "source": ("75/75", "100.0"), "transformer": ("48/192", "25.0"), "sink": ("48/192", "25.0"),
    }),
    ("predictor, inner loop unrolled", "thesis, table 6.2", by_j, {
        "source": ("75/75", "100.0"), "transformer": ("12/48", "25.0"), "sink": ("48/93", "51.6"),
    }),
    ("predictor, outer loop unrolled", "thesis, table 6.2", by_i, {
        "source": ("75/75", "100.0"), "transformer": ("12/48", "25.0"), "sink": ("48/93", "51.6"),
    }),
    ("predictor, inner and outer loop unrolled", "thesis 6.3.2", by_both, {
        "transformer": ("", "100"), "sink": ("", "51.6"),
    }),
)  # fmt: skip


def slot_rows() -> list[Row]:
    """Return used / available slots and their ratio, for every process of a statement.

    A slot is a stage of the 3-cycle execute pipeline at one start: used are latency x firings, available latency x
    (span of the starts / ii + 1).
    """
    rows = []
    for group, source, split, statements in _TABLES:
        network = predictor(transformer=split)
        timeline = absolute(network).timeline
        for statement, (slots, percent) in statements.items():
            names = [process.name for process in network.processes if process.name.startswith(statement)]
            for name in names:
                process, start = network.process(name), timeline.start(name)
                share = ratio(utilisation_of(process.firings, int(start[0]), int(start[-1]), process.ii) or 0.0)
                used = LATENCY * process.firings
                if slots:
                    rows.append(
                        Row(
                            group=group, what=f"{name}: used / available slots", source=source, printed=slots,
                            ours=f"{used}/{used / share}",
                        )
                    )  # fmt: skip
                rows.append(
                    Row(
                        group=group, what=f"{name}: pipeline utilisation", source=source, printed=percent,
                        ours=share * 100, unit="%", allowed=_NEAREST,
                    )
                )  # fmt: skip
    return rows
