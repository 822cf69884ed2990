"""The names of arrays and iterators in C. No name hides another name that the code needs."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from itertools import count

from ppnsim.loops.program import Execution, Guard, LoopProgram, Node

_WORD = re.compile(r"[A-Za-z_]\w*")


def symbols_of(program: LoopProgram, source: str) -> tuple[dict[str, str], set[str]]:
    """Return the name of each array in C, and the names that no iterator may have.

    Arrays that are declared around the region keep their names. An array that is declared in the region keeps its
    name unless the function uses the name for something else.
    """
    used = used_arrays(program)
    fixed = {a.name: a.symbol for a in program.arrays if a.symbol}
    texts = [*(fixed.get(name, "") for name in used), *_words(program)]
    taken = {word for text in texts for word in _WORD.findall(text)}
    region = program.region
    elsewhere: set[str] = set()
    if region:
        data = source.encode()
        first, last = region.function
        around = (data[first : region.start] + b" " + data[region.end : last]).decode(errors="replace")
        elsewhere = set(_WORD.findall(around)) - {name for name, _ in region.names}
    everything = {*_WORD.findall(source), *taken}
    symbols = dict(fixed)
    for name in used:
        if name not in symbols and program.array(name).member is None:
            clear = name not in taken and name not in elsewhere
            symbols[name] = name if clear else unique(name, everything)
            taken.add(symbols[name])
            everything.add(symbols[name])
    return symbols, taken


def iterator_names(program: LoopProgram, taken: set[str], source: str) -> dict[str, str]:
    """Return the name of each iterator in C."""
    everything = {*_WORD.findall(source), *taken}
    names: dict[str, str] = {}

    def walk(nodes: tuple[Node, ...]) -> None:
        for node in nodes:
            if isinstance(node, Guard):
                walk(node.body)
                walk(node.otherwise)
            elif not isinstance(node, Execution):
                if node.iterator not in names:
                    clear = node.iterator not in taken
                    names[node.iterator] = node.iterator if clear else unique(node.iterator, everything)
                    everything.add(names[node.iterator])
                walk(node.body)

    walk(program.body)
    return names


def used_arrays(program: LoopProgram) -> list[str]:
    """Return the names of the arrays that statements name, in the order of the program's arrays."""
    arrays = {array.name: array for array in program.arrays}
    found: set[str] = set()
    for statement in program.statements():
        named = [access.array for access in statement.writes]
        for operation in statement.value.walk() if statement.value else ():
            if operation.kind == "read" and operation.read is not None:
                named.append(statement.reads[operation.read].array)
            if operation.place is not None:
                named.append(operation.place.array)
        while named:
            found.add(name := named.pop())
            if (member := arrays[name].member) is not None:
                named.append(member[0])
    return [array.name for array in program.arrays if array.name in found]


def _words(program: LoopProgram) -> Iterator[str]:
    """Yield the functions and the types that are named in the region."""
    yield from (array.type for array in program.arrays)
    for statement in program.statements():
        for operation in statement.value.walk() if statement.value else ():
            if operation.kind == "call":
                yield operation.text
            if operation.kind in ("cast", "list"):
                yield operation.type


def unique(name: str, taken: Container[str]) -> str:
    """Return a name, with a number behind it if it is taken: ``y``, ``y_2``, ``y_3``."""
    numbered = (f"{name}_{number}" for number in count(2))
    return name if name not in taken else next(new for new in numbered if new not in taken)


class Names:
    """Makes unique names: ``y``, ``y_2``, ``y_3``; of a name that is asked for often, it goes on where it was.

    Examples
    --------
    >>> names = Names()
    >>> [names.unique(each) for each in ("y", "y_3", "y", "y")]
    ['y', 'y_3', 'y_2', 'y_4']
    >>> names.give_back("y_2")
    >>> names.unique("y")
    'y_2'
    """

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._next: dict[str, int] = {}

    def unique(self, name: str) -> str:
        """Return a name, with a number if it is taken."""
        result = name
        if name in self._taken:
            number = next(n for n in count(self._next.get(name, 2)) if f"{name}_{n}" not in self._taken)
            self._next[name], result = number + 1, f"{name}_{number}"
        self._taken.add(result)
        return result

    def give_back(self, name: str) -> None:
        """Let a name be free again."""
        self._taken.discard(name)
        plain, _, number = name.rpartition("_")
        if plain in self._next and number.isdecimal():  # it may be less than where the next one goes on
            self._next[plain] = min(self._next[plain], max(2, int(number)))
