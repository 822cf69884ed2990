"""A reader for directives on operators, their latency, parts and units, and on the modules of functions."""

from __future__ import annotations

from collections.abc import Iterator

from ppnsim.c.pragmas.numbers import number
from ppnsim.errors import InputError, did_you_mean
from ppnsim.hls.graph.functions import MATHS, function_name
from ppnsim.hls.graph.graph import ChosenOperator, Made
from ppnsim.hls.pragmas.directives import Modules
from ppnsim.hls.pragmas.pragma import DirectivesSoFar, Pragma
from ppnsim.loops.program import Operation, Statement

_OPERATORS = {
    "add": "add", "sub": "add", "mul": "mul", "div": "div", "udiv": "div", "sdiv": "div", "urem": "div", "srem": "div",
    "fadd": "add", "fsub": "add", "fmul": "mul", "fdiv": "div", "fsqrt": "sqrt", "fexp": "elementary",
    "flog": "elementary", "dadd": "add", "dsub": "add", "dmul": "mul", "ddiv": "div", "dsqrt": "sqrt",
    "dexp": "elementary", "dlog": "elementary",
}  # fmt: skip
_SIGNS = {"+": "add", "-": "add", "*": "mul", "/": "div", "%": "div"}
_REAL = {"float": "f", "double": "d", "half": "h"}
_MADE_OF = ("auto", "all", "dsp", "fabric", "fulldsp", "maxdsp", "meddsp", "primitivedsp")
_CHOICES: dict[tuple[str, str], Made] = {
    ("add", "dsp"): "dsp", ("sub", "dsp"): "dsp", ("mul", "dsp"): "dsp", ("mul", "fabric"): "fabric",
}  # fmt: skip
"""The implementations that are followed, by operator (R8.1)."""


def _operator(found: Pragma, clause: str) -> str:
    name = found.clauses.get(clause, "")
    if name.lower() not in _OPERATORS:
        words = f"{found.name}: no operator '{name}'{did_you_mean(name.lower(), _OPERATORS)}"
        raise InputError(words, where=found.where)
    return name.lower()


def read_allocation(found: Pragma, asked: DirectivesSoFar) -> None:
    """Read an ``allocation`` (R6.6): the most units of an operator, or the most modules of a function."""
    found.check("operation", "function", "core", "instances", "limit", "type")
    if (text := found.clauses.get("limit", "")) and number(text, found.values) is None and text.isidentifier():
        asked.ignore(found, f"allocation with a limit that is computed ('{text}')")
        return
    limit = found.number("limit")
    if limit is None:
        raise InputError("allocation needs a limit", where=found.where)
    if "function" in found.clauses or found.clauses.get("type", "").lower() == "function":
        _share_modules(found, found.clauses.get("instances", ""), limit, asked)
        return
    name = _operator(found, "instances")
    paths = [frame.path for frame in found.frames]
    inside = (each for each in asked.statements if any(each.path[: len(path)] == path for path in paths))
    if not any(_is(tree, name) for each in inside if each.value is not None for tree in each.value.walk()):
        asked.ignore(found, f"allocation of '{name}', which nothing in this function computes")
        return
    for frame in found.frames:  # each call of a template has its own numbers
        own = number(found.clauses["limit"], {**found.values, **dict(frame.values)})
        asked.limits[name, frame.path] = limit if own is None else own


def _share_modules(found: Pragma, name: str, limit: int, asked: DirectivesSoFar) -> None:
    """Give the calls of a function inside the directive's function as many modules as it allows, in turn (R6.6)."""
    called = {frame.position for frame in asked.frames if frame.path[-1] == name.partition("<")[0]}
    calls = 0
    for frame in found.frames:
        inside = [each for each in asked.frames if each.path[: len(frame.path)] == frame.path != each.path]
        paths = [each.path for each in inside if each.position in called]
        calls = max(calls, len(paths))
        asked.modules |= dict.fromkeys(paths, Modules(found.where, f"{'.'.join(frame.path)} {name}", limit))
    if not calls:
        asked.ignore(found, f"allocation of the function '{name}', which nothing in this function calls")


def read_bind_op(found: Pragma, asked: DirectivesSoFar) -> None:
    """Read a ``bind_op`` (R6.6): the latency of the operator that computes a variable, and its parts (R8.1)."""
    other = next((each for each in found.clauses if each not in ("variable", "op", "impl", "latency")), "")
    if other and not found.strict:
        words = "which is no clause of it: the tool warns (HLS 207-5569) and leaves the whole directive out"
        asked.ignore(found, f"bind_op with '{other}', {words}")
        return
    found.check("variable", "op", "impl", "latency")
    if not found.clauses.get("op"):
        asked.ignore(found, "bind_op of no operator (op=mul)")
        return
    impl = found.clauses.get("impl", "auto").lower()
    name = _operator(found, "op")
    if impl not in _MADE_OF:
        raise InputError(f"bind_op: no impl '{impl}'{did_you_mean(impl, _MADE_OF)}", where=found.where)
    if not found.clauses.get("variable"):
        asked.ignore(found, "bind_op of no variable (variable=NAME)")
        return
    _bind(found, asked, name, impl)


CORES = {
    "mul": ("mul", "auto"), "muls": ("mul", "auto"), "mulns": ("mul", "auto"), "mul_lut": ("mul", "fabric"),
    "dsp48": ("mul", "dsp"), "addsub": ("add", "auto"), "addsubns": ("add", "auto"), "addsub_dsp": ("add", "dsp"),
}  # fmt: skip
"""Operators and what they are made of, by the ``core`` of the older ``resource``."""


def read_core(found: Pragma, asked: DirectivesSoFar) -> None:
    """Read a ``resource`` of an operator, ``core=Mul_LUT``: the older form of ``bind_op``."""
    _bind(found, asked, *CORES[found.clauses["core"].lower()])


def _bind(found: Pragma, asked: DirectivesSoFar, name: str, impl: str) -> None:
    """Give the operator that computes a variable its latency, and what it is made of."""
    latency = found.number("latency", -1)
    timed = latency is not None and latency >= 0
    made = _CHOICES.get((name, impl), "")
    for words in _not_bound(found, asked, name, timed, impl):
        asked.ignore(found, words)
    for array in sorted(found.arrays()):
        if (timed or made) and any(_makes(each, array, name) for each in asked.statements):
            asked.bound[array] = ChosenOperator(_OPERATORS[name], latency if timed else None, made)


def _not_bound(found: Pragma, asked: DirectivesSoFar, name: str, timed: bool, impl: str) -> Iterator[str]:
    """Yield the parts of a directive on an operator that have no effect."""
    arrays = found.arrays()
    if not any(_makes(each, array, name) for array in arrays for each in asked.statements):
        words = f"{found.name} of '{found.clauses['variable']}', which no statement sets to the result of '{name}'"
        if any(_computes(each, array, name) for array in arrays for each in asked.statements):
            words += " itself: give that result a variable of its own"
        yield words
    elif impl not in ("auto", "all") and (name, impl) not in _CHOICES:
        yield f"{found.name} impl={impl}: what an operator is made of is said by the table of the device"
    elif not timed and (name, impl) not in _CHOICES:
        yield f"{found.name} without a latency"


def _makes(statement: Statement, array: str, name: str) -> bool:
    """Return whether an operator computes the value that a statement writes, also shifted or converted."""
    tree = statement.value
    while tree is not None and tree.kind in ("cast", "+x", "<<", ">>"):
        tree = tree.operands[0]
    return tree is not None and any(each.array == array for each in statement.writes) and _is(tree, name)


def _computes(statement: Statement, array: str, name: str) -> bool:
    trees = statement.value.walk() if statement.value is not None else ()
    return any(each.array == array for each in statement.writes) and any(_is(tree, name) for tree in trees)


def _is(tree: Operation, name: str) -> bool:
    """Return whether an operation has the tool's operator name: ``fadd`` and ``dadd`` are floating point."""
    kind = MATHS.get(function_name(tree), "") if tree.kind == "call" else _SIGNS.get(tree.kind, "")
    if kind != _OPERATORS[name]:
        return False
    real = _REAL.get(tree.type, "")
    return real in ("f", "h") if name in _OF_FLOAT else real == "d" if name in _OF_DOUBLE else not real


_OF_FLOAT = frozenset(f"f{each}" for each in ("add", "sub", "mul", "div", "sqrt", "exp", "log"))
_OF_DOUBLE = frozenset(f"d{each}" for each in ("add", "sub", "mul", "div", "sqrt", "exp", "log"))
