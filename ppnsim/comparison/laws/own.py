"""A user's own model: a function of the parameters in a Python file, or any function in Python."""

from __future__ import annotations

import dis
import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stdout
from fractions import Fraction
from itertools import pairwise
from math import isfinite
from numbers import Real
from pathlib import Path
from types import ModuleType
from typing import Any

from ppnsim.comparison.laws.case import KINDS, Case, Number, PredictionModel
from ppnsim.errors import InputError, did_you_mean

_GIVEN = "--vary gives it a value if the source has it (of C also --set and -D)"
_SCHEDULED = "of a kernel in C the schedule is compared where --model lost is asked, too"
_LISTED = 200  # characters of the names that are known
_CALLABLE = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def model_in_file(text: str, kind: str) -> PredictionModel:
    """Return the model in a Python file, ``FILE.py`` with one public function or ``FILE.py:FUNCTION``.

    The file is executed. The first paragraph of the function's docstring is taken for what it assumes; a function
    without one takes that of the file.

    Raises
    ------
    InputError
        If the file cannot be read or executed, or has no such function.
    """
    path, _, wanted = text.partition(":")
    where = f"--model {text}"
    module = _executed(path, where)
    known = {
        name: value
        for name, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == module.__name__ and not name.startswith("_")
    }
    if wanted and wanted not in known:
        listed = did_you_mean(wanted, known) or ", nor any other"
        raise InputError(f"has no function '{wanted}'{listed}", where=where)
    if not wanted and len(known) != 1:
        listed = f"{len(known)} functions ({', '.join(known)})" if known else "no function"
        raise InputError(f"has {listed}: a model is one function, chosen as {path}:FUNCTION", where=where)
    function = known[wanted or next(iter(known))]
    return own_model(function, kind, name=wanted or Path(path).stem, where=where, says=inspect.getdoc(module) or "")


def own_model(
    function: Callable[..., Any], kind: str, *, name: str = "", where: str = "model", says: str = ""
) -> PredictionModel:
    """Return a function as a model.

    Its parameters are those of the sweep and of ``--set``, a dot in their names written as ``_`` (``c.depth`` is
    ``c_depth``), what else the source says (``p_ii`` of a network, ``node_map_count`` of a platform, macros of C that
    are numbers), and the thing itself by the name of its kind (``network``, ``platform``, ``kernel``, ...). It returns
    a number from 0 on, in the unit of what is simulated. What it assumes is the first paragraph of its docstring, or
    of ``says`` if it has none.

    Examples
    --------
    >>> model = own_model(lambda n, c_depth: 2 * n + c_depth, "network", name="mine")
    >>> model.predict(Case(values={"n": 4, "c.depth": 2}, held=None))
    10
    """
    if inspect.iscoroutinefunction(function):
        words = f"'{function.__name__}' is an async function: a model is one that returns its number"
        raise InputError(words, where=where)
    said = inspect.getdoc(function) or says
    return PredictionModel(
        name=name or getattr(function, "__name__", "model").replace("<lambda>", "model"), takes=(kind,),
        assumes=" ".join(said.split("\n\n")[0].split()) or "not said (a docstring of the function or its file can)",
        predict=lambda case: _number(function, _arguments(function, case, kind, where), case, where), own=True,
    )  # fmt: skip


def _executed(path: str, where: str) -> ModuleType:
    try:
        source = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = "no such file" if isinstance(error, FileNotFoundError) else str(error)
        raise InputError(reason, where=where) from None
    module = ModuleType(re.sub(r"\W", "_", Path(path).stem) + "_model")
    module.__file__ = path
    try:
        with redirect_stdout(sys.stderr):  # standard output is for results
            exec(compile(source, path, "exec"), vars(module))
    except (Exception, SystemExit) as error:  # a user's file may raise anything
        raise InputError(f"cannot be executed: {_fault(error, path)}", where=where) from None
    return module


def _arguments(function: Callable[..., Any], case: Case, kind: str, where: str) -> dict[str, Any]:
    """Return what the function asks for by name."""
    known = {**_spelt(case.settings), **_spelt(case.values), kind: case.held}
    if case.series:
        known["series"] = case.series
    parameters = inspect.signature(function).parameters.values()
    if any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters):
        return known
    given = {}
    for each in parameters:
        if each.kind in _CALLABLE and each.name in known:
            given[each.name] = known[each.name]
        elif each.default is inspect.Parameter.empty and each.kind is not inspect.Parameter.VAR_POSITIONAL:
            close = did_you_mean(each.name, known)
            near = close if "did you mean" in close else ""
            told = ", ".join(dict.fromkeys([*_spelt(case.values), kind, *_spelt(case.settings)]))
            listed = told if len(told) <= _LISTED else f"{told[:_LISTED].rpartition(', ')[0]}, ..."
            lacks = f"asks for '{each.name}', which neither varies nor is set{near} (known here: {listed})"
            way = f"; {_GIVEN}, else give it a default in the function"
            if each.name in KINDS:
                lacks = f"asks for '{each.name}', but what is compared here is {KINDS[kind]} (known here: {listed})"
                way = f"; {_SCHEDULED}" if each.name == "schedule" else ""
            raise InputError(lacks + way, where=where)
    return given


def _spelt(values: Mapping[str, Any]) -> dict[str, Any]:
    return {re.sub(r"\W", "_", name): value for name, value in values.items()}


def _number(function: Callable[..., Any], arguments: dict[str, Any], case: Case, where: str) -> Number | None:
    try:
        with redirect_stdout(sys.stderr):  # standard output is for results
            found = function(**arguments)
    except (Exception, SystemExit) as error:  # a user's function may raise anything, also by asking this package
        path = inspect.getsourcefile(function) or function.__code__.co_filename
        raise InputError(f"at {case.name}: {_fault(error, path)}", where=where) from None
    if found is None and _never_returns(function):
        words = "has no answer at any point: it returns no number (end it with 'return' and one)"
        raise InputError(words, where=where)
    if found is None:
        return None
    if isinstance(found, bool) or not isinstance(found, Real | Fraction) or not _is_finite(found):
        raise InputError(
            f"at {case.name}: returns {_shown(found)}, which is not a number (a model returns one, or None)",
            where=where,
        )
    if found < 0:
        raise InputError(f"at {case.name}: returns {found}, below 0, which nothing that is simulated is", where=where)
    return found if isinstance(found, int | Fraction) else float(found)


def _never_returns(function: Callable[..., Any]) -> bool:
    """Return whether a function has no ``return`` with a value: it has then no answer anywhere, as by an oversight."""
    code = getattr(function, "__code__", None)
    steps = [*dis.get_instructions(code)] if code is not None else []
    ends = [
        before for before, step in pairwise(steps) if step.opname == "RETURN_VALUE"
    ]  # and, from Python 3.12 on, RETURN_CONST
    values = [before.argval if before.opname == "LOAD_CONST" else before for before in ends]
    values += [step.argval for step in steps if step.opname == "RETURN_CONST"]
    return bool(values) and not any(value is not None for value in values)


def _is_finite(number: Real | Fraction) -> bool:
    try:
        return isfinite(number)
    except OverflowError:  # a whole number beyond all floating-point ones
        return False


def _shown(found: object) -> str:
    if isinstance(found, int) and not isinstance(found, bool):
        return f"a whole number of {found.bit_length()} bits"
    return repr(found)


def _fault(error: BaseException, path: str) -> str:
    """Return an exception of a user's code with the last line of it."""
    lines = list(_lines(error, path))
    line = f"line {lines[-1]}: " if lines else ""
    if isinstance(error, SyntaxError):
        line = f"line {error.lineno}: "
    kind = "" if isinstance(error, InputError) else f"{type(error).__name__}: "
    return f"{line}{kind}{error.msg if isinstance(error, SyntaxError) else error}"


def _lines(error: BaseException, path: str) -> Iterator[int]:
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            yield trace.tb_lineno
        trace = trace.tb_next
