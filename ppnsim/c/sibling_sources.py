"""Sources beside a file that define what it only declares: synthesis is given them, too, and so they are read."""

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
"""Folders above that of a source in which its repository is looked for, and files of that which are looked through."""
_COMMENTS = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_GIVEN = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+ppnsim[ \t]+(?:latency|access)\b", re.MULTILINE)
_MAIN = re.compile(r"\bmain\s*\([^;{}]*\)\s*\{")


def with_beside(
    unit: TranslationUnit, read: Callable[[Sequence[str]], TranslationUnit], linked: Sequence[str], function: str | None
) -> tuple[TranslationUnit, dict[str, str]]:  # fmt: skip
    """Return a file together with the sources beside it that define the functions it calls, each with what is said.

    A function has no body where only its declaration is read. Its body is looked for in the sources in the folder of
    the file and in that of the declaration, among those that include its header: the one that has its name, that of the
    header or that of the kernel, else the only one without a ``main``. Of several, none is taken: the unit names them
    (``elsewhere``). Where none is beside them, it is the only source of the repository with that name of a file.

    Parameters
    ----------
    unit : the file, read with those ``linked``.
    read : reads it with other sources.
    function : the kernel; None: all functions count.
    """
    taken, said, elsewhere = tuple(linked), dict[str, str](), dict[str, tuple[str, ...]]()
    if any(map(_GIVEN.search, unit.sources.values())):
        return unit, {}  # what its functions are is said in the source
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
                    continue  # which is seen when that has been read
                elsewhere[missing.name] = tuple(files)
                if (file := _chosen(missing, (name, function), files, texts)) is not None:
                    chosen[file] = name
            unit, more = _with_these(unit, read, taken, chosen)
            taken = (*taken, *more)
            said |= {file: f"'{file}' is read with it: it defines '{chosen[file]}'" for file in more}
            if more:
                break
        if taken == before:
            return replace(unit, elsewhere={name: files for name, files in elsewhere.items() if files}), said


def _with_these(
    unit: TranslationUnit, read: Callable[[Sequence[str]], TranslationUnit], taken: Sequence[str],
    chosen: Mapping[str, str],
) -> tuple[TranslationUnit, list[str]]:  # fmt: skip
    """Return a unit read with further sources, and those that can be read: all at once, else one by one."""
    if len(chosen) > 1:
        with suppress(InputError):
            return read((*taken, *chosen)), list(chosen)
    more = list[str]()
    for file, name in chosen.items():
        try:
            unit = read((*taken, *more, file))
        except InputError as reason:  # another main program, a second body of what is there already, an error
            cannot = f"'{file}' defines '{name}' and cannot be read with it: {reason}"
            unit = replace(unit, assumed=(*unit.assumed, cannot))
        else:
            more.append(file)
    return unit, more


def _without_body(unit: TranslationUnit, function: str | None) -> Iterator[list[tuple[Function, str]]]:
    """Yield the functions without a body that each function calls, itself called below a function, in order.

    Each comes with its name in the source: one of several namespaces has a number in the unit.
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
    # The words before a name are its type: neither a call, as in "if (f(a)) {", nor what no linker finds.
    before = r"^(?![^\n(]*\b(?:static|return|else|case)\b)[^\n#;(=]*"
    given = r"\((?:[^;{}()]|\([^;{}()]*\))*\)"  # a size of an array may call a constexpr function
    body = re.compile(rf"{before}\b{re.escape(name)}\s*{given}\s*(?:const\s*)?\{{", re.MULTILINE)
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
    """Return the one source in other folders that has a body: of include/cmp.hpp that in src/core/cmp.cpp."""
    further = [each for each in files if each.resolve() not in known]
    texts |= {str(each): _text(each) for each in further if str(each) not in texts}
    defining = [str(each) for each in further if body.search(texts[str(each)])]
    return defining if len(defining) == 1 else []


def _text(file: Path) -> str:
    small = file.stat().st_size <= _MOST_BYTES
    return _COMMENTS.sub(" ", file.read_text(encoding="utf-8", errors="replace")) if small else ""


def _repository(path: str) -> Path | None:
    """Return the folder of the repository that a file is in, None for one in no repository."""
    return next((each for each in Path(path).absolute().parents[:_LEVELS] if (each / ".git").exists()), None)


def _sources(root: Path | None) -> tuple[Path, ...]:
    """Return the sources below a folder, none where too many files have to be looked through."""
    found, seen = list[Path](), 0
    for folder, folders, files in os.walk(root) if root is not None else ():
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        seen += len(files)
        if seen > _MOST_AROUND:
            return ()
        found += [Path(folder) / each for each in sorted(files) if Path(each).suffix in SUFFIXES]
    return tuple(each for each in found if not each.suffix.startswith(".h"))


def _chosen(
    missing: Function, names: tuple[str, str | None], files: Sequence[str], texts: dict[str, str]
) -> str | None:
    """Return the source that belongs to a function by its name or the kernel's, else the only one, else None."""
    own = [file for file in files if not _MAIN.search(texts[file])]
    header = Path(missing.position.file).stem
    for stem in (names[0], f"{header}_{names[0]}", header, names[1]):
        if named := [file for file in own if Path(file).stem == stem]:
            return named[0]
    return own[0] if len(own) == 1 else None
