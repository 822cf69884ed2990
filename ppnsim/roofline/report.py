"""Rooflines as tables for the terminal: what is attainable, why, and what would raise it."""

from __future__ import annotations

from math import inf

from rich.console import Console
from rich.markup import escape

from ppnsim.report.text import plain_line, plain_table
from ppnsim.roofline.accelerator import Argument
from ppnsim.roofline.answer import RooflineAnswer, known_intensity, per_s
from ppnsim.roofline.ceilings import CEILINGS, NEAR, BankRow, PortCeilings
from ppnsim.roofline.walls import Wall


def print_roofline(console: Console, answer: RooflineAnswer) -> None:
    """Print what is attainable and what bounds it, the tables behind it, and what to do next."""
    accelerator, found, unit = answer.accelerator, answer.found, f"{answer.metric}/s"
    share = f"{100 * accelerator.allowance:g} % of {accelerator.device or 'the device'}"
    plain_line(
        console,
        f"{accelerator.name}   attainable {per_s(found.attainable)} {unit}   bound by {found.bound}   "
        f"compute bound {per_s(found.peak.performance)} {unit} ({found.peak.bound}, {share})   "
        f"{1000 * accelerator.frequency:g} MHz",
    )
    _print_operators(console, answer)
    _print_banks(console, answer)
    _print_ports(console, answer)
    _print_walls(console, answer)
    _print_points(console, answer)
    for note in (*accelerator.notes, *answer.notes):
        plain_line(console, f"note: {note}")
    plain_line(console, _advice(answer))


def _print_operators(console: Console, answer: RooflineAnswer) -> None:
    table = plain_table(
        "operator", "occurrences", "lut", "ff", "dsp", "units that fit", "counts", right=(1, 2, 3, 4, 5)
    )
    for use in answer.accelerator.operators:
        cost = (f"{use.cost.get(kind, 0):g}" for kind in ("lut", "ff", "dsp"))
        units = f"{answer.accelerator.allowance * answer.found.peak.units[use.name]:.4g}"
        table.add_row(escape(use.name), f"{use.count:g}", *cost, units, "yes" if use.counted else "no")
    console.print(table)


def _print_banks(console: Console, answer: RooflineAnswer) -> None:
    banks = [*answer.found.banks, *(bank for bank in (answer.found.together, answer.chosen) if bank)]
    if not banks:
        return
    table = plain_table("bank", "arguments", "bytes", f"{answer.metric}/byte", "peak", "configured", "random",
                        "dependent", r"reached \[GB/s]", "ridge", f"attainable {answer.metric}/s",
                        right=tuple(range(2, 11)))  # fmt: skip
    for bank in banks:
        intensity = known_intensity(bank)
        table.add_row(
            escape(bank.name), escape(", ".join(bank.arguments)), f"{bank.bytes:g}",
            "-" if intensity is None else f"{intensity:.4g}",
            *(f"{getattr(bank, kind):.4g}" for kind in CEILINGS), f"{bank.ridge:.4g}", per_s(bank.attainable),
        )  # fmt: skip
    console.print(table)


def _print_ports(console: Console, answer: RooflineAnswer) -> None:
    if not answer.found.ports:
        return
    simulated = {each.argument: each for each in answer.simulated}
    table = plain_table("port", "bank", "pattern", "quanta", "asked", "configured", r"reached \[GB/s]",
                        *(["simulated"] if simulated else []), "queue", "chains",
                        right=tuple(range(3, 10)))  # fmt: skip
    for port, argument in zip(answer.found.ports, answer.accelerator.arguments, strict=True):
        own = simulated.get(port.argument)
        shown = [f"{own.bandwidth:.4g}" if own else "-"] if simulated else []
        table.add_row(
            escape(port.argument), escape(argument.place), argument.pattern, f"{argument.quanta} B",
            *(f"{bandwidth:.4g}" for bandwidth in (port.asked, port.configured, port.reached)), *shown,
            str(port.queue), str(port.chains),
        )  # fmt: skip
    console.print(table)
    for each in answer.simulated:
        if each.because:
            share = 100 * (each.bandwidth / each.ceiling - 1)
            plain_line(console, f"{each.argument}: simulated {share:+.1f} % of its ceiling: {each.because}")


def _print_walls(console: Console, answer: RooflineAnswer) -> None:
    if not answer.walls:
        return
    table = plain_table(
        "scratchpads in front of", "bytes moved", f"{answer.metric}/byte", r"cache \[bytes]", right=(1, 2, 3)
    )
    for wall in answer.walls:
        table.add_row(escape(wall.place), f"{wall.moved:g}", f"{answer.intensity(wall):.4g}", f"{wall.size:g}")
    console.print(table)


def _print_points(console: Console, answer: RooflineAnswer) -> None:
    points = answer.points()
    if not points:
        return
    table = plain_table("design", f"{answer.metric}/s", "of attainable at its intensity", right=(1, 2))
    for point, attainable in points:
        share = 100 * point.performance / attainable
        table.add_row(escape(point.name), per_s(point.performance), f"{share:.3g} %")
    console.print(table)


def _advice(answer: RooflineAnswer) -> str:
    """Return what to do next, in one line."""
    found = answer.found
    if found.bound == "operators":
        kind = found.peak.bound
        return f"compute bound: the operators take all the {kind}; cheaper operators (narrower types) raise the roof"
    bank = next(each for each in found.banks if each.name == found.bound)
    for port, argument in zip(found.ports, answer.accelerator.arguments, strict=True):
        if argument.place == bank.name and port.reached < NEAR * port.configured:
            return f"{bank.name}: {_of_port(port, argument)}"
    crossing = [wall for wall in answer.walls if _crosses(wall, answer)]
    if crossing:
        return f"memory bound: {_of_wall(min(crossing, key=lambda wall: wall.size), answer)}"
    return _of_bank(bank)


def _of_port(port: PortCeilings, argument: Argument) -> str:
    queue = f"a queue of {port.queue} requests and more"
    cure = {
        "stream": queue, "random": f"longer segments, or {queue}", "dependent": f"{port.chains} concurrent streams"
    }[argument.pattern]  # fmt: skip
    return f"the {argument.pattern} accesses of '{argument.name}' get less than the port: {cure}"


def _of_wall(wall: Wall, answer: RooflineAnswer) -> str:
    words = f"scratchpads of {wall.size} bytes in front of {wall.place}"
    blocks = answer.accelerator.available.get("bram", inf)
    if wall.blocks <= blocks:
        return f"{words} make it compute bound"
    return f"only {words} would make it compute bound, more than {blocks:g} block RAMs hold: tile it"


def _of_bank(bank: BankRow) -> str:
    if bank.configured < NEAR * bank.peak:
        return f"{bank.name}: its port asks for less than the bank gives: a wider quantum or a faster clock"
    return f"memory bound by {bank.name}: move arguments to other banks, or keep more on chip"


def _crosses(wall: Wall, answer: RooflineAnswer) -> bool:
    """Return whether no bank bounds the kernel any more behind a wall's scratchpads."""
    moved = {each.name: each.bytes for each in answer.accelerator.arguments} | dict(wall.bytes)
    return all(
        sum(moved[name] for name in bank.arguments) * bank.ridge <= answer.accelerator.work
        for bank in answer.found.banks
    )
