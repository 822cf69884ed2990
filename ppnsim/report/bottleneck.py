"""One sentence on what holds a finished run back, said only where it can be proved."""

from __future__ import annotations

from ppnsim.analysis.lower_bounds import resource_bounds
from ppnsim.analysis.throughput import TooLargeError, absolute
from ppnsim.engines.compiled.trials import Trials
from ppnsim.engines.run import run as simulate
from ppnsim.model.network import is_monotone
from ppnsim.model.run import Run
from ppnsim.model.summary import RunSummary
from ppnsim.report.slowest import path_of, slowest
from ppnsim.units import counted

_LONG = 1_000_000  # firings and tokens above which the estimate would take minutes, a run without depths seconds
_TRIED = 200_000  # firings in which a run without depths has to repeat itself then
_TOO_LONG = 50_000_000  # and above which a run that never repeats itself would, too
_AT_ONCE = 100_000_000  # up to which the estimate takes some seconds, if no channels form a circle: half of the run


def bottleneck(summary: RunSummary) -> str | None:
    """Return what holds the run back, or why that is not looked for; None for a deadlock, which has its own words.

    The absolute estimate is the finish of elastic pipelines with FIFOs that never fill, so a run that meets it gains
    nothing from depth. A long run, or one of other pipelines, is compared with a run whose FIFOs never fill instead.

    Examples
    --------
    >>> from ppnsim import predictor, run
    >>> from ppnsim.model.summary import summary_of
    >>> bottleneck(summary_of(run(predictor())))
    'transformer waits for itself: most of its 16 firings start 5 cycles apart; deeper FIFOs change nothing'
    """
    run = summary.run
    if run.finish is None:
        return None
    size = run.network.events
    estimate = _estimate(run)
    best, reason = _never_full(run) if estimate is None else estimate, "FIFOs that never fill"
    if best is None and size > _TOO_LONG:
        if run.left_out is None:
            most = _AT_ONCE if size > _AT_ONCE and _is_elastic(run) else _TOO_LONG
            return f"not looked for: {size} firings and tokens that never repeat themselves (at most {most})"
        return f"not looked for: {size} firings and tokens, which FIFOs that never fill do not let repeat themselves"
    if best is None or run.finish <= best:
        same = is_monotone(run.network) or estimate is not None  # the estimate is a bound, a run may not be one
        return f"{slowest(summary)}; " + ("deeper FIFOs change nothing" if same else f"{reason} change nothing")
    for bound in resource_bounds(run.network):
        if bound.cycles > best:
            best, reason = bound.cycles, f"{bound.name} ({bound.reason})"
    lost = run.finish - best
    sentence = f"{_costliest(summary)}; {counted(lost, 'cycle')} above the {best} of {reason}"
    return sentence if is_monotone(run.network) else f"{sentence}; a deeper FIFO may help or hurt here: try"


def _estimate(run: Run) -> int | None:
    """Return the finish with FIFOs that never fill by the estimate of elastic pipelines, None where a run tells it.

    A run that repeats itself, or is shorter, tells it sooner.
    """
    size = run.network.events
    whole = run.left_out is None and _TOO_LONG < size <= _AT_ONCE
    if not _is_elastic(run) or not (size <= _LONG or whole):
        return None
    try:
        return absolute(run.network).finish
    except TooLargeError:
        return None


def _is_elastic(run: Run) -> bool:
    return all(each.style == "elastic" for each in run.network.processes)


def _never_full(run: Run) -> int | None:
    """Return the finish with FIFOs that never fill by another run.

    None of a run that is too long to be walked, if it does not soon repeat itself then.
    """
    if run.network.events > _TOO_LONG:
        if run.left_out is None:
            return None
        free = run.network.never_full()
        settled = Trials(free, most=_TRIED).cut_short({channel.name: None for channel in free.channels})
        return None if settled is None else settled.finish
    alone = all(each.resource is None for each in run.network.processes)
    engine = "compiled" if alone else "auto"
    return simulate(run.network.never_full(), engine=engine, on_deadlock="return").finish


def busiest(run: Run) -> str:
    """Return the process that starts most often for its initiation interval: whom a picture of a run should show.

    Examples
    --------
    >>> from ppnsim import chain, run
    >>> busiest(run(chain(firings=20, ii=(1, 3, 1))))
    'p1'
    """
    return max(run.network.processes, key=lambda each: each.firings * max(each.ii, 1)).name


def _costliest(summary: RunSummary) -> str:
    """Name the resource, or else the full FIFO, that costs most: a FIFO may be full because of a resource.

    Of the full FIFOs, those come first for whose slots the critical path waits most often.
    """
    path = path_of(summary.run)
    counts = {} if path is None else {each.part: each.count for each in path.shares if each.kind == "release"}
    own = summary.processes.items()
    sentences = {"resource": "{2} waits {0} cycles for '{1}'", "blocked": "'{1}' is full for {0} cycles of {2}"}
    for kind, words in sentences.items():
        waits = [(cycles, cause, name) for name, each in own for cause, cycles in getattr(each.cycles, kind).items()]
        if waits:
            return words.format(*max(waits, key=lambda wait: (counts.get(wait[1], 0), int(wait[0]))))
    return "the pipeline style holds firings back"
