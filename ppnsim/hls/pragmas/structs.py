"""A reader for directives that keep structs together or split them: ``aggregate``, ``disaggregate`` (R6.22)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ppnsim.hls.pragmas.pragma import DirectivesSoFar, Pragma
from ppnsim.hls.structure.aggregates import aggregates_of
from ppnsim.hls.structure.partitions import Storage
from ppnsim.loops.program import Array


def settle_structs(every: Iterable[Pragma], whole: Sequence[Array], asked: DirectivesSoFar) -> None:
    """Note the arrays of structs whose elements are words, by default or by directive; ``whole`` are not split."""
    packed, apart = set[str](), set[str]()
    for found in every:
        if found.name in ("aggregate", "data_pack", "disaggregate") and not found.nowhere and not found.unknown():
            (apart if found.name == "disaggregate" or found.flag("off") else packed).update(parts_of(found))
    slaves = {name: port for name, port in asked.slaves.items() if name not in asked.storage}
    shared = Counter(slaves.values())
    for name, port in slaves.items():  # R6.23
        asked.storage[name] = Storage(ports=1, bundle=port if shared[port] > 1 else "")
    apart.update(name for name, port in slaves.items() if shared[port] > 1)
    parts = list(asked.arrays.values())
    asked.aggregates |= aggregates_of(whole, parts, packed, apart, asked.partitions, asked.storage)


def parts_of(found: Pragma) -> set[str]:
    """Return the arrays into which the structs of a variable were split."""
    name = found.clauses.get("variable", "").strip('"')
    inner = {part for key, of in found.names.items() if name and key.startswith(f"{name}.") for part in of}
    return inner | set(found.names.get(name, ()))
