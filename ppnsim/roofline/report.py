"""Rooflines as tables for the terminal: what is attainable, why, and what would raise it."""

from __future__ import annotations

from math import inf
from typing import Any

from rich.console import Console
from rich.markup import escape

from ppnsim.report.text import plain_line, plain_table
from ppnsim.roofline.ceilings import NEAR
from ppnsim.roofline.report import CEILINGS


def print_roofline(console: Console, result: dict[str, Any]) -> None:
    """Print what is attainable and what bounds it, the tables behind it, and what to do next."""
    unit, peak = f"{result['metric']}/s", result["peak"]
    plain_line(
        console,
        f"{result['name']}   attainable {_si(result['attainable_per_s'])} {unit}   bound by {result['bound']}   "
        f"compute bound {_si(peak['performance_per_s'])} {unit} ({peak['bound']}, {100 * result['allowance']:g} % of "
        f"the device)   {result['clock_MHz']:g} MHz",
    )
    table = plain_table(
        "operator", "occurrences", "lut", "ff", "dsp", "units that fit", "counts", right=(1, 2, 3, 4, 5)
    )
    for row in result["operators"]:
        cost = (f"{row['cost'].get(kind, 0):g}" for kind in ("lut", "ff", "dsp"))
        units = f"{result['allowance'] * peak['units'][row['name']]:.4g}"
        table.add_row(escape(row["name"]), f"{row['count']:g}", *cost, units, "yes" if row["counted"] else "no")
    console.print(table)
    _print_banks(console, result, unit)
    _print_ports(console, result)
    _print_walls(console, result)
    if result["points"]:
        table = plain_table("design", unit, "of attainable there", right=(1, 2))
        for row in result["points"]:
            share = 100 * row["performance_per_s"] / row["attainable_per_s"]
            table.add_row(escape(row["name"]), _si(row["performance_per_s"]), f"{share:.3g} %")
        console.print(table)
    for note in result["notes"]:
        plain_line(console, f"note: {note}")
    plain_line(console, advice(result))


def _print_banks(console: Console, result: dict[str, Any], unit: str) -> None:
    rows = [*result["banks"], *(row for row in (result["together"], result["chosen"]) if row)]
    if not rows:
        return
    table = plain_table("bank", "arguments", "bytes", f"{result['metric']}/byte", "peak", "configured", "random",
                        "dependent", r"reached \[GB/s]", "ridge", f"attainable {unit}",
                        right=tuple(range(2, 11)))  # fmt: skip
    for row in rows:
        table.add_row(
            escape(row["name"]), escape(", ".join(row["arguments"])), f"{row['bytes']:g}",
            "-" if row["intensity"] is None else f"{row['intensity']:.4g}",
            *(f"{row[f'{kind}_GBps']:.4g}" for kind in CEILINGS), f"{row['ridge']:.4g}", _si(row["attainable_per_s"]),
        )  # fmt: skip
    console.print(table)


def _print_ports(console: Console, result: dict[str, Any]) -> None:
    if not result["ports"]:
        return
    simulated = {row["argument"]: row for row in result["simulated"]}
    table = plain_table("port", "bank", "pattern", "quanta", "asked", "configured", r"reached \[GB/s]",
                        *(["simulated"] if simulated else []), "queue", "chains",
                        right=tuple(range(3, 10)))  # fmt: skip
    for row in result["ports"]:
        own = simulated.get(row["argument"])
        shown = [f"{own['bandwidth_GBps']:.4g}" if own else "-"] if simulated else []
        table.add_row(
            escape(row["argument"]), escape(row["bank"]), row["pattern"], f"{row['quanta']} B",
            *(f"{row[f'{kind}_GBps']:.4g}" for kind in ("asked", "configured", "reached")), *shown,
            str(row["queue_advised"]), str(row["chains_advised"]),
        )  # fmt: skip
    console.print(table)
    for row in result["simulated"]:
        if row["because"]:
            share = 100 * (row["bandwidth_GBps"] / row["ceiling_GBps"] - 1)
            plain_line(console, f"{row['argument']}: simulated {share:+.1f} % of its ceiling: {row['because']}")


def _print_walls(console: Console, result: dict[str, Any]) -> None:
    if not result["walls"]:
        return
    unit = f"{result['metric']}/byte"
    table = plain_table("scratchpads in front of", "bytes moved", unit, r"cache \[bytes]", right=(1, 2, 3))
    for row in result["walls"]:
        name = f"loop {row['loop']} (line {row['line']})" if row["loop"] else "the kernel"
        table.add_row(escape(name), f"{row['bytes']:g}", f"{row['intensity']:.4g}", f"{row['cache_bytes']:g}")
    console.print(table)


def advice(result: dict[str, Any]) -> str:
    """Return what to do about the bound: operators, the port, or the smallest scratchpad that crosses all ridges."""
    if result["bound"] == "operators":
        kind = result["peak"]["bound"]
        return f"compute bound: the operators take all the {kind}; cheaper operators (narrower types) raise the roof"
    bank = next(row for row in result["banks"] if row["name"] == result["bound"])
    ports = [row for row in result["ports"] if row["bank"] == bank["name"]]
    for port in ports:
        if port["reached_GBps"] < NEAR * port["configured_GBps"]:
            queue = f"a queue of {port['queue_advised']} requests and more"
            cure = {
                "stream": queue, "random": f"longer segments, or {queue}",
                "dependent": f"{port['chains_advised']} concurrent streams",
            }[port["pattern"]]  # fmt: skip
            which = f"the {port['pattern']} accesses of '{port['argument']}'"
            return f"{bank['name']}: {which} get less than the port: {cure}"
    crossing = sorted((wall for wall in result["walls"] if _crosses(wall, result)), key=lambda row: row["cache_bytes"])
    blocks = result["peak"]["available"].get("bram", inf)
    if crossing:
        wall = crossing[0]
        place = f"loop {wall['loop']} (line {wall['line']})" if wall["loop"] else "the kernel"
        words = f"scratchpads of {wall['cache_bytes']} bytes in front of {place}"
        if wall["cache_bram"] <= blocks:
            return f"memory bound: {words} make it compute bound"
        return f"memory bound: only {words} would make it compute bound, more than {blocks:g} block RAMs hold: tile it"
    if bank["configured_GBps"] < NEAR * bank["peak_GBps"]:
        return f"{bank['name']}: its port asks for less than the bank gives: a wider quantum or a faster clock"
    return f"memory bound by {bank['name']}: move arguments to other banks, or keep more on chip"


def _crosses(wall: dict[str, Any], result: dict[str, Any]) -> bool:
    """Return whether no bank bounds the kernel any more behind a wall's scratchpads."""
    moved = {row["argument"]: row["bytes"] for row in result["ports"]}
    moved |= {name: row["bytes"] for name, row in wall["arguments"].items()}
    banks = result["banks"]
    return all(sum(moved[name] for name in bank["arguments"]) * bank["ridge"] <= result["work"] for bank in banks)


def _si(value: float) -> str:
    """Return a number with four digits and a power of ten that engineers use."""
    for size, letter in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:.4g} {letter}"
    return f"{value:.4g} "
