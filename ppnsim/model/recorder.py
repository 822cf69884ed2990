"""From executed loops to a network: run the nest in Python, say what each statement reads and writes, get the PPN.

One process per statement, one channel per read argument and producer, tokens from the last writer of each location.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from ppnsim.calls import built_by_name
from ppnsim.errors import InputError, did_you_mean
from ppnsim.model.latency import Latency
from ppnsim.model.network import Channel, Network, Process
from ppnsim.model.tokens import Listed


@dataclass
class _Statement:
    ii: int
    latency: Latency
    read: int | None
    write: int | None
    executions: int = 0


@built_by_name
@dataclass
class Recorder:
    """Records the executions of statements in program order and derives their process network.

    Data is what it was last written by: an argument that reads a location written by firing m of statement p becomes a
    read of a token in a channel from p. A location read before any write is there at cycle 0 and makes no token.

    Examples
    --------
    >>> program = Recorder("double")
    >>> program.statement("fill"); program.statement("double", ii=2)
    >>> for i in range(4):
    ...     program.execute("fill", writes=[("a", i)])
    >>> for i in reversed(range(4)):
    ...     program.execute("double", reads=[("a", i)])
    >>> network = program.network()
    >>> [(c.name, network.counts[c.name].kind) for c in network.channels]
    [('fill->double', 'OOM-')]

    Source: the dependences of a static affine nested loop program, van Teijlingen 2014, sections 2.3.3 and 4.4.
    """

    name: str = "recorded"
    clock_ns: float = 10.0
    _statements: dict[str, _Statement] = field(default_factory=dict)
    _writer: dict[Hashable, tuple[str, int]] = field(default_factory=dict)
    _reads: dict[tuple[str, str, int], list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))

    def statement(
        self, name: str, *, ii: int = 1, latency: Latency = 1, read: int | None = None, write: int | None = None
    ) -> None:
        """Declare a statement; its numbers (cycles) are those of its `Process`."""
        self._statements[name] = _Statement(ii, latency, read, write)

    def execute(self, name: str, *, reads: Sequence[Hashable] = (), writes: Sequence[Hashable] = ()) -> None:
        """Record one execution of a statement: locations it reads, one per argument, then locations it writes.

        Raises
        ------
        InputError
            If the statement has not been declared.
        """
        if name not in self._statements:
            words = f"no statement is called '{name}'{did_you_mean(name, self._statements)}"
            raise InputError(f"{words}: declare it first, recorder.statement('{name}')")
        statement = self._statements[name]
        for argument, location in enumerate(reads):
            if location in self._writer:
                producer, firing = self._writer[location]
                self._reads[producer, name, argument].append((statement.executions, firing))
        for location in writes:
            self._writer[location] = (name, statement.executions)
        statement.executions += 1

    def network(self) -> Network:
        """Return the process network of what has been recorded."""
        processes = [
            Process(name=name, firings=s.executions, ii=s.ii, latency=s.latency, read=s.read, write=s.write)
            for name, s in self._statements.items()
        ]
        order = {name: index for index, name in enumerate(self._statements)}
        ends = sorted(self._reads, key=lambda end: (order[end[0]], order[end[1]], end[2]))
        arguments = Counter((producer, consumer) for producer, consumer, _ in ends)
        channels = []
        for producer, consumer, argument in ends:
            name = f"{producer}->{consumer}" + (f".{argument}" if arguments[producer, consumer] > 1 else "")
            tokens = _tokens(self._reads[producer, consumer, argument])
            channels.append(Channel(name=name, source=producer, target=consumer, tokens=tokens))
        return Network(name=self.name, processes=processes, channels=channels, clock_ns=self.clock_ns).checked()


def _tokens(pairs: Sequence[tuple[int, int]]) -> Listed:
    writers = sorted({writer for _, writer in pairs})
    number = {writer: token for token, writer in enumerate(writers)}
    return Listed(tuple(writers), tuple((reader, number[writer]) for reader, writer in pairs))
