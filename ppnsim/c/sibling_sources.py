"""Adds sources beside a file that define functions which the file only declares, because synthesis reads them too."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from ppnsim.c.suffixes import SUFFIXES
from ppnsim.c.syntax import Function, TranslationUnit
from ppnsim.errors import InputError

_MOST_FILES, _MOST_BYTES = 400, 1 << 20
_LEVELS, _MOST_AROUND = 8, 20_000
"""Levels of parent folders that are searched for the repository, and most files of it that are visited."""
_COMMENTS = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_GIVEN = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+ppnsim[ \t]+(?:latency|access)\b", re.MULTILINE)
_MAIN = re.compile(r"\bmain\s*\([^;{}]*\)\s*\{")


def with_beside(
    unit: TranslationUnit, read: Callable[[Sequence[str]], TranslationUnit], linked: Sequence[str], function: str | None
) -> tuple[TranslationUnit, dict[str, str]]:  # fmt: skip
    """Return a file together with the sources that define the functions it calls, each source with a message.

    A function has no body if only its declaration was read. Its body is searched for in the folder of the file and in
    the folder of the declaration, among sources that include its header. A source with the name of the function, of the
    header or of the kernel is preferred; otherwise the only source without a ``main`` is taken. If there are several,
    none is taken, and the unit lists them (``elsewhere``). If there is none, the only source in the repository with the
    name of the function or of the header is taken.

    Parameters
    ----------
    unit : the file, read with the ``linked`` sources.
    read : reads the file with other sources.
    function : the kernel; None: all functions count.
    """
    taken, said, elsewhere = tuple(linked), dict[str, str](), dict[str, tuple[str, ...]]()
    if any(map(_GIVEN.search, unit.sources.values())):
        return unit, {}  # pragmas in the source describe its functions
    texts: dict[str, str] = {}
    while True:
        before = taken
        for called in _without_body(unit, function):
            chosen = dict[str, str]()
            for missing, name in called:
                if missing.name in elsewhere:
                    continue
                files = _defining(missing, name, unit.file, taken, texts)
                if any(file in chosen for file in files):
                    continue  # decided after that source has been read
                elsewhere[missing.name] = tuple(files)
                if (file := _preferred(missing, (name, function), files, texts)) is not None:
                    chosen[file] = name
            unit, more = _with_sources(unit, read, taken, chosen)
            taken = (*taken, *more)
            said |= {file: f"'{file}' is read with it: it defines '{chosen[file]}'" for file in more}
            if more:
                break
        if taken == before:
            return replace(unit, elsewhere={name: files for name, files in elsewhere.items() if files}), said


def _with_sources(
    unit: TranslationUnit, read: Callable[[Sequence[str]], TranslationUnit], taken: Sequence[str],
    chosen: Mapping[str, str],
) -> tuple[TranslationUnit, list[str]]:  # fmt: skip
    """Return a unit read with further sources, and the readable ones: first all together, then one by one."""
    if len(chosen) > 1:
        with suppress(InputError):
            return read((*taken, *chosen)), list(chosen)
    more = list[str]()
    for file, name in chosen.items():
        try:
            unit = read((*taken, *more, file))
        except InputError as reason:  # another main program, a second body of a function, or an error
            cannot = f"'{file}' defines '{name}' and cannot be read with it: {reason}"
            unit = replace(unit, assumed=(*unit.assumed, cannot))
        else:
            more.append(file)
    return unit, more


def _without_body(unit: TranslationUnit, function: str | None) -> Iterator[list[tuple[Function, str]]]:
    """Yield the functions without a body that each function calls, for all functions reachable from ``function``.

    Each comes with its name in the source, because a function of several namespaces has a number in the unit.
    """
    start = [f for f in unit.functions.values() if f.body is not None and function in (None, f.name)]
    seen = {f.name for f in start}
    while start:
        missing = list[tuple[Function, str]]()
        for call in start.pop(0).calls():
            called = unit.functions.get(call.text)
            if called is None or called.name in seen or called.system:
                continue
            seen.add(called.name)
            if called.body is None:
                missing.append((called, call.spelled.rpartition("::")[2] or called.name))
            else:
                start.append(called)
        yield missing


def _defining(missing: Function, name: str, path: str, taken: Sequence[str], texts: dict[str, str]) -> list[str]:
    """Return the sources beside a file, or beside the declaration of a function, with a body of the function."""
    folders = dict.fromkeys((Path(path).parent, Path(missing.position.file).parent))
    files = [file for folder in folders for file in sorted(folder.iterdir())[:_MOST_FILES] if folder.is_dir()]
    # The words before a name are its type; calls, as in "if (f(a)) {", and static functions do not match.
    before = r"^(?![^\n(]*\b(?:static|return|else|case)\b)[^\n#;(=]*"
    given = r"\((?:[^;{}()]|\([^;{}()]*\))*\)"  # an array size may call a constexpr function
    body = re.compile(rf"{before}\b{re.escape(name)}\s*(?:<[^;{{}}()=]*>\s*)?{given}\s*(?:const\s*)?\{{", re.MULTILINE)
    known = {Path(each).resolve() for each in (path, *taken)}
    found = []
    for file in files:
        if file.suffix not in SUFFIXES or file.suffix.startswith(".h") or file.resolve() in known or not file.is_file():
            continue
        if (text := str(file)) not in texts:
            texts[text] = _text(file)
        if body.search(texts[text]):
            found.append(text)
    if not found:
        stems = (name, Path(missing.position.file).stem)
        return _elsewhere([each for each in _sources(_repository(path)) if each.stem in stems], body, known, texts)
    header = re.compile(rf'#\s*include\s*["<][^">]*\b{re.escape(Path(missing.position.file).name)}[">]')
    return [file for file in found if header.search(texts[file])] or found


def _elsewhere(files: Sequence[Path], body: re.Pattern[str], known: set[Path], texts: dict[str, str]) -> list[str]:
    """Return the only source in other folders with a body, such as src/core/cmp.cpp for include/cmp.hpp."""
    further = [each for each in files if each.resolve() not in known]
    texts |= {str(each): _text(each) for each in further if str(each) not in texts}
    defining = [str(each) for each in further if body.search(texts[str(each)])]
    return defining if len(defining) == 1 else []


def _text(file: Path) -> str:
    small = file.stat().st_size <= _MOST_BYTES
    return _COMMENTS.sub(" ", file.read_text(encoding="utf-8", errors="replace")) if small else ""


def _repository(path: str) -> Path | None:
    """Return the folder of the repository of a file, None if it is in no repository."""
    return next((each for each in Path(path).absolute().parents[:_LEVELS] if (each / ".git").exists()), None)


def _sources(root: Path | None) -> tuple[Path, ...]:
    """Return the sources below a folder, none if there are too many files."""
    found, seen = list[Path](), 0
    for folder, folders, files in os.walk(root) if root is not None else ():
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        seen += len(files)
        if seen > _MOST_AROUND:
            return ()
        found += [Path(folder) / each for each in sorted(files) if Path(each).suffix in SUFFIXES]
    return tuple(each for each in found if not each.suffix.startswith(".h"))


def _preferred(
    missing: Function, names: tuple[str, str | None], files: Sequence[str], texts: dict[str, str]
) -> str | None:
    """Return the source for a function by the function's or the kernel's name, else the only one, else None."""
    own = [file for file in files if not _MAIN.search(texts[file])]
    header = Path(missing.position.file).stem
    for stem in (names[0], f"{header}_{names[0]}", header, names[1]):
        if named := [file for file in own if Path(file).stem == stem]:
            return named[0]
    return own[0] if len(own) == 1 else None
