"""The one door for files: a file is decoded once, recognised by what it holds, and read by the room of that subject.

The module is not called ``load``, because ``ppnsim.load`` is its function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

from ppnsim.c.suffixes import SUFFIXES
from ppnsim.errors import InputError, UnknownOption, did_you_mean
from ppnsim.formats.decode import DecodeError, decode_json, decode_toml, read_text
from ppnsim.formats.places import check_there, format_of_text
from ppnsim.formats.reader import Reader
from ppnsim.formats.xml_tree import decode_xml
from ppnsim.hls.project.suffixes import PROJECTS
from ppnsim.model import network as networks

_T = TypeVar("_T")

ROOMS = ("placed", "platform", "messages", "memory", "opencl", "roofline", "derive", "explore")
"""Rooms whose ``files`` list `Reader` objects; the first that recognises a file reads it."""
_NETWORKS = "ppnsim.formats"  # what no room recognises is taken for a network, unless the caller wants something else
_SOURCE_OPTIONS = ("function", "defines", "include", "settings")
_NETWORK_OPTIONS = (
    *_SOURCE_OPTIONS, "device", "clock", "clock_uncertainty", "pragmas", "unsafe_math", "flow", "release", "reports",
    "arguments", "solution", "memory",
)  # fmt: skip
_PROJECT_COMMANDS = (
    "run", "explain", "size", "estimate", "sweep", "compare", "draw", "report", "export", "schedule",
)  # fmt: skip
_SOURCE_COMMANDS = (
    *_PROJECT_COMMANDS, "profile", "lost", "roofline", "derive", "transform", "explore-splits",
    "explore-directives",
)  # fmt: skip
_SOURCES = (
    Reader(
        kind="C or C++ source", makes="Kernels", home="ppnsim.c.load", suffixes=SUFFIXES, function="load_kernels",
        takes=("text",), commands=_SOURCE_COMMANDS, options=(*_SOURCE_OPTIONS, "policy", "linked", "counts", "boxes"),
    ),
    Reader(
        kind="C or C++ source", makes="SourceNetwork", home="ppnsim.source_networks.load", suffixes=SUFFIXES,
        function="load_source", takes=("text",), commands=_SOURCE_COMMANDS,
        options=(*_NETWORK_OPTIONS, "statements", "as_statements", "outside"),
    ),
    Reader(
        kind="C or C++ source", makes="Network", home="ppnsim.source_networks.load", suffixes=SUFFIXES,
        function="load_source_network", takes=("text",), commands=_SOURCE_COMMANDS,
        options=(*_NETWORK_OPTIONS, "latency", "ii", "io", "hazards"),
    ),
    Reader(
        kind="a project of high-level synthesis", makes="SourceNetwork", home="ppnsim.source_networks.load",
        suffixes=PROJECTS, function="load_source", takes=("text",), commands=_PROJECT_COMMANDS,
        options=(*_NETWORK_OPTIONS, "statements", "as_statements", "outside"),
    ),
    Reader(
        kind="a project of high-level synthesis", makes="Network", home="ppnsim.source_networks.load",
        suffixes=PROJECTS, function="load_source_network", takes=("text",), commands=_PROJECT_COMMANDS,
        options=(*_NETWORK_OPTIONS, "latency", "ii", "io", "hazards"),
    ),
)  # fmt: skip
_STANDARD_INPUT = "standard input"
_DECODERS: dict[str, Callable[[str], object]] = {".toml": decode_toml, ".json": decode_json, ".xml": decode_xml}


def load(path: str | PathLike[str], *kinds: str, **options: Any) -> Any:
    r"""Return what a file holds, as an object of its type.

    ======== =============================================================================================
    .toml    ``Network``, ``Placement``, ``PlatformFile``, ``OpenclFile``, ``RooflineFile``, ``TimingFile``
    .json    ``Network``, ``Messages``, ``Flows``, ``MemoryFile``
    .xml     ``Network`` (SDF3)
    .c .cpp  ``Network``: tasks of high-level synthesis, else a process per statement; ``Kernels``: the loop programs
    .tcl     ``Network`` of a project of high-level synthesis, and ``hls_config.cfg`` likewise
    .cl      ``OpenclFile``
    \-        standard input: TOML, JSON or XML, as its first letter says
    ======== =============================================================================================

    Parameters
    ----------
    path : the file; its suffix says the format, its top-level keys what it is about.
    kinds : names of the types that the caller takes; none = all. ``load("k.c", "Kernels")`` reads loop programs.
    options : for readers: ``iterations`` and ``convention`` of networks, ``settings`` of kernels, and so on. One that
        is None is the same as one left out. For the network of a C or C++ source: ``function``, ``defines``,
        ``include``, ``settings``, ``device``, ``clock``, ``clock_uncertainty``, ``pragmas``, ``unsafe_math``,
        ``flow``, ``release``, ``reports``, ``arguments``, ``solution``, ``memory``
        (`ppnsim.source_networks.load.load_source`), and for one of statements ``latency``, ``ii``, ``io``, ``hazards``
        (`ppnsim.derive.derive.derive`).

    Raises
    ------
    InputError
        If the file cannot be read, holds something else, or breaks a rule: with every fault of form, one line each,
        which begins with the path as it was given.

    Examples
    --------
    >>> load("nowhere.toml")
    Traceback (most recent call last):
    ppnsim.errors.InputError: nowhere.toml: no such file
    """
    file = Path(path)
    if str(path) == "":
        raise InputError("'' is not the name of a file")
    try:
        reader, data, suffix = _opened(file, kinds)
        given = {name: value for name, value in options.items() if value is not None}
        for name in given:
            if name not in reader.options:
                able = list(dict.fromkeys(each.kind for each in readers() if name in each.options))
                if not able:
                    raise no_option(name, reader.options)
                if reader.kind in able:  # it is read in another way here
                    words = f"is for the network of a {reader.kind} (as ppnsim.run takes it), not for its kernels"
                    raise InputError(f"{name} {words}")
                raise InputError(f"{name} can only be used with {' or '.join(able)}; this file holds {reader.kind}")
        if data is not None:
            # What says nothing by its name, or in capitals, is read as if its suffix said its format.
            return reader.read(
                data, Path(f"{_STANDARD_INPUT}{suffix}") if path == "-" else file.with_suffix(suffix), given
            )
    except DecodeError as error:
        raise error.at(Path(path)) from None
    except UnknownOption:
        raise
    except InputError as error:
        raise InputError("\n".join(f"{path}: {line}" for line in str(error).split("\n"))) from None
    # A source is read by clang; its faults have their own file, line and column.
    return reader.read(None, file, given)


def no_option(name: str, known: Sequence[str] = ()) -> InputError:
    """Return the refusal of an option that nothing has; ``known`` are those that would do.

    Examples
    --------
    >>> str(no_option("cloc"))
    "no option is called 'cloc'"
    """
    written = {
        "out": "network.save(path), network.size().save(path), run.gantt().save(path)", "plot": "figure().save(path)",
        "csv": "to_frame().to_csv(path)", "json": "to_dict()",
    }  # fmt: skip
    words = f"no option is called '{name}'"
    if name in written:
        return InputError(f"{words}; functions write no files, their answers do: {written[name]}")
    return UnknownOption(name, words, known)


def refuse_options(options: Mapping[str, Any], *, more: Sequence[str] = ()) -> None:
    """Refuse options for a path beside an object; ``more`` are those that readers do not have."""
    known = {*more, *(name for each in readers() for name in each.options)}
    if unknown := next((name for name in options if name not in known), None):
        raise no_option(unknown, sorted(known))
    if options:
        raise InputError(f"{', '.join(options)} can only be used with a path, which is then read with it")


def load_as(path: str | PathLike[str], type_: type[_T], **options: Any) -> _T:
    """Return what a file holds, which must be of this type (see `load`).

    Examples
    --------
    >>> from ppnsim.model.network import Network
    >>> load_as("nowhere.json", Network)
    Traceback (most recent call last):
    ppnsim.errors.InputError: nowhere.json: no such file
    """
    found = load(path, type_.__name__, **options)
    assert isinstance(found, type_)
    return found


def load_network(
    path: str | PathLike[str], *, iterations: int | None = None, convention: str | None = None, **options: Any
) -> networks.Network:
    """Return the network of a scenario (.toml), network JSON (.json), SDF3 XML (.xml), C or C++ (.c, .cpp), checked.

    Parameters
    ----------
    path : the file; its suffix says the format.
    iterations : graph iterations of an SDF3 graph, default 1; the other formats say firings themselves.
    convention : what depths count, ``ppn`` or ``sdf3`` (see `Network`); None = that of the file.
    options : of C and C++, see `load`: ``function``, ``device``, ``clock``, ``latency``, ...

    Raises
    ------
    InputError
        See `load`.
    """
    return load_as(path, networks.Network, iterations=iterations, convention=convention, **options)


def readers() -> tuple[Reader, ...]:
    """Return the readers of all rooms, in the order in which they are asked."""
    modules = [*(f"ppnsim.{room}.files" for room in ROOMS), _NETWORKS]
    return (*(each for module in modules for each in import_module(module).READERS), *_SOURCES)


def commands_for(path: str | Path) -> tuple[str, ...]:
    """Return the commands that take a file, the one that runs it first.

    Raises
    ------
    InputError
        If the file cannot be read, or is of no kind that a command takes.

    Examples
    --------
    >>> commands_for("nowhere.toml")
    Traceback (most recent call last):
    ppnsim.errors.InputError: nowhere.toml: no such file
    """
    try:
        reader, *_ = _opened(Path(path), ())
    except DecodeError as error:
        raise error.at(path) from None
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    return reader.commands


def _opened(file: Path, kinds: Sequence[str]) -> tuple[Reader, object, str]:
    """Return the reader of a file, what is decoded of it, and its format; it must be of one of the kinds, if any."""
    known = readers()
    wanted = [each for each in known if each.makes in kinds or not kinds]
    if not wanted:
        raise InputError(f"no file holds a '{kinds[0]}'{did_you_mean(kinds[0], (each.makes for each in known))}")
    if str(file) != "-":
        check_there(file, [suffix for each in wanted for suffix in each.suffixes])
    if str(file) == "-":
        text = read_text(file)
        suffix = format_of_text(text)
    else:
        suffix = _format(file, known, wanted)
        text = read_text(file) if suffix in _DECODERS else ""
    data = _DECODERS[suffix](text) if suffix in _DECODERS else None
    reader = _reader(data, [each for each in known if suffix in each.suffixes], wanted)
    if reader not in wanted:
        possible = [each for each in wanted if suffix in each.suffixes] or wanted
        names = " or ".join(dict.fromkeys(each.kind for each in possible))
        raise InputError(f"holds {reader.kind}, not {names} (it is for ppnsim {_listed(reader.commands)})")
    return reader, data, suffix


def _reader(data: object, able: Sequence[Reader], wanted: Sequence[Reader]) -> Reader:
    """Return the first reader that recognises the data; else what the caller wants, whose faults they then are."""
    table = data if isinstance(data, Mapping) else {}
    recognised = [each for each in able if each.recognises(table)]
    likely = [each for each in able if each in wanted] or able
    return recognised[0] if recognised else likely[-1]


def _format(file: Path, known: Sequence[Reader], wanted: Sequence[Reader]) -> str:
    """Return the suffix that says the format; a file with another suffix may be what only one format can hold."""
    for suffix in (file.suffix, file.suffix.lower()):
        if any(suffix in each.suffixes for each in known):
            return suffix
    suffixes = list(dict.fromkeys(suffix for each in wanted for suffix in each.suffixes))
    if len(suffixes) == 1:
        return suffixes[0]
    words = ", ".join(suffixes)
    if SUFFIXES[0] in suffixes and PROJECTS[0] not in suffixes:
        projects = f"projects of high-level synthesis, {', '.join(PROJECTS)}"
        words += f"; {projects}, are for ppnsim {_listed(_PROJECT_COMMANDS)}"
    raise InputError(f"'{file.suffix or file.name}' is not a format that ppnsim reads here (known: {words})")


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
