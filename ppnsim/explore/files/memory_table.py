"""Tables of memory blocks from TOML: what `ppnsim size --cost fpga` prices FIFOs by."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import PlainValidator, model_validator

from ppnsim.explore.fifo.cost import MemoryBlocks, MemoryTable
from ppnsim.formats import values
from ppnsim.formats.complaints import validated
from ppnsim.formats.schema import Keys, Text

_POSITIVE = values.whole_from(1)
_SHAPES = values.listed(values.listed(_POSITIVE, "[depth, width]", length=2), "[depth, width]")
Positive = Annotated[int, PlainValidator(_POSITIVE)]


class MemoryBlocksKeys(Keys):
    """``[[memory]]``."""

    name: Text
    shapes: Annotated[tuple[Any, ...], PlainValidator(_SHAPES)]
    bits: Positive
    max_depth: Positive | None = None
    max_bits: Positive | None = None


class MemoryTableToml(Keys):
    """A whole file."""

    memory: list[MemoryBlocksKeys]

    @model_validator(mode="after")
    def _the_last_takes_all(self) -> MemoryTableToml:
        """Refuse a table that leaves some FIFOs without memory, or some memory without FIFOs."""
        if not self.memory:
            raise values.sentence("there is no [[memory]]")
        *others, last = self.memory
        if last.max_depth or last.max_bits:
            raise values.sentence(f"memory '{last.name}': the last one takes every FIFO, without max_depth or max_bits")
        for each in others:
            if not (each.max_depth or each.max_bits):
                raise values.sentence(f"memory '{each.name}': all but the last one need max_depth or max_bits")
        return self


def read(data: object) -> MemoryTable:
    """Return the ``[[memory]]`` tables of decoded TOML, checked, in their order.

    Each has ``name``, ``shapes`` (a list of ``[depth, width]`` of one block), ``bits`` (the cost of a block), and
    ``max_depth`` or ``max_bits`` (it takes FIFOs up to this depth or up to so many bits), which the last one lacks.

    Raises
    ------
    InputError
        With all faults at once, one line each.

    Examples
    --------
    >>> read({"memory": [{"name": "M20K", "bits": 20480, "shapes": [[512, 40]]}]})
    MemoryTable(memories=(MemoryBlocks(name='M20K', shapes=((512, 40),), bits=20480, max_depth=None, max_bits=None),))
    """
    return MemoryTable(tuple(MemoryBlocks(**dict(each)) for each in validated(MemoryTableToml, data).memory))
