"""Boards for OpenCL kernels, by the name of a board or as a table ``[board]`` of a file changes one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import ConfigDict

from ppnsim.boards.board import OpenclBoard
from ppnsim.boards.files import find_board, load_board
from ppnsim.boards.keys import OPENCL_TABLE
from ppnsim.errors import InputError
from ppnsim.formats.complaints import validated
from ppnsim.formats.decode import load_toml
from ppnsim.formats.schema import Keys

_DEFAULT = "de5-net"  # the board of Wang et al.


def opencl_board(name: str = _DEFAULT, where: str = "board") -> OpenclBoard:
    """Return what OpenCL kernels find on a board.

    Raises
    ------
    InputError
        If there is no board of that name, or its table says nothing of OpenCL.

    Examples
    --------
    >>> opencl_board().banks, opencl_board().latency
    (2, 64)
    >>> opencl_board("zynq-7020")
    Traceback (most recent call last):
    ppnsim.errors.InputError: board: no OpenCL runs on 'xc7z020' (its table has no [opencl])
    """
    board = load_board(name, where)
    if board.opencl is None:
        raise InputError(f"no OpenCL runs on '{board.name}' (its table has no [opencl])", where=where)
    return board.opencl


class BoardToml(Keys):
    """A file of which only the table ``[board]`` counts."""

    model_config = ConfigDict(extra="ignore")

    board: OPENCL_TABLE  # type: ignore[valid-type]


def changed_board(given: Mapping[str, Any]) -> OpenclBoard:
    """Return the board of a table ``[board]``: what it changes of the one that it is ``like``.

    Raises
    ------
    InputError
        If no OpenCL could run on the board.

    Examples
    --------
    >>> changed_board({"banks": 4}).banks
    4
    """
    changes = {key: value for key, value in given.items() if key != "like"}
    return replace(opencl_board(given.get("like", _DEFAULT)), **changes).checked()


def load_opencl_board(name: str) -> OpenclBoard:
    """Return a board by its name, or the table ``[board]`` of a TOML file, which may hold a kernel too.

    Raises
    ------
    InputError
        If no board has that name, or the file cannot be read, has no table ``board``, or breaks a rule.
    """
    if find_board(name) is not None or Path(name).suffix != ".toml":
        return opencl_board(name, "--device")
    data = load_toml(name)
    try:
        board: Any = validated(BoardToml, data).board
        return changed_board(board.given())
    except InputError as error:
        raise InputError("\n".join(f"{name}: {line}" for line in str(error).split("\n"))) from None
