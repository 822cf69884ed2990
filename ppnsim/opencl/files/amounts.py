"""Amounts of kernels in TOML: numbers, or texts that are counted with the parameters of the file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, cast

from pydantic import PlainValidator, ValidationInfo

from ppnsim.errors import InputError
from ppnsim.formats import values
from ppnsim.opencl.files.trip_counts import amount, trip_count


@dataclass
class ParameterScope:
    """The parameters of a file while it is read; ``settings`` are those that the caller gives other values."""

    settings: Mapping[str, int]
    parameters: dict[str, int] = field(default_factory=dict)


def _parameters(value: object, info: ValidationInfo) -> dict[str, int]:
    scope = cast("ParameterScope", info.context)
    # One that is wrong has a value, too: the complaint about it is enough.
    scope.parameters |= dict.fromkeys(value, 1) if isinstance(value, dict) else {}
    scope.parameters |= values.whole_by_name(value)
    scope.parameters |= scope.settings
    return scope.parameters


def _counted(count: Callable[..., int]) -> PlainValidator:
    def check(value: object, info: ValidationInfo) -> int:
        try:
            return count(value, cast("ParameterScope", info.context).parameters, where="")
        except InputError as error:
            words, shown = str(error), f"{values.shown(value)} "
            raise values.rule(words.removeprefix(shown) if words.startswith(shown) else f"({words})") from None

    return PlainValidator(check)


Parameters = Annotated[dict[str, int], PlainValidator(_parameters)]
Amount = Annotated[int, _counted(amount)]
TripCount = Annotated[Any, _counted(trip_count)]
