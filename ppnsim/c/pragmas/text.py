"""Extracts pragmas from source text: their positions, names and clauses, also from macros."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from ppnsim.c.pragmas.clauses import clauses, conditional, of_each
from ppnsim.c.pragmas.macros import inside, pragma_macros
from ppnsim.loops.position import Position

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_LINE = re.compile(r"[ \t]*#[ \t]*pragma[ \t]+(?:(?:HLS|AP)\b[ \t]*|(?=HLS\w))(.*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PragmaLine:
    """A pragma: its name in lower case, and its clauses in order, ``("factor", "4")``, ``("off", "")``.

    ``condition``: the pragma only applies if this condition is true, ``#pragma HLS if (OPT == 1) pipeline``.
    """

    position: Position
    name: str
    clauses: tuple[tuple[str, str], ...]
    condition: str = ""

    @property
    def makes_region(self) -> bool:
        """Whether the pragma makes its function or loop a dataflow region."""
        return self.name == "dataflow" and "off" not in dict(self.clauses)

    @property
    def bus(self) -> str:
        """The argument that an ``interface`` puts on a bus, "" for other pragmas.

        Examples
        --------
        >>> [PragmaLine(Position(), "interface", clauses(f"{mode} port=a")).bus for mode in ("mode=m_axi", "bram")]
        ['a', '']
        """
        given = dict(self.clauses) if self.name == "interface" else {}
        return given.get("port", "") if "m_axi" in (given.get("mode"), *given) else ""


def hls_pragmas(file: str, text: str) -> list[PragmaLine]:
    """Return the pragmas of high-level synthesis in a text, also those in ``_Pragma`` and in macros, ``P(HLS ..)``.

    Examples
    --------
    >>> hls_pragmas("k.cpp", "#pragma HLS ARRAY_PARTITION variable = a cyclic factor=2*N // why")[0].clauses
    (('variable', 'a'), ('cyclic', ''), ('factor', '2*N'))
    """
    return list(_pragmas(file, text))


@lru_cache(maxsize=32)  # a text is read again for each branch and each count that is tried
def _pragmas(file: str, text: str) -> tuple[PragmaLine, ...]:
    clean = re.sub(r"^(?:[^\n]*\\[ \t]*\n)+[^\n]*", _joined, without_comments(text), flags=re.MULTILINE)
    found = []
    macros = pragma_macros(file, clean) if re.search("HLS", clean, re.IGNORECASE) or '"' in clean else {}
    for place, code in enumerate(clean.split("\n"), 1):
        match = _LINE.fullmatch(code)
        if match is None and code.lstrip().startswith("#"):
            continue
        for column, each in ((0, match[1].strip()),) if match is not None else inside(code, macros):
            condition, told = conditional(each)
            name, *rest = told.split(maxsplit=1) or ("",)
            at = Position(file, place, column + 1)
            found += [PragmaLine(at, name.lower(), own, condition) for own in of_each(clauses("".join(rest)))]
    return tuple(found)


def without_comments(text: str) -> str:
    """Return a text without comments; line breaks in comments stay, so that lines keep their numbers."""
    return _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text)


@lru_cache(maxsize=8)  # a text is asked for each of its loops
def blanked(text: str) -> str:
    r"""Return a text with spaces for its comments, so that all else keeps its columns, too.

    Examples
    --------
    >>> blanked("a /* b\n */ c")
    'a     \n    c'
    """
    return _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


@lru_cache(maxsize=32)
def depths_of(text: str) -> tuple[int, ...]:
    r"""Return the number of open braces before each line of a text.

    Examples
    --------
    >>> depths_of("int a; // {\nvoid f() {\n}")
    (0, 0, 1)
    """
    lines = re.sub(r'"(?:\\.|[^"\\\n])*"|\'[{}]\'', "", without_comments(text)).split("\n")
    return tuple(accumulate((line.count("{") - line.count("}") for line in lines[:-1]), initial=0))


def _joined(match: re.Match[str]) -> str:
    """Return continued lines as one line, followed by the same number of line breaks."""
    text = match[0]
    return re.sub(r"\\[ \t]*\n", " ", text) + "\n" * text.count("\n")
