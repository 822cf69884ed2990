"""How a kernel is launched: work sizes and values of arguments, by options, pragmas and attributes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ppnsim.c.syntax import Function, TranslationUnit, refuse
from ppnsim.errors import InputError, did_you_mean
from ppnsim.formats.values import LARGEST
from ppnsim.opencl.reader.hints import Hint, Hints, sizes_of
from ppnsim.opencl.reader.symbolic.ndrange import ITEM_FUNCTIONS, NDRange


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderOptions:
    """Which kernel of a source is read, and how it is launched.

    Attributes
    ----------
    kernel : name of the kernel, needed if the source has several.
    sizes, groups : global and local work size; empty if the source gives them.
    defines, include : macros and folders of headers.
    """

    kernel: str | None = None
    sizes: tuple[int, ...] = ()
    groups: tuple[int, ...] = ()
    defines: Mapping[str, str] | None = None
    include: Sequence[str] = ()

    @property
    def given(self) -> bool:
        """Whether any option is given."""
        return bool(self.kernel or self.sizes or self.groups or self.defines or self.include)


def argument_values(function: Function, hint: Hint | None, hints: Hints) -> dict[str, int]:
    """Return the values of ``#pragma ppnsim argument(n = 1024, m = 16)``."""
    scalars = [each.name for each in function.parameters if each.type.kind == "integer"]
    values: dict[str, int] = {}
    for part in hint.text.split(",") if hint is not None else ():
        name, equals, text = (each.strip() for each in part.partition("="))
        if hint is None or not equals or name not in scalars:
            where = hint.where if hint else ""
            raise InputError(f"argument({part.strip()}) is not NAME = N{did_you_mean(name, scalars)}", where=where)
        values[name] = hints.amount(text, f"{hint.where}: argument", least=-LARGEST)
        hints.names[name] = values[name]
    return values


def work_sizes(
    unit: TranslationUnit, function: Function, hints: Hints, mine: Mapping[str, Hint], asked: ReaderOptions
) -> NDRange:
    """Return the work sizes by options, else by pragmas and attributes; 1 if the kernel never asks for its number."""
    sizes = asked.sizes or (hints.numbers(mine["global_size"]) if "global_size" in mine else ())
    required = attribute(function, "reqd_work_group_size", hints)
    groups = asked.groups or required or (hints.numbers(mine["local_size"]) if "local_size" in mine else ())
    if required and tuple(groups) + (1,) * (3 - len(groups)) != required + (1,) * (3 - len(required)):
        message = f"reqd_work_group_size asks for {' x '.join(map(str, required))}"
        raise InputError(f"the work group is {' x '.join(map(str, groups))}, but {message}", where=unit.file)
    if not sizes and _asks(unit, function):
        way_out = "give --global N[,N[,N]], or #pragma ppnsim global_size(N) before the kernel"
        refuse(function.position, f"the number of work items of '{function.name}' is not given: {way_out}")
    try:
        return NDRange(tuple(sizes or (1,)), tuple(groups) or None).checked()
    except InputError as error:
        raise InputError(str(error), where=unit.file) from None


def _asks(unit: TranslationUnit, function: Function) -> bool:
    """Return whether a kernel or a function that it may call asks for the number of the work item."""
    bodies = [each.body for each in unit.functions.values() if each is function or "kernel" not in each.attributes]
    return any(n.kind == "call" and n.spelled in ITEM_FUNCTIONS for body in bodies if body for n in body.walk())


def attribute(function: Function, name: str, hints: Hints) -> tuple[int, ...]:
    """Return the numbers of an attribute of a kernel, () without it."""
    text = next((each.removeprefix(name) for each in function.attributes if each.startswith(f"{name} ")), None)
    if text is None:
        return ()
    return sizes_of([hints.amount(each, f"{function.position}: {name}") for each in text.split(",")], name)
