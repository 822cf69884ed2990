"""Whether depths, or FIFOs that never fill, do for other pipeline styles, checked by running them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ppnsim.engines.compiled import engine as compiled
from ppnsim.engines.compiled import trials
from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.explore.fifo.watch import INTERRUPTED, Ended, Watch
from ppnsim.model.elements import STYLES, Style
from ppnsim.model.network import Network
from ppnsim.model.run import Run
from ppnsim.model.styles import HARDWARE

_TOO_LONG = 2_000_000  # firings and tokens of all scenarios; more are run only as far as they come to repeat themselves
_TRIED = 20_000_000  # firings in which they have to


@dataclass(frozen=True, slots=True, kw_only=True)
class StyleRun:
    """Depths in one style.

    Attributes
    ----------
    style : of all processes but scheduled ones, which are frozen in any case, and fixed ones.
    finish : in cycles, the latest of several scenarios; None after a deadlock, or if it was not run.
    deadlocked : whether a scenario deadlocks.
    stuck : the wait of the first process of that deadlock, in words; empty for a long network.
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
            deadlock = f"DEADLOCK: {self.stuck}" if self.stuck else "DEADLOCK"
            outcome = deadlock if self.deadlocked else f"finish {self.finish} cycles"
        return f"{self.style} ({names}): {outcome}"


def in_other_styles(
    networks: Sequence[Network], depths: Mapping[str, int | None], watch: Watch | None = None
) -> tuple[StyleRun, ...]:
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
    return tuple(_run(networks, depths, style, watch or Watch()) for style in STYLES if own != {style})


def styles_that_finish(network: Network) -> tuple[tuple[str, ...], int]:
    """Return the styles with which a network finishes that does not, the nearest to its own first, and the runs.

    Where elastic pipelines do not help, flushable ones, which wait in more cases, are not tried.
    """
    written = network.written
    if written.with_style("elastic").processes == written.processes:
        return (), 0
    if run(written.with_style("elastic"), on_deadlock="return").deadlock is not None:
        return (), 1
    frozen = {each.name for each in written.processes if each.style == "frozen" and each.takes_styles}
    if not frozen:
        return ("elastic",), 1
    flushable = [replace(each, style="flushable") if each.name in frozen else each for each in written.processes]
    helps = run(written.replace(processes=flushable), on_deadlock="return").deadlock is None
    return ("flushable", "elastic") if helps else ("elastic",), 2


def _run(networks: Sequence[Network], depths: Mapping[str, int | None], style: Style, watch: Watch) -> StyleRun:
    is_long = sum(network.events for network in networks) > _TOO_LONG
    finish = 0
    for network in networks:
        try:
            watch(0, network.passings)
            styled = network.with_depths(depths).with_style(style).checked()
            if is_long:
                ended, stuck = _cut_short(styled), ""
            else:
                done = run(styled, on_deadlock="return", progress=watch)
                ended, stuck = done.finish, _first_wait(done) if done.finish is None else ""
        except KeyboardInterrupt:
            watch.interrupt()
            return StyleRun(style=style, refused=INTERRUPTED)
        except (InputError, Ended) as reason:
            return StyleRun(style=style, refused=str(reason))
        if ended is None:
            return StyleRun(style=style, deadlocked=True, stuck=stuck)
        finish = max(finish, ended)
    return StyleRun(style=style, finish=finish)


def _cut_short(network: Network) -> int | None:
    """Return the finish of a long network that comes to repeat itself, None after a deadlock.

    Raises
    ------
    InputError
        If it does not repeat itself soon.
    """
    settled = None
    if not compiled.unsupported(network) and not any(steps.varies for steps in network.steps.values()):
        settled = trials.Trials(network, most=_TRIED).cut_short({each.name: each.depth for each in network.channels})
    if settled is None:
        raise InputError(f"more than {_TOO_LONG} firings and tokens, which do not soon repeat themselves")
    return settled.finish


def _first_wait(stuck: Run) -> str:
    """Return who waits for room in the circle of a deadlock, or for a token if nobody does."""
    assert stuck.deadlock is not None
    waits = sorted(stuck.deadlock.cycle, key=lambda wait: wait.kind != "slot")
    return f"at cycle {stuck.deadlock.at} {waits[0].process} {waits[0]}"


@dataclass(kw_only=True, eq=False)
class OtherStyles:
    """Runs of a network with sized depths in other styles, made when they are first asked for.

    Attributes
    ----------
    networks : the scenarios.
    depths : by question; depths that answer two questions are run once.
    seconds : after which nothing is run any more, None = no limit.

    Examples
    --------
    >>> from ppnsim.model.builders import fork_join
    >>> depths = {"short_in": 3, "short_out": 3, "long_in": 2, "long_out": 2}
    >>> others = OtherStyles(networks=[fork_join(firings=20)], depths={"lossless": depths}, seconds=60)
    >>> [(each.style, each.finish) for each in others.runs()["lossless"]]
    [('flushable', 55), ('frozen', None)]
    """

    networks: Sequence[Network]
    depths: Mapping[str, Mapping[str, int | None]]
    seconds: float | None = None
    _told: dict[str, tuple[StyleRun, ...]] | None = field(default=None, repr=False)

    def runs(self, progress: Callable[[int, int], None] | None = None) -> Mapping[str, tuple[StyleRun, ...]]:
        """Return by question the run in every style that not all processes have already.

        Ctrl-C ends them: the style that was being run and those after it say so. ``progress`` is called now and then
        with firings started and firings in all.
        """
        if self._told is None:
            watch, ran = Watch(progress, self.seconds), dict[tuple[int | None, ...], tuple[StyleRun, ...]]()
            self._told = {}
            for question, depths in self.depths.items():
                vector = tuple(depths.values())
                if vector not in ran:
                    ran[vector] = in_other_styles(self.networks, depths, watch)
                self._told[question] = ran[vector]
        return self._told

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended the runs."""
        return any(each.refused == INTERRUPTED for runs in self.runs().values() for each in runs)
