"""Maps clang's names and numbers of cursors, operators and types to those of ppnsim's syntax tree.

It includes the types of high-level synthesis: tokens of ``hls::stream``, bits of ``ap_int`` and ``ap_fixed``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from ppnsim.c.clang.methods import turned
from ppnsim.c.kinds import Kind
from ppnsim.c.plain.nodes import elements_of
from ppnsim.c.syntax import CType, SyntaxNode, unsigned

THROUGH = ("CONSTANTARRAY", "POINTER", "LVALUEREFERENCE")
DEPTH = 2
"""Tokens that a FIFO holds if nothing tells its depth (the vendor's default)."""
_STREAM = re.compile(r"hls::stream<.*?(?:, (\d+))?>")
_STD_ARRAY = re.compile(r"std::array<.*, (\d+)(?:U?L?L?)>")
_BITS = frozenset(("range", "operator()", "operator[]", "bit", "test", "get_bit"))
_REDUCED = frozenset(f"{name}_reduce" for name in ("and", "or", "xor", "nand", "nor", "xnor"))
_NUMBERS = _BITS | _REDUCED | {"concat", "invert", "reverse", "set", "set_bit", "clear"}
_C_BITS = re.compile(r"(unsigned )?_BitInt\((\d+)\)")
# The number types of high-level synthesis, as headers/vendor declares them.
# Modes of quantisation and overflow follow if they are not the defaults.
ARBITRARY = re.compile(
    r"(ap_int|ap_fixed)_base<(\d+), (?:(-?\d+), )?(true|false)(?:, AP_\w+){0,2}(?:, \d+)?>|ap_range_ref<(\d+)>"
)

# The C interface gives operators as numbers, which the Python binding does not name. CXBinaryOperatorKind from 3 on (1
# and 2 are pointers to members of C++), in clang's order.
BINARY = dict(enumerate("* / % + - << >> <=> < > <= >= == != & ^ | && ||".split(), start=3))  # noqa: SIM905
BINARY |= dict(enumerate("= *= /= %= += -= <<= >>= &= ^= |= ,".split(), start=22))  # noqa: SIM905
# CXUnaryOperatorKind from 1 on, written as in `STEPS`.
UNARY = dict(enumerate("x++ x-- ++ -- & * + - ~ !".split(), start=1))  # noqa: SIM905
EXTENSION = 13
# Kinds of functions that belong to an object, by clang's name.
OF_OBJECTS = ("CXX_METHOD", "CONSTRUCTOR", "CONVERSION_FUNCTION")
ASSIGNMENTS = frozenset(BINARY[number] for number in range(22, 33))
_OPERATORS = frozenset((*BINARY.values(), "~", "!"))

# Keys below are clang's names of cursor and type kinds.
LOOKED_THROUGH = ("PAREN_EXPR", "UNEXPOSED_EXPR")
CASTS = (
    "CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR", "CXX_FUNCTIONAL_CAST_EXPR", "CXX_REINTERPRET_CAST_EXPR",
    "CXX_CONST_CAST_EXPR",
)  # fmt: skip
KINDS: dict[str, Kind] = {
    "ARRAY_SUBSCRIPT_EXPR": "index", "MEMBER_REF_EXPR": "member", "MEMBER_REF": "member", "STRING_LITERAL": "string",
    "CONDITIONAL_OPERATOR": "choice", "INIT_LIST_EXPR": "list", "COMPOUND_STMT": "block", "NULL_STMT": "empty",
    "IF_STMT": "if", "SWITCH_STMT": "switch", "CASE_STMT": "case", "DEFAULT_STMT": "default",
    "FOR_STMT": "for", "WHILE_STMT": "while", "DO_STMT": "do", "CXX_FOR_RANGE_STMT": "range_for",
    "RETURN_STMT": "return", "BREAK_STMT": "break", "CONTINUE_STMT": "continue", "GOTO_STMT": "goto",
    "INDIRECT_GOTO_STMT": "goto", "CXX_TRY_STMT": "try", "ASM_STMT": "asm", **dict.fromkeys(CASTS, "cast"),
}  # fmt: skip
INTEGERS = frozenset(
    """ENUM BOOL CHAR_U UCHAR CHAR16 CHAR32 USHORT UINT ULONG ULONGLONG UINT128
    CHAR_S SCHAR WCHAR SHORT INT LONG LONGLONG INT128""".split()  # noqa: SIM905
)
REALS = ("FLOAT", "DOUBLE", "LONGDOUBLE", "FLOAT128", "HALF")


def readable(spelling: str) -> str:
    """Return a type with numbers of any width as a source spells them, not as the headers declare them.

    Examples
    --------
    >>> readable("hls::stream<ap_int_base<8, false>>"), readable("ap_fixed_base<16, 8, true, AP_RND>")
    ('hls::stream<ap_uint<8>>', 'ap_fixed<16,8>')
    """
    return ARBITRARY.sub(lambda found: scalar("RECORD", found[0], 0, const=False).text, spelling)


def stream_depth(spelling: str) -> int | None:
    """Return the depth of a stream type, None for other types.

    Examples
    --------
    >>> stream_depth("hls::stream<ap_axiu<32, 1, 1, 1>, 16>"), stream_depth("hls::stream<int>"), stream_depth("int")
    (16, 2, None)
    """
    return int(found[1] or 0) or DEPTH if (found := _STREAM.fullmatch(spelling)) else None


def std_array(spelling: str) -> int | None:
    """Return the number of elements of a ``std::array``, None for other types.

    Examples
    --------
    >>> std_array("const std::array<ap_int_base<8, true>, 16>"), std_array("int")
    (16, None)
    """
    found = _STD_ARRAY.fullmatch(spelling.removeprefix("const "))
    return None if found is None else int(found[1])


def method(cursor: Any, read: Callable[[Any], SyntaxNode]) -> SyntaxNode | None:
    """Return the node of a call of a vendor's method, None for other calls and unsupported methods.

    A token of a stream and bits of a number are places, like an element of an array. A read names the place, a write
    assigns to it. ``read`` makes a node from a cursor.
    """
    called = cursor.referenced
    if called is None or called.kind.name != "CXX_METHOD":
        return None
    owner = called.semantic_parent.type.get_canonical().spelling
    name, (target, arguments) = called.spelling, parts(cursor)
    is_stream = bool(_STREAM.match(owner))
    if target is not None and (count := std_array(owner)) is not None:
        return _of_array(name, elements_of(read(target)), [read(argument) for argument in arguments], count, cursor)
    if target is None or name.startswith("to_") or not (is_stream or (ARBITRARY.fullmatch(owner) and name in _NUMBERS)):
        return None
    base, given = read(target), [read(argument) for argument in arguments]
    extent = (cursor.extent.start.offset, cursor.extent.end.offset)

    def made(kind: Kind, children: Sequence[SyntaxNode], of: CType, text: str = "") -> SyntaxNode:
        return SyntaxNode(kind, base.position, of, tuple(children), text, end=cursor.extent.end.line, extent=extent)

    return _token(name, base, given, made) if is_stream else _bits(name, base, given, made)


INT, BOOL = CType("integer", "int", 32), CType("integer", "bool", 8)
_PLAIN = str.maketrans(dict.fromkeys("[]().,+-* &>", "_"))


def _of_array(
    name: str, array: SyntaxNode, given: Sequence[SyntaxNode], count: int, cursor: Any
) -> SyntaxNode | None:  # fmt: skip
    """Return an element of a ``std::array`` or the number of its elements, None for other methods."""
    if name == "size":
        return _number(array, count)
    ends = {"front": 0, "back": count - 1}
    if name not in ("operator[]", "at", *ends) or array.type.element is None:
        return None
    subscript = given[0] if given else _number(array, ends[name])
    extent = (cursor.extent.start.offset, cursor.extent.end.offset)
    return SyntaxNode(
        "index", array.position, array.type.element, (array, subscript), end=cursor.extent.end.line, extent=extent
    )  # fmt: skip


_Made = Callable[..., SyntaxNode]


def _token(name: str, stream: SyntaxNode, given: Sequence[SyntaxNode], made: _Made) -> SyntaxNode | None:
    element = stream.type.element or stream.type
    token = made("token", (stream,), element)
    if name in ("read", "operator>>"):
        return made("assign", (given[0], token), given[0].type, "=") if given else token
    if name in ("write", "operator<<"):
        return made("assign", (made("token", (stream,), element, "write"), given[0]), element, "=")
    if name in ("read_dep", "write_dep"):  # the second argument is the result
        return made("binary", (_token(name.removesuffix("_dep"), stream, given[:1], made), given[1]), BOOL, ",")
    if name == "set_name":
        return made("empty", (), element)
    if name in ("capacity", "depth"):
        return _number(stream, stream.type.size if isinstance(stream.type.size, int) else DEPTH)
    result = BOOL if name in ("read_nb", "write_nb", "empty", "full") else unsigned(32) if name == "size" else element
    return made("other", (stream, *given), result, f"{name}, a method of {readable(stream.type.text)}")


def _bits(name: str, number: SyntaxNode, given: Sequence[SyntaxNode], made: _Made) -> SyntaxNode:
    if name in _REDUCED:
        return made("reduce", (number,), CType("integer", "bool", 8), name)
    if name == "concat":
        return made("join", (number, given[0]), unsigned(number.type.bits + given[0].type.bits))
    if name == "reverse":
        return turned(number, made)
    ends = list(given) if given else [_number(number, number.type.bits - 1), _number(number, 0)]
    high, low = ends[0], ends[-1]
    if name in _BITS:
        width = number.type.bits if len(given) == 2 else 1
        if high.value is not None and low.value is not None:
            width = abs(high.value - low.value) + 1
        return made("bits", (number, high, low), unsigned(width if given else number.type.bits))
    one = made("bits", (number, high, high), unsigned(1))
    if name == "invert":
        return made("assign", (one, made("unary", (one,), one.type, "!")), one.type, "=")
    return made("assign", (one, given[1] if len(given) > 1 else _number(number, int(name == "set"))), one.type, "=")


def _number(near: SyntaxNode, value: int) -> SyntaxNode:
    return SyntaxNode("integer", near.position, CType("integer", "int", 32), value=value, end=near.end)


def parts(cursor: Any) -> tuple[Any, list[Any]]:
    """Return the object of a method call, None if the source does not name it, and the arguments."""
    arguments = list(cursor.get_arguments())
    first = next(iter(cursor.get_children()), None)
    while first is not None and first.kind.name in LOOKED_THROUGH:
        first = next(iter(first.get_children()), None)
    if first is not None and first.kind.name == "MEMBER_REF_EXPR" and first.spelling == cursor.spelling:
        named = next(iter(first.get_children()), None)  # B of B<N>::f() in a class; N of f<N>(), after the name
        own = named is not None and named.kind.is_expression() and (
            first.location.file is None or named.extent.start.offset <= first.location.offset)  # fmt: skip
        return named if own else None, arguments
    if cursor.spelling.startswith("operator") and arguments:
        return arguments[0], arguments[1:]
    return None, arguments


def of_lanes(constructor: Any) -> bool:
    """Return whether a constructor makes an ``hls::vector`` from a list of its lanes."""
    given = [argument.type.spelling for argument in constructor.get_arguments()]
    return constructor.semantic_parent.spelling == "vector" and len(given) == 1 and "initializer_list" in given[0]


def function_of(argument: Any) -> Any:
    """Return the function, or template instance, that an argument names, None for other arguments."""
    named = (each.referenced for each in argument.walk_preorder() if each.kind.name == "DECL_REF_EXPR")
    return next((each for each in named if each is not None and each.kind.name == "FUNCTION_DECL"), None)


def namespace(cursor: Any) -> str:
    """Return the namespaces of a C++ name, each followed by ``::``, without unnamed and inline namespaces."""
    text, parent = "", cursor.semantic_parent if cursor else None
    while parent is not None and parent.kind.name == "NAMESPACE":
        plain = parent.spelling and not parent.spelling.startswith(("_", "("))
        text, parent = (f"{parent.spelling}::" if plain else "") + text, parent.semantic_parent
    return text


def operator(called: Any, arguments: int) -> tuple[Kind, str] | None:
    """Return kind and text of an operator on vendor numbers; None for other functions, as for operators of structs."""
    if not called.spelling.startswith("operator"):
        return None
    text = called.spelling.removeprefix("operator").strip()
    every = (each.get_canonical() for each in called.type.argument_types())
    taken = [each.get_pointee() if "REFERENCE" in each.kind.name else each for each in every]
    own = [bool(ARBITRARY.fullmatch(each.spelling.replace("const ", ""))) for each in taken]
    if not any(own) or any(each.kind.name == "RECORD" and not number for each, number in zip(taken, own, strict=True)):
        return None
    if text in ("++", "--"):
        return "unary", ("x" if arguments == 2 else "") + text
    if text == "," or text not in _OPERATORS:
        return ("join", "") if text == "," else None
    return ("unary" if arguments == 1 else "assign" if text in ASSIGNMENTS else "binary"), text


def is_vendors(owner: str) -> bool:
    """Return whether a class is one of the built-in vendor classes: a stream or a number of any width."""
    return bool(_STREAM.match(plain := owner.removeprefix("const ")) or ARBITRARY.fullmatch(plain))


def is_conversion(cursor: Any) -> bool:
    """Return whether a call converts a vendor number to a C number: ``to_int()``, or an implicit conversion."""
    if (called := cursor.referenced) is None or called.kind.name not in ("CXX_METHOD", "CONVERSION_FUNCTION"):
        return False
    owner = called.semantic_parent.type.get_canonical().spelling
    named = called.kind.name == "CONVERSION_FUNCTION" or called.spelling.startswith("to_") or called.spelling == "get"
    return named and bool(ARBITRARY.fullmatch(owner))


def scalar(kind: str, spelling: str, bits: int, const: bool) -> CType:
    """Return a type that is neither array nor pointer, by clang's name of its kind."""
    text = re.sub(r"\b(const|volatile|restrict|__(global|local|constant|private|generic))\b ?", "", spelling).strip()
    if kind in REALS:
        return CType("real", "half" if kind == "HALF" else text, bits, const)
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
    if (found := _C_BITS.fullmatch(text)) is not None:  # the types of ap_cint.h
        return CType("integer", f"ap_{'u' if found[1] else ''}int<{found[2]}>", int(found[2]), const)
    if kind == "RECORD":
        return CType("struct", text, bits, const)
    return CType("void", "void", 0, const) if kind == "VOID" else CType("other", text, bits, const)
