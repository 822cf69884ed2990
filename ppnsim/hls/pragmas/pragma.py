"""Pragmas with resolved names, and the directives of a kernel while they are being read."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ppnsim.c.blocks import BLOCK, HELD, OF_BLOCKS
from ppnsim.c.kinds import OUR_HEADERS
from ppnsim.c.pragmas.numbers import no_number, number
from ppnsim.errors import InputError, did_you_mean
from ppnsim.hls.graph.graph import ChosenOperator
from ppnsim.hls.pragmas.directives import DependenceDirective, Directives, LoopDirective, Modules, Scope
from ppnsim.hls.structure.aggregates import Aggregate
from ppnsim.hls.structure.partitions import Partition, Storage
from ppnsim.loops.program import Array, Frame, Statement


@dataclass(slots=True)
class Pragma:
    """A directive: its clauses, the loop and the function around it, and the arrays that its names mean there.

    ``nowhere``: the reason why it has no effect anywhere. ``passed``: clauses that no directive of its name has; with
    ``strict``, from scripts and options, such a clause is refused. ``frames``: the calls of its function.
    """

    name: str
    where: str
    clauses: dict[str, str]
    loop: Scope | None
    function: Scope | None
    names: Mapping[str, frozenset[str]]
    values: Mapping[str, int]
    nowhere: str = ""
    strict: bool = False
    passed: list[str] = field(default_factory=list)
    frames: Sequence[Frame] = ()
    _found: dict[str, tuple[dict[str, list[int]], dict[str, int]]] = field(
        default_factory=dict, repr=False, compare=False
    )
    """Results of `_calls` by name: a function may have thousands of calls, and as many arrays."""

    def number(self, clause: str, least: int = 1) -> int | None:
        """Return the integer of a clause, None without the clause."""
        if clause not in self.clauses:
            return None
        value = number(text := self.clauses[clause], self.values)
        if value is None or value < least:
            raise InputError(no_number(clause, text, least, self.values), where=self.where)
        return value

    def arrays(self, clause: str = "variable") -> frozenset[str]:
        """Return the arrays that a clause names; none if the function declares the name and does not use it.

        The name of a struct also stands for its members. An element, ``a[0]``, stands for its array.
        """
        name = self._name(clause)
        if name not in self.names and name.partition(".")[0] in self.names and "." in name:
            return frozenset()
        if name not in self.names:
            known = did_you_mean(name, [each for each, parts in self.names.items() if parts])
            words = f"no {'stream or ' * (self.name == 'stream')}array '{name}'" if name else f"{clause}=.. is missing"
            raise InputError(f"{self.name}: {words}{known}", where=self.where)
        own = HELD if self.name == "stream" else BLOCK  # the depth of a stream of blocks counts held blocks
        others = tuple(each for each in OF_BLOCKS if each != own)
        return frozenset(each for each in self.names[name] if not any(other in each for other in others))

    def chosen(self, array: Array, clause: str = "variable") -> int:
        """Return the number of an array's dimensions before those that a clause names: of a row, of an object's member.

        ``lines[k].rows`` has the dimension of ``lines`` before its own dimensions.
        """
        name = self._name(clause)
        named, without = self._calls(name)
        first = named.get(array.name, [])[:1]
        first += [without[array.member[0]]] if array.member is not None and array.member[0] in without else []
        if not first:
            return 0
        frame = self.frames[min(first)]
        return dict(frame.rows).get(name if name in dict(frame.names) else "this", 0)

    def names_itself(self, array: str) -> bool:
        """Return whether a directive uses the declared name of an array, and not the name of a parameter."""
        return self._name("variable").rpartition(".")[2] == array.rpartition(".")[2].partition("[")[0]

    def of_call(self, array: str) -> Pragma:
        """Return the directive with the numbers of the call that contains an array, for templates (R9.45)."""
        own = self._calls(self._name("variable"))[0].get(array)
        return replace(self, values={**self.values, **dict(self.frames[own[-1]].values)}) if own else self

    def _calls(self, name: str) -> tuple[dict[str, list[int]], dict[str, int]]:
        """Return the calls in which a name means each array, and the first call without it on each object."""
        if name not in self._found:
            named, without = self._found[name] = dict[str, list[int]](), dict[str, int]()
            for number, frame in enumerate(self.frames):
                known = dict(frame.names)
                if name in known:
                    named.setdefault(known[name], []).append(number)
                else:
                    without.setdefault(known.get("this", "").partition(".")[0], number)
        return self._found[name]

    def unknown(self) -> str:
        """Return a named variable or port that the function does not have, "" if it has all of them."""
        for clause in ("variable", "port"):
            name = self._name(clause)
            if name and name != "return" and name not in self.names and name.partition(".")[0] not in self.names:
                return name
        return ""

    def unused_member(self) -> str:
        """Return a named member of an object that does not exist or that no statement uses; else ""."""
        for clause in ("variable", "port"):
            name = self._name(clause)
            if "." in name and name not in self.names and name.partition(".")[0] in self.names:
                return name
        return ""

    def _name(self, clause: str) -> str:
        name = self.clauses.get(clause, "").strip('"').lstrip("&").removeprefix("this->").partition("[")[0]
        if name != "return":
            return name
        results = (f"{frame.path[-1].partition('<')[0]}_result" for frame in self.frames)  # of calls (R6.6)
        return next((each for each in results if each in self.names), name)

    def one_of(self, clause: str, known: Collection[str], default: str = "") -> str:
        """Return the word of a clause, ``type=cyclic``, or the word alone, ``cyclic``; refuse two words."""
        said = [each for each in known if each in self.clauses]
        word = self.clauses.get(clause, "").lower() or next(iter(said), default)
        if other := next((each for each in said if each != word), ""):
            raise InputError(f"{self.name}: two of a {clause}, '{word}' and '{other}': keep one", where=self.where)
        if word and word not in known:
            raise InputError(f"{self.name}: no {clause} '{word}'{did_you_mean(word, known)}", where=self.where)
        return word

    def flag(self, clause: str) -> bool:
        """Return whether a clause is present and is not ``false``."""
        return clause in self.clauses and self.clauses[clause].lower() != "false"

    def check(self, *known: str) -> None:
        """Refuse unknown clauses."""
        for clause in self.clauses:
            if not clause.isidentifier():
                words = f"'{clause}' cannot be read; a clause is a name, or a name with a number or a name: depth=4"
                raise InputError(f"{self.name}: {words}", where=self.where)
            if clause in known:
                continue
            near = did_you_mean(clause, known)
            if self.strict or "did you mean" in near:
                raise InputError(f"{self.name} knows no '{clause}'{near}", where=self.where)
            self.passed.append(clause)


@dataclass(frozen=True, slots=True)
class PlacedDirective:
    """A directive of a script: its function and its label ("" for the function itself).

    ``text`` is the text of a pragma, ``pipeline II=2``; ``where`` is the line of the script.
    """

    function: str
    label: str
    text: str
    where: str


@dataclass(slots=True)
class DirectivesSoFar:
    """The directives read so far, on a kernel with these ``arrays`` and ``statements``.

    ``ports`` are interfaces of arguments, ``places`` the directives on loops and functions by their places.
    ``slaves`` are arrays on an AXI-lite port, by argument, ``frames`` the functions; others are as in `Directives`.
    """

    arrays: Mapping[str, Array]
    statements: Sequence[Statement] = ()
    loops: dict[Scope, LoopDirective] = field(default_factory=dict)
    functions: dict[Scope, LoopDirective] = field(default_factory=dict)
    partitions: dict[str, Partition] = field(default_factory=dict)
    storage: dict[str, Storage] = field(default_factory=dict)
    depths: dict[str, int] = field(default_factory=dict)
    copies: dict[str, int] = field(default_factory=dict)
    ports: dict[str, str] = field(default_factory=dict)
    control: set[str] = field(default_factory=set)
    hands: set[str] = field(default_factory=set)
    axes: set[str] = field(default_factory=set)
    slaves: dict[str, str] = field(default_factory=dict)
    dependences: list[DependenceDirective] = field(default_factory=list)
    limits: dict[tuple[str, tuple[str, ...]], int] = field(default_factory=dict)
    bound: dict[str, ChosenOperator] = field(default_factory=dict)
    ignored: list[str] = field(default_factory=list)
    streamed: dict[str, tuple[int, str]] = field(default_factory=dict)
    whole: dict[str, str] = field(default_factory=dict)
    places: dict[tuple[Scope, str], str] = field(default_factory=dict)
    aggregates: dict[str, Aggregate] = field(default_factory=dict)
    frames: Sequence[Frame] = ()
    modules: dict[tuple[str, ...], Modules] = field(default_factory=dict)

    def ignore(self, found: Pragma, what: str) -> None:
        """Note a directive without an effect here; of our headers only ``latency``, the state of ``reg``, is noted."""
        if OUR_HEADERS not in found.where or found.name == "latency":
            self.ignored.append(f"{found.where}: {what}")

    def all(self) -> Directives:
        """Return the directives."""
        return Directives(
            self.loops, self.partitions, tuple(self.ignored), self.functions, self.storage, self.depths,
            self.copies, tuple(self.dependences), self.limits, self.bound, control=frozenset(self.control),
            hands=frozenset(self.hands), axes=frozenset(self.axes), streamed=self.streamed, whole=self.whole,
            places=self.places, aggregates=self.aggregates, modules=self.modules,
        )  # fmt: skip


def read_control(found: Pragma, asked: DirectivesSoFar, mode: str, port: str) -> None:
    """Note a scalar argument, or the start of the kernel, in a register of an AXI-lite port or with a handshake."""
    if port == "return" or not any(asked.arrays[name].shape for name in found.arrays("port")):
        noted = {"s_axilite": asked.control, "ap_hs": asked.hands}.get(mode)  # R9.11, R2.10
        if noted is not None:
            noted.add(port)
        if mode == "s_axilite" and "register" in found.clauses and port != "return":
            asked.hands.add(port)
