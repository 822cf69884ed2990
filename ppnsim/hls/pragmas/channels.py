"""A reader for directives on FIFOs and on arrays between tasks: depths, copies, and arrays that become FIFOs."""

from __future__ import annotations

from math import prod

from ppnsim.errors import InputError
from ppnsim.hls.pragmas.pragma import DirectivesSoFar, Pragma

_CHANNELS = ("fifo", "pipo", "shared", "unsync")


def _check_fifo(found: Pragma, asked: DirectivesSoFar, kind: str, name: str) -> None:
    """Note a channel type that an ``hls::stream`` cannot have."""
    if kind not in ("", "fifo"):
        asked.ignore(found, f"stream type={kind} of the hls::stream '{name}', which is a FIFO")


def read_stream(found: Pragma, asked: DirectivesSoFar) -> None:
    """Read the depth of a FIFO, or how an array between tasks is handed on.

    The array is handed on in copies (``type=pipo depth=3``, ``type=shared``) or, if it is accessed in order, as a FIFO
    (R7.5). The FIFO has as many slots as the array has elements, unless the directive gives a depth.
    """
    found.check("variable", "depth", "dim", "off", "type", *_CHANNELS)
    kind = found.one_of("type", _CHANNELS)
    streams = any(asked.arrays[name].stream for name in found.arrays())
    if streams and not {"depth", "off"} & found.clauses.keys() and not kind:
        asked.ignore(found, f"stream of '{found.clauses.get('variable', '')}' without a depth or a type")
    if kind in ("pipo", "shared") or found.flag("off"):
        asked.whole |= dict.fromkeys(found.arrays(), found.where if found.flag("off") else "")
    for name in sorted(found.arrays()):
        _read_channel(found, asked, name, kind, found.of_call(name).number("depth"))


def _read_channel(found: Pragma, asked: DirectivesSoFar, name: str, kind: str, depth: int | None) -> None:
    """Read the channel of one array or stream between tasks."""
    array = asked.arrays[name]
    if array.stream:
        table, value = asked.depths, depth
        _check_fifo(found, asked, kind, name)
    elif kind in ("pipo", "shared") and array.role == "local":
        table, value = asked.copies, depth or (1 if kind == "shared" else None)
    else:
        if array.role == "local" and array.shape and kind in ("", "fifo") and not found.flag("off"):
            asked.streamed[name] = (depth or prod(array.shape), found.where)
        elif not found.flag("off"):
            asked.ignore(found, "stream of an array")
        return
    if value is None or (before := table.setdefault(name, value)) == value:
        return
    if array.stream and not found.names_itself(name):
        # The functions at both ends of a FIFO may state a depth; the vendor does not document which depth counts.
        table[name] = max(before, value)
        asked.ignore(found, f"stream depth={value} beside depth={before} of '{name}': the larger one is assumed")
    else:
        words = f"conflicting pragmas: two depths of '{name}', {table[name]} before and {value} here; keep one of them"
        raise InputError(words, where=found.where)
