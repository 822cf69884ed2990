"""The outline of a TOML text: its headers, keys and braces, without what looks alike in comments, texts and arrays."""

from __future__ import annotations

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
    found, deep, at, line = list[str](), 0, 0, 0  # brackets of arrays that are open, where, start of the line
    while at < len(text):
        here, end = text[at], at + 1
        opens = here == "[" and (deep > 0 or text[line:at].strip() not in ("", "["))
        shown = here
        if here in "\"'":
            end = _end_of_text(text, at)
            shown = "".join("_" if each in _MARKS else each for each in text[at:end])
        elif here == "#":
            newline = text.find("\n", at)
            end = len(text) if newline < 0 else newline - (text[newline - 1] == "\r")
            shown = " " * (end - at)
        deep -= here == "]" and deep > 0
        found.append("_" * (end - at) if deep else shown)
        deep += opens
        at = end
        line = at if here == "\n" and not deep else line
    return "".join(found)


def _end_of_text(text: str, at: int) -> int:
    """Return the place behind a text that begins with its quote."""
    quote = 3 * text[at] if text.startswith(3 * text[at], at) else text[at]
    end = at + len(quote)
    while not text.startswith(quote, end):
        end += 2 if text[end] == "\\" and quote[0] == '"' else 1
    return end + len(quote)
