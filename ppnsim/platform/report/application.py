"""Predictions, runs and comparisons of applications on platforms, as JSON, as tables and as CSV."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from ppnsim.messages.model.loggp import Duration
from ppnsim.platform.laws.difference import Reason
from ppnsim.platform.laws.prediction import ApplicationPrediction
from ppnsim.platform.run.record import PlatformRun, PlatformSpan, shares, utilisation
from ppnsim.report.csv import write_rows
from ppnsim.report.text import plain_line, plain_table


def seconds(value: Duration | None) -> str:
    """Return a time in the unit that leaves at least one before the point.

    Examples
    --------
    >>> seconds(Fraction(1, 1000)), seconds(Fraction(0)), seconds(Fraction("-9.56e-9"))
    ('1 ms', '0 s', '-9.56 ns')
    """
    if value is None:
        return "-"
    for unit, per_second in (("s", 1), ("ms", 10**3), ("us", 10**6), ("ns", 10**9)):
        if abs(float(value * per_second)) >= 1:
            return f"{float(value * per_second):.6g} {unit}"
    return f"{float(value * 10**12):.3g} ps" if value else "0 s"


def prediction_result(
    prediction: ApplicationPrediction, *, file: str, changes: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Return a prediction as JSON."""
    return {
        "file": file,
        **({"changes": dict(changes)} if changes else {}),
        "predicted": {term.name: float(term.seconds) for term in prediction.terms},
        "equations": {term.name: term.equation for term in prediction.terms},
        "speedup": None if prediction.speedup is None else float(prediction.speedup),
    }


def run_result(run: PlatformRun, *, file: str, name: str) -> dict[str, Any]:
    """Return a run as JSON."""
    return {
        "file": file,
        "name": name,
        "makespan": float(run.makespan),
        "simulated": {key: float(value) for key, value in run.times.items()},
        "speedup": None if run.speedup is None else float(run.speedup),
        "messages": run.messages,
        "bus_transfers": run.transfers,
        "utilisation": utilisation(run.spans, run.makespan),
        "shares": {
            part: {kind: float(time) for kind, time in each.items()}
            for part, each in shares(run.spans, run.makespan).items()
        },
    }


def comparison_result(
    predicted: Mapping[str, Fraction], simulated: Mapping[str, Fraction], why: Mapping[str, Sequence[Reason]], *,
    file: str,
) -> dict[str, Any]:  # fmt: skip
    """Return prediction and run side by side as JSON, each keyed by the name of the quantity, in seconds."""
    names = [name for name in predicted if name in simulated]
    return {
        "file": file,
        "predicted": {name: float(predicted[name]) for name in names},
        "simulated": {name: float(simulated[name]) for name in names},
        "difference": {name: float(simulated[name] - predicted[name]) for name in names},
        "reasons": {
            name: [{"assumption": each.assumption, "seconds": float(each.seconds)} for each in why[name]]
            for name in names
        },
    }


def print_prediction(console: Console, prediction: ApplicationPrediction, *, title: str) -> None:
    """Print every term with its equation."""
    speedup = "" if prediction.speedup is None else f"   speed-up {float(prediction.speedup):.4g}"
    plain_line(console, f"{title}   predicted {seconds(prediction.total)}{speedup}")
    table = plain_table("term", "time", "equation", right=(1,))
    for term in prediction.terms:
        table.add_row(escape(term.name), seconds(term.seconds), escape(term.equation))
    console.print(table)


def print_sweep(
    console: Console, predictions: Sequence[ApplicationPrediction], changes: Sequence[Mapping[str, Any]], *, title: str
) -> None:
    """Print a row for each point of a sweep: its values, what stages compute and transfer, and the whole."""
    plain_line(console, f"{title}   predicted")
    values = list(changes[0])
    shown = (".t_comp", ".t_comm", ".t_stage")
    terms = [name for name in predictions[0].quantities() if name.endswith(shown) or "." not in name]
    has_speedup = predictions[0].speedup is not None
    heads = [*values, *terms, *(["speed-up"] if has_speedup else [])]
    table = plain_table(*map(escape, heads), right=tuple(range(len(values), len(heads))))
    for prediction, changed in zip(predictions, changes, strict=True):
        predicted = prediction.quantities()
        speedup = [] if prediction.speedup is None else [f"{float(prediction.speedup):.4g}"]
        times = (seconds(predicted[name]) for name in terms)
        table.add_row(*(escape(str(changed[name])) for name in values), *times, *speedup)
    console.print(table)


def print_run(console: Console, run: PlatformRun, *, title: str) -> None:
    """Print when it ended, the terms, and where the time of each part went."""
    speedup = "" if run.speedup is None else f"   speed-up {float(run.speedup):.4g}"
    amounts = f"{run.messages} messages, {run.transfers} bus transfers"
    plain_line(console, f"{title}   simulated {seconds(run.makespan)}{speedup}   {amounts}")
    table = plain_table("term", "time", right=(1,))
    for name, time in run.times.items():
        table.add_row(escape(name), seconds(time))
    console.print(table)
    table = plain_table("part", "busy", "where its time went", right=(1,))
    busy = utilisation(run.spans, run.makespan)
    for part, kinds in shares(run.spans, run.makespan).items():
        words = ", ".join(f"{kind} {seconds(time)}" for kind, time in kinds.items() if time)
        table.add_row(escape(part), f"{busy[part]:.1%}", escape(words))
    console.print(table)


def print_comparison(
    console: Console, predicted: Mapping[str, Fraction], simulated: Mapping[str, Fraction],
    why: Mapping[str, Sequence[Reason]], *, title: str,
) -> None:  # fmt: skip
    """Print both times of each term, and under it which assumption costs how much."""
    plain_line(console, f"{title}   predicted and simulated")
    table = plain_table("term", "predicted", "simulated", "difference", "because", right=(1, 2, 3))
    for name in (name for name in predicted if name in simulated):
        times = (predicted[name], simulated[name], simulated[name] - predicted[name])
        because = [f"{seconds(each.seconds)}: {each.assumption}" for each in why[name]] or ["-"]
        table.add_row(escape(name), *map(seconds, times), escape(because[0]))
        for more in because[1:]:
            table.add_row("", "", "", "", escape(more))
    console.print(table)


def write_spans(spans: Iterable[PlatformSpan], path: str | Path) -> None:
    """Write one line per stretch of time: where, kind, what, start and end in seconds (see `write_rows`)."""
    rows = ((*span[:3], repr(float(span.start)), repr(float(span.end))) for span in spans)
    write_rows(("where", "kind", "what", "start_s", "end_s"), rows, path)
