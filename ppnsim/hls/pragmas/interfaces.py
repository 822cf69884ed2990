"""A reader for interface directives on arguments: memories, FIFOs, buses, registers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ppnsim.errors import InputError, did_you_mean
from ppnsim.hls.pragmas.clauses_of_ports import clauses_in_vain, under_way, widest
from ppnsim.hls.pragmas.directives import DependenceDirective
from ppnsim.hls.pragmas.memories import MEMORIES, keep
from ppnsim.hls.pragmas.pragma import DirectivesSoFar, Pragma, read_control
from ppnsim.hls.structure.lanes import is_bus
from ppnsim.hls.structure.partitions import (
    BUS_BURST,
    BUS_LATENCIES,
    BUS_STATES,
    RAM,
    Partition,
    Storage,
)
from ppnsim.loops.program import ADDRESSES, Array

_MODES = {
    "m_axi": "bus", "axis": "fifo", "ap_fifo": "fifo", "ap_memory": "ram", "bram": "ram",
    **dict.fromkeys(
        """s_axilite ap_none ap_stable ap_vld ap_ovld ap_ack ap_hs ap_bus ap_ctrl_none ap_ctrl_hs ap_ctrl_chain
        ap_auto mode""".split(), "",  # noqa: SIM905
    ),
}  # fmt: skip
_LONGEST_BURST = 256
_STARTS = frozenset(("ap_ctrl_none", "ap_ctrl_hs", "ap_ctrl_chain"))
_OF_VALUES = frozenset(("ap_none", "ap_stable", "ap_vld", "ap_ovld", "ap_ack", "ap_hs"))
_KNOWN = (
    "autorestart", "bundle", "channel", "clock", "depth", "direct_io", "interrupt", "latency", "max_read_burst_length",
    "max_widen_bitwidth", "max_write_burst_length", "metadata", "name", "num_read_outstanding",
    "num_write_outstanding", "offset", "register_mode", "storage_impl", "storage_type", "volatile",
)  # fmt: skip
_PLAIN = frozenset(("both", "forward", "off", "register", "reverse", "type"))


def read_interface(found: Pragma, asked: DirectivesSoFar) -> None:
    """Read the interface of an argument: a memory, a FIFO, or a bus."""
    found.check("mode", "port", *_PLAIN, *_KNOWN, *_MODES)
    mode = found.one_of("mode", [each for each in _MODES if each != "mode"])
    plain = found.clauses.keys() <= _PLAIN | {"port"}
    if plain and not mode:
        for clause in sorted(found.clauses.keys() - {"port"}) or ("",):
            asked.ignore(found, f"interface {clause} without a mode: no cycle depends on it".replace("  ", " "))
        return
    if mode not in _MODES:
        first = next((each for each in found.clauses if each not in _PLAIN), "")
        raise InputError(f"interface: no mode '{first}'{did_you_mean(first, _MODES)}", where=found.where)
    port = found.clauses.get("port", "").lstrip("&")
    if not port:
        asked.ignore(found, f"interface {mode} of no port")
        return
    for words in clauses_in_vain(found, mode, _MODES[mode]):
        asked.ignore(found, words)
    read_control(found, asked, mode, port)
    if port != "return":
        _read_port(found, asked, mode, port)


def _read_port(found: Pragma, asked: DirectivesSoFar, mode: str, port: str) -> None:
    """Read the storage of an argument's arrays."""
    names = sorted(found.arrays("port").union(*(v for k, v in found.names.items() if k.startswith(f"{port}."))))
    arrays = [asked.arrays[name] for name in names]
    bursts = [each for each in arrays if is_bus(each)]  # without their counters
    for words in dict.fromkeys(_in_vain(mode, port, bursts or arrays)):
        asked.ignore(found, words)
    for name in names if _MODES[mode] or mode == "s_axilite" else ():
        array = asked.arrays[name]
        if mode == "axis" and array.role == "parameter":
            asked.axes.add(name)
        if array.stream or not array.shape or array.role != "parameter":
            continue
        if mode == "s_axilite":
            asked.slaves[name] = port
        elif asked.ports.setdefault(name, mode) != mode:
            raise InputError(f"conflicting pragmas: '{port}' is {asked.ports[name]} already", where=found.where)
        if _MODES[mode] and (storage := _outside(found, _MODES[mode], asked)) is not None:
            keep(asked, name, storage, found.where)


def _in_vain(mode: str, port: str, arrays: Sequence[Array]) -> Iterator[str]:
    """Yield why an interface does not fit these arrays and values."""
    if mode in _STARTS:
        yield f"interface {mode} port={port}: it is of the kernel as a whole (port=return)"
    for each in arrays:
        if each.role != "parameter":
            yield f"interface {mode} of '{port}', which is not an argument of the kernel"
        elif _MODES[mode] and not each.shape and not each.stream:
            yield f"interface {mode} of '{port}', a single value: its accesses take no cycles of their own"
        elif mode in _OF_VALUES and each.shape and not each.stream:
            kept = "which is an array: it is a memory here"
            without = "a pointer: it is taken as one without an interface"
            yield f"interface {mode} of '{port}', {without if each.shape == (ADDRESSES,) else kept}"
        elif mode in ("ap_vld", "ap_ack", "ap_ovld") and not each.stream:
            yield f"interface {mode} of '{port}': its signals take no cycles (R2.10 in ppnsim/hls/RULES.md)"


def _burst(found: Pragma, side: str, asked: DirectivesSoFar) -> int:
    """Return the beats of a burst; the value of a function argument is unknown when hardware is made."""
    clause = f"max_{side}_burst_length"
    text = found.clauses.get(clause, "")
    if text.isidentifier() and text in found.names and text not in found.values:
        asked.ignore(found, f"{clause}={text}, which is an argument and no constant: {BUS_BURST} beats are assumed")
        return BUS_BURST
    return found.number(clause) or BUS_BURST


def _outside(found: Pragma, kind: str, asked: DirectivesSoFar) -> Storage | None:
    """Return the storage of an argument by its interface (R6.4), None for a memory of the default kind."""
    if kind == "bus":
        given = found.number("latency", 0)
        latency = 1 + BUS_STATES + (BUS_LATENCIES["vitis"] if given is None else given)
        reads, writes = (_burst(found, side, asked) for side in ("read", "write"))
        for side, beats in (("read", reads), ("write", writes)):
            if beats > _LONGEST_BURST:
                words = f"max_{side}_burst_length = {beats} is more than the {_LONGEST_BURST} beats of an AXI burst"
                raise InputError(words, where=found.where)
        bundle = found.clauses.get("bundle") or "gmem"
        return Storage(
            "bus", latency, 1, unsaid=given is None, bundle=bundle, bursts=(reads, writes),
            outstanding=under_way(found), beat=widest(found),
        )  # fmt: skip
    if kind == "fifo":
        return Storage("fifo")
    memory = found.clauses.get("storage_type", "").lower()
    if memory and memory not in MEMORIES:
        words = f"interface: no storage_type '{memory}'{did_you_mean(memory, MEMORIES)}"
        raise InputError(words, where=found.where)
    kept, loads = MEMORIES.get(memory), found.number("latency", 0)
    return replace(kept or RAM, latency=loads) if loads else kept


def settle_bursts(asked: DirectivesSoFar) -> None:
    """Put the members of an ``hls::burst_maxi`` on a bus, even without a directive: it is always a bus.

    Its reads are requested before, so that no read waits for a write (R6.4).
    """
    for name, array in asked.arrays.items():
        if is_bus(array):
            asked.dependences += [DependenceDirective(name, inter, 0, None) for inter in (False, True)]
            latency = 1 + BUS_STATES + BUS_LATENCIES["vitis"]
            asked.storage.setdefault(name, Storage("bus", latency, 1, unsaid=True, beat=0, bundle="gmem"))


def on_a_bus(partition: Partition, shape: tuple[int, ...]) -> Partition:
    """Return the partition of an argument on buses: its elements are no registers, each has its own bus (R6.4)."""
    if not partition.registers:
        return partition
    first, *more = (Partition("complete", dim, extent, extent) for dim, extent in enumerate(shape, 1))
    return replace(first, more=tuple(more))
