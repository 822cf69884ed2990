"""Arrays of structs that one memory holds, one struct in each word: arguments, and ``aggregate`` variables (R6.22)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ppnsim.hls.structure.lanes import is_bus, is_lanes
from ppnsim.hls.structure.partitions import Partition, Storage
from ppnsim.loops.program import Access, Array

SINCE = "2020.1"
"""The first release that keeps the structs of arguments together: Vitis HLS."""


@dataclass(frozen=True, slots=True)
class Aggregate:
    """The memory that holds a member of an array's structs, and the number of subscripts that choose its word.

    ``told``: a directive asks for it; without a directive it holds for arguments from release `SINCE` on.
    """

    memory: str
    dims: int
    told: bool


def aggregates_of(
    whole: Sequence[Array], parts: Sequence[Array], packed: Collection[str], apart: Collection[str],
    partitions: Mapping[str, Partition], storage: Mapping[str, Storage],
) -> dict[str, Aggregate]:  # fmt: skip
    """Return the arrays that are members of words.

    Parameters
    ----------
    whole : the arrays before their structs are split; ``parts`` are the arrays after that.
    packed, apart : arrays that directives aggregate and disaggregate.

    Examples
    --------
    >>> s = Array(name="s", shape=(8,), role="parameter", fields=(("x", "int", 32), ("y", "int", 32)))
    >>> parts = [Array(name=f"s.{each}", shape=(8,), role="parameter") for each in "xy"]
    >>> sorted(aggregates_of([s], parts, (), (), {}, {})), aggregates_of([s], parts, (), ("s.x", "s.y"), {}, {})
    (['s.x', 's.y'], {})
    """
    known = {array.name: array for array in whole}
    groups: dict[str, list[Array]] = {}
    for array in parts:
        if (owner := _owner(array, known)) is not None and array.shape and not array.stream:
            groups.setdefault(owner, []).append(array)
    return dict(
        pair for owner, members in groups.items()
        for pair in _group(known[owner], members, packed, apart, partitions, storage)
    )  # fmt: skip


def kept_together(
    aggregates: Mapping[str, Aggregate], release: str, registers: Collection[str]
) -> dict[str, Aggregate]:
    """Return the arrays that a release ("" for a recent one) keeps in words, without those in registers."""
    every = {name: each for name, each in aggregates.items() if each.told or not release or release >= SINCE}
    return {name: each for name, each in every.items() if name not in registers}


def _group(
    owner: Array, members: Sequence[Array], packed: Collection[str], apart: Collection[str],
    partitions: Mapping[str, Partition], storage: Mapping[str, Storage],
) -> Iterator[tuple[str, Aggregate]]:  # fmt: skip
    """Yield the members of an array of structs; nothing if no memory holds them together."""
    dims, names = len(owner.shape), {each.name for each in members}
    told = bool(names & set(packed))
    divided = {partitions.get(name) for name in names}
    divisions = [part for each in divided if each is not None for part in (each, *each.more)]
    # Different partitions of the members, or a partition of an array in them, keep the members apart.
    alike = len(divided) == 1 and not any(part.words or not 0 < part.dim <= dims for part in divisions)
    kinds = {storage[name].kind for name in names & storage.keys()}
    own = owner.role == "parameter" or told
    if dims and own and alike and kinds <= {"ram"} and not names & set(apart):
        yield from ((name, Aggregate(owner.name, dims, told)) for name in sorted(names))


def _owner(array: Array, known: Mapping[str, Array]) -> str | None:
    """Return the outermost array of structs that contains an array; None if no array of structs does."""
    if is_lanes(array) or is_bus(array):
        return None
    name = array.member[0] if array.member is not None else array.name.partition(".")[0]
    while (outer := known.get(name)) is not None and outer.member is not None:
        name = outer.member[0]
    return name if outer is not None and name != array.name and not is_lanes(outer) and not is_bus(outer) else None


def in_words(
    ports: Callable[[Access], tuple[str, ...]], aggregates: Mapping[str, Aggregate]
) -> Callable[[Access], tuple[str, ...]]:
    """Return a function that gives the memories whose ports an access takes: a member takes those of its word."""

    def of(access: Access) -> tuple[str, ...]:
        found = aggregates.get(access.array)
        names = ports(access)
        return names if found is None else tuple(found.memory + name[len(access.array) :] for name in names)

    return of if aggregates else ports
