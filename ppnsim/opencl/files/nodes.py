"""The keys of a kernel's body in TOML: blocks of steps, loops and branches."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any

from pydantic import Discriminator, Field, PlainValidator, Tag, model_validator

from ppnsim.formats import values
from ppnsim.formats.quantities import Flag, number
from ppnsim.formats.schema import Keys, Names, Text, Whole
from ppnsim.opencl.block import Block, BlockStep
from ppnsim.opencl.files.amounts import Amount, TripCount
from ppnsim.opencl.kernel import KernelBranch, KernelLoop, KernelNode

_KINDS = ("block", "loop", "branch")


def _name(value: object) -> str:
    if not isinstance(value, str) or not value.isprintable() or not value:
        raise values.rule("must be a name")
    return value


def _share(value: object) -> Fraction:
    share = number(value)
    if not 0 <= share <= 1:
        raise values.rule("must be a share from 0 to 1")
    return share


Name = Annotated[str, PlainValidator(_name)]


class StepKeys(Keys):
    """``[step.NAME]`` of a block."""

    op: Text
    after: Names = ()
    bytes: Whole = 0
    along: Names = ()
    carried: Flag = False
    reuse: Whole = 1
    mended: Names = ()
    private: Flag = False
    same: Names = ()
    vector: Whole = 1


class _Named(Keys):
    """An entry of a body: it is called by its kind and name."""

    @classmethod
    def called(cls, path: Sequence[int | str], data: object) -> str:
        """Return the kind and the name of the entry."""
        kind = _kind(data)
        name = data[kind] if isinstance(data, dict) and kind else None
        return f"{kind} '{name}'" if isinstance(name, str) and name.isprintable() else super().called(path, data)


class BlockKeys(_Named):
    """A basic block."""

    block: Name
    step: dict[Text, StepKeys] = Field(default_factory=dict)
    trip: Amount = 1

    def node(self) -> KernelNode:
        """Return the block."""
        steps = tuple(BlockStep(name=name, **keys.given()) for name, keys in self.step.items())
        return Block(name=self.block, steps=steps, trip=self.trip)


class LoopKeys(_Named):
    """A loop, with its trip count or its head, which is then executed."""

    loop: Name
    trip: Amount | None = None
    head: TripCount | None = Field(None, alias="for")
    body: list[NodeKeys] = Field(default_factory=list)

    @model_validator(mode="after")
    def _runs_so_often(self) -> LoopKeys:
        if (self.trip is None) == (self.head is None):
            raise values.sentence("give its trip count (trip) or its head (for), one of them")
        return self

    def node(self) -> KernelNode:
        """Return the loop."""
        trip = self.head if self.trip is None else self.trip
        assert trip is not None
        return KernelLoop(name=self.loop, trip=trip, body=tuple(keys.node() for keys in self.body))


class BranchKeys(_Named):
    """A branch; ``share`` of the work items take ``then``."""

    branch: Name
    then: list[NodeKeys] = Field(default_factory=list)
    otherwise: list[NodeKeys] = Field(default_factory=list, alias="else")
    share: Annotated[Fraction, PlainValidator(_share)] = Fraction(1, 2)

    def node(self) -> KernelNode:
        """Return the branch."""
        then, otherwise = (tuple(keys.node() for keys in side) for side in (self.then, self.otherwise))
        return KernelBranch(name=self.branch, then=then, otherwise=otherwise, share=self.share)


def _kind(data: Any) -> str | None:
    """Return the kind of an entry, None if it is not exactly one."""
    kinds = [kind for kind in _KINDS if isinstance(data, dict) and kind in data]
    return kinds[0] if len(kinds) == 1 else None


NodeKeys = Annotated[
    Annotated[BlockKeys, Tag("block")] | Annotated[LoopKeys, Tag("loop")] | Annotated[BranchKeys, Tag("branch")],
    Discriminator(
        _kind,
        custom_error_type="rule",
        custom_error_message="{words}",
        custom_error_context={"words": f"must be one of {', '.join(_KINDS)}, with its name"},
    ),
]
LoopKeys.model_rebuild()
BranchKeys.model_rebuild()
