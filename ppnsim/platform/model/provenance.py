"""Where the parameters of a platform's parts come from: which there are, and how their provenance is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, fields
from types import MappingProxyType
from typing import Any

from ppnsim.errors import InputError, did_you_mean
from ppnsim.memory.model.dram import KEYS, Dram
from ppnsim.platform.model.nodes import BusDirection

ORIGINS = ("measured", "data sheet", "guess")  # how every provenance begins


def parameters_of(part: Any, called: Mapping[str, str] = MappingProxyType({})) -> list[str]:
    """Return the parameters of a part as files call them: ``clock``, ``write.delay``, ``timing.tRP``.

    A field whose name in files differs stands in the part's ``FILE_KEYS``, or else in ``called``.

    Examples
    --------
    >>> from ppnsim.platform.model.presets import src6
    >>> parameters_of(src6().networks[0])[:4]
    ['connects', 'latency', 'per_byte', 'overhead']
    """
    names = []
    for field in part_fields(part):
        value = getattr(part, field.name)
        if isinstance(value, BusDirection):
            names += [f"{field.name}.{each.name}" for each in fields(value)]
        elif isinstance(value, Dram):
            own = [each.name for each in fields(value) if each.name not in ("timing", "clock_ns")]
            names += ["clock", *(KEYS.get(name, name) for name in own)]
            names += ["timing", *(f"timing.{KEYS[each.name]}" for each in fields(value.timing))]
        elif field.name not in ("name", "provenance"):
            names.append(getattr(part, "FILE_KEYS", called).get(field.name, field.name))
    return names


def part_fields(part: Any) -> list[Field[Any]]:
    """Return the fields of a part that files hold: all, or those that its ``FILE_KEYS`` names, in that order."""
    found = {field.name: field for field in fields(part)}
    keys = getattr(part, "FILE_KEYS", None)
    return [found[name] for name in (*keys, "provenance")] if keys else list(found.values())


def check_provenance(part: Any, called: Mapping[str, str] = MappingProxyType({})) -> None:
    """Raise `InputError` if the provenance of a part is of no parameter, or does not say whether it was measured."""
    known = parameters_of(part, called) if part.provenance else ()
    for name, words in part.provenance.items():
        if name not in known:
            raise InputError(f"provenance: '{name}' is not a parameter{did_you_mean(name, known)}", where=part.where)
        if not words.startswith(ORIGINS):
            words = f"provenance of {name} = '{words}' must begin with {', '.join(ORIGINS)}"
            raise InputError(words, where=part.where)
