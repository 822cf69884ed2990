"""Contradicting directives at one place, for instance in a script and in the source: one of the two counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ppnsim.hls.pragmas.pragma import Pragma

_ABOUT = {
    "latency": (), "inline": (), "allocation": ("instances", "limit"), "bind_op": ("variable", "op"),
    "interface": ("port", "mode"), "stream": ("variable",),
    "dependence": ("variable", "inter", "intra", "type"),
}  # fmt: skip
"""Directives of which the reader follows one silently, and the clauses that identify the subject of each."""
_LARGEST = "latency"


def said_twice(every: Sequence[Pragma]) -> Iterator[tuple[Pragma, str]]:
    """Yield each directive that another directive of its name and place overrules, and the overruling directive.

    The larger of two least latencies counts, else the later directive: scripts come after the source (R6.6).
    """
    counts: dict[object, Pragma] = {}
    for found in every:
        if found.name not in _ABOUT or found.nowhere:
            continue
        place = (found.name, found.loop if found.name != "inline" else None, found.function, _about(found))
        old = counts.get(place)
        if old is not None and (differing := _differing(old, found)):
            keeps = found.name == _LARGEST and (old.number("min", 0) or 0) > (found.number("min", 0) or 0)
            kept, lost = (old, found) if keeps else (found, old)
            yield lost, f"{found.name} {_spelt(lost, differing)}: {kept.where} says {_spelt(kept, differing)}"
            found = kept
        counts[place] = found


def _about(found: Pragma) -> tuple[str, ...]:
    """Return the subject of a directive: the operator of a limit, the mode and the port of an interface."""
    said = found.clauses
    if found.name == "interface":
        mode = said.get("mode") or next(iter(said), "")
        return mode.lower(), said.get("port", "")
    if found.name == "allocation" and "instances" not in said:
        return tuple(sorted(said.keys() - {"limit"}))
    return tuple(f"{each in said}{said.get(each, '').lower()}" for each in _ABOUT[found.name] if each != "limit")


def _differing(old: Pragma, new: Pragma) -> tuple[str, ...]:
    """Return the clauses that both have with different values, or all of them if they are flags that differ."""
    both = [each for each in old.clauses if each in new.clauses]
    found = tuple(each for each in both if old.clauses[each].lower() != new.clauses[each].lower())
    flags = "inline" if old.name == "inline" and old.clauses.keys() != new.clauses.keys() else ""
    return found or ((flags,) if flags else ())


def _spelt(found: Pragma, clauses: Sequence[str]) -> str:
    words = clauses if clauses != ("inline",) else (*found.clauses,)
    return " ".join(f"{each}={found.clauses[each]}" if found.clauses[each] else each for each in words) or "on"
