"""What a text that is not TOML or JSON was perhaps meant to be: the habits of other languages and editors."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left

UNCLOSED = re.compile(r"""Illegal character '\\n'|Found invalid character '\\n'|Unterminated string|Expected "'+\"""")
_BARE_TEXT = re.compile(r"(?=.*[A-Za-z])\w[\w .:/%+-]*")
_TYPED_FOR_QUOTES = "\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}\N{LEFT SINGLE QUOTATION MARK}"
_KEY_BEFORE = re.compile(r"""([^\s{,="']+)\s*=\s*$""")  # of a value
_TABLE = re.compile(r"^\s*(\[[^\]]*\]|[\w.-]+\s*=)")


def toml_remedy(text: str, line: int, column: int) -> str:
    """Return in brackets what to write at a place that is not TOML, "" where no habit is seen.

    Examples
    --------
    >>> toml_remedy("clock = 100 MHz", 1, 12)
    ' (a text stands in quotes: "100 MHz")'
    >>> toml_remedy("[process.\N{LATIN SMALL LETTER A WITH DIAERESIS}]", 1, 10).isascii()
    True
    """
    if line == column == 1 and text.startswith(("{", "[\n")):
        return " (it looks like JSON: call the file .json)"
    if line == column == 1 and text.startswith("<"):
        return " (it looks like XML: call a graph of SDF3 .xml)"
    if "\r" in text and "\n" not in text:
        return " (its lines end in CR alone: save it with the ends of lines of this system)"
    row = text.split("\n")[line - 1]
    here = row[column - 1 : column]
    if not here and row.count("{") > row.count("}"):
        return " (what is in braces stands on one line, with commas between the keys and } at its end)"
    if set(row) & set(_TYPED_FOR_QUOTES):
        return f' ({next(each for each in row if each in _TYPED_FOR_QUOTES)} is no quote of TOML: write ")'
    if here and not here.isascii() and here.isspace():
        return f" (a blank that is none, U+{ord(here):04X}: type a plain one)"
    if here and not here.isascii():
        return " (a name with other characters than A-Z, a-z, 0-9, _ and - stands in quotes)"
    return _without_quotes(row, column - 1)


def unclosed_text(text: str, line: int | None) -> tuple[int, int, str] | None:
    r"""Return line, column and what to do of a text in TOML that is not closed, in a line or in whichever it begins.

    Examples
    --------
    >>> unclosed_text("clock = '200 MHz\n[process.a]\n", None)
    (1, 9, "the text of 'clock' that begins here is not closed (write ' at its end)")
    """
    rows = text.split("\n")
    if line is None:
        line = 1 + bisect_left(range(len(rows)), True, key=lambda last: _stays_open("\n".join(rows[: last + 1])))
    found = _open_quote(rows[min(line, len(rows)) - 1])
    if found is None:
        return None
    column, quote = found
    key = _KEY_BEFORE.search(rows[min(line, len(rows)) - 1][: column - 1])
    whose = f"the text of '{key[1]}'" if key else "the text"
    return line, column, f"{whose} that begins here is not closed (write {quote} at its end)"


def _stays_open(text: str) -> bool:
    """Return whether a text in TOML is open at the end of this part of a file."""
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return UNCLOSED.match(str(error)) is not None
    return False


def _open_quote(row: str) -> tuple[int, str] | None:
    """Return the column from which on a text is open at the end of a line, and its quote, None if none is."""
    begin, quote, at = 0, "", 0
    while at < len(row):
        if quote and row.startswith(quote, at):
            at, quote = at + len(quote), ""
        elif quote:
            at += 2 if row[at] == "\\" and quote[0] == '"' else 1
        elif row[at] == "#":
            break
        elif row[at] in "\"'":
            quote = 3 * row[at] if row.startswith(3 * row[at], at) else row[at]
            begin, at = at + 1, at + len(quote)
        else:
            at += 1
    return (begin, quote) if quote else None


def _without_quotes(line: str, at: int) -> str:
    """Return the remedy where a value that is a text stands without quotes, "" where no such value is seen."""
    begin = line.rfind("=", 0, at) + 1
    value = re.split(r"[,}#\]]", line[begin:])[0].strip()
    if not begin or not _BARE_TEXT.fullmatch(value) or value in ("true", "false"):
        return ""
    return f' (a text stands in quotes: "{value}")'


def json_remedy(text: str, place: int) -> str:
    """Return in brackets what JSON lacks of other languages, if that stands at a place.

    Examples
    --------
    >>> json_remedy("[1,]", 3), json_remedy("# a note", 0), json_remedy("[process.a]", 1)
    (" (JSON has no comma before ']')", ' (JSON has no comments)', ' (it looks like TOML: call the file .toml)')
    """
    before, here = text[:place].rstrip()[-1:], text[place : place + 1]
    if here in ("]", "}") and before == ",":
        return f" (JSON has no comma before '{here}')"
    if here in ("/", "#"):
        return " (JSON has no comments)"
    return " (it looks like TOML: call the file .toml)" if _TABLE.match(text) else ""
