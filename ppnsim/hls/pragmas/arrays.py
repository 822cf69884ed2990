"""Reads the directives that concern arrays: partitions, memories, interfaces."""

from __future__ import annotations

from dataclasses import replace
from math import inf, prod

from ppnsim.errors import InputError, did_you_mean
from ppnsim.hls.pragmas.pragma import DirectivesSoFar, Pragma, read_control
from ppnsim.hls.structure.blocks import is_block
from ppnsim.hls.structure.members import is_bus, lanes_of
from ppnsim.hls.structure.partitions import (
    BUS_BURST,
    BUS_LATENCIES,
    BUS_OUTSTANDING,
    BUS_STATES,
    RAM,
    Partition,
    Storage,
)
from ppnsim.loops.program import Array

_KINDS = ("cyclic", "block", "complete")
_MEMORIES = {
    "ram_1p": Storage(ports=1), "rom_1p": Storage(ports=1), "ram_2p": RAM, "ram_t2p": RAM, "rom_2p": RAM,
    "ram_s2p": Storage(ports=1, split=True), "ram_1wnr": Storage(ports=inf), "rom_np": Storage(ports=inf),
    "rom_nr": Storage(ports=inf), "fifo": Storage("fifo"),
}  # fmt: skip
_MODES = {
    "m_axi": "bus", "axis": "fifo", "ap_fifo": "fifo", "ap_memory": "ram", "bram": "ram",
    **dict.fromkeys(
        """s_axilite ap_none ap_stable ap_vld ap_ovld ap_ack ap_hs ap_bus ap_ctrl_none ap_ctrl_hs ap_ctrl_chain
        ap_auto mode""".split(), "",  # noqa: SIM905
    ),
}  # fmt: skip
_FEW = 64
"""Elements of an array in a local struct that are registers without a directive."""
_LONGEST_BURST = 256
_PLAIN = frozenset(("off", "register", "type"))


def read_partition(found: Pragma, asked: DirectivesSoFar) -> None:
    """Read an ``array_partition`` or an ``array_reshape``."""
    found.check("variable", "type", "factor", "dim", "off", *_KINDS)
    names = sorted(name for name in found.arrays() if asked.arrays[name].shape)
    if not names and found.arrays():
        raise InputError(f"{found.name}: '{found.clauses['variable']}' is not an array", where=found.where)
    kind = found.clauses.get("type", "").lower() or next((each for each in _KINDS if each in found.clauses), "complete")
    if kind not in _KINDS:
        raise InputError(f"{found.name}: no type '{kind}'{did_you_mean(kind, _KINDS)}", where=found.where)
    for name in names if not found.flag("off") else ():
        both = asked.partitions.get(name)
        for one in _along(found, kind, asked.arrays[name], asked, found.chosen(asked.arrays[name])):
            both = one if both is None else _both(both, one, name, found, asked)
        assert both is not None
        asked.partitions[name] = _as_registers(both, asked.arrays[name].shape)


def _along(found: Pragma, kind: str, array: Array, asked: DirectivesSoFar, chosen: int) -> list[Partition]:
    """Return the partitions along the dimensions that are asked for; ``dim=0`` are all behind those ``chosen``."""
    dim = found.number("dim", 0) if "dim" in found.clauses else 1
    every = len(array.shape) - lanes_of(array)
    all_ = dim == 0 and (kind != "complete" or chosen > 0)
    dims = range(chosen + 1, every + 1) if all_ else (dim + chosen if dim else dim,)
    return [_one(found, kind, array, each, asked) for each in dims]


def _one(found: Pragma, kind: str, array: Array, dim: int | None, asked: DirectivesSoFar) -> Partition:
    shape, text = array.shape, found.clauses.get("dim", "1")
    if dim is None or dim > len(shape):
        words = f"'{found.clauses['variable']}' has no dimension {text} (1 to {len(shape)}, 0 for all)"
        raise InputError(f"{found.name}: {words}", where=found.where)
    factor, extent = found.number("factor"), shape[dim - 1] if dim else 0
    reshaped = found.name == "array_reshape"
    if kind == "complete":
        return Partition("complete", dim, extent, extent, words=reshaped)
    if factor is None:
        raise InputError(f"{found.name}: {kind} needs a factor", where=found.where)
    if factor > extent:
        words = f"factor {factor} is more than the {extent} elements of dimension {dim} of '{array.name}'"
        asked.ignore(found, f"{words}: each is in a memory of its own")
        return Partition("complete", dim, extent, extent, words=reshaped)
    return Partition("cyclic" if kind == "cyclic" else "block", dim, factor, extent, words=reshaped)


def _both(old: Partition, new: Partition, name: str, found: Pragma, asked: DirectivesSoFar) -> Partition:
    """Return a partition along several dimensions; of two along one dimension, that into more memories, and say so."""
    every = (replace(old, more=()), *old.more)
    if new in every or (old.registers and new.kind == "complete"):
        return old
    same = next((each for each in every if each.dim in (0, new.dim) or not new.dim), None)
    if same is None:
        return replace(old, more=(*old.more, new))
    most = new.dim == 0 or (not old.registers and new.banks > same.banks)
    first, *more = every if not most else (new,) if new.dim == 0 else (new if each == same else each for each in every)
    words = f"'{name}' is partitioned along dimension {new.dim} twice, by {same.factor} and by {new.factor}"
    asked.ignore(found, f"{words}: the one of more memories is taken")
    return replace(first, more=tuple(more))


def _as_registers(partition: Partition, shape: tuple[int, ...]) -> Partition:
    """Return one register for each element instead of a partition that is complete along every dimension."""
    complete = {each.dim for each in (partition, *partition.more) if each.kind == "complete"}
    whole = not partition.words and complete == set(range(1, len(shape) + 1))
    return Partition("complete", 0, prod(shape), 0) if whole else partition


def on_a_bus(partition: Partition, shape: tuple[int, ...]) -> Partition:
    """Return the partition of an argument behind buses, whose elements are no registers: each has a bus (R6.4)."""
    if not partition.registers:
        return partition
    first, *more = (Partition("complete", dim, extent, extent) for dim, extent in enumerate(shape, 1))
    return replace(first, more=tuple(more))


def partition_in_struct(array: Array, given: Partition | None) -> Partition | None:
    """Return how an array in a struct is kept with what a directive has ``given`` (R6.3), None for one memory.

    The lanes of a vector lie side by side in one word; a directive says which vectors are in one memory, and vectors
    that are in none are registers. The few elements of an array in a struct of its own are registers.
    """
    assert array.member is not None
    dims, lanes = len(array.shape), lanes_of(array)
    if not lanes:
        few = array.role == "local" and not array.static and prod(array.shape) <= _FEW
        few &= given is None and not is_block(array)
        return Partition("complete", 0, prod(array.shape), 0) if few else given
    if given is not None and given.registers:
        return given
    told = () if given is None else (replace(given, more=()), *given.more)
    complete = {each.dim for each in told if each.kind == "complete" and not each.words}
    if complete >= set(range(1, dims - lanes + 1)):
        return Partition("complete", 0, prod(array.shape), 0)
    words = (
        Partition("complete", dim, array.shape[dim - 1], array.shape[dim - 1], words=True)
        for dim in range(dims - lanes + 1, dims + 1)
        if all(each.dim != dim for each in told)
    )
    first, *more = (*told, *words)
    return replace(first, more=tuple(more))


def read_memory(found: Pragma, asked: DirectivesSoFar) -> None:
    """Read the memory of an array; ``core=RAM_1P_BRAM`` is the older form."""
    if not found.clauses.get("variable") and not found.strict:
        asked.ignore(found, f"{found.name} of no variable (variable=NAME)")
        return
    found.check("variable", "type", "impl", "latency", "core", "metadata", "uram")
    kind = found.clauses.get("type" if found.name == "bind_storage" else "core", "").lower()
    if found.name == "resource":
        kind = next((each for each in _MEMORIES if kind.startswith(each)), "")
        if not kind:
            return  # the core of an operator, or an old bus adapter
    if not kind and {"impl", "latency"} & found.clauses.keys():
        kind = "ram_2p"  # the material, or the latency, alone
    if kind not in _MEMORIES:
        raise InputError(f"bind_storage: no type '{kind}'{did_you_mean(kind, _MEMORIES)}", where=found.where)
    latency = found.number("latency", -1)
    for name in sorted(found.arrays()):
        storage = _MEMORIES[kind]
        if storage.kind == "fifo" and asked.arrays[name].role == "local":
            asked.ignore(found, "bind_storage type=fifo")
            continue
        if latency is not None and latency > 0:
            storage = replace(storage, latency=latency)
        if asked.arrays[name].role == "parameter" and storage.kind == "ram":
            storage = replace(storage, hint=True)
            rule = "from release 2023.2 of the tool on (rule R9.5 in ppnsim/hls/RULES.md)"
            asked.ignore(found, f"{found.name} on the argument '{name}', {rule}")
        _keep(asked, name, storage, found.where)


def read_interface(found: Pragma, asked: DirectivesSoFar) -> None:
    """Read the interface of an argument: a memory, a FIFO, or a bus."""
    mode = found.clauses.get("mode", "").lower() or next((each for each in _MODES if each in found.clauses), "")
    plain = found.clauses.keys() <= _PLAIN | {"port"}
    if plain and not mode:
        return  # registers at a port change no schedule here
    if mode not in _MODES:
        first = mode or next((each for each in found.clauses if each not in _PLAIN), "")
        raise InputError(f"interface: no mode '{first}'{did_you_mean(first, _MODES)}", where=found.where)
    port = found.clauses.get("port", "").lstrip("&")
    if not port:
        asked.ignore(found, f"interface {mode} of no port")
        return
    read_control(found, asked, mode, port)
    if port == "return" or not _MODES[mode]:
        return
    for name in sorted(found.arrays("port").union(*(v for k, v in found.names.items() if k.startswith(f"{port}.")))):
        array = asked.arrays[name]
        if array.stream or not array.shape:
            continue
        if asked.ports.setdefault(name, mode) != mode:
            raise InputError(f"conflicting pragmas: '{port}' is {asked.ports[name]} already", where=found.where)
        if (storage := _outside(found, _MODES[mode], asked)) is not None:
            _keep(asked, name, storage, found.where)


def _burst(found: Pragma, side: str, asked: DirectivesSoFar) -> int:
    """Return the beats of a burst; an argument of the function is not known when hardware is made of it."""
    clause = f"max_{side}_burst_length"
    text = found.clauses.get(clause, "")
    if text.isidentifier() and text in found.names and text not in found.values:
        asked.ignore(found, f"{clause}={text}, which is an argument and no constant: {BUS_BURST} beats are assumed")
        return BUS_BURST
    return found.number(clause) or BUS_BURST


def _outside(found: Pragma, kind: str, asked: DirectivesSoFar) -> Storage | None:
    """Return how an argument is kept by its interface (R6.4), None for a memory of the default kind."""
    if kind == "bus":
        given = found.number("latency", 0)
        latency = 1 + BUS_STATES + (BUS_LATENCIES["vitis"] if given is None else given)
        reads, writes = (_burst(found, side, asked) for side in ("read", "write"))
        for side, beats in (("read", reads), ("write", writes)):
            if beats > _LONGEST_BURST:
                words = f"max_{side}_burst_length = {beats} is more than the {_LONGEST_BURST} beats of an AXI burst"
                raise InputError(words, where=found.where)
        under_way = [found.number(f"num_{side}_outstanding") or BUS_OUTSTANDING for side in ("read", "write")]
        bundle = found.clauses.get("bundle") or "gmem"
        return Storage(
            "bus", latency, 1, unsaid=given is None, bundle=bundle, bursts=(reads, writes),
            outstanding=(under_way[0], under_way[1]),
        )  # fmt: skip
    if kind == "fifo":
        return Storage("fifo")
    memory = found.clauses.get("storage_type", "").lower()
    if memory and memory not in _MEMORIES:
        words = f"interface: no storage_type '{memory}'{did_you_mean(memory, _MEMORIES)}"
        raise InputError(words, where=found.where)
    return _MEMORIES.get(memory)


def settle_bursts(asked: DirectivesSoFar) -> None:
    """Put what an ``hls::burst_maxi`` is made of on a bus, also without a directive: it is nothing else."""
    for name, array in asked.arrays.items():
        if is_bus(array):
            latency = 1 + BUS_STATES + BUS_LATENCIES["vitis"]
            asked.storage.setdefault(name, Storage("bus", latency, 1, unsaid=True, bundle="gmem"))


def _keep(asked: DirectivesSoFar, name: str, storage: Storage, where: str) -> None:
    if asked.storage.setdefault(name, storage) != storage:
        raise InputError(f"conflicting pragmas: '{name}' is kept in two ways", where=where)
