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
_AGREEING = (Verdict.EXACT, Verdict.ROUNDING, Verdict.TOLERANCE)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; level 1 is the title."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph."""

    text: str


@dataclass(frozen=True, slots=True)
class Notes:
    """Paragraphs that are shown on demand under their title."""

    title: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table; ``verdict`` is the column that holds verdicts, ``folded`` shows it on demand under its title."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    verdict: int | None = None
    folded: str = ""


Block = Heading | Text | Notes | Table | Picture

_HEAD = ("what", "source", "printed", "ours", "deviation", "allowed", "verdict", "explanation")


def report(outcomes: Sequence[Outcome], *, version: str, quick: bool) -> list[Block]:
    """Return the whole report: what agrees, what does not and what is open first, then section by section."""
    blocks: list[Block] = [
        Heading(1, "Validation of ppnsim: what agrees, what does not, what is open"),
        Text(
            f"ppnsim {version}, engine des (SimPy){', a quick run: samples only' if quick else ''}. Printed figures "
            "are held beside ours. In sample: the printed figure helped to make the rule that meets it."
        ),
        overview(outcomes),
    ]
    for title, verdict in (("Unexplained differences", Verdict.UNEXPLAINED), ("Open", Verdict.NOT_UNDERSTOOD)):
        found = [(outcome.section.name, row) for outcome in outcomes for row in outcome.rows if row.verdict is verdict]
        if found:
            blocks += [Heading(2, f"{title} ({len(found)})"), _short(found)]
    blocks += [Notes("How to read the verdicts", _VERDICTS), Heading(2, "Section by section")]
    for outcome in outcomes:
        blocks += _section(outcome)
    return blocks


_VERDICTS = (
    "Exact means equal. A rounding or a tolerance is the source's own, and our figure must also be the recorded one. A "
    "difference is explained, or said to be open (not understood), only where our figure was written down beforehand. "
    "Any other difference makes the validation fail.",
    "Ours against ours: engine against engine, ours against recorded ours, or a figure that was put in and comes out. "
    "It is no evidence from outside, and counted as none.",
    "Numbers in brackets count rows, where one row holds several figures: a row is one independent comparison.",
)
_OVERVIEW = (
    "section", "what is compared", "agrees: exact, rounded, within tolerance", "of these in sample",
    "ours against ours", "differs, explained", "open", "not reproducible or not run",
)  # fmt: skip


def overview(outcomes: Sequence[Outcome]) -> Table:
    """Return one line for each section, and one for all of them."""
    parts = [(each.section.name, each.section.title, each.rows, _fitted(each)) for each in outcomes]
    if len(parts) > 1:
        rows = tuple(row for _, _, rows, _ in parts for row in rows)
        parts.append(("all", "", rows, tuple(row for _, _, _, fitted in parts for row in fitted)))
    return Table(head=_OVERVIEW, rows=tuple(_overview(*part) for part in parts))


def _overview(name: str, title: str, rows: tuple[Row, ...], fitted: tuple[Row, ...]) -> tuple[str, ...]:
    figures, independent = counted(rows), Counter(row.verdict for row in rows)

    def count(*verdicts: Verdict) -> str:
        return _count(sum(figures[each] for each in verdicts), sum(independent[each] for each in verdicts))

    agrees = f"{count(*_AGREEING)}: {', '.join(str(figures[verdict]) for verdict in _AGREEING)}"
    others = count(Verdict.IMPOSSIBLE, Verdict.NOT_RUN)
    wrong = f", and {count(Verdict.UNEXPLAINED)} unexplained" if independent[Verdict.UNEXPLAINED] else ""
    return (
        name, title, agrees, _count(sum(row.figures for row in fitted), len(fitted)), count(Verdict.CONSISTENT),
        count(Verdict.EXPLAINED) + wrong, count(Verdict.NOT_UNDERSTOOD), others,
    )  # fmt: skip


def _fitted(outcome: Outcome) -> tuple[Row, ...]:
    """Return the rows that agree in sample."""
    return tuple(row for row in outcome.rows if row.verdict in _AGREEING and outcome.section.in_sample(row))


def _short(found: Sequence[tuple[str, Row]]) -> Table:
    lines = tuple(
        (name, f"{row.group}: {row.what}", f"{row.printed} {row.unit}".strip(), shown(row.ours), shown_deviation(row))
        for name, row in found
    )
    return Table(head=("section", "what", "printed", "ours", "deviation"), rows=lines)


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
    blocks: list[Block] = [Heading(2, f"{section.name}: {section.title}"), *section.pictures(rows)]
    differing = [row for row in rows if row.verdict in _DIFFERING]
    if differing:
        blocks += [Heading(3, "What differs"), _table(differing, grouped=True)]
    # A program's rows come from several tasks; its group stands where it first occurs.
    rest = [row for row in rows if row.verdict not in _DIFFERING]
    order = {group: index for index, group in reversed(list(enumerate(row.group for row in rest)))}
    for group, members in groupby(sorted(rest, key=lambda row: order[row.group]), key=lambda row: row.group):
        blocks.append(_group(group, list(members)))
    return [*blocks, Notes("Sources, conventions and assumptions", section.about)]


def _group(group: str, rows: list[Row]) -> Table:
    counts, independent = counted(rows), Counter(row.verdict for row in rows)
    titles = [f"{_count(counts[each], independent[each])} {each}" for each in Verdict if independent[each]]
    return _table(rows, f"{group}: {', '.join(titles)}")


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
