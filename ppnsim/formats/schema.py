"""What schemas of files are made of: tables and lists of known keys, and the usual types of values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, PlainValidator, model_validator

from ppnsim.formats import values

Text = Annotated[str, PlainValidator(values.text)]
Names = Annotated[tuple[str, ...], PlainValidator(values.listed(values.text, "names"))]
Whole = Annotated[int, PlainValidator(values.whole)]
Wholes = Annotated[dict[str, int], PlainValidator(values.whole_by_name)]
Real = Annotated[float, PlainValidator(values.real)]
Measure = Annotated[float, PlainValidator(values.measure)]

_SINGULAR = {"processes": "process", "channels": "channel", "flows": "flow"}


class Keys(BaseModel):
    """A table of a file: unknown keys are errors, and null is the same as a key left out."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

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
