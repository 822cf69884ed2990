"""Defines the kinds of syntax nodes, groups of kinds, and the words for kinds in messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

Expression = Literal[
    "integer", "real", "string", "name", "index", "member", "unary", "binary", "assign", "choice", "call", "cast",
    "list", "token", "bits", "insert", "join", "reduce", "lanes", "other",
]  # fmt: skip
Structured = Literal["block", "declare", "for", "if", "return", "empty", "left"]
NonAffine = Literal["while", "do", "range_for", "switch", "case", "default", "goto", "break", "continue", "try", "asm"]
Kind = Expression | Structured | NonAffine
BITS: Mapping[Kind, int] = {kind: 1 << at for at, kind in enumerate(k for of in get_args(Kind) for k in get_args(of))}
"""One bit for each kind, so that a set of kinds is one number."""

WORDS: Mapping[Kind, str] = {
    "while": "a while loop",
    "do": "a do loop",
    "range_for": "a range-based for loop",
    "switch": "a switch",
    "case": "a case",
    "default": "a default",
    "goto": "a goto",
    "break": "a break",
    "continue": "a continue",
    "try": "a try block",
    "asm": "inline assembly",
    "return": "a return",
}

LOOPS: frozenset[Kind] = frozenset(("for", "while", "do", "range_for"))
# Loops without a head that gives the trip count.
UNCOUNTED: frozenset[Kind] = frozenset(("while", "do"))
# Statements that do not occur in static affine programs.
NON_AFFINE: frozenset[Kind] = frozenset(WORDS.keys() - {"return"})

# Operators that add or subtract 1; a leading x marks the operand of a postfix operator.
STEPS = frozenset(("x++", "x--", "++", "--"))

TASK = "hls::task"
"""The spelling of a call whose function runs again as long as tokens arrive: a task of the vendor's."""

OUR_HEADERS = "ppnsim/c/clang/headers/"
"""The folder with the stand-ins for vendor headers; their contents are not reported to the user."""
