"""``ppnsim.size``: the smallest FIFOs, with proof, and the trade-off of memory against time."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from rich.console import Console

from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.explore.fifo.answers import Answers
from ppnsim.explore.fifo.objectives import Time
from ppnsim.explore.fifo.other_styles import OtherStyles, StyleRun
from ppnsim.explore.fifo.report import IN_WORDS, QUESTIONS, print_other_styles, print_sizing, sizing_result
from ppnsim.explore.fifo.search import Bounds
from ppnsim.explore.fifo.sizing import FifoSizing, Grown, problem_of
from ppnsim.explore.fifo.variables import Limit
from ppnsim.explore.fifo.watch import time_left
from ppnsim.library.answer import Answer
from ppnsim.library.sizable import check_asked, limit_of, price_of, sizable, stop_of, time_of, vectors_of
from ppnsim.library.sized_copy import save_sized
from ppnsim.library.subject import NetworkFile, NetworkLike, Place, network_file
from ppnsim.model.network import Network
from ppnsim.model.suspicions import suspicions
from ppnsim.notebook import ShownInNotebooks
from ppnsim.report.text import plain_line
from ppnsim.source_networks import report as sources

if TYPE_CHECKING:
    from ppnsim.plots.shown import NotebookFigure

Progress = Callable[[int, int], None]
Limits = Mapping[str, Limit | int | Literal["unbounded"]]


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class SizedFifos(Answer):
    """The smallest depths of a network's channels, and the trade-off between memory and time.

    Attributes
    ----------
    sizing : the search and its answers.
    subject : the network.
    cost : what memory is counted in: ``tokens``, ``bits`` or ``fpga``.
    seconds : how long it took.
    interrupted : whether Ctrl-C ended the search.
    """

    _measured = frozenset({"seconds"})
    sizing: FifoSizing
    subject: NetworkFile
    cost: str
    seconds: float
    interrupted: bool

    @property
    def answers(self) -> Answers:
        """What has been found, by question: deadlock_free, target, lossless; and the front."""
        return self.sizing.answers

    @property
    def depths(self) -> dict[str, int]:
        """The depths to take: for the target if there is one, else without loss, else without deadlock.

        Raises
        ------
        InputError
            If no depths were found.
        """
        for question in ("target", "lossless", "deadlock_free"):
            if question in self.answers.found:
                return self.sizing.problem.chosen(self.answers.found[question].vector)
        raise InputError("no depths were found", where=self.subject.network.name)

    @property
    def network(self) -> Network:
        """The network with these depths."""
        return self.subject.network.with_depths(self.depths)

    def save(self, path: Place) -> Path:
        """Write the network with these depths, .toml, .json, .xml; of a C++ source also a copy with pragmas, .cpp.

        Raises
        ------
        InputError
            If the target is out of reach: other depths are written by ``ppnsim.save(sized.network, path)``.
        """
        beyond = next((gap for gap in self.answers.gaps if gap.question == "target"), None)
        if beyond is not None and "target" not in self.answers.found:
            words = f"is not written: the target is {beyond.not_searched}"
            raise InputError(f"{words} (ppnsim.save(sized.network, ..) writes depths without loss)", where=str(path))
        return save_sized(self.subject, self.depths, path)

    def to_dict(self) -> dict[str, Any]:
        """Return what the command writes as JSON."""
        result = sizing_result(
            self.sizing, file=self.subject.file, cost=self.cost, seconds=self.seconds, interrupted=self.interrupted
        )
        result["other_styles"] = {
            question: [asdict(each) | {"safe": each.safe} for each in runs]
            for question, runs in self.other_styles.items()
        }
        result["suspicious"] = [asdict(each) for each in suspicions(self.sizing.problem.networks[0])]
        for question, (cycles, _) in self._ends.items():
            result[question]["start_to_done"] = cycles
        return result | self.subject.result()

    @cached_property
    def _ends(self) -> Mapping[str, tuple[int | None, str]]:
        """Cycles from start to done of a dataflow region with the depths found, by question, and both ends in words."""
        source, problem = self.subject.source, self.sizing.problem
        one = len(problem.networks) == 1 and problem.objective.name == "finish"
        if source is None or source.made_of != "tasks" or not one:
            return {}
        found = {each: problem.depths(sized.vector) for each, sized in self.answers.found.items() if each in QUESTIONS}
        runs = {each: run(problem.networks[0].with_depths(depths)) for each, depths in found.items()}
        return {
            each: (sources.start_to_done_of(source, ran), sources.ends_of(source, ran)) for each, ran in runs.items()
        }

    @cached_property
    def _others(self) -> OtherStyles:
        problem, found = self.sizing.problem, self.answers.found
        asked = () if self.interrupted else [each for each in QUESTIONS if each in found]
        return OtherStyles(
            networks=problem.networks, depths={each: problem.depths(found[each].vector) for each in asked},
            seconds=time_left(self.sizing.stop.seconds, self.seconds),
        )  # fmt: skip

    @property
    def other_styles(self) -> Mapping[str, tuple[StyleRun, ...]]:
        """By question, the network with its depths in the other pipeline styles, each of which is run.

        They take what the search has left of its limit in seconds, or a tenth of the limit if that is more. Ctrl-C ends
        them, and keeps the answers. A style that was not run says why.
        """
        return self._others.runs()

    @property
    def stopped(self) -> bool:
        """Whether Ctrl-C ended the search, or the runs in other styles after it."""
        return self.interrupted or self._others.interrupted

    def print(self, console: Console, shown: AbstractContextManager[Progress] | None = None) -> None:
        """Print the answers, the depths by channel with what one token less costs, the front, and other styles.

        ``shown`` is open during the runs in other styles, and gets firings of them, started and in all.
        """
        print_sizing(console, self.sizing, cost=self.cost, seconds=self.seconds, interrupted=self.interrupted)
        for question, (_, words) in self._ends.items():
            if words:
                plain_line(console, f"depths {IN_WORDS[question]}: {words}")
        console.file.flush()  # the runs below may take a while
        with shown or nullcontext() as progress:
            others = self._others.runs(progress)
        print_other_styles(console, others)
        for each in suspicions(self.sizing.problem.networks[0]):
            plain_line(console, str(each))

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return the front: a row for each trade-off, with its cost, its time and the depth of every channel.

        Where the front was not looked for, a row for each question that is answered: deadlock_free, lossless, target.
        A channel that has the name of a figure (``bits``) is ``bits.depth``.
        """
        left_out = ("depths", "scenarios", "forced", "one_less")
        told = self.to_dict()
        rows = told["front"] or [{"question": each, **told[each]} for each in QUESTIONS if told[each]]
        figures = [{name: row[name] for name in row if name not in left_out} for row in rows]
        taken = {name for each in figures for name in each}
        return [
            each | {f"{name}.depth" if name in taken else name: depth for name, depth in row["depths"].items()}
            for each, row in zip(figures, rows, strict=True)
        ]

    def figure(self) -> NotebookFigure:
        """Return the front as a picture."""
        from ppnsim.explore.fifo.pictures import sizing_front  # matplotlib takes a while to import
        from ppnsim.plots.shown import shown

        return shown(sizing_front(self.sizing, cost=self.cost))

    def _repr_html_(self) -> str:
        return ShownInNotebooks._repr_html_(self.sizing)


def size(
    network: NetworkLike | Sequence[NetworkLike], *, objective: Literal["finish", "period"] = "finish",
    target: Time | float | None = None, cost: Literal["tokens", "bits", "fpga"] = "tokens",
    memories: str | None = None, limits: Limits | None = None, groups: Sequence[Sequence[str]] = (),
    front: bool = True, start: Mapping[str, Any] | None = None, budget: int | None = None, within: float = 0.0,
    seconds: float | None = None, progress: Progress | None = None, bounds: Bounds | None = None,
    grown: Grown | None = None, **options: Any,
) -> SizedFifos:  # fmt: skip
    """Find the smallest FIFO depths: without deadlock, without loss, for a target, and the trade-off between.

    Parameters
    ----------
    network : a network, or a path (``options`` are then what `ppnsim.load` takes), or several of them: scenarios of one
        network, which get one set of depths. Fixed channels keep theirs: of a dataflow region the streams are sized.
    objective : whether time is the ``finish`` of the run, or the ``period`` of the steady state.
    target : also find the smallest depths for this finish or period, in cycles.
    cost : what memory is counted in; ``fpga`` with the memory blocks of a file ``memories``.
    limits : depths that channels may have: ``(low, high)``, a number, or None, which leaves a channel unbounded.
    groups : channels that share one depth, beside the groups of the network.
    front : also find the whole trade-off, for 15 seconds where there is no limit of ``seconds``.
    start : the ``to_dict()`` of an earlier answer, whose depths are tried first.
    budget : depth vectors to run.
    within : be content with what is proven to be so near, as a share: 0.05.
    seconds : stop after so long; what is known then is the answer, as after Ctrl-C. Runs in other styles take what is
        left of them, or a tenth.
    progress : called with vectors run and the budget of them.
    bounds : called with a question and the costs between which its answer lies, whenever they get closer.
    grown : called with the search, which has its answers so far, whenever the front has a new point.

    Raises
    ------
    InputError
        If a channel does not exist, or a number breaks a rule.

    Examples
    --------
    >>> from ppnsim.model.builders import fork_join
    >>> sized = size(fork_join(firings=20), front=False)
    >>> sized.depths, sized.network.run().finish
    ({'short_in': 2, 'short_out': 13, 'long_in': 2, 'long_out': 2}, 37)
    """
    given = list(network) if isinstance(network, Sequence) and not isinstance(network, str) else [network]
    check_asked(given, budget)
    files = [sizable(network_file(each, **options)) for each in given]
    named = {name: limit_of(limit) for name, limit in (limits or {}).items()}
    problem = problem_of(
        [each.network for each in files], cost=price_of(cost, memories), objective=objective, limits=named,
        groups=groups, budget=budget,
    )  # fmt: skip
    sizing = FifoSizing(
        problem=problem, target=time_of(target), start=vectors_of(start, problem), with_front=front,
        stop=stop_of(within, seconds), bounds=bounds, grown=grown,
    )  # fmt: skip
    began, interrupted = time.perf_counter(), False
    try:
        sizing.run(progress)
    except KeyboardInterrupt:
        interrupted = True
    spent = time.perf_counter() - began
    subject = replace(files[0], file=", ".join(each.file for each in files))
    return SizedFifos(sizing=sizing, subject=subject, cost=cost, seconds=spent, interrupted=interrupted)
