"""The clauses of interface directives: where each is allowed, which values it takes, and which cost no cycles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ppnsim.c.pragmas.numbers import number
from ppnsim.errors import InputError, did_you_mean
from ppnsim.hls.pragmas.memories import MADE_OF
from ppnsim.hls.pragmas.pragma import Pragma
from ppnsim.hls.structure.partitions import BUS_OUTSTANDING

_UNDER_WAY = ("num_read_outstanding", "num_write_outstanding")
_BUS = ("channel", "max_read_burst_length", "max_write_burst_length", "max_widen_bitwidth", *_UNDER_WAY)
_OF_KINDS = {**dict.fromkeys(_BUS, ("bus",)), "latency": ("bus", "ram"), "storage_type": ("ram",),
             "storage_impl": ("",), "offset": ("bus", ""), "clock": ("",)}  # fmt: skip
"""Clauses that only some interfaces have; clauses with names, addresses and simulation values cost no cycles."""
_NOT_COUNTED = {
    "register": "registers of a port take no cycle here", "register_mode": "registers of a port take no cycle here",
    "channel": "a bundle is one bus here", "direct_io": "no cycle depends on it",
    "autorestart": "one run is counted, whatever starts the next one",
    "storage_impl": "a memory of the adapter is read as block RAM (R3.1)",
}  # fmt: skip
_OFFSETS = ("off", "direct", "slave")
_WORDS: Mapping[str, tuple[str, ...]] = {
    "register_mode": ("both", "forward", "reverse", "off"), "storage_impl": MADE_OF,
}  # fmt: skip
_WIDEST = 1024


def clauses_in_vain(found: Pragma, mode: str, kind: str) -> Iterator[str]:
    """Yield the clauses that an interface does not have, or that cost no cycles.

    Parameters
    ----------
    kind : storage of the argument: ``bus``, ``fifo``, ``ram`` or, for registers, "".

    Raises
    ------
    InputError
        For a word that a clause does not take, or a number out of its range.
    """
    for clause, text in found.clauses.items():
        said = f"{clause}={text}" if text else clause
        if clause in _WORDS and text.lower() not in _WORDS[clause]:
            words = f"interface: no {clause} '{text}'{did_you_mean(text.lower(), _WORDS[clause])}"
            raise InputError(words, where=found.where)
        if clause == "autorestart" and (mode, found.clauses.get("port")) != ("s_axilite", "return"):
            yield f"interface {mode} {said}: only s_axilite port=return has it (UG1399, auto-restart)"
        elif clause in _OF_KINDS and kind not in _OF_KINDS[clause]:
            yield f"interface {said}: {mode} has none"
        elif clause in _NOT_COUNTED and found.flag(clause):
            yield f"interface {said}: {_NOT_COUNTED[clause]}"
    yield from _depth(found)
    yield from _offset(found, kind)
    if kind == "bus" and "max_widen_bitwidth" in found.clauses and widest(found) is None:
        rule = f"0 or a power of two up to {_WIDEST}: tools pass over others, and the default counts"
        yield f"interface max_widen_bitwidth={found.clauses['max_widen_bitwidth']}, which is not {rule}"
    if kind == "bus":
        for clause in _UNDER_WAY:
            if clause in found.clauses and found.number(clause, 0) == 0:
                yield f"interface {clause}=0: one burst at least is under way"
    if mode in ("ap_ctrl_none", "ap_ctrl_chain"):
        yield f"interface {mode}: one run is counted, whatever starts the next one"


def widest(found: Pragma) -> int | None:
    """Return the most bits of a beat, None for the default: without the clause, or for a number that tools ignore.

    It is 0 or a power of two up to 1024 (UG1448, "Burst Inference Failure 14").
    """
    bits = found.number("max_widen_bitwidth", 0)
    return None if bits is None or bits > _WIDEST or bits & (bits - 1) else bits


def under_way(found: Pragma) -> tuple[int, int]:
    """Return how many bursts of reads and of writes may be under way; 0, as ports of one side only say, counts as 1."""
    said = (found.number(clause, 0) for clause in _UNDER_WAY)
    reads, writes = (BUS_OUTSTANDING if each is None else max(1, each) for each in said)
    return reads, writes


def _depth(found: Pragma) -> Iterator[str]:
    """Yield a sentence about a depth without a constant value, which only co-simulation needs; refuse one below 1."""
    if "depth" not in found.clauses:
        return
    text = found.clauses["depth"]
    value = number(text, found.values)
    if value is None:
        yield f"interface depth={text}, which has no constant value here: only co-simulation asks for it"
    elif value < 1:
        found.number("depth")


def _offset(found: Pragma, kind: str) -> Iterator[str]:
    """Yield a sentence about a word that is no register address; refuse a value that is no known word, either."""
    if "offset" not in found.clauses or kind not in ("bus", ""):
        return
    text = found.clauses["offset"].lower()
    value = number(text, found.values)
    if value is not None and value >= 0:
        return
    if text not in _OFFSETS:
        raise InputError(f"interface: no offset '{text}'{did_you_mean(text, _OFFSETS)}", where=found.where)
    if kind != "bus":
        yield f"interface offset={text}: of a register it is an address, offset=0x10"
