"""The keys of processes and channels in a file, and what becomes of them in the model; shared by JSON and TOML."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, cast

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, model_validator

from ppnsim.formats import token_lists, values
from ppnsim.model.latency import Latency
from ppnsim.model.network import STYLES, Channel, Process, Style
from ppnsim.model.tokens import Listed, Rates, Runs, Tokens

Whole = Annotated[int, PlainValidator(values.whole)]
Real = Annotated[float, PlainValidator(values.real)]
Measure = Annotated[float, PlainValidator(values.measure)]
Names = Annotated[tuple[str, ...], PlainValidator(values.listed(values.text, "names"))]
Cycles = Annotated[int, PlainValidator(values.cycles)]
Bits = Annotated[int, PlainValidator(values.width)]
Text = Annotated[str, PlainValidator(values.text)]
Clock = Annotated[float, PlainValidator(values.clock)]
StyleName = Annotated[Style, PlainValidator(values.chosen_from(STYLES))]
Latencies = Annotated[Latency, PlainValidator(values.latency)]
CyclicRates = Annotated[tuple[int, ...], PlainValidator(token_lists.rates)]
Firings = Annotated[tuple[int, ...], PlainValidator(token_lists.firings)]
Reads = Annotated[tuple[tuple[int, int], ...], PlainValidator(token_lists.reads)]
RunLengths = Annotated[tuple[tuple[int, int, int], ...], PlainValidator(token_lists.runs)]

# The ways to say which firing touches which token: one pair of keys each, and at most one pair per channel.
_TOKEN_KEYS = (("writes", "reads"), ("write_runs", "read_runs"), ("produce", "consume"))


_SINGULAR = {"processes": "process", "channels": "channel", "flows": "flow"}


class Keys(BaseModel):
    """A table of a file: unknown keys are errors, and null is the same as a key left out."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _null_is_left_out(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        return {key: value for key, value in data.items() if value is not None or key not in cls.known_keys()}

    @classmethod
    def known_keys(cls) -> list[str]:
        """Return the keys as a file writes them."""
        return [field.alias or name for name, field in cls.model_fields.items()]

    @classmethod
    def called(cls, path: Sequence[int | str], data: object) -> str:
        """Name such a table by the steps that lead to it from the table around it: the entry of a list by its name."""
        *keys, last = path
        if not keys:
            return str(last)
        name = data.get("name") if isinstance(data, dict) and isinstance(last, int) else last
        if isinstance(name, str) and name.isprintable():
            return f"{_SINGULAR.get(str(keys[0]), keys[0])} '{name}'"
        return "".join(f"[{values.shown(step)}]" if at else str(step) for at, step in enumerate(path))

    def given(self) -> dict[str, Any]:
        """Return the values of the keys that the table has, by field; the others are at the defaults of the model."""
        return {name: getattr(self, name) for name in self.model_fields_set}


class Row(Keys):
    """A list in place of a table: one value for each key, in their order."""

    @model_validator(mode="before")
    @classmethod
    def _by_key(cls, data: object) -> dict[str, Any]:
        keys = cls.known_keys()
        if not isinstance(data, list) or len(data) != len(keys):
            raise values.rule(f"must be [{', '.join(keys)}]")
        return dict(zip(keys, data, strict=True))


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
        return Process(
            name=name,
            firings=self.firings,
            ii=self.ii,
            latency=self.latency,
            read=self.read,
            write=self.write,
            style=self.style or style,
            resource=self.resource,
        )


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
        return Channel(
            name=name,
            source=self.source,
            target=self.target,
            tokens=self.tokens(),
            depth=self.depth,
            forward=self.forward,
            release=self.release,
            initial=self.initial,
            width=self.width,
            from_offset=self.from_offset,
            to_offset=self.to_offset,
        )

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


def resources(value: object) -> dict[str, int]:
    """Return units by name of resource."""
    if not isinstance(value, dict):
        raise values.rule("must be a table of units by name")
    return {name: values.whole(units, at=f".{name}") for name, units in cast("dict[str, object]", value).items()}


Resources = Annotated[dict[str, int], PlainValidator(resources)]
