"""Parses a file with clang, turns clang's errors into ppnsim's, and adds headers that other compilers include."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from clang import cindex  # type: ignore[import-untyped]

from ppnsim.c.clang import build_macros, nearby
from ppnsim.c.clang.library import UNWRITTEN, foreign, in_system, position
from ppnsim.c.clang.own_names import overloaded, separated
from ppnsim.c.clang.rewritten_sources import GEOMETRY, rewritten
from ppnsim.c.clang.vendors import explained, remedy
from ppnsim.errors import InputError

KEEP_GOING = 0x200  # without this flag, clang reports nothing more after a missing header
SKIPPED = cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD  # keeps the ranges that the preprocessor skips
_TWICE = re.compile(r"(.+?\.(?:h|hpp|hh|hxx)):\d+:\d+: not C that can be read: (?:typedef )?redefinition ")
_REDEFINED = re.compile(r"'(\w+)' macro redefined")
# Messages about undeclared names, by the header that declares the names.
_ASSUMED = {
    "cstdint": re.compile(r"named 'u?int(8|16|32|64)_t' in namespace 'std'"),
    "cstddef": re.compile(r"named 'size_t' in namespace 'std'"),
    "stdint.h": re.compile(r"'u?int(8|16|32|64)_t'"), "assert.h": re.compile(r"'assert' is not declared"),
    "sys/types.h": re.compile(r"'(uint|ushort|ulong|u_char)'"),  # stdlib.h of Linux declares them too
    "math.h": re.compile(
        r"'((exp|log)(2|10|1p|m1)?|pow|sqrt|cbrt|hypot|a?(sin|cos|tan)h?|atan2|fabs|floor|ceil|fm(od|ax|in|a)|fdim|"
        r"(l?l?r(ound|int))|trunc|nearbyint|rem(ainder|quo)|copysign|ldexp|scalbl?n|frexp|modf|erfc?|[tl]gamma|"
        r"M_PI)f?' is not declared"
    ),
    "iostream": re.compile(r"'(cout|cerr|clog|endl)' (is not declared|in namespace 'std')|named '(cout|cerr|endl)' in"),
    "sys/param.h": re.compile(r"'(MAX|MIN)' is not declared"),
    "stdio.h": re.compile(r"'(f|s|sn)?printf' is not declared"),
    "string.h": re.compile(r"'mem(cpy|set)' is not declared"),
    "stddef.h": re.compile(r"'size_t'|'NULL' is not declared"),
    "ap_utils.h": re.compile(r"'ap_wait(_n|_until)?' is not declared"),
    "ap_axi_sdata.h": re.compile(r"'ap_axi[su]' is not declared"),
    "utils/x_hls_utils.h": re.compile(
        r"'reg' is not declared; #include|'fp_struct' is not declared|named 'numeric_limits' in namespace 'hls'"
    ),
    "ppnsim_bit_width.h": re.compile(r"no template named '\w*BitWidth'"),
    "initializer_list": re.compile(r"std::initializer_list was not found"),
    "array": re.compile(r"named 'array' in namespace 'std'|'std' is not declared"),
    "sstream": re.compile(r"undefined template 'std::basic_[io]?stringstream"),
    "fstream": re.compile(r"undefined template 'std::basic_[io]?fstream"),
    "complex": re.compile(r"named 'complex' in namespace 'std'"),
    "limits": re.compile(r"named 'numeric_limits' in namespace 'std'"),
    "algorithm": re.compile(r"named '(min|max|swap|fill|copy|clamp)' in namespace 'std'"),
    "tuple": re.compile(r"named '(tuple|tie|make_tuple)' in namespace 'std'"),
    "utility": re.compile(r"named '(pair|make_pair|move)' in namespace 'std'"),
    "type_traits": re.compile(r"named '(enable_if|conditional|is_\w+)(_t|_v)?' in namespace 'std'"),
}  # fmt: skip
_UNFOLLOWED = re.compile(r".+?: header '([^']+)' is not followed: ")
_INSTALLED = re.compile(
    r".+?: header '((?:/|[A-Za-z]:[/\\]).*/include/((?:etc/)?(?:(?:ap|hls)_\w+|gmp|mpfr)\.h))' is not found"
)
_OF_CPP = re.compile(  # headers of C have a dot
    r".+?: (?:header '\w+' is not found|not C that can be read: unknown type name '(?:namespace|template|class|using)')"
)
_AS_CPP = ("-x", "c++")
_WARNED = re.compile(r"-W(?:unknown-pragmas|unused|sign-|shadow|conversion|pedantic)")
_STATED = re.compile(r"static assertion failed(?: due to requirement '.*?')?: (.+)")


@dataclass(slots=True)
class Provided:
    """What a source needs besides itself, so that it is not found again at each reading.

    Attributes
    ----------
    arguments, included : further arguments of clang, and those that include a standard header.
    texts : texts that replace those of other files.
    empty : unsupported headers with the reason: none of their names may be used.
    """

    arguments: list[str] = field(default_factory=list)
    included: list[str] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    empty: dict[str, str] = field(default_factory=dict)

    def keep(
        self, arguments: list[str], included: list[str], empty: dict[str, str], texts: Mapping[str, str],
        own: Collection[str],
    ) -> None:  # fmt: skip
        """Keep what a reading needed, but none of the texts that are its ``own``."""
        self.arguments, self.included, self.empty = arguments, included, empty
        self.texts = {file: text for file, text in texts.items() if file not in own}


def with_headers(
    path: str, arguments: Sequence[str], texts: Mapping[str, str] = MappingProxyType({}),
    said: dict[str, str] | None = None, provided: Provided | None = None,
) -> Any:  # fmt: skip
    """Return clang's tree of a file; a standard header is included if only one of its names is missing.

    A C file or header with a header or a keyword of C++ is read as C++. If exactly one folder around the file has a
    missing header, it is found there, and ``said`` records it.

    ``texts`` replaces files that do not exist. ``provided`` is what an earlier reading of the file needed, which this
    one begins with, and adds to.
    """
    provided = provided or Provided()
    more, empty = [*provided.included], dict(provided.empty)
    once = {**provided.texts, **texts}
    given, arguments = list(arguments), [*arguments, *provided.arguments]
    while True:
        try:
            found = tree(path, [*more, *arguments], once=once)
            if overloaded(found.cursor, path, arguments, once):
                continue
            if arguments[: len(given)] == given:  # else linked sources were taken apart, for this reading
                provided.keep(arguments[len(given) :], more, empty, once, {path, *texts})
            return found
        except InputError as reason:
            text = str(reason)
            if (unfollowed := _UNFOLLOWED.match(text)) is not None and unfollowed[1] not in empty:
                empty[unfollowed[1]], once[f"{UNWRITTEN}{unfollowed[1]}"] = text, "#pragma once\n"
                arguments += ["-I", UNWRITTEN]
                continue
            if _provide_header(text, path, arguments, once) or nearby.nearby(text, path, arguments, said, once):
                continue
            if rewritten(text, once):
                continue
            if (twice := _TWICE.match(text)) is not None and twice[1] not in (path, *once):
                # A header without a guard that several sources of a design include.
                once[twice[1]] = Path(twice[1]).read_text(encoding="utf-8", errors="replace") + "\n#pragma once\n"
                continue
            if separated(text, path, arguments, once):
                continue
            wanted = [f"-include{name}" for name, words in _ASSUMED.items() if words.search(text)]
            if not wanted or wanted[0] in more:
                if not (helped := build_macros.given_by_build(text, path, arguments, said)):
                    continue
                helped += remedy(text) * (helped == text)
                raise InputError(_with_unfollowed(helped, empty) + _read_with(said or {})) from None
            more += wanted[:1]


def _with_unfollowed(text: str, empty: Mapping[str, str]) -> str:
    """Return an error, after that of the first unsupported header, which would declare more names."""
    return f"{next(iter(empty.values()))} (used in {text})" if empty else text


def _read_with(said: Mapping[str, str]) -> str:
    """Return what was taken from around a file before an error in it, which may be the cause: at most three of it."""
    return f" (read so far with: {'; '.join([*said.values()][:3])})" if said else ""


def _provide_header(text: str, path: str, arguments: list[str], once: dict[str, str]) -> bool:
    """Provide a missing header: one from an installation of the tool, or a C++ header in a C file.

    A header named ``.h`` with words of C++ is also read as C++.
    """
    if (header := _INSTALLED.match(text)) is not None and header[1] not in once:
        once[header[1]] = f"#include <{header[2]}>\n"
        return True
    if _OF_CPP.match(text) is None or not path.endswith((".c", ".h")) or arguments[-2:] == [*_AS_CPP]:
        return False
    arguments += _AS_CPP
    return True


def tree(
    path: str, arguments: Sequence[str], options: int = 0, worded: Callable[[Any], str] | None = None,
    once: Mapping[str, str] = MappingProxyType({}),
) -> Any:  # fmt: skip
    """Return clang's tree of a file; raise InputError at an error, in the words of ``worded``.

    ``once`` holds texts that replace those of files.
    """
    unit = cindex.Index.create().parse(
        path, args=list(arguments), unsaved_files=list(once.items()), options=KEEP_GOING | SKIPPED | options
    )
    given = {each[2:].partition("=")[0] for each in arguments if each.startswith("-D") and not each.startswith("-D__")}
    for found in unit.diagnostics:
        redefined = _REDEFINED.fullmatch(found.spelling)
        if redefined is not None and redefined[1] in given:
            name = redefined[1]
            words = f"the file defines '{name}' itself: put #ifndef {name} around it, or -D has no effect"
            raise InputError(words, where=str(position(found.location)))
        if (stated := _STATED.match(found.spelling)) is not None and not foreign(found.location):
            raise InputError(stated[1], where=str(position(_requesting_place(found))))
        if found.spelling == "unknown attribute 'xcl_array_geometry' ignored":
            raise InputError(GEOMETRY, where=str(position(found.location)))
        missing = found.spelling.endswith("file not found")
        if (
            found.severity < cindex.Diagnostic.Error
            or _WARNED.match(found.option)
            or (in_system(found.location) and not missing)
        ):
            # Headers of gcc contain keywords that only gcc knows; clang reads the parts that a kernel needs. A source
            # may turn warnings into errors (#pragma GCC diagnostic error "-Wall").
            continue
        words = worded(found) if worded is not None else explained(found.spelling, use=_use(found))
        words += _reason(found)
        raise InputError(words, where=str(position(found.location)) if found.location.file else path)
    return unit


def _requesting_place(found: Any) -> Any:
    """Return the position in the source that caused an error in a header of ours: the call or type that needs it."""
    asked = (note.location for note in found.children if note.spelling.endswith("requested here"))
    return next((place for place in asked if not in_system(place)), found.location)


def _reason(found: Any) -> str:
    """Return why the only candidate of a call does not fit: `` (requires 3 arguments, but ...)``."""
    notes = [why for note in found.children if (why := note.spelling.partition(" not viable: ")[2])]
    return f" ({notes[0]})" if len(notes) == 1 else ""


def _use(found: Any) -> str:
    """Return how the name at a diagnostic is used, for `explained`; macros have no lower-case letters."""
    place = found.location
    if place.file is None or not Path(place.file.name).is_file():
        return ""
    lines = Path(place.file.name).read_bytes().split(b"\n")[place.line - 1 : place.line]
    for line in lines:
        before, rest = line[: place.column - 1].rstrip(), line[place.column - 1 :]
        if re.match(rb"\w+\s*\(", rest):
            return "call"
        if re.match(rb"\w+\s*\[", rest):
            return "array"
        if re.match(rb"\w+\s*(\.|->)|\w*[a-z]\w*\s*(<<|>>)", rest):
            return "object"
        if before.endswith((b"(", b",")) and re.match(rb"\w*[a-z]\w*\s*[,)]", rest):
            return "argument"
    return ""
