"""Partitions that the tool makes without a directive, so that the copies of an unrolled loop get ports (R9.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ppnsim.hls.structure.partitions import Partition
from ppnsim.hls.structure.trees import Pipeline, Serial, Tree
from ppnsim.loops.expressions import Affine
from ppnsim.loops.program import Access, Array


def inferred(trees: Sequence[Tree], arrays: Sequence[Array], known: Mapping[str, object]) -> dict[str, Partition]:
    """Return the partitions of the local arrays that are not ``known``: complete along each unrolled subscript.

    A subscript is unrolled if copies of a pipelined loop's statements use it with several constants.
    """
    local = {
        array.name: array for array in arrays
        if array.role == "local" and array.shape and not array.stream and array.name not in known
    }  # fmt: skip
    dims: dict[str, set[int]] = {}
    for pipeline in _pipelines(trees):
        for name, accesses in _accesses(pipeline, local).items():
            for dim in range(len(local[name].shape)):
                if _differ([access.subscripts[dim] for access in accesses]):
                    dims.setdefault(name, set()).add(dim + 1)
    found = {}
    for name, those in dims.items():
        shape = local[name].shape
        first, *more = (Partition("complete", dim, shape[dim - 1], shape[dim - 1]) for dim in sorted(those))
        found[name] = replace(first, more=tuple(more))
    return found


def _pipelines(trees: Sequence[Tree]) -> Iterator[Pipeline]:
    for tree in trees:
        if isinstance(tree, Serial):
            yield from _pipelines(tree.body)
        elif isinstance(tree, Pipeline) and tree.unrolled and tree.asked:
            yield tree


def _accesses(pipeline: Pipeline, local: Mapping[str, Array]) -> dict[str, list[Access]]:
    found: dict[str, dict[Access, None]] = {}
    for step in (*pipeline.before, *pipeline.steps, *pipeline.after):
        for access in (*step.statement.reads, *step.statement.writes):
            if access.array in local and not access.random:
                found.setdefault(access.array, {})[access] = None
    return {name: list(accesses) for name, accesses in found.items()}


def _differ(subscripts: Sequence[Affine]) -> bool:
    """Return whether subscripts with the same iterators have several constants."""
    constants: dict[object, int] = {}
    return any(constants.setdefault(each.terms, each.constant) != each.constant for each in subscripts)
