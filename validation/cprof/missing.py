"""Rows for printed figures that cannot be computed again from what the thesis gives."""

from __future__ import annotations

from validation.rows import Row, Verdict

_BARS = "the values per benchmark are only in bar charts; {}"
_SET = (
    "and the set is not certain: table D.1 lists 31 benchmarks, the text says 25. A C front-end is to run the kernels "
    "themselves; the average can then be compared, not the parts"
)
_AVERAGES = (
    ("absolute finish, average of the set", "7.2.1, Fig. 7.1", "653.4", "us"),
    ("absolute average parallelism, average of the set", "7.2.2, Fig. 7.2", "4", ""),
    ("absolute maximum parallelism, average of the set", "7.2.2, Fig. 7.2", "15.2", ""),
    ("unbounded finish, average of the set", "7.3.1, Fig. 7.3", "13.9", "us"),
    ("unbounded average parallelism, average of the set", "7.3.2, Fig. 7.4", "504.9", ""),
    ("unbounded maximum parallelism, average of the set", "7.3.2, Fig. 7.4", "10989", ""),
)


def missing_rows() -> list[Row]:
    """Return the figures of PolyBench/C and of unprinted RTL runs, each with the reason."""
    rows = [
        _row("PolyBench/C 3.1, MINI", what, section, printed, unit, _BARS.format(_SET))
        for what, section, printed, unit in _AVERAGES
    ]
    nine = _BARS.format("which nine benchmarks were taken to RTL is not said either")
    rows.append(_row("PolyBench/C 3.1, MINI", "RTL over the estimate, nine", "7.4, Fig. 7.5", "0.44", "%", nine))
    chart = "the RTL finish is only in a bar chart, and 0.34 % is no whole number of 10 ns cycles beyond 10350 ns"
    rows.append(_row("hierarchy", "RTL over the estimate", "6.4.2, Fig. 6.16", "0.34", "%", chart))
    return rows


def _row(group: str, what: str, section: str, printed: str, unit: str, why: str) -> Row:
    return Row(
        group=group, what=what, source=f"thesis {section}", printed=printed, unit=unit, missing=Verdict.IMPOSSIBLE,
        note=why,
    )  # fmt: skip
