"""The page of messages between ranks: what every rank did over time, and how long."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ppnsim.messages.looks import LANES, LETTERS, LOOKS, MOST, PROCESSOR
from ppnsim.messages.run.record import CPU_KINDS, PORT_KINDS, Interval, MessageRun
from ppnsim.page.lanes import Area, TimeRow, lanes_svg, spans
from ppnsim.page.sections import Origin, provenance, section


def messages_told(
    outcome: MessageRun, result: Mapping[str, Any], *, origin: Origin, unit: str,
    window: tuple[float, float] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Return a run of messages as one entry of a page, which shows its result and a picture over time, of a window."""
    stuck = outcome.deadlock is not None
    answer = str(outcome.deadlock) if stuck else f"completion {outcome.completion} {unit}".rstrip()
    ranks = result["ranks"]
    columns = list(dict.fromkeys(key for row in ranks for key in row))
    ends = outcome.rank_end
    rows = [[number, ends[number], *(row.get(key) for key in columns)] for number, row in enumerate(ranks)]
    table = section("Ranks", ["rank", "end", *columns], rows, *([f"times in {unit}"] if unit else []))
    notes = ["above what the rank's processor does; thin lines: its port, sending above receiving"]
    notes += [f"the first {MOST} of {len(ranks)} ranks"] if len(ranks) > MOST else []
    picture = {"title": "Over time", "picture": _over_time(outcome, unit, window), "notes": notes}
    return {
        "name": Path(origin.file).stem, "answer": answer, "deadlock": stuck, "engine": "des", "fallback": [table],
        "sections": [picture, table, provenance(origin, engine="des")],
    }  # fmt: skip


def _over_time(run: MessageRun, unit: str, window: tuple[float, float] | None) -> str:
    still = max((*run.rank_end, run.deadlock.at if run.deadlock else 0))
    first, last = window or (0, max(still, 1))
    seen: defaultdict[tuple[int, str], list[Interval]] = defaultdict(list)
    for each in run.intervals:
        if each.end > first and each.start < last:
            seen[each.rank, each.kind].append(each)
    kinds = [*CPU_KINDS, *PORT_KINDS]
    lanes = [
        TimeRow(
            name=f"rank {rank}", areas=[area for kind in kinds for area in _areas(kind, seen.get((rank, kind), ()))]
        )
        for rank in range(min(len(run.rank_end), MOST))
    ]
    used = {kind for _, kind in seen}
    legend = {kind + LETTERS.get(kind, ""): LOOKS[kind] for kind in CPU_KINDS if kind in used}
    stopped = still if run.deadlock and first <= still <= last else None
    return lanes_svg(lanes, (float(first), float(last)), f"time [{unit}]" if unit else "time", legend, stopped=stopped)


def _areas(kind: str, intervals: Sequence[Interval]) -> list[Area]:
    drawn = [(float(each.start), float(each.end)) for each in intervals]
    return [spans(LOOKS[kind], drawn, LANES.get(kind, PROCESSOR))] if drawn else []
