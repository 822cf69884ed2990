"""A mutant put into functions that are imported already: their code is exchanged, wherever they are referred to."""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from types import CodeType, FunctionType


def functions_by_file() -> dict[str, list[FunctionType]]:
    """Return all functions that there are, by the path of their file.

    Examples
    --------
    >>> gc.freeze()  # as the tests do when they are collected
    >>> exchange in functions_by_file()[exchange.__code__.co_filename]
    True
    """
    gc.unfreeze()  # what is frozen is not among the objects
    found = defaultdict[str, list[FunctionType]](list)
    for each in gc.get_objects():
        if type(each) is FunctionType:
            found[each.__code__.co_filename].append(each)
    return found


def exchange(functions: Sequence[FunctionType], file: str, before: str, after: str) -> bool:
    """Make the functions of an imported file those of another text; return whether that says all of the difference.

    It does not where a module or a class does something else when it is imported, or a function closes over other
    variables; nothing is exchanged then.

    Parameters
    ----------
    functions : of the file, all that there are.
    file : path under which the module was imported.
    before, after : its text then, and the one wanted.
    """
    new = {}
    for old, changed in _pairs(compile(before, file, "exec"), compile(after, file, "exec")):
        if old is None or changed is None or old.co_freevars != changed.co_freevars or old.co_name != changed.co_name:
            return False
        if not old.co_flags & _NEW_LOCALS and _own(old) != _own(changed):
            return False
        new[old] = changed
    known = [each for each in functions if each.__code__ in new]
    if len(known) < len(functions):
        return False
    for function in known:
        function.__code__ = new[function.__code__]
    return True


_NEW_LOCALS = 0x2  # of a function's code; that of a module or class has it not


def _pairs(old: CodeType | None, new: CodeType | None) -> Iterator[tuple[CodeType | None, CodeType | None]]:
    """Yield the code of two texts side by side, None where one has no more."""
    yield old, new
    if old is not None and new is not None:
        for pair in zip_longest(_inside(old), _inside(new)):
            yield from _pairs(*pair)


def _inside(code: CodeType) -> list[CodeType]:
    return [each for each in code.co_consts if isinstance(each, CodeType)]


def _own(code: CodeType) -> tuple[object, ...]:
    """Return what a module or class does by itself, its functions aside."""
    constants = tuple(repr(each) for each in code.co_consts if not isinstance(each, CodeType))
    return code.co_code, constants, code.co_names
