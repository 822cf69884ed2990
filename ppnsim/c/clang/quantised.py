"""Removes the quantisation and overflow modes of ``ap_fixed`` from templates: numbers here only have widths.

In ``template <int W, int I, ap_q_mode Q, ap_o_mode O, int N> .. f(ap_fixed<W, I, Q, O, N>)``, parameters that clang
cannot deduce get defaults. A partial specialisation of a class becomes one for the widths. Code that uses a mode stays
unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ppnsim.c.clang.library import in_system

QUANTISED = "a template of the modes of ap_fixed, which the numbers here do not have; give it the widths alone"
_UNFOUND = re.compile(
    r"class template partial specialization contains .*that cannot be deduced|.*couldn't infer template argument"
)
_HEADER = re.compile(r"\btemplate\s*<([^<>;{}()]*\bap_[qo]_mode\b[^<>;{}()]*)>")
_FIXED = re.compile(r"\b(ap_u?fixed\s*<)([^<>]*)(>)")
_SPECIAL = re.compile(r"\s*(?:struct|class)\s+\w+\s*<")
_OTHERS = re.compile(r"\s*(?:struct|class|using|union)\b")
_VALUES = {"ap_q_mode": "AP_TRN", "ap_o_mode": "AP_WRAP"}
_NEAR = 4
"""Lines before a declaration that are searched for its ``template <..>``."""


def asked(found: Any, once: Mapping[str, str]) -> Any:
    """Return the position of the template with modes that clang's message is about, None for other messages."""
    for each in (found, *found.children):
        place = each.location
        if place.file is None or in_system(place) or not _UNFOUND.match(each.spelling):
            continue
        lines = _text(place.file.name, once).split("\n")[max(0, place.line - _NEAR) : place.line + 1]
        header = _HEADER.search("\n".join(lines))
        if header is not None and any("=" not in each for each in header[1].split(",") if "_mode" in each):
            return place
    return None


def _text(file: str, once: Mapping[str, str]) -> str:
    return once.get(file) or Path(file).read_text(encoding="utf-8", errors="replace")


def by_widths(file: str, once: dict[str, str]) -> bool:
    """Rewrite the templates of a file that have modes of ``ap_fixed``; return whether there were any."""
    text = _text(file, once)
    once[file] = changed(text)
    return once[file] != text


def changed(text: str) -> str:
    """Return a text whose templates need no deduction of modes.

    Examples
    --------
    >>> print(changed("template <int W, int I, ap_q_mode Q> void f(ap_fixed<W, I, Q> x);"))
    template <int W, int I, ap_q_mode Q = AP_TRN> void f(ap_fixed<W, I, Q> x);
    >>> print(changed("template <int W, ap_q_mode Q> struct is<ap_fixed<W, 1, Q>> { static const int w = W; };"))
    template <int W> struct is<ap_fixed<W, 1, AP_TRN>> { static const int w = W; };
    """
    declared = set[str]()
    at = 0
    while (header := _HEADER.search(text, at)) is not None:
        end = _end(text, header.end())
        before, rest = text[: header.start()], text[header.end() : end]
        made = _of_widths(header[1], rest, declared) or header[0] + rest
        text, at = before + made + text[end:], len(before) + len(made)
    return text


def _end(text: str, start: int) -> int:
    """Return the end of a declaration: after its ``;`` or its block."""
    depth, at = 0, start
    while at < len(text):
        depth += (text[at] == "{") - (text[at] == "}")
        at += 1
        if depth == 0 and text[at - 1] in ";}":
            break
    return at


def _of_widths(listed: str, rest: str, declared: set[str]) -> str:
    """Return a template without its modes, "" for a template that stays as it is."""
    parameters = {each.split()[-1]: each for each in listed.split(",") if "=" not in each and each.split()}
    head = re.split(r"[{;]", rest, maxsplit=1)[0]
    modes = {word.strip() for found in _FIXED.finditer(head) for word in found[2].split(",")[2:5]} & {*parameters}
    values = {name: _VALUES.get(parameters[name].split()[-2], "0") for name in modes}
    if _SPECIAL.match(rest):
        plain = _FIXED.sub(lambda found: found[1] + _replaced(found[2], values) + found[3], rest)
        if any(re.search(rf"\b{name}\b", plain) for name in modes):
            return ""
        kept = ",".join(each for each in listed.split(",") if each.split()[-1] not in modes)
        return f"template <{kept.strip()}>{plain}"
    signature = " ".join(head.split())
    if not modes or _OTHERS.match(rest) or signature in declared:  # only the first declaration has defaults
        return ""
    declared.add(signature)
    given = (
        f"{each} = {values[each.split()[-1]]}" if each.split()[-1] in modes else each for each in listed.split(",")
    )
    return f"template <{','.join(given)}>{rest}"


def _replaced(text: str, values: Mapping[str, str]) -> str:
    return re.sub(r"\w+", lambda word: values.get(word[0], word[0]), text)
