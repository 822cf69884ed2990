"""Finds macros that a build defines: ``-DN=8`` in a Makefile around the source, a variable of its CMake project."""

from __future__ import annotations

import re
from collections.abc import Iterator
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
_DEFINES = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)\b(?!\()", re.MULTILINE)
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
    where = _conditions(name, used, path)
    return f"{text}: {where}" if where else before


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


def _conditions(name: str, used: Path, path: str) -> str:
    """Return the conditions under which files in the folder of a source, or of the use of a name, define the name."""
    if not used.is_file():
        return ""
    found: list[str] = []
    for folder in dict.fromkeys((used.resolve().parent, Path(path).resolve().parent)):
        for file in sorted(folder.iterdir())[:_MOST_FILES]:
            if file.suffix in _SOURCES and file.is_file() and file.stat().st_size <= _MOST_BYTES:
                found += _conditions_in(name, file)
    return f"it is defined only under a condition: {', '.join(found[:4])}" if found else ""


def _conditions_in(name: str, file: Path) -> list[str]:
    """Return the innermost conditions around the definitions of a name in a file, each with its position."""
    found: list[str] = []
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
        elif (defined := _DEFINES.match(line)) is not None and defined[1] == name and opened:
            inner = next((each for each in reversed(opened) if not each.startswith("#ifndef")), "")
            found += [f"{inner} ({file.name}:{number})"] if inner else []
    return found
