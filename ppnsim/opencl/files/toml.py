"""OpenCL kernels in TOML: blocks of steps, loops and branches, and what is different about the board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from ppnsim.boards.board import OpenclBoard
from ppnsim.boards.keys import OPENCL_TABLE
from ppnsim.errors import InputError
from ppnsim.formats.complaints import validated
from ppnsim.formats.quantities import Flag
from ppnsim.formats.schema import Keys, Text
from ppnsim.opencl.files.amounts import Amount, Parameters, ParameterScope
from ppnsim.opencl.files.board import changed_board
from ppnsim.opencl.files.nodes import NodeKeys
from ppnsim.opencl.kernel import Kernel


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
    kernel = Kernel(
        name=file.name or name, work_items=file.work_items, body=tuple(keys.node() for keys in file.body),
        vectorise=file.vectorise,
    )  # fmt: skip
    board: Any = file.board
    return kernel.checked(), changed_board({} if board is None else board.given())
