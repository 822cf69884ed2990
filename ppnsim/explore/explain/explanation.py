"""Why a run takes as long as it does: the critical path as JSON and as sentences."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from ppnsim.analysis.cycle_ratio import SteadyState
from ppnsim.analysis.path.critical_path import CriticalPath
from ppnsim.analysis.path.path_shares import CHANNEL_KINDS, PROCESS_KINDS, Share
from ppnsim.explore.explain.sensitivity import Claim
from ppnsim.explore.explain.slack import Slack
from ppnsim.explore.explain.steady_words import about_steady_state, steady_result
from ppnsim.model.network import is_monotone
from ppnsim.model.run import Run
from ppnsim.units import counted

LISTED = 1000  # stretches of the path in the JSON
_ENOUGH, _MOST = 0.8, 3  # the first sentence names shares until they make 80 % of the finish, three at most


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What is known about a run that finished; slack and steady states are a sentence where there are none.

    Of a ``whole`` run that is too large and repeats itself, ``run`` is one with fewer repetitions: path and slack are
    its own. ``counted`` are the shares of the whole run, None where the path is not seen to come round (`repeated`).
    ``divided`` tells that two FIFOs share the slots that they lack, if they do.
    """

    run: Run
    path: CriticalPath
    slack: Slack | str
    claims: tuple[Claim, ...]
    steady: tuple[SteadyState, ...] | str
    interrupted: bool = False
    whole: Run | None = None
    counted: tuple[Share, ...] | None = None
    divided: str | None = None

    @property
    def asked(self) -> Run:
        """The run that was to be explained; ``run`` is its part that repeats itself if it was too large."""
        return self.whole or self.run

    @property
    def counts_all(self) -> bool:
        """Whether the shares are those of all that was asked about."""
        return self.whole is None or self.counted is not None

    @property
    def shares(self) -> tuple[Share, ...]:
        """Whose the cycles on the critical path are: of the whole run where they are known."""
        return self.path.shares if self.counted is None else self.counted

    @property
    def cycles(self) -> int:
        """The cycles that the shares add up to."""
        return sum(share.cycles for share in self.shares)


def explanation_result(told: Explanation, *, file: str) -> dict[str, Any]:
    """Return an explanation for JSON."""
    path, network = told.path, told.run.network
    stretches = [asdict(stretch) for stretch in islice(path.stretches(), LISTED)]
    crossings = sum(share.count for share in path.shares if share.kind in (*CHANNEL_KINDS, "resource"))
    slack = told.slack if isinstance(told.slack, Slack) else None
    steady = None if isinstance(told.steady, str) else [steady_result(state) for state in told.steady]
    return {
        "file": file, "name": network.name, "finish": told.asked.finish, "time_ns": told.asked.time_ns,
        "engine": told.asked.engine, "deadlock": None,
        "sentences": sentences(told),
        "shares": [asdict(share) | {"of_finish": _of(share.cycles, told.cycles)} for share in told.shares],
        "processes": {
            process.name: {
                "cycles": cycles_of(told.shares, process.name, *PROCESS_KINDS),
                "slack": slack.starts[process.name] if slack else None,
            }
            for process in network.processes
        },
        "channels": {
            channel.name: {
                "cycles": cycles_of(told.shares, channel.name, *CHANNEL_KINDS),
                "slack_tokens": slack.tokens[channel.name] if slack else None,
                "slack_slots": slack.slots[channel.name] if slack else None,
            }
            for channel in network.channels
        },
        "resources": {name: {"cycles": cycles_of(told.shares, name, "resource")} for name in network.resources},
        "no_slack_because": None if slack else told.slack,
        "path": stretches,
        "path_left_out": max(0, crossings + 1 - len(stretches)),
        "sensitivity": [
            {
                "parameter": claim.change.parameter, "part": claim.change.part, "from": claim.change.before,
                "to": claim.change.after, "finish": claim.finish, "saves": claim.saves, "sentence": str(claim),
            }
            for claim in told.claims
        ],
        "divided": told.divided,
        "steady_state": steady,
        "steady_state_of_run": None if told.run.steady is None else {
            "period": str(told.run.steady.period), "since": told.run.steady.since,
        },
        "no_steady_state_because": told.steady if isinstance(told.steady, str) else None,
        "interrupted": told.interrupted,
        "explained": {
            "finish": path.finish, "repetitions_left_out": told.asked.left_out.rounds if told.whole and
            told.asked.left_out else 0,
        },
    }  # fmt: skip


def sentences(told: Explanation) -> list[str]:
    """Return what to learn from an explanation, most important first.

    Examples
    --------
    >>> from ppnsim import chain, run
    >>> from ppnsim.analysis.path.critical_path import critical_path
    >>> done = run(chain(firings=100, ii=(1, 3, 1), depth=2))
    >>> told = Explanation(run=done, path=critical_path(done.timeline), slack="", claims=(), steady="")
    >>> sentences(told)[0]
    '95.8 % of the 310 cycles are ii of p1 (3 per firing, 99 firings)'
    """
    path = told.path
    costs = [share for share in told.shares if share.cycles]
    named: list[str] = []
    covered = 0
    for share in costs[:_MOST]:
        if named and covered >= _ENOUGH * told.cycles:
            break
        named.append(f"{100 * _of(share.cycles, told.cycles):.3g} % {{}}{_words(told, share)}")
        covered += share.cycles
    said = [part.format(f"of the {told.cycles} cycles are " if not place else "") for place, part in enumerate(named)]
    lines = [", ".join(said)] if said else ["the run takes no time"]
    if told.whole is not None and (left_out := told.whole.left_out) is not None:
        every = counted(left_out.steady.cycles, "cycle")
        words = f"the run repeats itself every {every} from cycle {left_out.steady.since} on"
        if told.counts_all:
            lines.append(f"{words}; the way of the path and the slack are those of a run of {path.finish} cycles")
        else:
            rest = f"{left_out.rounds} repetitions are left out of what follows, a run of {path.finish} cycles"
            lines.insert(0, f"{words}; {rest}")
    lines.append(_about_depths(told))
    lines += [about_steady_state(state) for state in told.steady if isinstance(state, SteadyState)]
    if isinstance(told.steady, str) and told.run.steady is not None:
        seen = told.run.steady
        each = counted(seen.period, "cycle")
        lines.append(f"from cycle {seen.since} on the run repeats itself: {each} per iteration")
    return [line for line in lines if line]


def cycles_of(shares: Iterable[Share], part: str, *kinds: str) -> int:
    """Return the cycles of the path that are of some kinds and belong to a process, channel or resource."""
    return sum(share.cycles for share in shares if share.part == part and share.kind in kinds)


def _words(told: Explanation, share: Share) -> str:
    """Name a share: its kind, its part of the network, and how its cycles add up."""
    network, part, n = told.run.network, share.part, share.count
    each = f"{share.cycles / n:.3g} per" if share.cycles % n else f"{share.cycles // n} per"
    if share.kind == "steps":
        return f"steps of {part} (of {counted(network.stops[part].schedule.steps, 'step')} in a run)"
    if share.kind == "forward":
        lacked = f"{counted(n, 'token')} that {network.channel(part).target} lacked"
        return f"data under way in {part} ({each} token, {lacked})"
    if share.kind == "release":
        lacked = f"{counted(n, 'slot')} that {network.channel(part).source} lacked"
        return f"slots of {part} coming back ({each} slot, {lacked})"
    if share.kind == "resource":
        return f"'{part}' being held by others ({each} wait, {counted(n, 'wait')})"
    if share.kind == "hold":
        return f"{part} being held up by another of its accesses ({each} time, {counted(n, 'time')})"
    return f"{share.kind} of {part} ({each} firing, {counted(n, 'firing')})"


def _about_depths(told: Explanation) -> str:
    """Say whether FIFOs are on the path; in a monotone network no depth changes a path without FIFOs."""
    waits = [share for share in told.shares if share.kind == "release"]
    network = told.run.network
    if waits:
        fixed = {each.name: " and fixed" if each.fixed else "" for each in network.channels}
        parts = [
            f"{each.part} ({each.count}, depth {network.channel(each.part).depth}{fixed[each.part]})" for each in waits
        ]
        total = sum(each.count for each in waits)
        only = "; of all depths only theirs can help" if is_monotone(network) else ""
        return f"the path waits {counted(total, 'time')} for a slot: {', '.join(parts)}{only}"
    if is_monotone(network) and any(channel.depth is not None for channel in network.channels):
        return "the path never waits for a slot: deeper FIFOs change nothing"
    return ""


def _of(cycles: int, finish: int) -> float:
    return cycles / finish if finish else 0.0
