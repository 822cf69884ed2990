"""``ppnsim.explain``: why a run takes as long as it does, and what would make it shorter."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from rich.console import Console

from ppnsim.analysis.cycle_ratio import SteadyState, steady_states
from ppnsim.analysis.path.critical_path import CriticalPath, critical_path
from ppnsim.analysis.path.event_edges import check_size, is_too_large
from ppnsim.analysis.path.path_shares import PROCESS_KINDS
from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.explore.explain.divided import divided
from ppnsim.explore.explain.explanation import Explanation, cycles_of, explanation_result, sentences
from ppnsim.explore.explain.repeated import repeated_path
from ppnsim.explore.explain.report import print_explanation
from ppnsim.explore.explain.sensitivity import Claim, claims
from ppnsim.explore.explain.slack import slack
from ppnsim.library.answer import Answer
from ppnsim.library.subject import Depths, NetworkFile, NetworkLike, network_file
from ppnsim.model.run import Run
from ppnsim.source_networks import report as sources
from ppnsim.source_networks.slow_loops import loop_sentences

if TYPE_CHECKING:
    from ppnsim.plots.shown import NotebookFigure

Progress = Callable[[int, int], None]
Subject = TypeVar("Subject")
Found = TypeVar("Found")


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class RunExplanation(Answer):
    """Why a run takes as long as it does.

    Attributes
    ----------
    told : critical path, slack, changes that were tried, steady state.
    subject : the network that ran.
    seconds : how long it took to find out.
    """

    told: Explanation
    subject: NetworkFile
    seconds: float

    @property
    def run(self) -> Run:
        """The run that is explained."""
        return self.told.run

    @property
    def path(self) -> CriticalPath:
        """The firings that lead to the last one, each waiting for the one before."""
        return self.told.path

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Changes that may help, each tried by a run."""
        return self.told.claims

    @property
    def steady(self) -> tuple[SteadyState, ...] | str:
        """The steady states by analysis, or why there are none."""
        return self.told.steady

    @property
    def sentences(self) -> list[str]:
        """What to learn from it, most important first."""
        return [*sentences(self.told), *self._loops()]

    def _loops(self) -> list[str]:
        """Return the loops of the source, if there is one, that most cycles of the path are of."""
        told, source = self.told, self.subject.source
        if source is None:
            return []
        cycles = {each.name: cycles_of(told.shares, each.name, *PROCESS_KINDS) for each in told.run.network.processes}
        return list(loop_sentences(source, cycles))

    def to_dict(self) -> dict[str, Any]:
        """Return what the command writes as JSON."""
        result = explanation_result(self.told, file=self.subject.file) | self.subject.result()
        if self.subject.source is not None:
            result["source"]["slow_loops"] = self._loops()
            result["source"]["start_to_done"] = sources.start_to_done_of(self.subject.source, self.told.asked)
        return result

    def print(self, console: Console) -> None:
        """Print the sentences and the tables."""
        print_explanation(console, self.told, self.sentences, seconds=self.seconds)
        if self.subject.source is not None:
            sources.print_ends(console, self.subject.source, self.told.asked)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row for each change that was tried: what it is, and the cycles that it saves."""
        rows: Sequence[Mapping[str, Any]] = self.to_dict()["sensitivity"]
        return rows

    def figure(self) -> NotebookFigure:
        """Return the critical path as a picture."""
        from ppnsim.explore.explain.pictures import path_figure  # matplotlib takes a while to import
        from ppnsim.plots.shown import shown

        return shown(path_figure(self.told.path))


def explain(
    network: NetworkLike | Run, *, top: int = 8, depths: Depths | None = None, style: str | None = None,
    progress: Progress | None = None, trials: Progress | None = None, **options: Any,
) -> RunExplanation:  # fmt: skip
    """Explain why a run takes as long as it does: critical path, slack, changes that help, steady state.

    Parameters
    ----------
    network : a network, a run of one, or a path; ``options`` are then what `ppnsim.load` takes.
    top : changes to try, each with a run of its own; 0 for none. Ctrl-C only ends the trials.
    depths, style : as of `ppnsim.run`.
    progress : called with firings started and firings in all.
    trials : called with changes tried and changes in all.

    Raises
    ------
    InputError
        If the path cannot be read, or the run is too large to be explained and does not repeat itself.
    DeadlockError
        If the network deadlocks.

    Examples
    --------
    >>> from ppnsim.model.builders import fork_join
    >>> told = explain(fork_join(firings=20), top=1)
    >>> print(told.sentences[1])
    the path waits 6 times for a slot: short_in (3, depth 2), short_out (3, depth 2); of all depths only theirs can help
    """
    if top < 0:
        raise InputError(f"{top} is below 0 changes", where="top")
    began = time.perf_counter()
    given = network.network if isinstance(network, Run) else network
    found = network_file(given, depths=depths, style=style, **options)
    same = isinstance(network, Run) and network.network is found.network and not network.deadlocked
    outcome = network if isinstance(network, Run) and same else run(found.network, progress=progress)
    told = _explained(outcome, top, trials, given=_delays_given(found))
    return RunExplanation(told=told, subject=found, seconds=time.perf_counter() - began)


def _delays_given(found: NetworkFile) -> bool:
    """Return whether somebody chose the delays of channels; those of a source, and of its schedule, are its FIFOs'."""
    return found.source is None and any(each.takes_styles for each in found.network.processes)


def _explained(asked: Run, top: int, report: Progress | None, *, given: bool) -> Explanation:
    """Return the explanation; Ctrl-C only ends the trial of changes."""
    if report is not None:
        report(0, top)  # the path of a long run takes seconds
    if is_too_large(asked.network) and asked.left_out is not None:
        around = repeated_path(asked)
        outcome = around.run if around else run(asked.recorded.network)
    else:
        check_size(asked.network)
        around, outcome = None, asked
    path = around.path if around else critical_path(outcome.timeline)
    if report is not None:
        report(0, top)
    known = _or_reason(slack, path.graph), _or_reason(steady_states, asked.network)
    found, shared, interrupted = [], None, False
    try:
        for claim in claims(path, top=top, given=given, whole=asked if around else None):
            found.append(claim)
            if report is not None:
                report(len(found), top)
        shared = divided((asked if around else outcome).network, found)
    except KeyboardInterrupt:
        interrupted = True
    return Explanation(
        run=outcome,
        path=path,
        slack=known[0],
        claims=tuple(found),
        steady=known[1],
        interrupted=interrupted,
        whole=None if outcome is asked else asked,
        counted=around.shares if around else None,
        divided=shared,
    )


def _or_reason(find: Callable[[Subject], Found], subject: Subject) -> Found | str:
    try:
        return find(subject)
    except InputError as reason:
        return str(reason)
