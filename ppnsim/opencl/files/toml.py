"""OpenCL kernels in TOML: blocks of steps, loops and branches, and what is different about the board."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ppnsim.boards.board import OpenclBoard
from ppnsim.errors import InputError
from ppnsim.formats.small_json import entries, number, table, whole
from ppnsim.formats.values import shown
from ppnsim.opencl.block import Block, BlockStep
from ppnsim.opencl.files.board import changed_board
from ppnsim.opencl.files.trip_counts import amount, trip_count
from ppnsim.opencl.kernel import Kernel, KernelBranch, KernelLoop, KernelNode

_KEYS = ("name", "work_items", "vectorise", "parameters", "board", "body")
_LISTS = ("after", "along", "mended", "same")
_STEP = ("op", "bytes", "carried", "private", "reuse", "vector", *_LISTS)
_NODES = {
    "block": ("block", "step", "trip"),
    "loop": ("loop", "trip", "for", "body"),
    "branch": ("branch", "then", "else", "share"),
}


def parse_opencl(
    data: object, *, name: str = "kernel", settings: Mapping[str, int] | None = None
) -> tuple[Kernel, OpenclBoard]:
    """Return the kernel and the board of decoded TOML, checked.

    Raises
    ------
    InputError
        At the first fault, named by its key.

    Examples
    --------
    >>> step = {"op": "load", "bytes": 4, "along": ["items"]}
    >>> kernel, _ = parse_opencl({"work_items": "N", "parameters": {"N": 128}, "body": [
    ...     {"loop": "k", "for": "k = 0; k < N; k += 4", "body": [{"block": "b", "step": {"a": step}}]}]})
    >>> kernel.work_items, kernel.loops()
    (128, {'k': 32})
    """
    file = table(data, where="the file", needed=("work_items", "body"), known=_KEYS)
    given = file.get("parameters", {})
    if not isinstance(given, dict):
        raise InputError(f"parameters = {shown(given)} must be a table of whole numbers")
    values = {key: whole(value, where="parameters", name=key) for key, value in given.items()}
    for key in settings or {}:
        if key not in values:
            raise InputError(f"there is no parameter '{key}' (parameters: {', '.join(values) or 'none'})")
    values |= settings or {}
    called = file.get("name", name)
    if not isinstance(called, str) or not called.isprintable():
        raise InputError(f"name = {shown(called)} must be a text of printable characters")
    items = amount(file["work_items"], values, where="work_items")
    vectorise = file.get("vectorise", True)
    if not isinstance(vectorise, bool):
        raise InputError(f"vectorise = {shown(vectorise)} must be true or false")
    kernel = Kernel(name=called, work_items=items, body=_body(file["body"], "body", values), vectorise=vectorise)
    return kernel.checked(), changed_board(file.get("board", {}))


def _body(value: object, where: str, values: Mapping[str, int]) -> tuple[KernelNode, ...]:
    return tuple(_node(node, f"{where}[{place}]", values) for place, node in enumerate(entries(value, where=where)))


def _node(value: object, where: str, values: Mapping[str, int]) -> KernelNode:
    kinds = [kind for kind in _NODES if isinstance(value, dict) and kind in value]
    if len(kinds) != 1:
        raise InputError(f"must be one of {', '.join(_NODES)}, with its name", where=where)
    kind = kinds[0]
    node = table(value, where=where, needed=(kind,), known=_NODES[kind])
    name = node[kind]
    if not isinstance(name, str) or not name.isprintable() or not name:
        raise InputError(f"{kind} = {shown(name)} must be a name", where=where)
    where = f"{kind} '{name}'"
    if kind == "branch":
        share = Fraction(str(number(node.get("share", 0.5), where=where, name="share")))
        if not 0 <= share <= 1:
            raise InputError(f"share = {node['share']} is no share from 0 to 1", where=where)
        return KernelBranch(
            name=name, then=_body(node.get("then", []), f"{where}: then", values),
            otherwise=_body(node.get("else", []), f"{where}: else", values), share=share,
        )  # fmt: skip
    if kind == "loop":
        if ("trip" in node) == ("for" in node):
            raise InputError("give its trip count (trip) or its head (for), one of them", where=where)
        trip = amount(node["trip"], values, where=where) if "trip" in node else trip_count(node["for"], values, where)
        return KernelLoop(name=name, trip=trip, body=_body(node.get("body", []), f"{where}: body", values))
    steps = node.get("step", {})
    if not isinstance(steps, dict):
        raise InputError(f"step = {shown(steps)} must be a table of steps", where=where)
    trip = amount(node.get("trip", 1), values, where=where)
    return Block(name=name, steps=tuple(_step(key, step, where) for key, step in steps.items()), trip=trip)


def _step(name: str, value: object, where: str) -> BlockStep:
    where = f"{where}: step '{name}'"
    keys = table(value, where=where, needed=("op",), known=_STEP)
    made: dict[str, Any] = {}
    for key, each in keys.items():
        if key in _LISTS:
            texts = entries(each, where=f"{where}: {key}")
            if not all(isinstance(text, str) for text in texts):
                raise InputError(f"{key} = {shown(each)} must be a list of names", where=where)
            made[key] = tuple(texts)
        elif key == "op":
            made[key] = str(each)
        elif key in ("carried", "private"):
            if not isinstance(each, bool):
                raise InputError(f"{key} = {shown(each)} must be true or false", where=where)
            made[key] = each
        else:
            made[key] = whole(each, where=where, name=key)
    return BlockStep(name=name, **made)
