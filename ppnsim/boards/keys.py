"""What a table of a board or a device may hold; every value is checked as `formats` checks those of all files."""

from __future__ import annotations

from dataclasses import MISSING, fields
from fractions import Fraction
from typing import Annotated, Any, cast

from pydantic import PlainValidator, create_model

from ppnsim.boards.board import Board, BoardMemory, HostLink, LogicTiming, OpenclBoard, OperatorEntry
from ppnsim.errors import did_you_mean
from ppnsim.formats import values
from ppnsim.formats.complaints import validated
from ppnsim.formats.quantities import Flag, Hertz, Provenance
from ppnsim.formats.schema import Keys, Names, Text, Wholes

_FAMILIES = ("integer", "fixed", "half", "float", "double")
_count = values.whole_from(0)


def amount(value: object, *, at: str = "") -> float:
    """Return a number from 0 on, as it is written: 165 stays a whole number."""
    values.measure(value, at=at)
    return cast("float", value)


def ratio(value: object, *, at: str = "") -> Fraction:
    """Return an exact number: 0.1 is a tenth, and "1/7" a seventh.

    Examples
    --------
    >>> ratio(0.1), ratio("1/7")
    (Fraction(1, 10), Fraction(1, 7))
    """
    try:
        return Fraction(value if isinstance(value, str) else str(amount(value, at=at)))
    except (ValueError, ZeroDivisionError):
        raise values.rule("must be a number, or a ratio like '1/7'", at=at, value=value) from None


def _costs(value: object) -> dict[str, tuple[int, ...]]:
    if not isinstance(value, dict):
        raise values.rule("must be a table of resources by instruction")
    return {name: _amounts(each, at=f".{name}") for name, each in value.items()}


def _family(value: object, *, at: str = "") -> str:
    if value not in _FAMILIES:
        hint = did_you_mean(value if isinstance(value, str) else "", _FAMILIES)
        raise values.rule(f"is not a family of number formats{hint}", at=at, value=value)
    return str(value)


_amounts = values.listed(_count, "[logic, memory blocks, DSP blocks]", length=3)
_shares = values.listed(ratio, "[logic, memory blocks, DSP blocks]", length=3)
_FORMS = values.listed(amount, "ns, states and those of faster forms")
_READ: dict[str, Any] = {
    "int": Annotated[int, PlainValidator(_count)],
    "float": Annotated[float, PlainValidator(amount)],
    "bool": Flag,
    "str": Text,
    "Fraction": Annotated[Fraction, PlainValidator(ratio)],
    "Fraction | None": Hertz,
    "Amounts": Annotated[Any, PlainValidator(_amounts)],
    "tuple[Fraction, Fraction, Fraction]": Annotated[Any, PlainValidator(_shares)],
    "tuple[str, ...]": Names,
    "tuple[int, ...]": Annotated[Any, PlainValidator(values.listed(_count, "whole numbers"))],
    "tuple[tuple[float, ...], ...]": Annotated[
        Any, PlainValidator(values.listed(_FORMS, "[ns, states, faster forms]"))
    ],
    "Mapping[str, str]": Provenance,
    "Mapping[str, int]": Wholes,
    "Mapping[str, Amounts]": Annotated[Any, PlainValidator(_costs)],
}  # what reads a field, by its type as the class writes it


def _keys(*kinds: type, without: tuple[str, ...] = (), whole: bool = True, **more: Any) -> type[Keys]:
    """Return the keys that fill the fields of some classes; ``whole`` requires those that have no default."""
    made: dict[str, Any] = {}
    for kind in kinds:
        for each in fields(kind):
            needed = whole and each.default is MISSING and each.default_factory is MISSING
            if each.name not in without:
                made[each.name] = (_READ[str(each.type)], ... if needed else None)
    return create_model(f"{kinds[0].__name__}Keys", __base__=Keys, **(made | more))


_SECTIONS = (
    "counted",
    "timing",
    "operators",
    "memories",
    "opencl",
    "host",
)  # of a board, in tables of their own
_DEVICE = _keys(Board, LogicTiming, without=_SECTIONS, whole=False, like=(Text, None))
_OPERATOR = _keys(OperatorEntry, types=(Annotated[Any, PlainValidator(values.listed(_family, "families"))], ...))
_MEMORY = _keys(BoardMemory, without=("name",))
_OPENCL = _keys(OpenclBoard, whole=False)
_TABLE = create_model(
    "BoardKeys", __base__=Keys, device=(_DEVICE, _DEVICE()), resources=(Wholes, {}),
    operator=(list[_OPERATOR], []), memory=(dict[str, _MEMORY], {}), opencl=(_OPENCL, _OPENCL()),  # type: ignore[valid-type]
    host=(_keys(HostLink), None),
)  # fmt: skip
OPENCL_TABLE = _keys(OpenclBoard, whole=False, like=(Text, None))
"""``[board]`` in a file of OpenCL."""


def checked_table(data: object) -> dict[str, Any]:
    """Return a table: ``[device]``, ``[resources]``, ``[[operator]]``, ``[memory.NAME]``, ``[opencl]``, ``[host]``.

    Keys that it does not give are left out.

    Raises
    ------
    InputError
        With all faults of the table.
    """
    found: Any = validated(_TABLE, data)
    return {
        "device": found.device.given(),
        "resources": found.resources,
        "operator": [each.given() for each in found.operator],
        "memory": {name: each.given() for name, each in found.memory.items()},
        "opencl": found.opencl.given(),
        "host": found.host and found.host.given(),
    }
