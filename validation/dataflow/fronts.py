"""Rows for the search over capacities: smallest totals, and the front of total capacity against throughput."""

from __future__ import annotations

from functools import partial
from typing import Any

from ppnsim.explore.fifo.answers import Answers
from ppnsim.explore.fifo.sizing import FifoSizing, problem_of
from validation.dataflow.claims import claims_network
from validation.dataflow.data import FILE, FULL, Budget, Case
from validation.dataflow.graphs import sdf_network
from validation.dataflow.steady import steady
from validation.harness.rows import Expected, Row, Verdict

_GROUP = "fronts"
_SMALL_FIRINGS, _SMALL_CHANNELS = 40, 7  # of a graph that a quick run searches
_LARGE = 10_000  # firings per iteration times channels of a graph that no run searches
# Both tools give every size of this channel as 25: 13 tokens are there, A writes 3, 5, 3, ..., D takes 24 at once.
_ONE_LESS = {"kiter_new_benchmark": "channel_4", "kiter_speriodic_sample": "k"}


def front_rows(case: Case, limits: Budget) -> list[Row]:
    """Return the rows of one graph; none if the data file has no front of it."""
    bounded: dict[str, Any] = case["expected"].get("bounded", {})
    printed = [(point["total"], f"{point['kiter_throughput']:.6g}") for point in bounded.get("pareto", ())]
    if not printed and "pareto_brute_force" in bounded:
        printed = [(total, f"{_ratio(pace):.6g}") for total, pace in bounded["pareto_brute_force"]]
    if not printed:
        return []
    network, rooms = claims_network(case)
    if reason := _left_out(case, len(rooms), limits):
        return [
            Row(
                group=_GROUP, what=case["id"], source=FILE, printed="a front", missing=Verdict.NOT_RUN, note=reason,
                figures=len(printed),
            )
        ]  # fmt: skip
    free = {channel.name: None for channel in network.channels if channel.name not in rooms}
    answers = FifoSizing(problem=problem_of([network], objective="period", limits=free)).run()
    return [*_totals(case, bounded, answers), _front(case, bounded, printed, answers), *_runs(case, rooms, answers)]


def _left_out(case: Case, channels: int, limits: Budget) -> str | None:
    """Return why a graph is not searched, None if it is."""
    firings = sum(case["repetition_vector_phases"].values())
    if limits.sample is not None and (firings > _SMALL_FIRINGS or channels > _SMALL_CHANNELS):
        return "left out by --quick"
    if firings * channels > _LARGE:
        return f"{firings} firings per iteration and {channels} channels: thousands of periods at 0.1 s and more each"
    return None


def _totals(case: Case, bounded: dict[str, Any], answers: Answers) -> list[Row]:
    rows = []
    for what, key, question in (
        ("smallest total without deadlock", "min_deadlock_free_total", "deadlock_free"),
        ("smallest total of the shortest period", "min_total_for_max_throughput", "lossless"),
    ):
        if bounded[key] is not None:
            rows.append(
                Row(
                    group=_GROUP, what=f"{case['id']}, {what}", source=f"{FILE}, Kiter", printed=str(bounded[key]),
                    ours=answers.found[question].cost, unit="tokens", explained=_explained(case, bounded[key] - 1),
                )
            )  # fmt: skip
    return rows


def _front(case: Case, bounded: dict[str, Any], printed: list[tuple[int, str]], answers: Answers) -> Row:
    ours = [(point.cost, f"{float(1 / point.time):.6g}") for point in answers.front]
    partial_ = not bounded["dse_complete"]
    tools = "Kiter and exhaustive search" if bounded.get("brute_force_agrees_with_kiter") else "Kiter"
    if not bounded["pareto"]:
        tools = "SDF3 and exhaustive search"
    notes = ["Kiter's own search was cut short: its points are compared, and there are more"] if partial_ else []
    if not bounded["pareto"]:
        notes.append("Kiter's point at 16 tokens is false, as the data file says; the front of SDF3 is confirmed")
    elif bounded.get("sdf3_2009_front_agrees") is False:
        notes.append("SDF3 gives a front that is not minimal; that of Kiter is confirmed, and proven")
    if answers.gaps:
        notes += [f"{gap.question}: {gap.not_searched}" for gap in answers.gaps]
    return Row(
        group=_GROUP, what=f"{case['id']}, total: iterations per cycle", source=f"{FILE}, {tools}",
        printed=_text(printed), ours=_text(ours[: len(printed)] if partial_ else ours),
        explained=_explained(case, _text([(total - 1, pace) for total, pace in printed])), note="; ".join(notes),
        figures=len(printed),
    )  # fmt: skip


def _runs(case: Case, rooms: list[str], answers: Answers) -> list[Row]:
    """Return, where the front is below the printed one, the periods at its points by another model and engine."""
    rows = []
    for point in answers.front if case["id"] in _ONE_LESS else ():
        sizes = {room.removesuffix(".room"): size for room, size in zip(rooms, point.vector, strict=True)}
        found = steady(partial(sdf_network, case, sizes=sizes), case["repetition_vector_phases"], FULL)
        rows.append(
            Row(
                group=_GROUP, what=f"{case['id']}, {point.cost} tokens: {' '.join(map(str, sizes.values()))}",
                source="the search above", printed=str(point.time), ours=found.period, unit="cycles per iteration",
                consistent="run by the SimPy engine, with credits, beside the search",
            )
        )  # fmt: skip
    return rows


def _explained(case: Case, ours: int | str) -> Expected | None:
    if case["id"] not in _ONE_LESS:
        return None
    channel = _ONE_LESS[case["id"]]
    why = (
        f"our inference, which neither tool confirms: the tools never try less than 25 in '{channel}', where 24 do: "
        "with the 13 initial tokens, writes of 3, 5 and 3 make exactly the 24 that the consumer takes; the rows below "
        "run it"
    )
    return Expected(ours=ours, why=why, understood=False)


def _text(front: list[tuple[int, str]]) -> str:
    return ", ".join(f"{total}: {pace}" for total, pace in front)


def _ratio(text: str) -> float:
    above, _, below = text.partition("/")
    return int(above) / int(below or 1)
