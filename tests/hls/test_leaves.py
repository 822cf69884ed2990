"""The tasks with which a part of a region begins and ends, where regions stand in stages and stages in regions."""

from __future__ import annotations

from itertools import product

from ppnsim.hls.region.leaves import Leaf, common_part, first_leaves, last_leaves, leaves_of
from ppnsim.hls.region.model import Part, TaskCode, TaskRegion, TaskStages
from ppnsim.loops.program import Position

HERE = Position("k.cpp", 1, 1)


def _task(name: str) -> TaskCode:
    return TaskCode(name=name, position=HERE, body=())


def _drawn(depth: int, name: str = "t") -> list[Part]:
    """Return all parts of two parts each, down to a depth."""
    if not depth:
        return [_task(name)]
    halves = [_drawn(depth - 1, f"{name}{side}") for side in "ab"]
    return [kind(name, HERE, both) for kind in (TaskRegion, TaskStages) for both in product(*halves)]


def _ends(part: Part, *, first: bool) -> list[str]:
    """By definition: of stages those of the first or the last one, of a region those of all."""
    if isinstance(part, TaskCode):
        return [part.name]
    parts: tuple[Part, ...] = (
        part.parts if isinstance(part, TaskRegion) else part.parts[:1] if first else part.parts[-1:]
    )
    return [name for each in parts for name in _ends(each, first=first)]


def test_a_part_begins_with_the_first_of_its_stages_and_ends_with_the_last() -> None:
    for whole in _drawn(3):
        leaves = leaves_of(whole, frozenset())
        for one, other in product(leaves, leaves):
            if one is not other:
                place = common_part(one, other)
                part, number = other.trail[place]
                assert not isinstance(part, TaskCode)
                inside = part.parts[number]
                assert _names(first_leaves(leaves, place, other)) == _ends(inside, first=True)
                assert _names(last_leaves(leaves, place, other)) == _ends(inside, first=False)


def _names(leaves: list[Leaf]) -> list[str]:
    return [leaf.name.rpartition(".")[2] for leaf in leaves]
