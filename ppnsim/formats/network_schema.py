"""The keys of processes and channels in a file, and what becomes of them in the model; shared by JSON and TOML."""

from __future__ import annotations

from itertools import chain
from typing import Annotated

from pydantic import Field, PlainValidator, model_validator

from ppnsim.errors import InputError, did_you_mean
from ppnsim.formats import network_values, step_lists, values
from ppnsim.formats.quantities import flag
from ppnsim.formats.schema import Keys, Text, Whole, Wholes
from ppnsim.model.convention import CONVENTIONS, Convention, convention_of
from ppnsim.model.latency import Latency
from ppnsim.model.network import STYLES, Channel, Process, Style
from ppnsim.model.step_lists import StepList
from ppnsim.model.styles import style_of
from ppnsim.model.tokens import Listed, Rates, Runs, Tokens

Cycles = Annotated[int, PlainValidator(network_values.cycles)]
Bits = Annotated[int, PlainValidator(network_values.width)]
Clock = Annotated[float, PlainValidator(network_values.clock)]
Nanoseconds = Annotated[float, PlainValidator(network_values.clock_ns)]
Depth = Annotated[int | None, PlainValidator(network_values.depth)]
Flag = Annotated[bool, PlainValidator(flag)]


def _style(value: object) -> Style:
    if not isinstance(value, str):
        raise values.rule(f"is none of {', '.join(STYLES)}")
    try:
        return style_of(value)
    except InputError as error:
        raise values.rule(str(error).partition("' ")[2]) from None


StyleName = Annotated[Style, PlainValidator(_style)]


def _convention(value: object) -> Convention:
    if value not in CONVENTIONS:
        raise values.rule(f"is none of {', '.join(CONVENTIONS)}{did_you_mean(str(value), CONVENTIONS)}")
    return convention_of(str(value))


ConventionName = Annotated[Convention, PlainValidator(_convention)]
Latencies = Annotated[Latency, PlainValidator(network_values.latency)]
CyclicRates = Annotated[tuple[int, ...], PlainValidator(network_values.rates)]
Firings = Annotated[tuple[int, ...], PlainValidator(values.listed(values.whole, "firings"))]
Reads = Annotated[tuple[tuple[int, int], ...], network_values.rows("[consumer firing, token]", 2)]
Steps = Annotated[StepList, PlainValidator(step_lists.read)]
RunLengths = Annotated[tuple[tuple[int, int, int], ...], network_values.rows("[first, step, count]", 3)]

DEFAULT_NS = 10.0  # period of a clock that is not given

# The ways to say which firing touches which token: one pair of keys each, and at most one pair per channel.
_TOKEN_KEYS = (("writes", "reads"), ("write_runs", "read_runs"), ("produce", "consume"))


class WholeKeys(Keys):
    """The keys of a whole network. The clock stands before the processes, because their times are counted in it."""

    name: Text | None = None
    clock: Clock | None = None
    clock_ns: Nanoseconds | None = None
    style: StyleName = "elastic"
    convention: ConventionName = "ppn"
    resources: Wholes = Field(default_factory=dict)

    @model_validator(mode="after")
    def _one_clock(self) -> WholeKeys:
        """A clock is said once."""
        if self.clock is not None and self.clock_ns is not None:
            raise values.sentence("clock and clock_ns both say the period (give one)")
        return self

    @property
    def period(self) -> float:
        """The period of the clock in nanoseconds."""
        return self.clock or self.clock_ns or DEFAULT_NS


class ProcessKeys(Keys):
    """The keys of a process, without its name."""

    firings: Whole
    ii: Cycles = 1
    latency: Latencies = 1
    read: Cycles | None = None
    write: Cycles | None = None
    style: StyleName | None = None
    resource: Text | None = None
    steps: Cycles | None = None
    runs: Whole | None = None
    start_steps: Steps | None = None
    fixed: Flag = False

    @model_validator(mode="before")
    @classmethod
    def _firings_or_steps(cls, data: object) -> object:
        """Steps stand in place of firings, which are needed otherwise."""
        if not isinstance(data, dict) or data.get("steps") is None:
            return data
        if data.get("firings") is not None:
            raise values.sentence("firings beside steps: a scheduled process gives its steps in place of it")
        return data | {"firings": 0}

    @model_validator(mode="after")
    def _one_schedule(self) -> ProcessKeys:
        """A process gives firings, or steps in place of them."""
        if self.steps is None:
            if given := [key for key in ("runs", "start_steps") if getattr(self, key) is not None]:
                raise values.sentence(f"{' and '.join(given)} without steps (a scheduled process gives its steps)")
            return self
        for key in ("ii", "latency", "read", "write"):
            if key in self.model_fields_set:
                raise values.sentence(f"{key} beside steps: a scheduled process gives its steps in place of it")
        if self.style not in (None, "frozen"):
            raise values.sentence(f"style = '{self.style}' beside steps: a scheduled process is frozen")
        return self

    def process(self, name: str, style: Style) -> Process:
        """Return the process called ``name``; ``style`` is for one that gives none."""
        if self.steps is not None:
            return Process.scheduled(
                name=name, steps=self.steps, runs=1 if self.runs is None else self.runs, start_steps=self.start_steps,
                resource=self.resource, fixed=self.fixed,
            )  # fmt: skip
        of_schedule = {"steps", "runs", "start_steps"}
        given = {key: getattr(self, key) for key in ProcessKeys.model_fields.keys() - of_schedule}
        return Process(**given | {"name": name, "style": self.style or style})


class ChannelKeys(Keys):
    """The keys of a channel, without its name."""

    source: Text = Field(alias="from")
    target: Text = Field(alias="to")
    depth: Depth = None
    forward: Cycles | None = None
    release: Cycles | None = None
    initial: Whole = 0
    width: Bits = 32
    from_offset: Cycles | None = None
    to_offset: Cycles | None = None
    writes: Firings | None = None
    reads: Reads | None = None
    write_runs: RunLengths | None = None
    read_runs: RunLengths | None = None
    produce: CyclicRates | None = None
    consume: CyclicRates | None = None
    write_steps: Steps | None = None
    read_steps: Steps | None = None
    read_tokens: Steps | None = None
    fixed: Flag = False
    group: Text | None = None

    @model_validator(mode="after")
    def _one_way_to_list_tokens(self) -> ChannelKeys:
        given = [[key for key in pair if getattr(self, key) is not None] for pair in _TOKEN_KEYS]
        used = [pair[0] for pair in given if pair]
        if len(used) > 1:
            raise values.sentence(f"{' and '.join(used)} each say which firing touches which token (give one)")
        steps = (self.write_steps, self.read_steps)
        for number, key in enumerate(("write_steps", "read_steps")):
            for pair in _TOKEN_KEYS:
                if steps[number] is not None and getattr(self, pair[number]) is not None:
                    raise values.sentence(f"{key} and {pair[number]} both say which access is when (give one)")
        for present, pair in zip(given[:2], _TOKEN_KEYS[:2], strict=True):
            if len(present) == 1:
                missing = 1 - pair.index(present[0])
                if steps[missing] is None:
                    raise values.sentence(f"{present[0]} without {pair[missing]} (give both)")
        if self.read_tokens is not None and self.read_steps is None:
            raise values.sentence("read_tokens without read_steps (they name the token of each read)")
        return self

    def channel(self, name: str) -> Channel:
        """Return the channel called ``name``."""
        of_tokens = chain(*_TOKEN_KEYS)
        given = {key: getattr(self, key) for key in ChannelKeys.model_fields.keys() - of_tokens}
        return Channel(**given | {"name": name, "tokens": self.tokens()})

    def tokens(self) -> Tokens:
        """Return which firing touches which token."""
        if self.writes is not None or self.reads is not None:
            return Listed(self.writes or (), self.reads or ())
        if self.write_runs is not None or self.read_runs is not None:
            return Runs(self.write_runs or (), self.read_runs or ())
        return Rates(
            produce=(1,) if self.produce is None else self.produce,
            consume=(1,) if self.consume is None else self.consume,
        )
