"""Parses a file in OpenCL C into the tree of :mod:`ppnsim.c.syntax`: address spaces, vectors, attributes, macros."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ppnsim.c.clang.diagnostics import tree
from ppnsim.c.clang.library import in_system, opencl_arguments
from ppnsim.c.clang.parser import CursorReader
from ppnsim.c.clang.vendors import explained
from ppnsim.c.input_checks import check_source
from ppnsim.c.syntax import CType, Function, SyntaxNode, TranslationUnit
from ppnsim.errors import InputError, did_you_mean

_STANDARDS = ("CL2.0", "CL1.2")
_MACROS = 0x01  # lets clang keep macros in its tree
_DEFINED = re.compile(r"\b(\w+)\s*\([^;{}]*\)\s*\{")
BITS = "ppnsim_bits"  # the project's header wraps as_float(x) and similar functions into this call
VECTOR = "EXTVECTOR"
_SPACE = re.compile(r"\b__(global|local|constant|private|generic)\b")
_LANES = re.compile(r"[xyzwrgba]{1,4}|[sS][0-9a-fA-F]{1,16}|lo|hi|even|odd")
_CHANNELS = re.compile(r"(read|write)_channel(_nb)?_(altera|intel)|(read|write)_pipe|(reserve|commit)_\w+_pipe")
_REFUSED = "channels and pipes tie kernels together, and the model looks at one kernel: pass the data through memory"


def parse_opencl_c(path: str, defines: Mapping[str, str], include: Sequence[str]) -> TranslationUnit:
    """Return the functions and global variables of a file.

    It is read as OpenCL C 2.0; if that fails (a variable called ``pipe``), as 1.2.

    Raises
    ------
    InputError
        If there is no such file, or it is not OpenCL C.
    """
    check_source(path, defines, include, opencl=True)
    if not Path(path).is_file():
        raise InputError("no such file", where=path)
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise InputError("is not text that can be read (UTF-8)", where=path) from None
    given = [f"-D{name}={value}" for name, value in defines.items()] + [f"-I{folder}" for folder in include]

    def worded(found: Any) -> str:
        own = found.location.file is not None and found.location.file.name == path
        rest = text.encode()[found.location.offset :].decode(errors="replace") if own else ""
        return explained_opencl(found.spelling, rest, tuple(_DEFINED.findall(text)))

    wrong: InputError | None = None
    for standard in _STANDARDS:
        arguments = [*given, f"-I{Path(path).parent}", *opencl_arguments(standard), "-ferror-limit=0"]
        try:
            root = tree(path, arguments, _MACROS, worded).cursor
        except InputError as error:
            wrong = wrong or error
        else:
            return replace(_OpenclReader(path).unit(root), macros=dict(macros(root)))
    raise wrong or InputError("is not OpenCL C", where=path)


class _OpenclReader(CursorReader):
    """Extends the cursor reader by address spaces, vectors and attributes."""

    def type(self, given: Any, sizes: Sequence[Any]) -> CType:
        """Return a type with its address space; the address space of a pointer is that of its target."""
        real = given.get_canonical()
        space = "" if real.kind.name == "POINTER" else address_space(real.spelling)
        if real.kind.name == VECTOR:
            element, count = self.type(real.element_type, ()), int(real.element_count)
            bits, const = max(0, real.get_size()) * 8, real.is_const_qualified()
            return CType("vector", f"{element.text}{count}", bits, const, element, count, space=space)
        return replace(super().type(given, sizes), space=space)

    def function(self, cursor: Any) -> Function:
        """Return a function with its attributes, including ``kernel``; the project's header makes them visible."""
        notes = (str(each.spelling) for each in cursor.get_children() if each.kind.name == "ANNOTATE_ATTR")
        return replace(super().function(cursor), attributes=tuple(notes))

    def _node(self, cursor: Any) -> SyntaxNode:
        inner = list(cursor.get_children())
        if cursor.kind.name == "UNEXPOSED_STMT" and inner:
            return self.node(inner[-1])  # a loop with an attribute
        is_wrapped = cursor.kind.name == "UNEXPOSED_EXPR" and len(inner) == 1
        if is_wrapped and (named := lanes(cursor, inner[0])) is not None:
            vector = self.node(inner[0])
            if vector.type.kind == "pointer" and vector.type.element is not None:
                vector = replace(vector, kind="unary", text="*", type=vector.type.element, children=(vector,))
            return self._made(cursor, "lanes", [vector], text=named)
        return super()._node(cursor)


def near_miss(word: str, known: Iterable[str]) -> str:
    """Return a similar known word that may be meant, "" if there is none (there are too many to list)."""
    told = did_you_mean(word, known)
    return told if "did you mean" in told else ""


def address_space(spelling: str) -> str:
    """Return the address space in the spelling of a non-pointer type, "" without one.

    Examples
    --------
    >>> address_space("const __global float"), address_space("int")
    ('global', '')
    """
    found = _SPACE.search(spelling)
    return found[1] if found else ""


def lanes(cursor: Any, inner: Any) -> str | None:
    """Return the named lanes of a vector (``xy``), None without names; "?" in a macro, which hides them."""
    own, vector = cursor.type.get_canonical(), inner.type.get_canonical()
    if vector.kind.name == "POINTER" and own.kind.name != "POINTER":
        vector = vector.get_pointee().get_canonical()  # p->xy
    if vector.kind.name != VECTOR or inner.spelling == BITS:
        return None
    if own.kind.name == VECTOR and own.element_count == vector.element_count:
        return None  # all lanes, in any order
    tokens = [token.spelling for token in cursor.get_tokens()]
    return tokens[-1] if tokens and _LANES.fullmatch(tokens[-1]) else "?"


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
    """Return an explanation of clang's error for the user of the model.

    ``rest`` is the source from the position of the error on; ``functions`` are those that the file defines.

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
