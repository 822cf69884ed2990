"""Why sized FIFOs cannot be smaller, in words: inequalities of their depths, channels alike in one line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console
from rich.markup import escape

from ppnsim.explore.fifo.answers import Sized
from ppnsim.explore.fifo.cuts import WHOLE, Cut
from ppnsim.explore.fifo.objectives import Time
from ppnsim.explore.fifo.problem import Problem
from ppnsim.report.text import plain_line, plain_table

MOST_FORCED = 6  # lines that are printed
_NAMED = 8  # channels of a line


def forced_by(problem: Problem, cut: Cut) -> str:
    """Return an inequality in words.

    Examples
    --------
    >>> from ppnsim import fork_join
    >>> from ppnsim.explore.fifo.cuts import Reach
    >>> from ppnsim.explore.fifo.sizing import problem_of
    >>> problem = problem_of([fork_join(firings=20)])
    >>> forced_by(problem, Cut(((Reach(0, 1, 0), 1), (Reach(1, 1, -1), 1)), 14, 38))
    'short_in + short_out >= 15, or the finish is at least 38'
    >>> forced_by(problem, Cut(((Reach(0, 4, -1), 1),), 2, None))
    'short_in >= 9, or it deadlocks'
    >>> problem = problem_of([fork_join(firings=20)], groups=[["short_in", "short_out"]])
    >>> forced_by(problem, Cut(((Reach(0, 1, 0), 2), (Reach(1, 1, -1), 1)), 14, 38))
    '2 short_in + long_in >= 15 with short_in = short_out, or the finish is at least 38'
    >>> from ppnsim.explore.fifo.cuts import deeper_than
    >>> forced_by(problem, Cut(((deeper_than(0, 4), 1), (deeper_than(1, 2), 1)), 1, 38))
    'short_in >= 5 or long_in >= 3 with short_in = short_out, or the finish is at least 38'
    """
    (said,) = forced_lines(problem, [cut])
    return said


def forced_lines(problem: Problem, cuts: Iterable[Cut]) -> list[str]:
    """Return inequalities in words; channels for each of which the same is said share a line.

    Examples
    --------
    >>> from ppnsim import chain
    >>> from ppnsim.explore.fifo.cuts import Reach
    >>> from ppnsim.explore.fifo.sizing import problem_of
    >>> problem = problem_of([chain(firings=20, length=4)])
    >>> forced_lines(problem, [Cut(((Reach(number, 1, 0), 1),), 2, 38) for number in range(3)])
    ['c0, c1, c2: each >= 2, or the finish is at least 38']
    >>> forced_lines(problem, [Cut(((Reach(0, 1, 0), 1),), depth, None) for depth in (2, 3)])
    ['c0 >= 3, or it deadlocks']
    """
    found: dict[tuple[str, ...], list[str]] = {}
    for cut in _strongest(cuts):
        late = "it deadlocks" if cut.beyond is None else f"the {problem.objective.name} is at least {cut.beyond}"
        if len(cut.terms) > 1:
            found[_sum(problem, cut), late] = []
            continue
        ((reach, _),) = cut.terms
        found.setdefault((f">= {_least(cut)}", late), []).append(" = ".join(problem.variables[reach.variable].channels))
    return [f"{_each(names, said)}, or {late}" for (said, late), names in found.items()]


def _strongest(cuts: Iterable[Cut]) -> Iterator[Cut]:
    """Yield the inequalities without those of one channel that a later depth of it, with the same effect, implies."""
    cuts = list(cuts)
    most: dict[tuple[int, Time | None], int] = {}
    for cut in cuts:
        if len(cut.terms) == 1:
            key = cut.terms[0][0].variable, cut.beyond
            most[key] = max(most.get(key, 0), _least(cut))
    for cut in cuts:
        if len(cut.terms) > 1 or _least(cut) == most[cut.terms[0][0].variable, cut.beyond]:
            yield cut


def _least(cut: Cut) -> int:
    """Return the depth that an inequality of one channel asks for."""
    ((reach, count),) = cut.terms
    return -(-cut.least // count) * reach.tokens - reach.ahead


def _each(names: Sequence[str], said: str) -> str:
    if len(names) < 2:
        return " ".join([*names, said])
    return f"{_listed(names)}: each {said}"


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def _sum(problem: Problem, cut: Cut) -> str:
    """Return an inequality of several channels in words."""
    any_of = cut.least == 1 and all(reach.tokens == WHOLE for reach, _ in cut.terms)  # a sum of steps from 0 to 1
    words, alike, least = [], [], cut.least
    for reach, count in cut.terms:
        name, *others = problem.variables[reach.variable].channels
        if others:
            alike.append(" = ".join([name, *others]))
        if reach.tokens == 1:
            least -= reach.ahead * count
        elif any_of:
            name = f"{name} >= {reach.next_step(0)}"
        elif reach.tokens == WHOLE:
            name = f"({name} > {reach.next_step(0) - 1})"
        else:
            name = f"floor(({name}{reach.ahead:+}) / {reach.tokens})"
        words.append(name if count == 1 or any_of else f"{count} {name}")
    where = f" with {' and '.join(dict.fromkeys(alike))}" if alike else ""
    return f"{' or '.join(words)}{where}" if any_of else f"{' + '.join(words)} >= {least}{where}"


def print_forced(console: Console, problem: Problem, question: str, sized: Sized) -> None:
    """Print why an answer cannot be cheaper, and of which channels the list does not force the depth."""
    forced = [cut for cut in sized.forced if any(reach.tokens < WHOLE for reach, _ in cut.terms)]
    forced = sorted(forced or sized.forced, key=lambda cut: (-len(cut.terms), -cut.least, cut.terms))
    if not forced:
        return
    lines = forced_lines(problem, forced)
    table = plain_table(f"what forces {question} (each proven by runs)")
    for line in lines[:MOST_FORCED]:
        table.add_row(escape(line))
    console.print(table)
    if len(lines) > MOST_FORCED:
        plain_line(console, f"{len(forced)} inequalities, {MOST_FORCED} lines shown: all are in --json")
    if silent := list(_silent(problem, sized, forced)):
        words = f"the list is incomplete: by it alone, {_listed(silent)} could be less deep"
        plain_line(console, f"{words} (the table above has what one token less costs)")


def _silent(problem: Problem, sized: Sized, forced: Sequence[Cut]) -> Iterator[str]:
    """Yield the channels that could be less deep by all that the inequalities say."""
    for index, depth in enumerate(sized.vector):
        less = (*sized.vector[:index], depth - 1, *sized.vector[index + 1 :])
        free = depth > problem.low[index] and not problem.variables[index].fixed
        if free and all(cut.value(less) >= cut.least for cut in forced):
            yield " = ".join(problem.variables[index].channels)
