"""Inferred partitions: the tool partitions arrays without a directive, so that unrolled copies get ports (R9.3)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, prod

from ppnsim.hls.structure.locations import decided, distinct, iterators
from ppnsim.hls.structure.many_ports import MOST
from ppnsim.hls.structure.partitions import RAM, Partition, Storage, banks_of
from ppnsim.hls.structure.roles import PROMOTED
from ppnsim.hls.structure.trees import Pipeline, Serial, Tree, statements_of
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import DATA, Access, Array

PORTS = 2
FEW = 4
"""Number of elements from which on a local array is a memory (UG1399:
``config_array_partition -complete_threshold``)."""


@dataclass(frozen=True, slots=True)
class _Accesses:
    """The loads and stores of an array in an iteration of a pipelined loop; ``always`` are its unconditional stores."""

    loads: dict[Access, None]
    stores: dict[Access, None]
    always: dict[Access, None]

    def all(self) -> tuple[Access, ...]:
        return tuple({**self.loads, **self.stores})


def inferred(
    trees: Sequence[Tree], arrays: Sequence[Array], partitions: Mapping[str, Partition],
    storage: Mapping[str, Storage], *, asked: bool = False,
) -> dict[str, Partition]:  # fmt: skip
    """Return the partitions of local arrays along dimensions without a directive, joined with those of directives.

    For each pipelined loop with unrolled loops inside, an array gets so many memories that its accesses keep up with
    the accesses to arrays with fixed ports, starting with the last dimension. With ``asked``, only loops with a
    pipeline directive count, and only arrays that no directive partitions (R9.28).
    """
    memories = {array.name: array for array in arrays if _is_memory(array, storage.get(array.name, RAM))}
    factors: dict[str, dict[int, int]] = {}
    for pipeline in _pipelines(trees, asked=asked):
        if not (found := {name: each for name, each in _accesses(pipeline).items() if name in memories}):
            continue
        given = {*(partitions if asked else ()), *decided((*pipeline.before, *pipeline.steps, *pipeline.after))}
        free = [n for n, each in found.items() if n not in given and _free(memories[n], each, partitions.get(n))]
        period = _period(pipeline, {n: each for n, each in found.items() if n not in free}, partitions, storage)
        for name in (each for each in free if not _promoted(pipeline, found[each])):
            both = (*found[name].loads, *found[name].stores)
            most = max(Counter(map(banks_of((), partitions), both)).values())
            told = _told(partitions.get(name))
            _divide(factors.setdefault(name, {}), memories[name], found[name], ceil(most / PORTS / period), told)
    parts = {name: _partition(memories[name].shape, dims) for name, dims in factors.items() if dims}
    return {name: _joined(partitions.get(name), part) for name, part in parts.items()}


def small(
    arrays: Sequence[Array], partitions: Mapping[str, Partition], storage: Mapping[str, Storage]
) -> dict[str, Partition]:
    """Return the local arrays with so few elements that each element is a register (R9.26)."""
    local = (each for each in arrays if each.role == "local" and _is_memory(each, storage.get(each.name, RAM)))
    few = (each for each in local if each.name not in partitions and prod(each.shape) < FEW)
    return {each.name: Partition("complete", 0, prod(each.shape), 0) for each in few}


def numbered(
    trees: Sequence[Tree], arrays: Sequence[Array], partitions: Mapping[str, Partition], storage: Mapping[str, Storage]
) -> dict[str, Partition]:
    """Return local arrays with complete partitions along all dimensions that have only constant subscripts (R9.28)."""
    memories = {array.name: array for array in arrays if _is_memory(array, storage.get(array.name, RAM))}
    moved: dict[str, set[int]] = {}
    for statement in statements_of(trees):
        for access in (*statement.reads, *statement.writes):
            if (array := memories.get(access.array)) is not None:
                moved.setdefault(array.name, set()).update(_moved(access, array))
    found: dict[str, Partition] = {}
    for name, dims in moved.items():
        array = memories.get(name)
        if array is None or array.role != "local" or 0 in (told := _told(partitions.get(name))):
            continue
        factors = {dim: size for dim, size in enumerate(array.shape, 1) if dim not in dims | told and size > 1}
        if factors and dims:  # if no dimension moves, every element is a register (R6.3)
            found[name] = _joined(partitions.get(name), _partition(array.shape, factors))
    return found


def _moved(access: Access, array: Array) -> set[int]:
    """Return the dimensions in which an access moves, or data chooses: all, if it has no subscripts."""
    at = access.subscripts or (DATA,) * len(array.shape)
    return {dim for dim, each in enumerate(at, 1) if not each.is_constant}


def _is_memory(array: Array, kept: Storage) -> bool:
    return bool(array.shape) and not array.stream and kept.kind == "ram" and kept.ports != MOST


def _free(array: Array, accesses: _Accesses, partition: Partition | None) -> bool:
    """Return whether the tool may partition an array for a loop: a local array that no directive divides there."""
    return array.role == "local" and (partition is None or _open(partition, accesses))


def _told(partition: Partition | None) -> frozenset[int]:
    """Return the dimensions that a directive partitions."""
    return frozenset() if partition is None else frozenset(each.dim for each in (partition, *partition.more))


def _open(partition: Partition, accesses: _Accesses) -> bool:
    """Return whether a directive leaves out the dimension in which the unrolled copies differ."""
    told = _told(partition)
    dims = range(1, len(accesses.all()[0].subscripts) + 1)
    copies = [dim for dim in dims if _copies([access.subscripts[dim - 1] for access in accesses.all()]) > 1]
    return bool(copies) and 0 not in told and not told & set(copies)


def _joined(told: Partition | None, part: Partition) -> Partition:
    """Return an inferred partition joined with that of a directive."""
    return part if told is None else replace(told, more=(*told.more, replace(part, more=()), *part.more))


def _pipelines(trees: Sequence[Tree], *, asked: bool) -> Iterator[Pipeline]:
    for tree in trees:
        if isinstance(tree, Serial):
            yield from _pipelines(tree.body, asked=asked)
        elif isinstance(tree, Pipeline) and tree.unrolled and (tree.asked or not asked):
            yield tree


def _accesses(pipeline: Pipeline) -> dict[str, _Accesses]:
    found: defaultdict[str, _Accesses] = defaultdict(lambda: _Accesses({}, {}, {}))
    for step in distinct((*pipeline.before, *pipeline.steps, *pipeline.after)):
        for access in step.statement.reads:
            found[access.array].loads[access] = None
        for access in step.statement.writes:
            into = found[access.array]
            into.stores[access] = None
            if not step.conditions:
                into.always[access] = None
    return {name: each for name, each in found.items() if not any(access.random for access in each.all())}


def _period(
    pipeline: Pipeline, fixed: Mapping[str, _Accesses], partitions: Mapping[str, Partition],
    storage: Mapping[str, Storage],
) -> int:  # fmt: skip
    """Return the cycles of the accesses to fixed arrays; elements that the innermost loop does not move load once."""
    inner, most = pipeline.loops[-1].iterator, 1
    for name, accesses in fixed.items():
        moving = [each for each in (*accesses.loads, *accesses.stores) if inner in iterators(each)]
        if name in partitions and partitions[name].registers:
            continue
        ports = (storage[name].ports if name in storage else 0) or PORTS
        banks = Counter(map(banks_of(moving, partitions, pipeline.loops), moving))
        most = max(most, *(ceil(count / ports) for count in banks.values())) if banks else most
    return most


def _promoted(pipeline: Pipeline, accesses: _Accesses) -> bool:
    """Return whether all accesses go to a few sums that only the innermost loop does not move: they are registers."""
    names = [loop.iterator for loop in pipeline.loops[-2:]]
    still = all(
        names[-1] not in iterators(each) and (len(names) == 1 or names[0] in iterators(each)) for each in accesses.all()
    )
    return still and accesses.loads.keys() == accesses.always.keys() and len(accesses.loads) <= PROMOTED


def _divide(factors: dict[int, int], array: Array, accesses: _Accesses, memories: int, told: frozenset[int]) -> None:
    """Raise the partition factors of an array, in dimensions without a directive, to this number of memories."""
    along = {dim: [access.subscripts[dim - 1] for access in accesses.all()] for dim in range(len(array.shape), 0, -1)}
    for dim, subscripts in along.items():
        # Memories made for other loops help only as far as the accesses of this loop differ in that dimension.
        others = prod(min(factor, _copies(along[other])) for other, factor in factors.items() if other != dim)
        needed, copies = ceil(memories / others), _copies(subscripts)
        if copies < 2 or needed < 2 or dim in told:
            continue
        constant = all(each.is_constant for each in subscripts)
        factors[dim] = array.shape[dim - 1] if constant else max(factors.get(dim, 1), min(copies, needed))


def _copies(subscripts: Sequence[Affine]) -> int:
    """Return the largest number of subscripts that differ only by constants."""
    found: dict[object, set[int]] = {}
    for each in subscripts:
        found.setdefault(each.terms, set()).add(each.constant)
    return max(map(len, found.values()))


def _partition(shape: tuple[int, ...], factors: Mapping[int, int]) -> Partition:
    if all(factors.get(dim) == size for dim, size in enumerate(shape, 1)):
        return Partition("complete", 0, prod(shape), 0)
    parts = [
        Partition("complete" if factor == shape[dim - 1] else "cyclic", dim, factor, shape[dim - 1], inferred=True)
        for dim, factor in sorted(factors.items())
    ]
    return replace(parts[0], more=tuple(parts[1:]))
