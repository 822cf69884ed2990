"""The keys of processes and channels in a file, and what becomes of them in the model; shared by JSON and TOML."""

from __future__ import annotations

from itertools import chain
from typing import Annotated

from pydantic import Field, PlainValidator, model_validator

from ppnsim.formats import network_values, values
from ppnsim.formats.schema import Keys, Text, Whole
from ppnsim.model.latency import Latency
from ppnsim.model.network import STYLES, Channel, Process, Style
from ppnsim.model.tokens import Listed, Rates, Runs, Tokens

Cycles = Annotated[int, PlainValidator(network_values.cycles)]
Bits = Annotated[int, PlainValidator(network_values.width)]
Clock = Annotated[float, PlainValidator(network_values.clock)]
StyleName = Annotated[Style, PlainValidator(values.chosen_from(STYLES))]
Latencies = Annotated[Latency, PlainValidator(network_values.latency)]
CyclicRates = Annotated[tuple[int, ...], PlainValidator(network_values.rates)]
Firings = Annotated[tuple[int, ...], PlainValidator(values.listed(values.whole, "firings"))]
Reads = Annotated[tuple[tuple[int, int], ...], network_values.rows("[consumer firing, token]", 2)]
RunLengths = Annotated[tuple[tuple[int, int, int], ...], network_values.rows("[first, step, count]", 3)]

# The ways to say which firing touches which token: one pair of keys each, and at most one pair per channel.
_TOKEN_KEYS = (("writes", "reads"), ("write_runs", "read_runs"), ("produce", "consume"))


class ProcessKeys(Keys):
    """The keys of a process, without its name."""

    firings: Whole
    ii: Cycles = 1
    latency: Latencies = 1
    read: Cycles | None = None
    write: Cycles | None = None
    style: StyleName | None = None
    resource: Text | None = None

    def process(self, name: str, style: Style) -> Process:
        """Return the process called ``name``; ``style`` is for one that gives none."""
        given = {key: getattr(self, key) for key in ProcessKeys.model_fields}
        return Process(**given | {"name": name, "style": self.style or style})


class ChannelKeys(Keys):
    """The keys of a channel, without its name."""

    source: Text = Field(alias="from")
    target: Text = Field(alias="to")
    depth: Whole | None = None
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

    @model_validator(mode="after")
    def _one_way_to_list_tokens(self) -> ChannelKeys:
        given = [[key for key in pair if getattr(self, key) is not None] for pair in _TOKEN_KEYS]
        used = [pair[0] for pair in given if pair]
        if len(used) > 1:
            raise values.sentence(f"{' and '.join(used)} each say which firing touches which token (give one)")
        for present, pair in zip(given[:2], _TOKEN_KEYS[:2], strict=True):
            if len(present) == 1:
                other = pair[1 - pair.index(present[0])]
                raise values.sentence(f"{present[0]} without {other} (give both)")
        return self

    def channel(self, name: str) -> Channel:
        """Return the channel called ``name``."""
        of_tokens = chain(*_TOKEN_KEYS)
        given = {key: getattr(self, key) for key in ChannelKeys.model_fields.keys() - of_tokens}
        return Channel(**given | {"name": name, "tokens": self.tokens()})

    def tokens(self) -> Tokens:
        """Return which firing touches which token."""
        if self.writes is not None and self.reads is not None:
            return Listed(self.writes, self.reads)
        if self.write_runs is not None and self.read_runs is not None:
            return Runs(self.write_runs, self.read_runs)
        return Rates(
            produce=(1,) if self.produce is None else self.produce,
            consume=(1,) if self.consume is None else self.consume,
        )
