"""Rewritings of a loop program, step by step: what ``--unfold``, ``--cut``, ``--skew``, ... of the commands say."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ppnsim.derive.derive import with_streams
from ppnsim.errors import InputError
from ppnsim.loops.program import LoopProgram
from ppnsim.loops.rewrite.interchange import interchange
from ppnsim.loops.rewrite.merge import merge
from ppnsim.loops.rewrite.partition import cut, unfold
from ppnsim.loops.rewrite.skew import skew

STEPS = ("unfold", "cut", "skew", "interchange", "merge")
_PRODUCT = re.compile(r"(?P<minus>-)?(?:(?P<before>-?\d+)\*)?(?P<iterator>[A-Za-z_]\w*)(?:\*(?P<after>-?\d+))?")

Step = tuple[str, str]  # the rewriting and what it is given


def steps_of(words: Iterable[str]) -> list[Step]:
    """Return rewritings as they are written: the word of the command line, then what it is given.

    Raises
    ------
    InputError
        If a step does not begin with a rewriting.

    Examples
    --------
    >>> steps_of(["unfold tmp=4", "--cut y=2@j"])
    [('unfold', 'tmp=4'), ('cut', 'y=2@j')]
    """
    steps = []
    for each in words:
        name, _, given = each.strip().removeprefix("--").partition(" ")
        if name not in STEPS or not given:
            raise InputError(f"'{each}' is not a rewriting (like 'unfold tmp=4'; known: {', '.join(STEPS)})")
        steps.append((name, given.strip()))
    return steps


def rewritten(program: LoopProgram, steps: Iterable[Step], *, io: bool) -> tuple[LoopProgram, bool]:
    """Return the program rewritten step by step, and whether arrays still have to be streamed in and out.

    Streams are statements that can be rewritten too (``in_x``, ``out_y``), so they are put in first.
    """
    steps = list(steps)
    if not steps:
        return program, io
    program = with_streams(program) if io else program
    for name, option in steps:
        program = _apply(program, name, option)
    return program, False


def _apply(program: LoopProgram, name: str, option: str) -> LoopProgram:
    where = f"--{name} {option}"
    if name in ("unfold", "cut"):
        rest, _, iterator = option.partition("@")
        statement, equals, value = rest.partition("=")
        if not statement or (name == "unfold" and not equals):
            raise InputError(f"'{rest}' is not STMT=N", where=f"--{name}")
        number = _number(value, where) if equals else 2
        return (unfold if name == "unfold" else cut)(program, statement, number, iterator=iterator or None)
    if name == "merge":
        new, equals, names = option.rpartition("=")
        return merge(program, names.split(","), name=new if equals else None)
    statement, at, rest = option.rpartition("@")
    if name == "interchange":
        loops = rest.split(",")
        if not at or len(loops) != 2:
            raise InputError(f"'{option}' is not STMT@OUTER,INNER", where=f"--{name}")
        return interchange(program, statement, *loops)
    iterator, _, product = rest.partition("=")
    found = _PRODUCT.fullmatch(product.replace(" ", ""))
    if not at or found is None:
        raise InputError(f"'{option}' is not STMT@LOOP=N*OUTER", where=f"--{name}")
    factor = int(found["before"] or 1) * int(found["after"] or 1) * (-1 if found["minus"] else 1)
    return skew(program, statement, iterator, found["iterator"], factor)


def _number(text: str, where: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise InputError(f"'{text}' is not a whole number", where=where) from None
