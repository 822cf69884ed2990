"""Rows for the SDF and CSDF graphs: the unbounded period, and a period per list of capacities."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from random import Random
from typing import Any

from validation.dataflow.data import FILE, Budget, Case
from validation.dataflow.graphs import sdf_network
from validation.dataflow.steady import DEADLOCK, Steady, steady
from validation.harness.rows import Row, Verdict

SEED = 2026
_SMALL = 60  # firings per iteration up to which a graph with few points is run whole in a quick run


def unbounded_rows(case: Case, limits: Budget) -> list[Row]:
    """Return the row of the period with unbounded channels."""
    expected = case["expected"]["unbounded"]
    found = steady(partial(sdf_network, case), case["repetition_vector_phases"], limits)
    source = f"{FILE}, {case['id']}, unbounded ({' and '.join(expected['verified_by'])})"
    note = case.get("discrepancy", "")
    return [_row("unbounded periods", case["id"], source, expected["period"], found, limits, note)]


def bounded_rows(case: Case, limits: Budget) -> list[Row]:
    """Return the rows of the points (capacities, period) of one graph; the data file lists some of all points."""
    points, rows, left_out = _points(case), [], []
    chosen = _sample(case, len(points), limits)
    for index, (sizes, printed, source) in enumerate(points):
        if index not in chosen:
            left_out.append(index)
            continue
        build = partial(sdf_network, case, sizes=sizes)
        found = steady(build, case["repetition_vector_phases"], limits)
        what = f"{case['id']}, {sum(sizes.values())} tokens: {' '.join(map(str, sizes.values()))}"
        rows.append(_row(f"bounded, {case['id']}", what, source, printed, found, limits))
    if left_out:
        rows.append(
            Row(
                group=f"bounded, {case['id']}", what=f"{case['id']}, points {_ranges(left_out)}", source=FILE,
                printed="periods", missing=Verdict.NOT_RUN, figures=len(left_out),
                note=f"left out by --quick, which takes {limits.sample} points by seed {SEED}",
            )
        )  # fmt: skip
    return rows


def _points(case: Case) -> list[tuple[Mapping[str, int], str, str]]:
    """Return (capacity by channel, printed period, source) of all points; a throughput of 0 is a deadlock."""
    bounded: dict[str, Any] = case["expected"].get("bounded", {})
    listed = [
        (
            dict(zip(bounded["channel_order"], point["sizes"], strict=True)),
            point["period"],
            f"{FILE}, Kiter and simulator",
        )
        for point in bounded.get("points", ())
    ]
    by_name = [
        (point["sizes"], point["period"], f"{FILE}, SDF3 and simulator")
        for point in case["expected"].get("sdf3_bounded", ())
    ]
    return [(sizes, DEADLOCK if period is None else period, source) for sizes, period, source in listed + by_name]


def _sample(case: Case, count: int, limits: Budget) -> set[int]:
    small = sum(case["repetition_vector_phases"].values()) <= _SMALL and count <= 2 * (limits.sample or 0)
    if limits.sample is None or small or count <= limits.sample:
        return set(range(count))
    return set(Random(f"{SEED} {case['id']}").sample(range(count), limits.sample))


def _row(group: str, what: str, source: str, printed: str, found: Steady, limits: Budget, note: str = "") -> Row:
    if found.period is None:
        who = "waiting for the compiled engine" if limits.sample is None else "left out by --quick"
        reason = f"{who}: {found.needs} in one run, the budget is {limits}"
        return Row(
            group=group, what=what, source=source, printed=printed, unit="cycles per iteration",
            missing=Verdict.NOT_RUN, note=reason,
        )  # fmt: skip
    return Row(
        group=group, what=what, source=source, printed=printed, ours=found.period, unit="cycles per iteration",
        note=note,
    )  # fmt: skip


def _ranges(indices: list[int]) -> str:
    """Return ascending indices as ``0-3, 5``."""
    parts: list[list[int]] = []
    for index in indices:
        if parts and parts[-1][-1] == index - 1:
            parts[-1].append(index)
        else:
            parts.append([index])
    return ", ".join(f"{part[0]}-{part[-1]}" if len(part) > 1 else str(part[0]) for part in parts)
