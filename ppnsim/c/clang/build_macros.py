"""Finds macros that a build defines: ``-DN=8`` in a Makefile around the source, a variable of its CMake project."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from ppnsim.c.clang.makefiles import flags_of

_FURTHER = 8
"""Most levels of parent folders that are searched, up to the folder of a repository."""
_MOST_FILES, _MOST_BYTES = 200, 1 << 18
_SOURCES = (".h", ".hpp", ".hh", ".cpp", ".c")
_BUILDS = re.compile(r"makefile.*|.*\.(mk|mak|cmake|tcl|cfg|sh)|cmakelists\.txt", re.IGNORECASE)
_COMMENT = re.compile(r"^[ \t]*#.*$|(?<=\s)#.*$", re.MULTILINE)
_VALUE = r"[\"']?(?P<value>[-+]?\w[\w.]*|\$[({]\w+[)}])(?![^\s\"';,)}\]])"
_VARIABLE = re.compile(r"\$[({](\w+)[)}]")
_UNDECLARED = re.compile(
    r"^.+?:\d+:\d+: (?:'(\w+)' is not declared; |not C that can be read: unknown type name '(\w+)')"
)
_DECLARES = re.compile(
    r"[ \t]*(?:#[ \t]*define[ \t]+(\w+)\b(?!\()|typedef\b.*\b(\w+)[ \t]*;|using[ \t]+(\w+)[ \t]*=|"
    r"(?:struct|class|enum)[ \t]+(\w+)\b(?!.*;))"
)
_INCLUDES = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)
_CONDITIONS = re.compile(r"^[ \t]*#[ \t]*(?P<word>if(?:n?def)?|elif|else|endif)\b[ \t]*(?P<what>.*?)[ \t]*(?://.*)?$")


def given_by_build(text: str, path: str, arguments: list[str], said: dict[str, str] | None) -> str:
    """Define an undeclared macro of an error message with the value from the build around a file, and record it.

    The result is "" if the macro has a value now. Otherwise it is the message with further help: the different values
    in builds, none of which is taken, or the conditions under which a file defines the macro.
    """
    found = _UNDECLARED.match(text)
    name = found[1] or found[2] if found is not None else ""
    if not name or said is None or any(each.startswith(f"-D{name}=") for each in arguments):
        return text
    used = Path(text.partition(":")[0])
    values = _values_in_builds(name, Path(path)) or _values_in_builds(name, used) or _values_in_makefile(name, path)
    if len(values) == 1:
        ((value, place),) = values.items()
        arguments.append(f"-D{name}={value}")
        said[name] = f"'{name}' is {value}, as in {place}; -D {name}=.. gives another one"
        return ""
    before, text = text, text.partition("; if it stands")[0]
    if values:
        return f"{text}: builds give it different values: " + ", ".join(
            f"-D {name}={value} ({place})" for value, place in values.items()
        )
    read = list(_read_with(used, arguments))
    if (needed := _needed(name, read)) is not None and (option := f"-D{needed[0]}") not in arguments:
        arguments.append(option)
        said[needed[0]] = f"'{needed[0]}' is defined: without it nothing declares '{name}' ({needed[1]})"
        return ""
    found_in = [each for file in (*read, *_beside(used, path)) for each in _declarations(name, file)]
    where = ", ".join(dict.fromkeys(f"{inner[-1]} ({place})" for inner, place in found_in if inner))
    return f"{text}: it is declared only under a condition: {where}" if where else before


def _values_in_makefile(name: str, path: str) -> dict[str, str]:
    """Return the values that a Makefile around a source gives to a macro, with the Makefile's variables replaced."""
    found: dict[str, str] = {}
    for each in flags_of(path):
        given, _, value = each.text.partition("=")
        if each.letter == "D" and given == name:
            found.setdefault(value, each.place)
    return found


def _values_in_builds(name: str, file: Path) -> dict[str, str]:
    """Return the values that builds in the nearest folder with one give to a macro, each with its position."""
    around = file.resolve().parent
    given = re.compile(rf"-D\s*{name}={_VALUE}")
    cmake = re.compile(rf"^[ \t]*set[ \t]*\([ \t]*{name}[ \t]+{_VALUE}", re.MULTILINE | re.IGNORECASE)
    for folder in (around, *around.parents[:_FURTHER]):
        if len(folder.parts) < 3:
            break
        found: dict[str, str] = {}
        for build in _builds(folder):
            text = _COMMENT.sub(lambda part: " " * len(part[0]), build.read_text(encoding="utf-8", errors="replace"))
            of_cmake = build.suffix == ".cmake" or build.name == "CMakeLists.txt"
            for each in [*(cmake.finditer(text) if of_cmake else ()), *given.finditer(text)]:
                value = _resolved(each["value"], text)
                if value:
                    found.setdefault(value, f"{build}:{text.count(chr(10), 0, each.start('value')) + 1}")
        if found:
            return found
        if (folder / ".git").exists():
            break
    return {}


def _builds(folder: Path) -> Iterator[Path]:
    for file in sorted(folder.iterdir())[:_MOST_FILES]:
        if _BUILDS.fullmatch(file.name) and file.is_file() and file.stat().st_size <= _MOST_BYTES:
            yield file


def _resolved(value: str, text: str) -> str:
    """Return a value with a variable replaced by its only definition in the text; "" if it is not known."""
    if (variable := _VARIABLE.fullmatch(value)) is None:
        return value
    of_make = rf"^[ \t]*{variable[1]}[ \t]*[:?]?=[ \t]*([-+]?\w[\w.]*)[ \t]*$"
    of_others = rf"^[ \t]*set[ \t]*[( \t][ \t]*{variable[1]}[ \t]+\"?([-+]?\w[\w.]*)"  # Tcl, CMake
    lines = [each for form in (of_make, of_others) for each in re.findall(form, text, re.MULTILINE | re.IGNORECASE)]
    return str(lines[0]) if len(set(lines)) == 1 else ""


def _read_with(used: Path, arguments: Sequence[str]) -> Iterator[Path]:
    """Yield a file and all that it includes by quoted names, each once."""
    folders = [Path(folder) for flag, folder in pairwise(arguments) if flag == "-I"]
    folders += [Path(each[2:]) for each in arguments if each.startswith("-I") and each != "-I"]
    seen, left = set[Path](), [used]
    while left and len(seen) < _MOST_FILES:
        file = left.pop(0)
        if file.resolve() in seen or not _is_readable(file):
            continue
        seen.add(file.resolve())
        yield file
        names = _INCLUDES.findall(file.read_text(encoding="utf-8", errors="replace"))
        left += [next((each for each in places if each.is_file()), used) for each in names
                 for places in [[folder / each for folder in (file.parent, *folders)]]]  # fmt: skip


def _beside(used: Path, path: str) -> Iterator[Path]:
    """Yield the sources and headers in the folders of a source and of the use of a name."""
    for folder in dict.fromkeys((used.resolve().parent, Path(path).resolve().parent)):
        if folder.is_dir():
            yield from (each for each in sorted(folder.iterdir())[:_MOST_FILES] if each.suffix in _SOURCES)


def _is_readable(file: Path) -> bool:
    return file.is_file() and file.stat().st_size <= _MOST_BYTES


def _needed(name: str, files: Iterable[Path]) -> tuple[str, str] | None:
    """Return the macro without which no file declares a name, and the place; None if that is not one macro."""
    found = [each for file in files for each in _declarations(name, file)]
    conditions = {tuple(inner) for inner, _ in found}
    (only, *others), *more = conditions if conditions and () not in conditions else {("",)}
    needed = not others and not more and only.startswith("-D ")
    return (only.removeprefix("-D "), found[0][1]) if needed else None


def _declarations(name: str, file: Path) -> Iterator[tuple[list[str], str]]:
    """Yield the conditions around each declaration of a name in a file, without guards, and the position."""
    if not _is_readable(file):
        return
    opened: list[str] = []
    for number, line in enumerate(file.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        if (condition := _CONDITIONS.match(line)) is not None:
            word, what = condition["word"], condition["what"]
            if word in ("elif", "else", "endif") and opened:
                opened.pop()
            if word == "ifdef":
                opened.append(f"-D {what}")
            elif word != "endif":
                opened.append(f"#{word} {what}".rstrip())
        elif (declared := _DECLARES.match(line)) is not None and name in declared.groups():
            yield [each for each in opened if not each.startswith("#ifndef")], f"{file.name}:{number}"
