"""Whether depths that were found for one pipeline style also do for others, checked by running them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.model.elements import STYLES, Style
from ppnsim.model.network import Network
from ppnsim.model.run import Run
from ppnsim.model.styles import HARDWARE

_TOO_LONG = 2_000_000  # firings and tokens of all scenarios; more are not run in other styles


@dataclass(frozen=True, slots=True, kw_only=True)
class StyleRun:
    """Depths in one style.

    Attributes
    ----------
    style : of all processes but scheduled ones, which are frozen in any case, and fixed ones.
    finish : in cycles, the latest of several scenarios; None after a deadlock, or if it was not run.
    deadlocked : whether a scenario deadlocks.
    stuck : the wait of the first process of that deadlock, in words.
    refused : why it was not run, "" if it was.
    """

    style: Style
    finish: int | None = None
    deadlocked: bool = False
    stuck: str = ""
    refused: str = ""

    @property
    def safe(self) -> bool:
        """Whether the network was run and does not deadlock."""
        return not self.deadlocked and not self.refused

    def __str__(self) -> str:
        names = ", ".join(each.name for each in HARDWARE if each.style == self.style)
        if self.refused:
            outcome = f"not run ({self.refused})"
        else:
            outcome = f"DEADLOCK: {self.stuck}" if self.deadlocked else f"finish {self.finish} cycles"
        return f"{self.style} ({names}): {outcome}"


def in_other_styles(networks: Sequence[Network], depths: Mapping[str, int | None]) -> tuple[StyleRun, ...]:
    """Return the runs of networks with these depths in every style that not all of their processes have already.

    Processes with ii 0 are no pipelines, and have no other style.

    Examples
    --------
    >>> from ppnsim.model.builders import fork_join
    >>> depths = {"short_in": 3, "short_out": 3, "long_in": 2, "long_out": 2}
    >>> [(each.style, each.finish) for each in in_other_styles([fork_join(firings=20)], depths)]
    [('flushable', 55), ('frozen', None)]
    """
    styled = [process for network in networks for process in network.processes if process.takes_styles]
    own = {process.style for process in styled}
    if not own or any(process.ii == 0 for process in styled):  # no pipelines, as the actors of a dataflow graph
        return ()
    return tuple(_run(networks, depths, style) for style in STYLES if own != {style})


def _run(networks: Sequence[Network], depths: Mapping[str, int | None], style: Style) -> StyleRun:
    if sum(network.events for network in networks) > _TOO_LONG:
        return StyleRun(style=style, refused=f"more than {_TOO_LONG} firings and tokens")
    finish = 0
    for network in networks:
        try:
            done = run(network.with_depths(depths).with_style(style).checked(), on_deadlock="return")
        except InputError as reason:
            return StyleRun(style=style, refused=str(reason))
        if done.finish is None:
            return StyleRun(style=style, deadlocked=True, stuck=_first_wait(done))
        finish = max(finish, done.finish)
    return StyleRun(style=style, finish=finish)


def _first_wait(stuck: Run) -> str:
    """Return who waits for room in the circle of a deadlock, or for a token if nobody does."""
    assert stuck.deadlock is not None
    waits = sorted(stuck.deadlock.cycle, key=lambda wait: wait.kind != "slot")
    return f"at cycle {stuck.deadlock.at} {waits[0].process} {waits[0]}"
