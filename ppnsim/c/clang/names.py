"""Clang's names and numbers of cursors, operators and types, and the names in our tree."""

from __future__ import annotations

import re
from typing import Any

from ppnsim.c.kinds import Kind
from ppnsim.c.syntax import CType

# The C interface gives operators as numbers, which the Python binding does not name. CXBinaryOperatorKind from 3 on (1
# and 2 are pointers to members of C++), in clang's order.
BINARY = dict(enumerate("* / % + - << >> <=> < > <= >= == != & ^ | && ||".split(), start=3))  # noqa: SIM905
BINARY |= dict(enumerate("= *= /= %= += -= <<= >>= &= ^= |= ,".split(), start=22))  # noqa: SIM905

# CXUnaryOperatorKind from 1 on, written as in `STEPS`.
UNARY = dict(enumerate("x++ x-- ++ -- & * + - ~ !".split(), start=1))  # noqa: SIM905
EXTENSION = 13

ASSIGNMENTS = frozenset(BINARY[number] for number in range(22, 33))

# By clang's name of a cursor or a type.
LOOKED_THROUGH = ("PAREN_EXPR", "UNEXPOSED_EXPR")
CASTS = ("CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR", "CXX_FUNCTIONAL_CAST_EXPR")
KINDS: dict[str, Kind] = {
    "ARRAY_SUBSCRIPT_EXPR": "index",
    "MEMBER_REF_EXPR": "member",
    "MEMBER_REF": "member",
    "CONDITIONAL_OPERATOR": "choice",
    "INIT_LIST_EXPR": "list",
    "STRING_LITERAL": "string",
    "COMPOUND_STMT": "block",
    "FOR_STMT": "for",
    "IF_STMT": "if",
    "RETURN_STMT": "return",
    "NULL_STMT": "empty",
    "WHILE_STMT": "while",
    "DO_STMT": "do",
    "CXX_FOR_RANGE_STMT": "range_for",
    "SWITCH_STMT": "switch",
    "CASE_STMT": "case",
    "DEFAULT_STMT": "default",
    "GOTO_STMT": "goto",
    "INDIRECT_GOTO_STMT": "goto",
    "BREAK_STMT": "break",
    "CONTINUE_STMT": "continue",
    "CXX_TRY_STMT": "try",
    "ASM_STMT": "asm",
    **dict.fromkeys(CASTS, "cast"),
}
INTEGERS = frozenset(
    """ENUM BOOL CHAR_U UCHAR CHAR16 CHAR32 USHORT UINT ULONG ULONGLONG UINT128
    CHAR_S SCHAR WCHAR SHORT INT LONG LONGLONG INT128""".split()  # noqa: SIM905
)
REALS = ("FLOAT", "DOUBLE", "LONGDOUBLE", "FLOAT128", "HALF")


def namespace(cursor: Any) -> str:
    """Return the namespaces of a C++ name, each with ``::`` behind it, without nameless and inline ones."""
    text, parent = "", cursor.semantic_parent if cursor else None
    while parent is not None and parent.kind.name == "NAMESPACE":
        plain = parent.spelling and not parent.spelling.startswith(("_", "("))
        text, parent = (f"{parent.spelling}::" if plain else "") + text, parent.semantic_parent
    return text


# The types of numbers of high-level synthesis, as the declarations in headers/vendor name them.
ARBITRARY = re.compile(r"(ap_int|ap_fixed)_base<(\d+), (?:(-?\d+), )?(true|false)>|ap_range_ref<(\d+)>")
_OPERATORS = frozenset((*BINARY.values(), "~", "!"))


def operator(cursor: Any, arguments: int) -> tuple[Kind, str] | None:
    """Return kind and operator of the node for a call of an operator of vendor numbers, None for other calls."""
    called = cursor.referenced
    if called is None or called.kind.name != "FUNCTION_DECL" or not called.spelling.startswith("operator"):
        return None
    text = called.spelling.removeprefix("operator").strip()
    if not ARBITRARY.search(called.type.spelling) and not ARBITRARY.search(called.type.get_canonical().spelling):
        return None
    if text in ("++", "--"):
        return "unary", ("x" if arguments == 2 else "") + text
    if text == ",":
        return "join", ""
    if text not in _OPERATORS:
        return None
    return ("unary" if arguments == 1 else "assign" if text in ASSIGNMENTS else "binary"), text


def is_conversion(cursor: Any) -> bool:
    """Return whether a call converts a vendor number to C: ``to_int()``, or an implicit conversion of C++."""
    called = cursor.referenced
    if called is None or called.kind.name not in ("CXX_METHOD", "CONVERSION_FUNCTION"):
        return False
    owner = called.semantic_parent.type.get_canonical().spelling
    named = called.kind.name == "CONVERSION_FUNCTION" or called.spelling.startswith("to_")
    return named and bool(ARBITRARY.search(owner))


def scalar(kind: str, spelling: str, bits: int, const: bool) -> CType:
    """Return a type that is neither array nor pointer, by clang's name of its kind."""
    text = re.sub(r"\b(const|volatile|restrict|__(global|local|constant|private|generic))\b ?", "", spelling).strip()
    if kind in REALS:
        return CType("real", text, bits, const)
    if kind == "ENUM" and not text.startswith("enum "):
        text = f"enum {text}"
    if kind in INTEGERS:
        return CType("integer", text, bits, const)
    if kind == "RECORD" and (found := ARBITRARY.fullmatch(text)):
        if found[5]:
            return CType("integer", f"ap_uint<{found[5]}>", int(found[5]), const)
        name = found[1] if found[4] == "true" else found[1].replace("_", "_u")
        if found[1] == "ap_int":
            return CType("integer", f"{name}<{found[2]}>", int(found[2]), const)
        return CType("real", f"{name}<{found[2]},{found[3]}>", int(found[2]), const)
    if kind == "RECORD":
        return CType("struct", text, bits, const)
    return CType("void", "void", 0, const) if kind == "VOID" else CType("other", text, bits, const)


def explained(text: str) -> str:
    """Return an error of clang in words for a user who wants to profile a kernel.

    Examples
    --------
    >>> explained("'sizes.h' file not found")
    "header 'sizes.h' is not found; give its folder with -I"
    """
    if header := re.fullmatch(r"'(.+)' file not found", text):
        return f"header '{header[1]}' is not found; give its folder with -I"
    if name := re.search(r"undeclared identifier '(\w+)'", text):
        return f"'{name[1]}' is not declared; if it stands for a number, give it with -D {name[1]}=..."
    return f"not C that can be read: {text}"
