"""Lists unsupported vendor headers and classes, with the reasons and with advice."""

from __future__ import annotations

import re

_IN_TURN = re.compile(r"hls::(split|merge)::(round_robin|load_balance)<")
# Vendor headers without a stand-in, with the reason and the remedy.
_VENDORS = {
    "hls_dds.h": "its latency follows from its settings, and the manual has no formula (PG141: the dialog of the core "
    "shows it); write its streams in its place: 'y.write(core(x.read()))' in a pipelined loop, with 'T core(T);' "
    "declared and '#pragma ppnsim latency(N)' before the line",
    "ap_float.h": "no states of its operators are known; those of float and double are",
    "hls_linear_algebra.h": "it came with Vivado HLS, later as Vitis_Libraries, solver; write its loops, or take "
    "solver/L1/include",
    "hls_dsp.h": "it came with Vivado HLS, later as Vitis_Libraries, dsp; write its loops, or take dsp/L1/include",
    "systemc.h": "SystemC describes hardware by modules of its own, which are not read; write a function of C++",
    **dict.fromkeys(("gmp.h", "mpfr.h"), "it is a library of the host, which hardware cannot call"),
    "tapa.h": "the tasks, streams and memories of TAPA are not read; its compiler (tapac --work-dir W) writes each "
    "task as plain HLS into W/cpp: give that file, with --function TASK",
    "hls_array_partition.h": "write '#pragma HLS array_partition variable=...' at the array instead",
}  # fmt: skip
# Headers of separate libraries, by the beginning of the name, with the folder to give.
_LIBRARIES = (
    (re.compile(r"(common|core|imgproc|features|video|dnn|aie)/xf_"), "Vitis_Libraries, vision/L1/include"),
    (re.compile(r"xf_(blas|fintech|security|database|graph|dsp|solver|utils_hw|data\w*|compression)"),
     "Vitis_Libraries, L1/include and L1/include/hw of each"),
    (re.compile(r"(boost|opencv2?|CL|Eigen)/"), "a library of the host, which hardware cannot call"),
)  # fmt: skip

# What to do about errors of clang that name a place only, by the beginning of the error.
_REMEDIES = (
    (r"unknown type name '(\w+)'|no template named '(\w+)'",
     "#include the header that declares it, or give it with -D {name}=.. if the build does"),
    (r"no member named '(\w+)' in namespace '(?:std|hls)'",
     "#include its header; if it has none here, write the function out"),
    (r"no member named '(\w+)'", "declare it there; if a macro chooses the members, give that macro with -D"),
    (r"no matching (?:member )?function for call|no matching constructor|too (?:few|many) arguments",
     "give it the arguments of its declaration"),
    (r"redefinition of|typedef redefinition",
     "keep one of them, or put '#pragma once' into a header that is read twice"),
    (r"unterminated conditional directive", "write the #endif of this #if, which the file does not have"),
    (r"no viable (?:overloaded|conversion)|invalid operands to binary|assigning to .* incompatible|cannot initialize",
     "convert the value to the type of the place, 'x = (T)y;', or declare an operator for the two types"),
    (r"(?:use of overloaded operator|call to|conversion) .*ambiguous",
     "convert an operand, so that one declaration fits"),
    (r".*incomplete type|implicit instantiation of undefined template", "#include the header that has its definition"),
    (r"reference to '(\w+)' is ambiguous", "write its namespace before it, as in std::{name}"),
    (r"array initializer must be", "write its elements in braces; a file of numbers is included between them"),
    (r"\"", "this is an #error of the source; give the macro that it asks for with -D"),
    (r"expected|extraneous closing brace", "end the statement before it; a macro in the line may need a value (-D)"),
)  # fmt: skip

_VIDEO = re.compile(r"no (?:\w+ )+named '((?!FIR|FFT)[A-Z]\w*)' in namespace 'hls'")


def in_turn(spelling: str) -> str | None:
    """Return how a channel with several readers or writers selects among them, None for other types.

    Examples
    --------
    >>> in_turn("hls::split::round_robin<int, 4, 2, 0>"), in_turn("hls::merge::load_balance<int, 4>"), in_turn("int")
    ('round_robin', 'load_balance', None)
    """
    found = _IN_TURN.match(spelling.removeprefix("const "))
    return None if found is None else found[2]


def explained(text: str, *, use: str = "") -> str:
    """Return an error of clang in words for a user who wants to profile a kernel.

    ``use`` tells how the name in the error is used: "call", "array", "object", "argument", else as a number.

    Examples
    --------
    >>> explained("'sizes.h' file not found")
    "header 'sizes.h' is not found; give its folder with -I"
    >>> explained("'hls_dds.h' file not found")  # doctest: +ELLIPSIS
    "header 'hls_dds.h' is not followed: its latency follows from its settings, and the manual has no formula (PG141..."
    >>> print(explained("use of undeclared identifier 'hls'"))
    'hls' is not declared; '#include "hls_stream.h"' declares it
    """
    if header := re.fullmatch(r"'(.+)' file not found", text):
        if found := _VENDORS.get(header[1]):
            return f"header '{header[1]}' is not followed: {found}"
        of = next((f"it is of {words}; " for name, words in _LIBRARIES if name.match(header[1])), "")
        return f"header '{header[1]}' is not found; {of}give its folder with -I"
    if vendor := re.search(r"(?:undeclared identifier|no template named|unknown type name) '(hls|ap_\w+)'", text):
        home = {
            "hls": "hls_stream.h", "ap_fixed": "ap_fixed.h", "ap_ufixed": "ap_fixed.h",
            "ap_axiu": "ap_axi_sdata.h", "ap_axis": "ap_axi_sdata.h",
        }.get(vendor[1], "ap_int.h")  # fmt: skip
        return f"'{vendor[1]}' is not declared; '#include \"{home}\"' declares it"
    if video := _VIDEO.search(text):
        known = "hls::Mat, hls::LineBuffer, hls::Window and the functions in headers/vendor/ppnsim_video_functions.h"
        words = f"of hls_video.h {known} are followed, which Vitis HLS does not have either"
        return f"hls::{video[1]} is not followed: {words}; write pixels of a stream, in loops over rows and columns"
    if request := re.search(r"no member named '((?:read|write)_request_unaligned)'", text):
        words = "no document says how its numbers are packed into beats of the port"
        return f"hls::burst_maxi::{request[1]} is not followed: {words}; ask for numbers of the port's own type"
    if re.search(
        r"no matching (?:constructor for initialization|function for call to object) of (?:type )?'hls::task'", text
    ):
        words = "its function has a name (no lambda, no object), and each argument is of the type of its parameter"
        return f"hls::task is given a function and its arguments, 'hls::task t(f, in, out);': {words}"
    if name := re.search(r"undeclared identifier '(\w+)'", text):
        number = f"if it stands for a number, give it with -D {name[1]}=..."
        remedy = {
            "call": "#include the header of this function, or declare it before the call",
            "array": "declare it before this use",
            "object": f"declare it before this use (a stream: hls::stream<T> {name[1]};)",
            "argument": f"declare it before this call (a stream: hls::stream<T> {name[1]};), or {number}",
        }.get(use, number)
        return f"'{name[1]}' is not declared; {remedy}"
    if "byte order mark detected" in text:
        return "is in UTF-16: save it as UTF-8"
    return f"not C that can be read: {text}"


def remedy(message: str) -> str:
    """Return what to do about an error of clang that no other rule explains, "; " before it, else "".

    Examples
    --------
    >>> remedy("k.cpp:3:5: not C that can be read: unknown type name 'pixel'")
    '; #include the header that declares it, or give it with -D pixel=.. if the build does'
    >>> remedy("k.cpp:3:5: not C that can be read: expected ';' after expression")
    '; end the statement before it; a macro in the line may need a value (-D)'
    >>> remedy("k.cpp:3:5: not C that can be read: reference to 'is_same' is ambiguous")
    '; write its namespace before it, as in std::is_same'
    >>> remedy('k.cpp:3:2: not C that can be read: "no size given"')
    '; this is an #error of the source; give the macro that it asks for with -D'
    """
    _, known, error = message.partition(": not C that can be read: ")
    for beginning, words in _REMEDIES if known else ():
        if (found := re.match(beginning, error)) is not None:
            return "; " + words.format(name=next(filter(None, found.groups()), ""))
    return ""
