"""From bytes to plain tables, lists and numbers; what is not text, TOML or JSON is reported with line and column."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any, NoReturn, TextIO
from weakref import WeakKeyDictionary

from ppnsim.errors import InputError
from ppnsim.formats.habits import UNCLOSED, json_remedy, toml_remedy, unclosed_text

_STANDARD_INPUT: WeakKeyDictionary[TextIO, bytes] = WeakKeyDictionary()
_DECLARED_TWICE = re.compile(r"Cannot declare \((.*)\) twice")
DIRECTORY = "is a directory; give a file in it"
_IN_C = re.compile(r"^\s*(#\s*(include|pragma|define)\s|(void|int)\s+\w+\s*\()", re.M)
_TOO_DEEP = "brackets are nested too deeply"
_TOO_LONG = "holds a number of thousands of digits (whole numbers up to 2**53 are taken)"
_IN_OUR_WORDS = {
    "Cannot overwrite a value": "this key or table is given twice",
    "Unclosed array": "a comma between two values, or the ] of their list, is missing before",
}


class DecodeError(InputError):
    """A file that cannot be decoded; ``place`` is ``line:column``, or empty where there is none."""

    def __init__(self, message: str, *, place: str = "") -> None:
        super().__init__(message)
        self.place = place

    def at(self, path: str | Path) -> InputError:
        """Return the same as the error of a file."""
        return InputError(str(self), where=f"{path}:{self.place}" if self.place else str(path))


def read_text(file: Path) -> str:
    """Return the text of a UTF-8 file, or that of standard input for ``-``, without a byte order mark.

    Raises
    ------
    DecodeError
        If it cannot be read or is not UTF-8.
    """
    try:
        is_input = str(file) == "-"
        text = (_standard_input() if is_input else file.read_bytes()).decode("utf-8-sig")
    except FileNotFoundError:
        raise DecodeError("no such file") from None
    except IsADirectoryError:
        raise DecodeError(DIRECTORY) from None
    except UnicodeDecodeError as error:
        raise DecodeError(f"is not UTF-8 text (byte {error.start} is 0x{error.object[error.start]:02x})") from None
    except (OSError, ValueError) as error:
        raise DecodeError(f"cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if is_input and not text.strip():
        raise DecodeError("standard input is empty (write a network to it, or give a file)")
    if is_input and _IN_C.search(text):
        raise DecodeError("standard input takes TOML, JSON and XML; give C and C++ as a file")
    return text


def _standard_input() -> bytes:
    """Return what standard input held when it was first asked for, because it can be read only once."""
    if sys.stdin not in _STANDARD_INPUT:
        _STANDARD_INPUT[sys.stdin] = sys.stdin.buffer.read()
    return _STANDARD_INPUT[sys.stdin]


def decode_toml(text: str) -> dict[str, Any]:
    r"""Return what a TOML text says.

    Raises
    ------
    DecodeError
        At the first place that is not TOML.

    Examples
    --------
    >>> decode_toml("[process.a]\nfirings = 4")
    {'process': {'a': {'firings': 4}}}
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.fullmatch(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", str(error), re.DOTALL)
        words, line, column = found.groups() if found else (str(error), None, None)
        twice = _DECLARED_TWICE.fullmatch(words)
        if UNCLOSED.match(words) and (unclosed := unclosed_text(text, int(line) if line else None)):
            line, column, words = str(unclosed[0]), str(unclosed[1]), unclosed[2]
        elif twice:
            *kinds, name = re.findall(r"'([^']*)'", twice[1]) or [twice[1]]
            words = f"{''.join(f'{each} ' for each in kinds)}'{name}' is declared twice (names are unique)"
        elif line and column:
            words = _IN_OUR_WORDS.get(words, words) + toml_remedy(text, int(line), int(column))
        _not_the_format(text, _IN_OUR_WORDS.get(words, words), line, column)
    except RecursionError:
        raise DecodeError(_TOO_DEEP) from None
    except ValueError:
        raise DecodeError(_TOO_LONG) from None


def load_toml(path: str | Path) -> dict[str, Any]:
    """Return what a TOML file says.

    Raises
    ------
    InputError
        With the file, and with line and column if it is not TOML.
    """
    try:
        return decode_toml(read_text(Path(path)))
    except DecodeError as error:
        raise error.at(path) from None


def decode_json(text: str) -> object:
    """Return what a JSON text says.

    Raises
    ------
    DecodeError
        At the first place that is not JSON, or if an object gives a key twice.

    Examples
    --------
    >>> decode_json('{"a": 1, "a": 2}')
    Traceback (most recent call last):
    ppnsim.formats.decode.DecodeError: key 'a' is given twice
    """
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
    except json.JSONDecodeError as error:
        _not_the_format(text, error.msg + json_remedy(text, error.pos), str(error.lineno), str(error.colno))
    except RecursionError:
        raise DecodeError(_TOO_DEEP) from None
    except ValueError:
        raise DecodeError(_TOO_LONG) from None


def _not_the_format(text: str, words: str, line: str | None, column: str | None) -> NoReturn:
    """Raise what a decoder found, and where: at the end of the text if it names no line."""
    lines = text.split("\n")
    place = f"{line or len(lines)}:{column or len(lines[-1]) + 1}"
    raise DecodeError(words[:1].lower() + words[1:], place=place) from None


def _constant(name: str) -> NoReturn:
    raise DecodeError(f"{name} is not a number that a file can hold (JSON does not know it either)")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) < len(pairs):
        key, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        inside = f" in the object called {read['name']!r}" if isinstance(read.get("name"), str) else ""
        raise DecodeError(f"key {key!r} is given twice{inside}")
    return read
