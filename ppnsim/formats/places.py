"""Where a file is to be read: what to say where there is none, and the format of what has no name."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from ppnsim.errors import InputError
from ppnsim.formats.decode import DIRECTORY
from ppnsim.formats.shipped import shipped


def check_there(file: Path, suffixes: Sequence[str]) -> None:
    """Raise `InputError` if a file is not there or a directory, with what to give in its place.

    Examples
    --------
    >>> check_there(Path("fork_join"), [".toml"])
    Traceback (most recent call last):
    ppnsim.errors.InputError: no such file (fork_join is shipped: ppnsim scenarios --copy . fork_join copies it, ...
    """
    try:
        file.stat()
    except FileNotFoundError:
        raise InputError(f"no such file{_remedy(file, suffixes)}") from None
    except (OSError, ValueError):
        return  # reading it says why
    if file.is_dir():
        able = sorted(each for each in file.iterdir() if each.suffix in suffixes and each.is_file())
        raise InputError(f"{DIRECTORY}{', like ' + str(able[0]) if able else ''}")


def _remedy(file: Path, suffixes: Sequence[str]) -> str:
    """Return what a file that is not there may have been meant to be: one beside it, or a scenario; or ""."""
    near = [each for suffix in suffixes if (each := file.with_suffix(suffix)).is_file()]
    if near:
        return f" (did you mean '{near[0]}'?)"
    names = [each.name for some in shipped().values() for each in some if file.name in (each.name, each.path.name)]
    if not names:
        return _misspelt(file, suffixes)
    (name, *_) = names
    path = f"ppnsim.scenarios()['{name}'] is its path in Python"
    return f" ({name} is shipped: ppnsim scenarios --copy . {name} copies it, {path})"


def _misspelt(file: Path, suffixes: Sequence[str]) -> str:
    """Return the file of the same folder whose name is nearest, whatever its capitals; or ""."""
    try:
        beside = {each.name.lower(): each for each in sorted(file.parent.iterdir()) if each.suffix in suffixes}
    except OSError:
        return ""
    close = get_close_matches(file.name.lower(), beside, n=1, cutoff=0.8)
    return f" (did you mean '{beside[close[0]]}'?)" if close else ""


def format_of_text(text: str) -> str:
    """Return the suffix of a text without a name, as standard input is.

    Examples
    --------
    >>> format_of_text('{"name": "n"}'), format_of_text('name = "n"')
    ('.json', '.toml')
    """
    return {"{": ".json", "<": ".xml"}.get(text.lstrip()[:1], ".toml")
