"""Latency and initiation interval of statements from a TOML table."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, PlainValidator, model_validator

from ppnsim.derive.given import TimingFile
from ppnsim.formats import values
from ppnsim.formats.complaints import validated
from ppnsim.formats.schema import Keys

_CYCLES = values.whole_from(0)
_LISTED = values.listed(_CYCLES, "cycles")


def _latency(value: object) -> int | tuple[int, ...]:
    if value == []:
        raise values.rule("lists no latency")
    return _LISTED(value) if isinstance(value, list) else _CYCLES(value)


class TimingToml(Keys):
    """A whole file."""

    latency: dict[str, Annotated[int | tuple[int, ...], PlainValidator(_latency)]] = Field(default_factory=dict)
    ii: dict[str, Annotated[int, PlainValidator(values.whole_from(1))]] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _lists_are_of_one_statement(self) -> TimingToml:
        if isinstance(self.latency.get("*"), tuple):
            words = "latency.* is a list: one latency for each execution of one statement, not of all statements"
            raise values.sentence(words)
        return self


def read(data: object) -> TimingFile:
    """Return what the tables ``[latency]`` and ``[ii]`` of decoded TOML say.

    Raises
    ------
    InputError
        With all faults at once, one line each.

    Examples
    --------
    >>> read({"latency": {"*": 2, "foo": [3, 4]}, "ii": {"foo": 2}})
    TimingFile(latency={'*': 2, 'foo': (3, 4)}, ii={'foo': 2})
    """
    file = validated(TimingToml, data)
    return TimingFile(latency=file.latency, ii=file.ii)
