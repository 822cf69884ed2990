"""The door: an OpenCL C source in, the kernel with its work items, and the design that the source asks for, out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import prod
from pathlib import Path

from ppnsim.c.clang.opencl import parse_opencl_c
from ppnsim.c.input_checks import deep_recursion
from ppnsim.c.pragmas.numbers import macro_values
from ppnsim.c.syntax import Function, TranslationUnit, Variable, refuse
from ppnsim.errors import InputError, did_you_mean
from ppnsim.loops.expressions import Affine
from ppnsim.opencl.design import Design
from ppnsim.opencl.kernel import Kernel
from ppnsim.opencl.reader.control.statements import execute, inlined
from ppnsim.opencl.reader.expressions.evaluate import evaluate, placed
from ppnsim.opencl.reader.hierarchy.access_patterns import AccessPatterns
from ppnsim.opencl.reader.hierarchy.builder import Naming
from ppnsim.opencl.reader.hints import Hints, ReaderOptions, argument_values, attribute, read_hints, work_sizes
from ppnsim.opencl.reader.machine import Semantics, SymbolicMachine
from ppnsim.opencl.reader.symbolic.atoms import ZERO
from ppnsim.opencl.reader.symbolic.values import NONE, AnyValue, MemoryObject, Pointer, Value


def load_opencl_c(
    path: str | Path, settings: Mapping[str, int] | None = None, source: ReaderOptions | None = None
) -> tuple[Kernel, Design]:
    """Return the kernel of an OpenCL C file, and what its attributes and pragmas ask for (SIMD, CU, UL).

    ``settings`` are values of scalar arguments, and of macros that the file does not define itself.

    Raises
    ------
    InputError
        If the file is not OpenCL C, or has something that the model does not follow; with its place.
    """
    asked, values = source or ReaderOptions(), dict(settings or {})
    with deep_recursion():
        unit = parse_opencl_c(str(path), asked.defines or {}, asked.include)
        function = _chosen(unit, asked.kernel)
        scalars = {each.name for each in function.parameters if each.type.kind == "integer"}
        macros = {name: value for name, value in values.items() if name not in scalars}
        if macros:
            defines = {**(asked.defines or {}), **{name: str(value) for name, value in macros.items()}}
            before, unit = unit, parse_opencl_c(str(path), defines, asked.include)
            function = _chosen(unit, asked.kernel)
            _check_macros(unit, before, macros, scalars)
        return _read(unit, function, {name: value for name, value in values.items() if name in scalars}, asked)


def _chosen(unit: TranslationUnit, name: str | None) -> Function:
    kernels = {each.name: each for each in unit.functions.values() if "kernel" in each.attributes and each.body}
    if not kernels:
        raise InputError("has no kernel: a kernel is a function with __kernel and a body", where=unit.file)
    if name is not None and name not in kernels:
        raise InputError(f"no kernel is called '{name}'{did_you_mean(name, kernels)}", where=unit.file)
    if name is None and len(kernels) > 1:
        raise InputError(f"holds {len(kernels)} kernels: choose one with --function ({', '.join(kernels)})")
    return kernels[name or next(iter(kernels))]


def _check_macros(unit: TranslationUnit, before: TranslationUnit, macros: Mapping[str, int], scalars: set[str]) -> None:
    """Refuse a value for a name that is not a macro of the file, or a macro that the file defines in any case."""
    numbers = macro_values({}, before.macros)
    for name, value in macros.items():
        used = name in before.macros or any(re.search(rf"\b{name}\b", text) for text in unit.sources.values())
        if not used:
            known = [*sorted(scalars), *(each for each in numbers if each in before.macros)]
            near = did_you_mean(name, known)
            raise InputError(f"there is no scalar argument and no macro '{name}'{near}", where=unit.file)
        if macro_values({}, unit.macros).get(name) != value:
            raise InputError(f"the file defines '{name}' itself: put #ifndef {name} around it", where=unit.file)


def _read(
    unit: TranslationUnit, function: Function, values: dict[str, int], asked: ReaderOptions
) -> tuple[Kernel, Design]:
    hints = Hints(read_hints(unit.sources), macro_values({}, unit.macros))
    before = [each.end for each in unit.functions.values() if each.body and each.end < function.position.line]
    mine = hints.between(max(before, default=0), function.position)
    values = {**argument_values(function, mine.get("argument"), hints), **values}
    hints.names |= values
    items = work_sizes(unit, function, hints, mine, asked)
    machine = SymbolicMachine(unit, items, hints, Semantics(evaluate, execute, inlined))
    for parameter in function.parameters:
        _bind(parameter, values, machine)
    for variable in unit.variables:
        if variable.type.kind == "integer" and variable.initial is not None:
            where = machine.memory_of(variable)
            machine.cells.known[where] = {(ZERO, (), variable.type.bits): machine.evaluate(variable.initial)}
    machine.calls.append(function.name)
    machine.results.append(MemoryObject("", "private", function.result))
    try:
        if function.body is not None:
            machine.execute(function.body.children, function.body.position.line)
        described = AccessPatterns(machine.atoms, items).described
        body = Naming(machine.builder.found, described, machine.loop_names).nodes(machine.builder.items)
    except InputError as error:  # of a work item: it divides by 0, or shifts too far
        raise placed(error, function.position) from None
    made = Kernel(name=function.name, work_items=items.items, body=body, vectorise=machine.vectorise)
    lanes, units = (prod(attribute(function, name, hints)) for name in ("num_simd_work_items", "num_compute_units"))
    loops = made.loops()
    unroll = {name: factor for name, factor in machine.unrolled.items() if name in loops}
    return made.checked(), Design(unroll=unroll, simd=lanes, units=units)


def _bind(parameter: Variable, values: Mapping[str, int], machine: SymbolicMachine) -> None:
    """Give a parameter of the kernel its value; every pointer gets a memory of its own."""
    name, of, memory = parameter.name, parameter.type, machine.memory_of(parameter)
    if of.kind == "array":
        return  # it is its own memory
    value: AnyValue
    if of.kind == "pointer" and of.element is not None:
        value = Pointer(MemoryObject(name, of.element.space or "global", of.element), ZERO)
    elif of.kind == "integer" and name in values:
        value = Value(whole=Affine.of(values[name]))
    elif of.kind == "integer":
        way_out = f"give --set {name}=N, or #pragma ppnsim argument({name} = N) before the kernel"
        value = Value(whole=machine.atoms.argument(name, f"argument '{name}' has no value ({way_out})"))
    elif of.kind in ("real", "vector", "struct"):
        value = machine.made(of, NONE, f"argument '{name}' is data")
    else:
        others = "images, samplers and pipes are not modelled; pass the data in global memory"
        refuse(parameter.position, f"argument '{name}' is of type {of.text}: {others}")
    machine.cells.known[memory] = {(ZERO, (), of.bits): value}
