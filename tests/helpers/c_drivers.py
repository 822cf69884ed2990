"""Compiles a kernel with a driver that gives it numbers and prints what it leaves behind, bit for bit."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

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


def run_kernels(
    sources: Sequence[Path],
    kernel: str,
    folder: Path,
    *,
    defines: Mapping[str, str],
    compiler: Sequence[str] = ("gcc",),
    unit: TranslationUnit | None = None,
) -> list[list[str]]:
    """Return what each file's kernel leaves in each of its parameters, in hexadecimal, and a trace of its calls.

    The files have the same functions, and several of them define nothing else: they become one program, since starting
    a compiler takes longer than what there is to compile. ``unit`` is one of them, parsed.
    """
    unit = unit or parse(str(sources[0]), defines, ())
    driver = folder / f"drive_{sources[0].stem}{sources[0].suffix}"
    opaque = [f for f in unit.functions.values() if f.body is None and f.name not in _LIBRARY and not f.system]
    own = [f.name for f in unit.functions.values() if f.body is not None and not f.system]
    named = [f"{kernel}_{number}" for number, _ in enumerate(sources)]
    texts = []
    for number, source in enumerate(sources):
        texts += [f"#define {name} {name}_{number}\n" for name in own]
        texts += [f'#include "{source.resolve()}"\n', *(f"#undef {name}\n" for name in own)]
    runs = "".join(_run(unit.functions[kernel], name) for name in named)
    main = f"int main(void)\n{{\n    {' '.join(f'run_{name}();' for name in named)}\n    return 0;\n}}\n"
    driver.write_text(_HEAD + "".join([*texts, *map(_definition, opaque), runs, main]), encoding="utf-8")
    options = ["-O0", "-w", "-ffp-contract=off", *(f"-D{name}={value}" for name, value in defines.items())]
    command = [*compiler, *options, str(driver), "-o", str(driver.with_suffix("")), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    printed = subprocess.run([driver.with_suffix("")], capture_output=True, text=True, check=True).stdout
    return [each.split() for each in printed.split("--\n")[1:]]


def run_kernel(source: Path, kernel: str, folder: Path, **options: Any) -> list[str]:
    """Return what the kernel of one file leaves behind; the options are those of `run_kernels`."""
    (told,) = run_kernels([source], kernel, folder, **options)
    return told


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


def _run(kernel: Function, alias: str) -> str:
    """Return a function that calls a kernel by another name with small numbers, large on the diagonal for solvers."""
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
    begin = '    ppnsim_trace = ppnsim_state = 1;\n    printf("--\\n");\n'
    call = f"    {result}{alias}({', '.join(arguments)});\n"
    return f"static void run_{alias}(void)\n{{\n{begin}{''.join(body)}{call}{''.join(after)}}}\n"


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
