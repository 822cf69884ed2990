"""A reader for ``hls_config.cfg``, the settings of a component as key = value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from ppnsim.errors import InputError
from ppnsim.hls.project.settings import Settings
from ppnsim.hls.project.words import meant, shell_words, text_of

_QUIET = (
    "package.",
    "cosim.",
    "csim.",
    "tb.cflags",
    "tb.file_cflags",
    "tb.csimflags",
    "syn.output.",
    "vivado.",
    "sim.",
)
_QUIET_KEYS = frozenset(("syn.csimflags", "syn.file_csimflags", "config_file", "save-temps", "debug"))
_CONFIG = "syn."


def read_config(path: str) -> Settings:
    """Return the settings of a file of key = value; a key may appear again, ``#`` begins a comment.

    Raises
    ------
    InputError
        With file and line: a line without ``=``, a missing file, an invalid clock.
    """
    try:
        text = text_of(path)
    except OSError:
        raise InputError("no such file", where=path) from None
    settings = Settings(path, Path(path).parent)
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        where = f"{path}:{number}"
        if line.startswith("[") and not line.endswith("]"):
            raise InputError(f"'{line}' is not closed: a section is [hls]", where=where)
        if not line or line.startswith(("#", ";", "[")):
            continue
        key, equals, value = (part.strip() for part in line.partition("="))
        if not equals:
            raise InputError(f"'{line}' is not of the form key=value", where=where)
        _set(settings, key, value, where)
    return settings


def _set(settings: Settings, key: str, value: str, where: str) -> None:
    if key in _KEYS:
        _KEYS[key](settings, value, where)
    elif key.startswith("syn.directive."):
        location, *options = shell_words(value, where) or [""]
        pairs = [tuple(each.split("=", 1)) if "=" in each else ("", each) for each in options]
        settings.directive(key.removeprefix("syn.directive."), location, [(a, b) for a, b in pairs], where)
    elif key.startswith(_QUIET) or key in _QUIET_KEYS:
        return
    elif key.startswith(_CONFIG) and key.count(".") == 2:
        _, group, option = key.split(".")
        settings.config(group, option, value, where)
    else:
        near = meant(key, _KEYS)
        settings.unknown(f"{key}={value}{near}", where)
        settings.hint += f"; '{key}' in line {where.rpartition(':')[2]} is no key{near}" if near else ""


def _top(settings: Settings, value: str, where: str) -> None:
    settings.files.top = (value, where)


def _frequency(settings: Settings, value: str, where: str) -> None:
    settings.clock(f"{value} Hz" if value.isdecimal() else value, where)


def _file_flags(settings: Settings, value: str, where: str) -> None:
    settings.flags(value.partition(",")[2], where)


_KEYS: Mapping[str, Callable[[Settings, str, str], None]] = {
    "syn.top": _top, "part": Settings.part, "clock": Settings.clock,
    "clock_uncertainty": Settings.clock_uncertainty, "flow_target": Settings.flow,
    "freqhz": _frequency, "syn.file": Settings.add,
    "tb.file": lambda settings, value, where: settings.add(value, where, testbench=True),
    "syn.blackbox.file": Settings.black_box, "syn.cflags": Settings.flags, "syn.file_cflags": _file_flags,
}  # fmt: skip
