"""A reader for dataflow regions and for tasks that run as long as data comes: ``hls::task t(f, in, out)``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from ppnsim.errors import InputError
from ppnsim.hls.pragmas.directives import LoopDirective, Scope, scope_of
from ppnsim.hls.pragmas.pragma import DirectivesSoFar, Pragma
from ppnsim.loops.program import LoopProgram

_DECLARED = re.compile(r"\bhls::task\b\s+(?P<name>\w+)\s*(?:\[[^\]]*\]\s*)?(?:[({]\s*(?P<function>[\w:]+)|;)")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def makes_region(found: Pragma, asked: DirectivesSoFar, scope: Scope, old: LoopDirective) -> bool:
    """Return whether ``dataflow`` is on; refuse both ``dataflow`` and ``dataflow off`` for one function or loop."""
    found.check("off", "disable_start_propagation")
    if found.flag("disable_start_propagation"):
        asked.ignore(found, "dataflow disable_start_propagation: tasks start at the same time here (R7.1)")
    off = found.flag("off")
    before = asked.places.get((scope, "dataflow"))
    if before is not None and old.dataflow == off:
        raise InputError(f"conflicting pragmas: dataflow and dataflow off ({before}): take one away", where=found.where)
    if off:
        asked.ignore(found, "dataflow off: no region is made here, with or without it")
    return not off


def read_tasks(sources: Mapping[str, str], program: LoopProgram, asked: DirectivesSoFar) -> None:
    """Note the functions that are such tasks, and the functions that declare them, which are dataflow regions."""
    for file, text in sorted(sources.items()):
        plain = _COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
        for declared in _DECLARED.finditer(plain):
            line = plain.count("\n", 0, declared.start()) + 1
            around = [f for f in program.frames if f.position.file == file and f.position.line <= line <= f.end]
            if not around:
                continue
            owner = scope_of(max(around, key=lambda frame: frame.position.line))
            asked.functions[owner] = replace(asked.functions.get(owner, LoopDirective()), dataflow=True)
            started = re.compile(rf"\b{declared['name']}\s*(?:\[[^\]]*\]\s*)?\(\s*([\w:]+)\s*(?:<[^;]*?>)?\s*,")
            named = {declared["function"] or "", *started.findall(plain, declared.start())} - {""}
            names = {each.rpartition(":")[2] for each in named}
            for frame in program.frames:
                if frame.path and {frame.path[-1], re.sub(r"_\d+$", "", frame.path[-1])} & names:
                    scope = scope_of(frame)
                    asked.functions[scope] = replace(asked.functions.get(scope, LoopDirective()), endless=True)
