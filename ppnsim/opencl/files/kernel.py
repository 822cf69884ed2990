"""OpenCL kernels from files: hierarchies of blocks, loops and branches in TOML, and sources in OpenCL C."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

from pydantic import Discriminator, Field, PlainValidator, Tag, model_validator

from ppnsim.boards.board import OpenclBoard
from ppnsim.boards.keys import OPENCL_TABLE
from ppnsim.errors import InputError
from ppnsim.formats import values
from ppnsim.formats.complaints import validated
from ppnsim.formats.quantities import Flag, number
from ppnsim.formats.schema import Keys, Names, Text, Whole
from ppnsim.opencl.design import Design
from ppnsim.opencl.files.amounts import Amount, Parameters, ParameterScope, TripCount
from ppnsim.opencl.files.board import changed_board, opencl_board
from ppnsim.opencl.kernel import Block, BlockStep, Kernel, KernelBranch, KernelLoop, KernelNode
from ppnsim.opencl.reader.hints import ReaderOptions
from ppnsim.opencl.reader.load import load_opencl_c

_KINDS = ("block", "loop", "branch")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class OpenclFile:
    """A kernel, the board that it is for, and the design that its source asks for."""

    kernel: Kernel
    board: OpenclBoard
    design: Design

    def __repr__(self) -> str:
        return f"<OpenclFile: kernel '{self.kernel.name}', {self.kernel.work_items:,} work items>"


def read(
    data: object, path: Path, *, settings: Mapping[str, int] | None = None, source: ReaderOptions | None = None
) -> OpenclFile:
    """Return what a file says: ``data`` of a hierarchy in TOML, None for OpenCL C, which clang reads.

    ``settings`` are values of parameters; ``source`` is asked of OpenCL C only.

    Raises
    ------
    InputError
        If the file breaks a rule, or a hierarchy is asked for what only a source has.
    """
    if data is None:
        kernel, design = load_opencl_c(path, settings, source)
        return OpenclFile(kernel=kernel, board=opencl_board(), design=design)
    if source is not None and source.given:
        options = "--function, --global, --local, -D and -I"
        raise InputError(f"{options} are for OpenCL C (.cl); a hierarchy has its parameters (--set)")
    kernel, board = parse_opencl(data, name=path.stem, settings=settings)
    return OpenclFile(kernel=kernel, board=board, design=Design())


def _name(value: object) -> str:
    if not isinstance(value, str) or not value.isprintable() or not value:
        raise values.rule("must be a name")
    return value


def _share(value: object) -> Fraction:
    if not 0 <= (share := number(value)) <= 1:
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
    def called(cls, path: Sequence[int | str], data: Any) -> str:
        """Return the kind and the name of the entry."""
        kind = _kind(data)
        name = data[kind] if kind else None
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


_WORDS = {"words": f"must be one of {', '.join(_KINDS)}, with its name"}
NodeKeys = Annotated[
    Annotated[BlockKeys, Tag("block")] | Annotated[LoopKeys, Tag("loop")] | Annotated[BranchKeys, Tag("branch")],
    Discriminator(_kind, custom_error_type="rule", custom_error_message="{words}", custom_error_context=_WORDS),
]
LoopKeys.model_rebuild()
BranchKeys.model_rebuild()


class OpenclToml(Keys):
    """A whole file. The parameters stand first, because amounts are counted with them."""

    name: Text | None = None
    parameters: Parameters = Field(default_factory=dict)
    work_items: Amount
    vectorise: Flag = True
    board: OPENCL_TABLE | None = None  # type: ignore[valid-type]
    body: list[NodeKeys]


def parse_opencl(
    data: object, *, name: str = "kernel", settings: Mapping[str, int] | None = None
) -> tuple[Kernel, OpenclBoard]:
    """Return the kernel and the board of decoded TOML, checked.

    Raises
    ------
    InputError
        With all faults of form at once, one line each, or with the first rule that the kernel or the board breaks.

    Examples
    --------
    >>> step = {"op": "load", "bytes": 4, "along": ["items"]}
    >>> kernel, _ = parse_opencl({"work_items": "N", "parameters": {"N": 128}, "body": [
    ...     {"loop": "k", "for": "k = 0; k < N; k += 4", "body": [{"block": "b", "step": {"a": step}}]}]})
    >>> kernel.work_items, kernel.loops()
    (128, {'k': 32})
    """
    parameters = data.get("parameters") if isinstance(data, dict) else None
    known = parameters if isinstance(parameters, dict) else {}
    for key in settings or {}:
        if key not in known:
            raise InputError(f"there is no parameter '{key}' (parameters: {', '.join(known) or 'none'})")
    file = validated(OpenclToml, data, context=ParameterScope(settings or {}))
    body = tuple(keys.node() for keys in file.body)
    kernel = Kernel(name=file.name or name, work_items=file.work_items, body=body, vectorise=file.vectorise)
    board: Any = file.board
    return kernel.checked(), changed_board({} if board is None else board.given())
