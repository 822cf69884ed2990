"""Renames entities that several sources define for themselves, because all sources are read as one text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ppnsim.c.clang.library import UNWRITTEN, declarations
from ppnsim.c.suffixes import SUFFIXES

_CLASH = re.compile(
    r"(.+?):(\d+):(\d+): not C that can be read: (?:(?:typedef )?redefinition|reference to '\w+' is ambiguous"
    r"|conflicting types for|(?:non-)?static declaration of|definition of type '\w+' conflicts with typedef)"
)
# System headers are read before the renaming, so that their names stay (register_t).
_OF_SYSTEM = "#include <errno.h>\n#include <sys/types.h>\n"
_OWN = re.compile(r"\b(static|inline|const|constexpr|typedef|using|struct|class|union|enum|template)\b")
_MOST = 160  # most texts that replace files
_WITHIN = ("INTERNAL", "UNIQUE_EXTERNAL")
"""The linkage of static entities, and of entities in an unnamed namespace."""


def separated(text: str, path: str, arguments: list[str], once: dict[str, str]) -> bool:
    """Rename an entity that two sources define for themselves in the later source; return whether that was done.

    Such entities have internal linkage or are types (C++ [basic.link]). If both sources define a type identically, the
    second definition is removed (C++ [basic.def.odr]).
    """
    clash = _CLASH.match(text)
    if clash is None or clash[1].startswith(UNWRITTEN) or len(once) > _MOST:
        return False
    line, column = int(clash[2]), int(clash[3])
    sources = _sources(path, arguments)
    file = next((each for each in sources if Path(each) == Path(clash[1])), clash[1])
    own = _text(file, once)
    at = sum(len(each) + 1 for each in own.split("\n")[: line - 1]) + column - 1
    if (name := re.compile(r"\w+").match(own, at)) is None:
        return False
    if file in sources and is_own(own, at):
        return _remove_duplicate(file, at, sources, once) or rename(file, name[0], path, arguments, once)
    if file in sources:  # the entity of an earlier source is private
        later = [each for each in sources if each != file and _has_own(_text(each, once), name[0])]
    else:
        later = [each for each in sources if Path(file).name in _included(each, once)]
    done = [rename(each, name[0], path, arguments, once) for each in later]
    return any(done)


def overloaded(root: Any, path: str, arguments: list[str], once: dict[str, str]) -> bool:
    """Rename functions that two sources define for themselves under one name; return whether there were any.

    As overloads they would cause no error, and a call might take the function of the other source.
    """
    sources = {str(Path(each)): each for each in _sources(path, arguments)}
    if len(sources) < 2:
        return False
    inner: dict[str, dict[str, None]] = {}
    outer: dict[str, set[str]] = {}
    for each in declarations(root):
        place = str(Path(each.location.file.name)) if each.location.file else ""
        if (file := sources.get(place)) is None or each.kind.name == "VAR_DECL":
            continue
        if each.linkage.name in _WITHIN:
            inner.setdefault(each.spelling, {})[file] = None
        elif each.is_definition() and each.canonical == each:  # no header declares the function
            outer.setdefault(each.spelling, set()).add(file)
    more = [
        (file, name)
        for name, files in inner.items()
        for file in ([*files] if outer.get(name, set()) - files.keys() else [*files][1:])
    ]
    done = [rename(file, name, path, arguments, once) for file, name in more]
    return any(done)


def _sources(path: str, arguments: Sequence[str]) -> list[str]:
    files = (each for each in (*arguments, path) if Path(each).suffix in SUFFIXES)
    return [each for each in files if Path(each).is_file()]


def _text(file: str, once: dict[str, str]) -> str:
    return once.get(file) or Path(file).read_text(encoding="utf-8", errors="replace")


def _included(file: str, once: dict[str, str], known: frozenset[str] = frozenset()) -> frozenset[str]:
    """Return the names of the headers that a source includes, directly or by other headers."""
    for each in re.findall(r'^\s*#\s*include\s*"([^"]+)"', _text(file, once), re.MULTILINE):
        header = Path(file).parent / each
        if header.name not in known:
            known |= {header.name}
            known = _included(str(header), once, known) if header.is_file() else known
    return known


def is_own(text: str, at: int) -> bool:
    """Return whether a declaration at an offset of a source is invisible to other sources.

    Examples
    --------
    >>> is_own("static int f(int x) { }", 11), is_own("int f(int x) { }", 4)
    (True, False)
    """
    if any(first <= at < last for first, last in _types(text)):
        return True
    before = text[:at]
    start = max((before.rfind(each) for each in ";}{"), default=-1) + 1
    around = before[before.rfind("\n", 0, start) + 1 : start] if before[:start].endswith("{") else ""
    return bool(_OWN.search(around + before[start:])) or _in_nameless(before)


def _has_own(text: str, name: str) -> bool:
    """Return whether a source has a private declaration of a name outside of functions."""
    places = (each.start() for each in re.finditer(rf"\b{name}\b\s*[(\[=;]", text))
    return any(text.count("{", 0, at) == text.count("}", 0, at) and is_own(text, at) for at in places)


def _in_nameless(before: str) -> bool:
    """Return whether a text ends inside an unnamed namespace."""
    opened: list[bool] = []
    for found in re.finditer(r"\bnamespace\s*\{|[{}]", before):
        if found[0] == "}":
            del opened[-1:]
        else:
            opened.append(found[0] != "{")
    return any(opened)


def _remove_duplicate(file: str, at: int, sources: Sequence[str], once: dict[str, str]) -> bool:
    """Remove a type definition that is identical to one in an earlier source; return whether there was one."""
    text = _text(file, once)
    here = next((each for each in _types(text) if each[0] <= at < each[1]), None)
    before = sources[: sources.index(file)]
    if here is None:
        return False
    words = _tokens(text[here[0] : here[1]])
    others = (
        _tokens(other[first:last]) for each in before for other in (_text(each, once),) for first, last in _types(other)
    )
    if words not in others:
        return False
    once[file] = text[: here[0]] + re.sub(r"[^\n]", " ", text[here[0] : here[1]]) + text[here[1] :]
    return True


def _types(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each type definition that starts a line."""
    for found in re.finditer(r"^(?:typedef\s+)?(?:struct|class|union|enum)\b[^;{}()]*\{", text, re.MULTILINE):
        depth = 0
        for brace in re.finditer(r"[{}]", text[found.start() :]):
            depth += 1 if brace[0] == "{" else -1
            if not depth:
                end = text.find(";", found.start() + brace.end())
                yield found.start(), (end if end >= 0 else len(text)) + 1
                break


def _tokens(text: str) -> list[str]:
    return re.findall(r"\w+|[^\w\s]", re.sub(r"//.*|/\*[\s\S]*?\*/", " ", text))


def rename(file: str, name: str, path: str, arguments: list[str], once: dict[str, str]) -> bool:
    """Rename a declaration of one of several sources; return whether the file is one of them."""
    before, after = (f"{UNWRITTEN}{word}_{name}_{len(once)}.h" for word in ("own", "end"))
    if any(each.startswith(f"{UNWRITTEN}own_{name}_") and at == file for each, at in _renamed(arguments, path)):
        return False
    if file == path:
        arguments += ["-include", before]
    elif file in arguments:
        at = arguments.index(file)
        arguments[at - 1 : at + 1] = ["-include", before, "-include", file, "-include", after]
    else:
        return False
    once[before], once[after] = f"{_OF_SYSTEM}#define {name} {name}_{len(once)}\n", f"#undef {name}\n"
    return True


def _renamed(arguments: Sequence[str], path: str) -> Iterator[tuple[str, str]]:
    """Yield the texts that rename declarations, each with the source that follows it."""
    files = [each for each in arguments if not each.startswith("-")]
    for at, each in enumerate(files):
        behind = (other for other in files[at:] if not other.startswith(UNWRITTEN))
        yield each, next(behind, path)
