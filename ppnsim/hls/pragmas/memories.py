"""A reader for directives that choose the memory of an array."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import inf

from ppnsim.errors import InputError, did_you_mean
from ppnsim.hls.pragmas.pragma import DirectivesSoFar, Pragma
from ppnsim.hls.pragmas.units import CORES, read_core
from ppnsim.hls.structure.partitions import RAM, Storage

MEMORIES = {
    "ram_1p": Storage(ports=1), "rom_1p": Storage(ports=1), "ram_2p": RAM, "ram_t2p": RAM, "rom_2p": RAM,
    "ram_s2p": Storage(ports=1, split=True), "ram_1wnr": Storage(ports=inf), "rom_np": Storage(ports=inf),
    "rom_nr": Storage(ports=inf), "fifo": Storage("fifo"),
}  # fmt: skip
MADE_OF = ("auto", "bram", "bram_ecc", "lutram", "memory", "srl", "uram", "uram_ecc")
_ANY = ("auto", "memory")


def read_memory(found: Pragma, asked: DirectivesSoFar) -> None:
    """Read the memory of an array; ``core=RAM_1P_BRAM`` is the older form of the directive."""
    if not found.clauses.get("variable") and not found.strict:
        asked.ignore(found, f"{found.name} of no variable (variable=NAME)")
        return
    found.check("variable", "type", "impl", "latency", "core", "metadata", "uram")
    kind = found.clauses.get("type" if found.name == "bind_storage" else "core", "").lower()
    if found.name == "resource" and ("core" in found.clauses or "latency" not in found.clauses):
        kind = next((each for each in MEMORIES if kind.startswith(each)), "")
        if not kind:
            core = found.clauses.get("core", "")
            if core.lower() in CORES:
                read_core(found, asked)
                return
            asked.ignore(found, f"resource core={core}: it is no memory, and operators are those of the device's table")
            return
    if not kind and {"impl", "latency"} & found.clauses.keys():
        kind = "ram_2p"  # only the implementation, or only the latency, is given
    if kind not in MEMORIES:
        raise InputError(f"bind_storage: no type '{kind}'{did_you_mean(kind, MEMORIES)}", where=found.where)
    latency = found.number("latency", -1)
    for words in _in_vain(found, kind, asked):
        asked.ignore(found, words)
    made = _made(found, kind)
    storage = replace(MEMORIES[kind], made="lutram" if made == "lutram" else "" if made in _ANY else "bram")
    for name in sorted(found.arrays()):
        if asked.arrays[name].shape and not asked.arrays[name].stream:
            _read_array(found, asked, name, storage, latency)


def _read_array(found: Pragma, asked: DirectivesSoFar, name: str, storage: Storage, latency: int | None) -> None:
    """Read the memory of one array."""
    if storage.kind == "fifo" and asked.arrays[name].role == "local":
        asked.ignore(found, "bind_storage type=fifo")
        return
    if latency is not None and latency > 0:
        storage = replace(storage, latency=latency)
    if asked.arrays[name].role == "parameter" and storage.kind == "ram":
        storage = replace(storage, hint=True)
        rule = "from release 2022.1 of the tool on (rule R9.5 in ppnsim/hls/RULES.md)"
        asked.ignore(found, f"{found.name} on the argument '{name}', {rule}")
    keep(asked, name, storage, found.where)


def _made(found: Pragma, kind: str) -> str:
    """Return the implementation of a memory that a directive asks for; raise InputError for an unknown one."""
    impl = found.clauses.get("impl", "auto").lower()
    if impl not in MADE_OF:
        raise InputError(f"{found.name}: no impl '{impl}'{did_you_mean(impl, MADE_OF)}", where=found.where)
    if found.name == "resource":
        impl = found.clauses.get("core", "").lower().removeprefix(kind).strip("_") or "auto"
    return impl


def _in_vain(found: Pragma, kind: str, asked: DirectivesSoFar) -> Iterator[str]:
    """Yield the parts of a memory directive that have no effect."""
    name, impl = found.clauses["variable"], _made(found, kind)
    if impl not in (*_ANY, "bram"):
        untimed = "" if impl == "lutram" else f", and {impl.upper()} has no times of its own"
        yield f"{found.name} impl={impl}: areas count block RAM{untimed}"
    if found.clauses.get("latency") == "0":
        yield f"{found.name} latency=0: a load takes a cycle at least"
    arrays = [asked.arrays[each] for each in sorted(found.arrays())]
    if arrays and not any(each.shape or each.stream for each in arrays):
        yield f"{found.name} of '{name}', which is not an array"
    if any(each.stream for each in arrays) and kind != "fifo":
        yield f"{found.name} type={kind} of the hls::stream '{name}', which is a FIFO"
    rewritten = {each.name for each in arrays if not each.initial} if kind.startswith("rom") else set()
    if rewritten and any(access.array in rewritten for each in asked.statements for access in each.writes):
        yield f"{found.name} type={kind} of '{name}', which is written: it is a RAM"


def keep(asked: DirectivesSoFar, name: str, storage: Storage, where: str) -> None:
    """Note the storage of an array; refuse two different ones."""
    if asked.storage.setdefault(name, storage) != storage:
        raise InputError(f"conflicting pragmas: '{name}' is kept in two ways", where=where)
