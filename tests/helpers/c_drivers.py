"""Compiles a kernel with a driver that gives it numbers and prints what it leaves behind, bit for bit."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from ppnsim.c.clang.parser import parse
from ppnsim.c.syntax import CType, Function, TranslationUnit

_LIBRARY = ("sqrt", "exp", "pow")  # what kernels declare of the C library
_HEAD = """
#include <stdint.h>
#include <stdio.h>
static uint64_t ppnsim_trace = 1;
static uint64_t ppnsim_state = 1;
/* Different numbers without end; the same ones in each run. */
static uint64_t ppnsim_next(void)
{
    ppnsim_state = ppnsim_state * 6364136223846793005u + 1442695040888963407u;
    return ppnsim_state >> 33;
}
static void ppnsim_print(const void *from, unsigned long bytes)
{
    for (unsigned long k = 0; k < bytes; k++)
        printf("%02x", ((const unsigned char *)from)[k]);
    printf("\\n");
}
"""


def run_kernel(
    source: Path,
    kernel: str,
    folder: Path,
    *,
    defines: Mapping[str, str],
    compiler: Sequence[str] = ("gcc",),
    unit: TranslationUnit | None = None,
) -> list[str]:
    """Return what a kernel of a file leaves in each of its parameters, in hexadecimal, and a trace of its calls.

    ``unit`` is a parsed file that declares the same functions, to parse it once for many files.
    """
    unit = unit or parse(str(source), defines, ())
    driver = folder / f"drive_{source.stem}{source.suffix}"
    opaque = [f for f in unit.functions.values() if f.body is None and f.name not in _LIBRARY and not f.system]
    text = _HEAD + f'#include "{source.resolve()}"\n' + "".join(map(_definition, opaque))
    driver.write_text(text + _main(unit.functions[kernel]), encoding="utf-8")
    options = ["-O1", "-w", "-ffp-contract=off", *(f"-D{name}={value}" for name, value in defines.items())]
    command = [*compiler, *options, str(driver), "-o", str(driver.with_suffix("")), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return subprocess.run([driver.with_suffix("")], capture_output=True, text=True, check=True).stdout.split()


def _definition(function: Function) -> str:
    """Return a body for a function that has none: all that it is given goes into the trace and into what it writes."""
    names = [f"p{number}" for number, _ in enumerate(function.parameters)]
    declared: list[str] = []
    lines: list[str] = []
    stars: dict[str, str] = {}
    for name, parameter in zip(names, function.parameters, strict=True):
        if parameter.type.kind == "pointer":
            assert parameter.type.element is not None
            sign = "&" if "&" in parameter.type.text else "*"
            stars[name] = "" if sign == "&" else "*"
            const = "const " if parameter.type.points_to_const else ""
            declared.append(f"{const}{parameter.type.element.text} {sign}{name}")
        else:
            declared.append(f"{parameter.type.text} {name}")
        if parameter.type.kind != "pointer" or parameter.type.points_to_const:
            value = stars.get(name, "") + name
            lines.append(f"    ppnsim_trace = ppnsim_trace * 31 + (uint64_t)(int64_t)({value});\n")
    lines.append(f"    ppnsim_trace = ppnsim_trace * 31 + {len(function.name)};\n")
    for name, parameter in zip(names, function.parameters, strict=True):
        if parameter.type.kind == "pointer" and not parameter.type.points_to_const:
            lines.append(f"    {stars[name]}{name} = ppnsim_trace % 1009;\n")
    if function.result.kind != "void":
        lines.append("    return ppnsim_trace % 1009;\n")
    return f"{function.result.text} {function.name}({', '.join(declared) or 'void'})\n{{\n{''.join(lines)}}}\n"


def _main(kernel: Function) -> str:
    """Return a main that calls a kernel with arrays of small numbers, large on the diagonal so that solvers work."""
    body, arguments, after = [], [], []
    for number, parameter in enumerate(kernel.parameters):
        name, of = f"argument{number}", parameter.type
        arguments.append(name)
        if of.kind == "pointer":
            assert of.element is not None
            reference = "&" in of.text
            of, arguments[-1] = of.element, name if reference else f"&{name}"
        base, sizes = _shape(of)
        body.append(f"    static {base.text} {name}{''.join(f'[{size}]' for size in sizes)};\n")
        body.append(_filled(name, base, sizes))
        after.append(f"    ppnsim_print(&{name}, sizeof {name});\n")
    result = f"{kernel.result.text} result = " if kernel.result.kind != "void" else ""
    if result:
        after.append("    ppnsim_print(&result, sizeof result);\n")
    after.append("    ppnsim_print(&ppnsim_trace, sizeof ppnsim_trace);\n")
    call = f"    {result}{kernel.name}({', '.join(arguments)});\n"
    return f"int main(void)\n{{\n{''.join(body)}{call}{''.join(after)}    return 0;\n}}\n"


def _shape(of: CType) -> tuple[CType, list[int]]:
    sizes = []
    while of.kind == "array":
        assert isinstance(of.size, int) and of.element is not None
        sizes.append(of.size)
        of = of.element
    return of, sizes


def _filled(name: str, base: CType, sizes: Sequence[int]) -> str:
    heads = "".join(f"for (int k{n} = 0; k{n} < {size}; k{n}++) " for n, size in enumerate(sizes))
    element = name + "".join(f"[k{n}]" for n in range(len(sizes)))
    if base.kind == "struct":
        return f"    {heads}{{ unsigned char *to = (unsigned char *)&{element};" + (
            f" for (unsigned k = 0; k < sizeof {element}; k++) to[k] = ppnsim_next() % 60; }}\n"
        )
    value = "ppnsim_next() % 4" if base.kind == "integer" else "1 + ppnsim_next() % 1000 / 1000.0"
    diagonal = " + (k0 == k1 ? 20 : 0)" if len(sizes) == 2 and base.kind == "real" else ""
    return f"    {heads}{element} = {value}{diagonal};\n"
