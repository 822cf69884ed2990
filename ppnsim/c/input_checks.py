"""Checks the input of the front-end: the name of the source, macros, and values of parameters."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from ppnsim.c.suffixes import SUFFIXES
from ppnsim.c.syntax import CType, Function, TranslationUnit
from ppnsim.errors import InputError, did_you_mean

SYNTHESIS = ("__SYNTHESIS__", "__HLS_SYN__", "AESL_SYN", "__VITIS_HLS__", "HLSLIB_SYNTHESIS")
"""Macros that the tools for high-level synthesis define, and the macro of hlslib (R9.43)."""
OF_VIVADO = "__VIVADO_HLS__"
"""The macro that only Vivado HLS defines, which does not define that of Vitis HLS."""
_MACRO = re.compile(r"[A-Za-z_]\w*(\([\w ,.]*\))?", re.ASCII)


def macros_of_tool(defines: Mapping[str, str]) -> dict[str, str]:
    """Return macros beside those that the tool defines itself; those of Vivado HLS if its macro is among them.

    Examples
    --------
    >>> sorted({"__VITIS_HLS__", "__VIVADO_HLS__", "N"} & macros_of_tool({"__VIVADO_HLS__": "1", "N": "8"}).keys())
    ['N', '__VIVADO_HLS__']
    """
    own = {name: "1" for name in SYNTHESIS if name != "__VITIS_HLS__" or OF_VIVADO not in defines}
    return {**own, **defines}


def check_source(path: str, defines: Mapping[str, str], include: Sequence[str] = (), *, opencl: bool = False) -> None:
    """Refuse a file name, macro or folder that clang would misread; a source is C, C++ or (``opencl``) OpenCL C."""
    language, suffixes = ("OpenCL C", (".cl",)) if opencl else ("C or C++", SUFFIXES)
    if Path(path).suffix not in suffixes or path.startswith("-"):
        raise InputError(f"is not the name of a {language} source (suffixes: {', '.join(suffixes)})", where=path)
    if not path.isprintable():
        raise InputError("has a name that is not text", where=path.encode(errors="backslashreplace").decode())
    if Path(path).is_dir():
        raise InputError("is a directory, not a file", where=path)
    if not isinstance(defines, Mapping):
        raise InputError(f"{defines!r} is not a dictionary of macros: write defines={{'N': '8'}}", where=path)
    for macro, text in defines.items():
        if not isinstance(text, str):
            raise InputError(f"macro '{macro}' is no text: write defines={{'{macro}': '{text}'}}", where=path)
        if not _MACRO.fullmatch(macro):
            raise InputError(f"'{macro}' is not the name of a macro (letters, digits and _)", where="-D")
    for folder in include:
        if not folder or not Path(folder).is_dir():
            raise InputError(f"there is no directory '{folder}'", where="-I")


def check_settings(unit: TranslationUnit, settings: Mapping[str, int]) -> None:
    """Refuse a setting without a parameter or global variable of its name, or with a value beyond its type."""
    parameters = [p for f in unit.functions.values() if f.body is not None for p in f.parameters]
    known: dict[str, list[CType]] = {}
    for variable in (*parameters, *unit.variables):
        if variable.type.kind == "integer":
            known.setdefault(variable.name, []).append(variable.type)
    for name, value in settings.items():
        if name not in known:
            problem = f"no integer parameter and no global variable is called '{name}'{did_you_mean(name, known)}"
            raise InputError(f"{problem}; a macro gets its value with -D {name}=..", where=unit.file)
        if not any(low <= value <= high for low, high in (each.limits for each in known[name])):
            of, (low, high) = known[name][0].text, known[name][0].limits
            raise InputError(f"'{name}' = {value}: a value of type '{of}' is from {low} to {high}", where=unit.file)


def settings_inside(unit: TranslationUnit, settings: Mapping[str, int], kernels: Sequence[Function]) -> Iterator[str]:
    """Yield a note for each setting that is neither a kernel's parameter nor global: it applies to another function."""
    outside = {each.name for each in (*unit.variables, *(p for kernel in kernels for p in kernel.parameters))}
    for name, value in settings.items():
        for each in unit.functions.values() if name not in outside else ():
            if each.body is not None and any(name == p.name for p in each.parameters):
                words = f"{each.position}: --set {name}={value} is for the parameter of '{each.name}', in each call"
                yield f"{words} whose argument is no number; '{kernels[0].name}' has no '{name}'"


def check_calls(unit: TranslationUnit, kernels: Sequence[Function]) -> None:
    """Refuse a C call with another number of arguments than parameters, which C allows without a prototype."""
    seen, waiting = set[str](), list(kernels) if Path(unit.file).suffix == ".c" else []
    while waiting:
        function = waiting.pop()
        if function.name in seen or function.system:
            continue
        seen.add(function.name)
        for node in function.walk():
            called = unit.functions.get(node.text) if node.kind == "call" else None
            if called is None or called.body is None:
                continue
            waiting.append(called)
            given, count = len(node.children), len(called.parameters)
            if not called.system and (given < count or (given > count and not called.prototype)):  # more: (f, ...)
                parameters = "1 parameter" if count == 1 else f"{count} parameters"
                words = f"'{node}' hands over {given or 'none'}, and '{node.text}' has {parameters}"
                raise InputError(f"{words} (line {called.position.line}): give it as many", where=str(node.position))


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Raise Python's recursion limit to the depth that trees of depth `clang.parser.DEEPEST` need."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 20_000))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
