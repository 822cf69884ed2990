"""Networks of sources whose macros, parameters and clock vary: each value reads the source again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from ppnsim.errors import InputError, PpnsimError
from ppnsim.explore.sweep.parameters import Axis, Value, axis_of, check_axes, numbers, varied
from ppnsim.explore.sweep.sweep import Sweep
from ppnsim.model.network import Network
from ppnsim.units import clock_ns

Load = Callable[[Mapping[str, int]], Network]
"""The network of a source for values of its macros and parameters."""
Read = Callable[[Mapping[str, Value]], Network]
"""The same of a source that is scheduled: ``clock``, a text, is among the values."""

_REMEMBERED = 64  # networks of sizes
_TRIED = 64  # sizes without a network, after which there is none


def is_size(text: str, *, clock: bool = False) -> bool:
    """Return whether ``NAME=VALUES`` varies a macro or a parameter of a source, and not its network.

    With ``clock`` also whether it varies that: the cycles of a scheduled source are those of one clock.

    Examples
    --------
    >>> is_size("N=2:8"), is_size("c.depth=2:8"), is_size("clock=5 ns"), is_size("clock=5 ns", clock=True)
    (True, False, False, True)
    """
    name = text.partition("=")[0].strip()
    return "." not in name and (clock or name != "clock")


def size_axis(text: str) -> Axis:
    """Return the axis of ``N=16:64`` or ``N=4,8,16``, of whole numbers; or of ``clock=5 ns,200 MHz``.

    Examples
    --------
    >>> size_axis("N=2:8:2").values, size_axis("clock=5 ns,200 MHz").values
    ((2, 4, 6, 8), ('5 ns', '200 MHz'))
    """
    where = f"--vary {text}"
    name, _, words = (part.strip() for part in text.partition("="))
    if name == "clock":
        clocks = dict.fromkeys(word.strip() for word in words.split(","))
        for word in clocks:
            _check_clock(word, where)
        return Axis(name, "clock of the source", (), tuple(clocks))
    if not name or not words:
        raise InputError("is not of the form NAME=VALUES (like N=4:64 or N=4,8,16)", where=where)
    values = dict.fromkeys(number for word in words.split(",") for number in numbers(word, where))
    return Axis(name, name, (), tuple(values))


def _check_clock(word: str, where: str) -> None:
    try:
        clock_ns(word)
    except InputError as error:
        raise InputError(str(error), where=where) from None


@dataclass(kw_only=True)
class SizedNetworks:
    """The networks of a source at values of its sizes and of the parameters of its network.

    Attributes
    ----------
    load : reads the source; or ``read``, which also takes its clock: another clock is another schedule.
    vary : texts as ``--vary`` takes them.
    axes : what they mean, by the network at the first values of the sizes that have one.
    first : that network.

    Examples
    --------
    >>> from ppnsim import chain
    >>> sized = SizedNetworks(load=lambda at: chain(firings=4, length=at["N"]), vary=["N=2:4", "c*.depth=1,2"])
    >>> [channel.depth for channel in sized.at((4, 2)).channels]
    [2, 2, 2]
    """

    vary: Sequence[str]
    load: Load | None = None
    read: Read | None = None
    axes: Sequence[Axis] = field(init=False)
    first: Network = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._remembered: dict[tuple[Value, ...], Network] = {}
        sizes = {text: size_axis(text) for text in self.vary if self._is_size(text)}
        check_axes(list(sizes.values()))
        self.first = self._first(list(sizes.values()))
        self.axes = [sizes.get(text) or axis_of(text, self.first) for text in self.vary]
        check_axes(self.axes)

    def _is_size(self, text: str) -> bool:
        return is_size(text, clock=self.read is not None)

    def _first(self, sizes: Sequence[Axis]) -> Network:
        """Return the network at the first sizes at which there is one."""
        refused: list[InputError] = []
        for values in product(*(axis.values for axis in sizes)):
            try:
                return self._sized({axis.name: value for axis, value in zip(sizes, values, strict=True)})
            except InputError as error:
                refused.append(error)
                if len(refused) >= _TRIED:
                    break
        raise refused[0]

    def __getstate__(self) -> dict[str, Any]:
        """Return all but the networks that are remembered: another process reads those that it needs."""
        return self.__dict__ | {"_remembered": {}}

    def at(self, values: Sequence[Value]) -> Network:
        """Return the network at a value for each axis.

        Raises
        ------
        InputError
            If there is no such network; the message names the sizes.
        """
        pairs = list(zip(self.vary, values, strict=True))
        sizes = {axis.name: value for axis, value in zip(self.axes, values, strict=True) if self._is_size(axis.name)}
        network = self._sized(sizes)
        # Another size may have more processes and channels, which a pattern also means.
        own = [(axis_of(text, network), value) for text, value in pairs if not self._is_size(text)]
        return varied(network, [axis for axis, _ in own], [value for _, value in own])

    def _sized(self, sizes: Mapping[str, Value]) -> Network:
        key = tuple(sizes.values())
        if key not in self._remembered:
            if len(self._remembered) >= _REMEMBERED:
                self._remembered.pop(next(iter(self._remembered)))
            said = "".join(f"{name} = {value}: " for name, value in sizes.items())
            try:
                found = self._loaded(sizes)
            except PpnsimError as error:
                raise InputError(f"{said}{error}") from None
            except Exception as error:  # a user's function may raise anything
                words = f"the function of the sizes raises {type(error).__name__}: {error}"
                raise InputError(f"{said}{words} (it takes a dictionary of them and returns a network)") from error
            if not isinstance(found, Network):
                raise InputError(f"{said}the function of the sizes returns {found!r}, which is not a network")
            self._remembered[key] = found
        return self._remembered[key]

    def _loaded(self, sizes: Mapping[str, Value]) -> Network:
        if self.read is not None:
            return self.read(sizes)
        assert self.load is not None
        return self.load({name: int(value) for name, value in sizes.items()})


@dataclass(kw_only=True)
class SizedSweep(Sweep):
    """A sweep of a source whose sizes vary, too; ``network`` and ``axes`` are those of ``sized``.

    Examples
    --------
    >>> from ppnsim import chain
    >>> sized = SizedNetworks(load=lambda at: chain(firings=4, length=at["N"]), vary=["N=2:4"])
    >>> sweep = SizedSweep(network=sized.first, axes=sized.axes, sized=sized)
    >>> [(row["N"], row["finish"]) for row in sweep.rows(sweep.numbers)]
    [(2, 11), (3, 16), (4, 21)]
    """

    sized: SizedNetworks

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.occupancy:
            words = "has a column for each channel, and another size may have other channels: vary sizes without it"
            raise InputError(words, where="--occupancy")

    def at(self, values: Sequence[Value]) -> Network:
        """Return the network at a point, its source read again."""
        return self.sized.at(values)
