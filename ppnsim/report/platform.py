"""Platforms, predictions and runs of them as JSON and as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from fractions import Fraction
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ppnsim.analysis.ratss_difference import Reason
from ppnsim.analysis.ratss_prediction import Prediction
from ppnsim.formats.platform_dump import system_tables
from ppnsim.platform.run_record import PlatformRun, shares, utilisation
from ppnsim.platform.system import Part, System
from ppnsim.report.text import plain_line, plain_table


def seconds(value: Fraction | None) -> str:
    """Return a time in the unit that leaves at least one before the point.

    Examples
    --------
    >>> seconds(Fraction(1, 400)), seconds(Fraction(0)), seconds(Fraction("-9.56e-9"))
    ('2.5 ms', '0 s', '-9.56 ns')
    """
    if value is None:
        return "-"
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9)):
        if abs(value) >= size:
            return f"{float(value) / size:.6g} {unit}"
    return f"{float(value) / 1e-12:.3g} ps" if value else "0 s"


def platform_result(system: System, *, file: str) -> dict[str, Any]:
    """Return a platform as JSON: its parts with their parameters and provenance, its graph's size."""
    return {
        "file": file,
        "name": system.name,
        "category": system.category,
        "parts": [{"name": part.name, "kind": _kind(part), **_parameters(part)} for part in system.parts],
        "vertices": system.graph.number_of_nodes(),
        "edges": system.graph.number_of_edges(),
    }


def prediction_result(prediction: Prediction, *, file: str, changes: Mapping[str, str] | None = None) -> dict[str, Any]:
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


def print_platform(console: Console, system: System) -> None:
    """Print what a platform is made of, every parameter with its provenance."""
    plain_line(console, f"{system.name}   {system.category}")
    table = plain_table("part", "parameter", "value", "provenance")
    written = {name: each for kind in system_tables(system).values() for name, each in kind.items()}
    for part in system.parts:
        parameters = _parameters(part)
        told = parameters.pop("provenance", {})
        as_written = dict(_flat(written[part.name]))
        for number, (key, value) in enumerate(_flat(parameters)):
            name = f"{_kind(part)} {part.name}" if number == 0 else ""
            table.add_row(
                escape(name), escape(key), escape(_shown(as_written.get(key, value))), escape(told.get(key, "-"))
            )
    console.print(table)


def print_prediction(console: Console, prediction: Prediction, *, title: str) -> None:
    """Print every term with its equation."""
    speedup = "" if prediction.speedup is None else f"   speed-up {float(prediction.speedup):.4g}"
    plain_line(console, f"{title}   predicted {seconds(prediction.total)}{speedup}")
    table = plain_table("term", "time", "equation", right=(1,))
    for term in prediction.terms:
        table.add_row(escape(term.name), seconds(term.seconds), escape(term.equation))
    console.print(table)


def print_run(console: Console, run: PlatformRun, *, title: str) -> None:
    """Print when it ended, the terms, and where the time of each part went."""
    speedup = "" if run.speedup is None else f"   speed-up {float(run.speedup):.4g}"
    head = (
        f"{title}   simulated {seconds(run.makespan)}{speedup}   {run.messages} messages, {run.transfers} bus transfers"
    )
    plain_line(console, head)
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


def print_comparison(console: Console, result: Mapping[str, Any], *, title: str) -> None:
    """Print both times of each term, and under it which assumption costs how much."""
    plain_line(console, f"{title}   predicted and simulated")
    table = Table("term", box=None, pad_edge=False)
    for head in ("predicted", "simulated", "difference"):
        table.add_column(head, justify="right")
    table.add_column("because")
    for name, predicted in result["predicted"].items():
        times = [
            seconds(Fraction(value)) for value in (predicted, result["simulated"][name], result["difference"][name])
        ]
        why = [f"{seconds(Fraction(each['seconds']))}: {each['assumption']}" for each in result["reasons"][name]]
        table.add_row(escape(name), *times, escape(why[0] if why else "-"))
        for more in why[1:]:
            table.add_row("", "", "", "", escape(more))
    console.print(table)


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{each} {name}" for name, each in value.items())
    if isinstance(value, list):
        return ", ".join(" ".join(map(str, each)) if isinstance(each, list) else str(each) for each in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _kind(part: Part) -> str:
    return {"NodeGroup": "node", "Interconnect": "network", "Bus": "bus", "MemoryGroup": "memory"}[type(part).__name__]


def _parameters(part: Part) -> dict[str, Any]:
    return {field.name: _plain(getattr(part, field.name)) for field in fields(part) if field.name != "name"}


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        return float(value)
    if hasattr(value, "__dataclass_fields__"):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return dict(value)
    return [_plain(each) for each in value] if isinstance(value, tuple) else value


def _flat(parameters: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Return parameters of one level, those of a bus's directions as ``write.delay``."""
    flat: list[tuple[str, Any]] = []
    for key, value in parameters.items():
        if isinstance(value, dict) and key in ("write", "read"):
            flat += [(f"{key}.{inner}", each) for inner, each in value.items()]
        elif value not in (None, "", {}):
            flat.append((key, value))
    return flat
