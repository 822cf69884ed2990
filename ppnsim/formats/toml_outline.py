"""The outline of a TOML text: its headers, keys and braces, without what looks alike in comments, texts and arrays."""

from __future__ import annotations

from collections.abc import Iterator

_MARKS = frozenset("[]{}#=,\n")


def outline(text: str) -> str:
    r"""Return a text of the same length: comments are blank; what is in arrays, or a mark of TOML in texts, is ``_``.

    The text is TOML that can be read. Ends of lines inside of arrays and texts are ``_``, too.

    Examples
    --------
    >>> print(outline("[a]  # [b]\nb = [\n [1], # two\n]\nc = { d = '}=', e = [{}] }"))
    [a]
    b = [_____________]
    c = { d = '__', e = [__] }
    """
    return "".join(_characters(text))


def _characters(text: str) -> Iterator[str]:
    """Yield the characters of the outline."""
    quote, deep, at, line = "", 0, 0, 0  # the quote of the text that is open, brackets of arrays, where, start of line
    while at < len(text):
        here = text[at]
        if quote:
            taken = quote if text.startswith(quote, at) else text[at : at + 2] if _escapes(here, quote) else here
            if taken == quote:
                quote = ""
            yield from ("_" if deep or each in _MARKS else each for each in taken)
        elif here in "\"'":
            taken = quote = 3 * here if text.startswith(3 * here, at) else here
            yield from "_" * len(taken) if deep else taken
        elif here == "#":
            end = text.find("\n", at)
            taken = text[at : len(text) if end < 0 else end]
            yield from ("_" if deep else " ") * len(taken)
        else:
            taken = here
            is_array = deep > 0 or text[line:at].strip() not in ("", "[")
            deep += (here == "[") * is_array
            deep -= (here == "]") * is_array * (deep > 0)
            outside = not deep or (deep == 1 and here == "[")
            yield here if outside else "_"
        at += len(taken)
        if taken.endswith("\n") and not quote and not deep:
            line = at


def _escapes(character: str, quote: str) -> bool:
    return character == "\\" and quote[0] == '"'
