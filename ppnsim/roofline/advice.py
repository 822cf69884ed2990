"""What to do about the bound of an accelerator: its operators, a port, a bank, or a scratchpad in front of a loop."""

from __future__ import annotations

from math import inf

from ppnsim.roofline.accelerator import Argument
from ppnsim.roofline.answer import RooflineAnswer
from ppnsim.roofline.banks import BankRow
from ppnsim.roofline.ceilings import NEAR, PortCeilings
from ppnsim.roofline.walls import Wall


def advice(answer: RooflineAnswer) -> str:
    """Return what to do next, in one line."""
    found = answer.found
    if found.bound == "operators":
        kind = found.peak.bound
        return f"compute bound: the operators take all the {kind}; cheaper operators (narrower types) raise the roof"
    bank = next(each for each in found.banks if each.name == found.bound)
    places = zip(answer.places(), found.ports, answer.accelerator.arguments, strict=True)
    for place, port, argument in places:
        if place == bank.name and port.reached < NEAR * port.configured:
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
