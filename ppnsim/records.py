"""Dataclasses whose methods are made when they are first used.

For each dataclass Python writes the source of up to six methods and compiles it when the class is made, which takes
half a millisecond. A command makes two hundred classes and calls few of their methods; so this was a quarter of the
time that it took to start. Here a class gets its fields at once, and `dataclasses` makes each method when somebody asks
for it. Everything else is as there: `dataclasses.fields`, ``replace`` and ``asdict`` take these classes, too.
"""

from __future__ import annotations

import dataclasses
import sys
from dataclasses import MISSING, FrozenInstanceError
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import dataclass as dataclass  # a type checker knows its name

_FIELD = ("default", "default_factory", "init", "repr", "hash", "compare", "metadata", "kw_only")
_NONE = {"init": False, "repr": False, "eq": False}
_MADE_BY = {"__repr__": {"repr": True}, "__eq__": {"eq": True}, "__hash__": {"unsafe_hash": True}}
"""By method, the option of `dataclasses.dataclass` that makes it."""
_ORDER = ("__lt__", "__le__", "__gt__", "__ge__")
_MADE_BY |= {each: {"eq": True, "order": True} for each in _ORDER}


class _Factory:
    """The default of a parameter in whose place a new object is made."""

    def __repr__(self) -> str:
        return "<factory>"


class _Unmade:
    """Stands in a class for a method that is not made yet."""

    def __init__(self, owner: type, name: str, *, frozen: bool) -> None:
        self._owner, self._name, self._frozen = owner, name, frozen

    def __get__(self, instance: object, kind: type | None = None) -> Any:
        made = _init(self._owner, frozen=self._frozen) if self._name == "__init__" else _made(self._owner, self._name)
        setattr(self._owner, self._name, made)
        return made if instance is None else made.__get__(instance, kind)


def _made(owner: type, name: str) -> Callable[..., Any]:
    """Return a method of a dataclass, which `dataclasses` makes for another class of the same fields."""
    fields = dataclasses.fields(owner)
    members: dict[str, Any] = {
        each.name: dataclasses.field(**{it: getattr(each, it) for it in _FIELD}) for each in fields
    }
    members |= {"__module__": owner.__module__, "__qualname__": owner.__qualname__, "__doc__": owner.__doc__}
    members["__annotations__"] = {each.name: each.type for each in fields}
    twin: Any = dataclasses.dataclass(**_NONE | _MADE_BY[name])(type(owner.__name__, (), members))
    made: Callable[..., Any] = vars(twin)[name]
    return made


def _init(owner: type, *, frozen: bool) -> Callable[..., None]:
    """Return what sets the fields of a dataclass; `dataclasses` would make two more methods for a frozen one."""
    fields = dataclasses.fields(owner)
    known: dict[str, Any] = {"_set": object.__setattr__, "_not_given": _Factory()}
    body = ["self.__post_init__()"] if hasattr(owner, "__post_init__") else []
    for each in reversed(fields):
        name, value = each.name, each.name
        if each.default_factory is not MISSING:
            known[f"_new_{name}"] = each.default_factory
            value = f"_new_{name}() if {name} is _not_given else {name}" if each.init else f"_new_{name}()"
        elif not each.init:
            if each.default is MISSING or name not in getattr(owner, "__slots__", ()):
                continue  # it is set elsewhere, or an attribute of the class
            value = f"_old_{name}"
        if each.default is not MISSING:
            known[f"_old_{name}"] = each.default
        body.insert(0, f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    given = [each for each in fields if each.init]
    ordered, named = ([_parameter(each) for each in given if each.kw_only is by_name] for by_name in (False, True))
    parameters = ", ".join(["self", *ordered, *(["*"] if named else []), *named])
    lines = [
        f"def make({', '.join(known)}):",
        f" def __init__({parameters}):",
        *(f"  {each}" for each in body or ["pass"]),
    ]
    made: dict[str, Any] = {}
    exec("\n".join([*lines, " return __init__"]), vars(sys.modules[owner.__module__]), made)
    init: Callable[..., None] = made["make"](**known)
    init.__qualname__ = f"{owner.__qualname__}.__init__"
    init.__annotations__ = {each.name: each.type for each in given} | {"return": None}
    return init


def _parameter(field: dataclasses.Field[Any]) -> str:
    if field.default is not MISSING:
        return f"{field.name}=_old_{field.name}"
    return field.name if field.default_factory is MISSING else f"{field.name}=_not_given"


def _freeze(owner: Any, *, slots: bool) -> None:
    """Let fields refuse another value; where they have slots, `pickle` and ``copy`` set them all the same."""
    names = frozenset(each.name for each in dataclasses.fields(owner))

    def refuse(self: object, name: str, value: object) -> None:
        if type(self) is owner or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(owner, self).__setattr__(name, value)

    def keep(self: object, name: str) -> None:
        if type(self) is owner or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(owner, self).__delattr__(name)

    owner.__setattr__, owner.__delattr__, owner.__dataclass_params__.frozen = refuse, keep, True
    if slots and "__getstate__" not in vars(owner):
        owner.__getstate__, owner.__setstate__ = _state, _restore


def _state(self: Any) -> list[Any]:
    return [getattr(self, each.name) for each in dataclasses.fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for each, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)


def _dataclass(cls: type | None = None, /, **options: bool) -> Any:
    """Make a class a dataclass; options and their meaning are those of `dataclasses.dataclass`.

    A class that inherits from a frozen one is made by that, whole.

    Examples
    --------
    >>> @dataclass(frozen=True, slots=True)
    ... class Pair:
    ...     left: int
    ...     right: int = 0
    >>> "__init__" in vars(Pair), type(vars(Pair)["__init__"]).__name__
    (True, '_Unmade')
    >>> Pair(1), type(vars(Pair)["__init__"]).__name__
    (Pair(left=1, right=0), 'function')
    """
    return partial(_record, **options) if cls is None else _record(cls, **options)


def _record(plain: Any, *, slots: bool = False, kw_only: bool = False, **options: bool) -> Any:
    params = [vars(each).get("__dataclass_params__") for each in plain.__mro__[1:]]
    if any(each is not None and each.frozen for each in params):
        return dataclasses.dataclass(**options, slots=slots, kw_only=kw_only)(plain)
    plain.__doc__ = plain.__doc__ or plain.__name__  # else `dataclasses` writes the signature, which takes a while
    explicit = vars(plain).get("__hash__", MISSING)
    hashes = explicit is MISSING or (explicit is None and "__eq__" in vars(plain))
    owner: Any = dataclasses.dataclass(**_NONE, slots=slots, kw_only=kw_only)(plain)
    frozen, eq = options.get("frozen", False), options.get("eq", True)
    asked = {"__init__": options.get("init", True), "__repr__": options.get("repr", True), "__eq__": eq}
    asked |= dict.fromkeys(_ORDER, options.get("order", False))
    wanted = [name for name, is_asked in asked.items() if is_asked and name not in vars(owner)]
    for name in [*wanted, *(["__hash__"] if hashes and eq and frozen else [])]:
        setattr(owner, name, _Unmade(owner, name, frozen=frozen))
    if hashes and eq and not frozen:
        owner.__hash__ = None
    if frozen:
        _freeze(owner, slots=slots)
    return owner


if not TYPE_CHECKING:
    dataclass = _dataclass
