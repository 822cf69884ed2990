"""The least initiation interval of a body: the resources' bound, raised until all recurrences hold (R3.3, R4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ppnsim.c.blocks import in_words
from ppnsim.errors import InputError
from ppnsim.hls.graph.graph import Graph
from ppnsim.hls.graph.order import Order
from ppnsim.hls.library.library import Library
from ppnsim.hls.rules import Rules
from ppnsim.hls.schedule.attempts import ModuloSearch, NoInterval
from ppnsim.hls.schedule.circuits import other_ports, resource_ii
from ppnsim.hls.schedule.faster_operators import alone, forms_of
from ppnsim.hls.schedule.forwarded_variables import beyond_clock, handed_on
from ppnsim.hls.schedule.scheduler import Schedule

BEYOND = "directive, beyond the clock"
"""What bounds an interval that a directive asks for and whose logic takes longer than the clock (R3.15)."""
_LARGEST = 4096


def modulo_schedule(
    graph: Graph, library: Library, rules: Rules, least: int = 1, *, asked: bool = False, firm: bool = False,
    order: Order | None = None,
) -> Schedule:  # fmt: skip
    """Return the schedule with the least initiation interval that is not below ``least``.

    ``order`` is the order of the graph, if it is known. If a directive has ``asked`` for the pipeline, operators on a
    recurrence that does not fit into the interval take their faster forms (R9.1). If it has a ``firm`` interval of 1,
    logic on a recurrence may take longer than the clock (R3.15).

    Raises
    ------
    InputError
        If no interval up to 4096, to four times the bound of ports and units, or to ``least`` has a schedule.
    """
    ii, bound = resource_ii(graph, rules)
    most = max(_LARGEST, 4 * ii, least)
    if least > ii:
        ii, bound = least, "directive"
    bodies = [ModuloSearch(graph, library, rules, {}, order=order)]
    if rules.pressed and (asked or 0 < library.device.timing.eased_ns <= library.clock_ns):
        forms = forms_of(graph)
        every = forms if asked else [alone(graph, each) for each in forms[:1]]
        bodies += [ModuloSearch(graph, library, rules, each, eased=not asked) for each in every]
    if ii == 1 and (by_logic := _of_logic(graph, bodies, firm=firm and least == 1)) is not None:
        return by_logic
    failed, needed = ii - 1, 0
    while ii <= most:
        found, body = _any(bodies, ii)
        if isinstance(found, Schedule):
            while ii > failed + 1:
                # The last step may have been too large: search the skipped intervals by halving.
                middle = (failed + ii) // 2
                lower, other = _any(bodies, middle)
                if isinstance(lower, Schedule):
                    ii, found, body = middle, lower, other
                else:
                    failed, bound = middle, in_words(lower.reason)
            crowded = other_ports(graph, rules, bound)
            return replace(body.shortest(found), bound=bound or "one per cycle", crowded=crowded)
        failed, bound = ii, in_words(found.reason)
        # Starting one below the circuits' bound finds the same interval, and the reason why it is not shorter.
        needed = needed or min(body.needed for body in bodies)
        ii = max(ii + found.step, needed - 1)
    raise InputError(f"no initiation interval up to {most} cycles holds all dependences of the loop")


def _of_logic(graph: Graph, bodies: Sequence[ModuloSearch], *, firm: bool) -> Schedule | None:
    """Return a schedule with interval 1 for recurrences of logic alone, where they have none within the clock.

    They are used in the state in which they are computed (R9.32), or exceed a ``firm`` interval's clock (R3.15).
    """
    library, rules = bodies[0].library, bodies[0].rules
    changed = [(handed_on(graph), "one per cycle")] if rules.hoist else []
    changed += [(beyond_clock(graph), BEYOND)] if firm else []
    for other, bound in changed:
        if other is not None and not isinstance(_any(bodies, 1)[0], Schedule):
            body = ModuloSearch(other, library, rules, {})
            if isinstance(found := body.attempt(1), Schedule):
                return replace(body.shortest(found), bound=bound)
    return None


def _any(bodies: Sequence[ModuloSearch], ii: int) -> tuple[Schedule | NoInterval, ModuloSearch]:
    """Return a schedule and its body for the first body that has one, else the failure of the last body."""
    *others, last = bodies
    for body in others:
        if ii >= body.needed and isinstance(found := body.attempt(ii), Schedule):
            return found, body
    return last.attempt(ii), last
