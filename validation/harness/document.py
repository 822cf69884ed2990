"""The report as a list of blocks, which `markdown` and `html` write in their own way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from validation.harness.rows import Row, Verdict
from validation.harness.section import Outcome, Picture
from validation.harness.wording import shown, shown_deviation

_DIFFERING = (Verdict.EXPLAINED, Verdict.NOT_UNDERSTOOD, Verdict.UNEXPLAINED)
_FOLD_ABOVE = 12  # rows from which a group in which nothing differs is folded


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; level 1 is the title."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table; ``verdict`` is the column that holds verdicts, ``folded`` shows it on demand under its title."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    verdict: int | None = None
    folded: str = ""


Block = Heading | Text | Table | Picture

_HEAD = ("what", "source", "printed", "ours", "deviation", "allowed", "verdict", "explanation")


def report(outcomes: Sequence[Outcome], *, version: str, quick: bool) -> list[Block]:
    """Return the whole report."""
    blocks: list[Block] = [
        Heading(1, "Validation of ppnsim"),
        Text(
            f"ppnsim {version}, engine des (SimPy){', a quick run: samples only' if quick else ''}. Every row holds a "
            "figure printed in a source beside ours. Exact means equal. A rounding or a tolerance is the source's own, "
            "and our figure must also be the recorded one. A difference is explained, or said to be not understood, "
            "only where our figure was written down beforehand. Any other difference makes the validation fail. "
            "Consistent means ours against ours, or a figure that was put in and comes out: no evidence from outside. "
            "The numbers in brackets count rows, where one row holds several figures: a row is one independent "
            "comparison."
        ),
        summary(outcomes),
    ]
    for title, verdict in (("Unexplained differences", Verdict.UNEXPLAINED), ("Open", Verdict.NOT_UNDERSTOOD)):
        found = [row for outcome in outcomes for row in outcome.rows if row.verdict is verdict]
        if found:
            blocks += [Heading(2, f"{title} ({len(found)})"), _table(found, grouped=True)]
    for outcome in outcomes:
        blocks += _section(outcome)
    return blocks


def summary(outcomes: Sequence[Outcome]) -> Table:
    """Return figures by section and verdict."""
    verdicts = list(Verdict)
    parts = [(outcome.section.name, outcome.rows) for outcome in outcomes]
    if len(outcomes) > 1:
        parts.append(("all", tuple(row for outcome in outcomes for row in outcome.rows)))
    lines = []
    for name, rows in parts:
        figures, independent = counted(rows), Counter(row.verdict for row in rows)
        lines.append((name, *(_count(figures[verdict], independent[verdict]) for verdict in verdicts)))
    return Table(head=("figures (rows)", *verdicts), rows=tuple(lines))


def _count(figures: int, rows: int) -> str:
    return str(figures) if figures == rows else f"{figures} ({rows})"


def counted(rows: Sequence[Row]) -> Counter[Verdict]:
    """Return how many printed figures got which verdict."""
    counts: Counter[Verdict] = Counter()
    for row in rows:
        counts[row.verdict] += row.figures
    return counts


def _section(outcome: Outcome) -> list[Block]:
    section, rows = outcome.section, outcome.rows
    blocks: list[Block] = [Heading(2, f"{section.name}: {section.title}"), *map(Text, section.about)]
    blocks += section.pictures(rows)
    differing = [row for row in rows if row.verdict in _DIFFERING]
    if differing:
        blocks += [Heading(3, "What differs"), _table(differing, grouped=True)]
    # A program's rows come from several tasks; its group stands where it first occurs.
    order = {group: index for index, group in reversed(list(enumerate(row.group for row in rows)))}
    for group, members in groupby(sorted(rows, key=lambda row: order[row.group]), key=lambda row: row.group):
        blocks += _group(group, list(members))
    return blocks


def _group(group: str, rows: list[Row]) -> list[Block]:
    counts = counted(rows)
    title = ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict if counts[verdict])
    plain = not any(counts[verdict] for verdict in _DIFFERING)
    folded = title if plain and len(rows) > _FOLD_ABOVE else ""
    return [Heading(3, group), *([Text(f"{title}.")] if title and not folded else []), _table(rows, folded)]


def _table(rows: Sequence[Row], folded: str = "", *, grouped: bool = False) -> Table:
    lines = tuple(
        (
            f"{row.group}: {row.what}" if grouped else row.what,
            row.source,
            f"{row.printed} {row.unit}".strip(),
            shown(row.ours),
            shown_deviation(row),
            "-" if row.missing is not None else str(row.allowed or "0"),
            row.verdict,
            row.explanation or "-",
        )
        for row in rows
    )
    return Table(head=_HEAD, rows=lines, verdict=_HEAD.index("verdict"), folded=folded)
