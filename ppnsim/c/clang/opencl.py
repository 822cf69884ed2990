"""What OpenCL C has beyond C in clang's tree: address spaces, lanes of vectors, attributes, macros, errors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from ppnsim.c.clang.library import in_system
from ppnsim.c.clang.names import explained
from ppnsim.errors import did_you_mean

BITS = "ppnsim_bits"  # our header wraps as_float(x) and the like into a call of this
VECTOR = "EXTVECTOR"
_SPACE = re.compile(r"\b__(global|local|constant|private|generic)\b")
_LANES = re.compile(r"[xyzwrgba]{1,4}|[sS][0-9a-fA-F]{1,16}|lo|hi|even|odd")
_CHANNELS = re.compile(r"(read|write)_channel(_nb)?_(altera|intel)|(read|write)_pipe|(reserve|commit)_\w+_pipe")
_REFUSED = "channels and pipes tie kernels together, and the model looks at one kernel: pass the data through memory"


def near_miss(word: str, known: Iterable[str]) -> str:
    """Return the known word that may have been meant, "" if none is near (there are too many to list)."""
    told = did_you_mean(word, known)
    return told if "did you mean" in told else ""


def address_space(spelling: str) -> str:
    """Return the address space in the spelling of a type that is not a pointer, "" without one.

    Examples
    --------
    >>> address_space("const __global float"), address_space("int")
    ('global', '')
    """
    found = _SPACE.search(spelling)
    return found[1] if found else ""


def lanes(cursor: Any, inner: Any) -> str | None:
    """Return the named lanes of a vector (``xy``), None without any; "?" in a macro, which hides them."""
    own, vector = cursor.type.get_canonical(), inner.type.get_canonical()
    if vector.kind.name == "POINTER" and own.kind.name != "POINTER":
        vector = vector.get_pointee().get_canonical()  # p->xy
    if vector.kind.name != VECTOR or inner.spelling == BITS:
        return None
    if own.kind.name == VECTOR and own.element_count == vector.element_count:
        return None  # all lanes, in whatever order
    tokens = [token.spelling for token in cursor.get_tokens()]
    return tokens[-1] if tokens and _LANES.fullmatch(tokens[-1]) else "?"


def notes(cursor: Any) -> tuple[str, ...]:
    """Return the attributes of a function, ``kernel`` included, as our header makes them readable."""
    return tuple(str(each.spelling) for each in cursor.get_children() if each.kind.name == "ANNOTATE_ATTR")


def macros(root: Any) -> Iterator[tuple[str, str]]:
    """Yield the macros without parameters of a unit with their text, without those of system headers."""
    for cursor in root.get_children():
        if cursor.kind.name != "MACRO_DEFINITION" or in_system(cursor.location) or cursor.spelling.startswith("_"):
            continue
        tokens = list(cursor.get_tokens())
        called = len(tokens) > 1 and tokens[0].extent.end.offset == tokens[1].extent.start.offset
        if not (called and tokens[1].spelling == "("):
            yield str(cursor.spelling), " ".join(token.spelling for token in tokens[1:])


def explained_opencl(message: str, rest: str, functions: tuple[str, ...]) -> str:
    """Return what an error of clang means for the user of the model.

    ``rest`` is the source from the place of the error on; ``functions`` are those that the file defines.

    Examples
    --------
    >>> explained_opencl("use of undeclared identifier 'sqr'", "sqr(x);", ("sqrt", "f"))
    "function 'sqr' is neither in this file nor built into OpenCL C (did you mean 'sqrt'?)"
    """
    named = re.search(r"'(\w+)'", message)
    name = named[1] if named else ""
    if name == "channel" or _CHANNELS.fullmatch(name) or re.match(r"(read_only|write_only)\s+pipe\b", rest):
        return f"'{name}': {_REFUSED}"
    unknown = "undeclared identifier" in message and re.match(rf"{name}\s*\(", rest)
    if unknown or "implicit declaration of function" in message:
        return f"function '{name}' is neither in this file nor built into OpenCL C{near_miss(name, functions)}"
    if message.startswith("call to") and "ambiguous" in message:
        return f"the call of '{name}' fits several of its versions: convert the argument, such as (float)x or 1.0f"
    return explained(message).replace("not C that can be read", "not OpenCL C that can be read")
