"""The bases of classes that templates make: ``struct tcp<8> : header<W>``, of which clang tells the template's alone.

Code behind the source has the compiler convert a pointer to the class to one of its base, and the result has the type.
Constants of such classes are asked for in the same way: the result is a type with the number as its argument.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ppnsim.c.syntax import TranslationUnit
from ppnsim.errors import InputError


class Question(NamedTuple):
    """What is asked of a class: the key of its answers, the class, and the code that asks."""

    key: str
    owner: str
    code: str


Questions = Mapping[Question, None]
"""What is asked, in its order."""
_DEEPEST = 4  # classes that templates make of bases that templates make
_PARAMETERS = ("TEMPLATE_TYPE_PARAMETER", "TEMPLATE_NON_TYPE_PARAMETER")
_NAME, _NUMBER = "ppnsim_base_of", "ppnsim_number"
FREELY = "-fno-access-control"
"""A base may be private."""


def asked(owner: str, base: Any) -> Question | None:
    """Return what asks for a base of a class; None if the base is not of a template alone.

    ``base`` is the specifier in the template of the class.
    """
    general = next((each.referenced for each in base.get_children() if each.kind.name == "TEMPLATE_REF"), None)
    if general is None or general.kind.name != "CLASS_TEMPLATE" or "anonymous" in owner or "(lambda" in owner:
        return None
    parts = [each for each in general.get_children() if "TEMPLATE" in each.kind.name]
    if not parts or any(each.kind.name not in _PARAMETERS or "..." in _text(each) for each in parts):
        return None
    given = [f"p_{at}" for at in range(len(parts))]
    taken = [
        f"{'class' if each.kind.name == _PARAMETERS[0] else each.type.spelling} {name}"
        for each, name in zip(parts, given, strict=True)
    ]
    made = f"{_whole(general)}<{', '.join(given)}>"
    return Question(owner, owner, f"template <{', '.join(taken)}> {made} *{_NAME}({made} *);")


def asked_constant(owner: str, name: str) -> Question:
    """Return what asks for the value of a constant of a class; the answer is no record if it is none."""
    number = f"{_NUMBER}<(long long)T::{name}>"
    code = f"template <long long> struct {_NUMBER}; template <class T> {number} *{_NAME}(T *); void *{_NAME}(...);"
    return Question(f"{owner}::{name}", owner, code)


def questions(unknown: Questions) -> str:
    r"""Return the code that asks for bases.

    Examples
    --------
    >>> code = "template <int p_0> head<p_0> *ppnsim_base_of(head<p_0> *);"
    >>> print(questions({Question("tcp<8>", "tcp<8>", code): None}).strip())
    namespace ppnsim_0 { template <int p_0> head<p_0> *ppnsim_base_of(head<p_0> *);
    typedef decltype(ppnsim_base_of((tcp<8> *)nullptr)) ppnsim_base_of_type; }
    """
    return "".join(
        f"\nnamespace ppnsim_{number} {{ {code}\ntypedef decltype({_NAME}(({owner} *)nullptr)) {_NAME}_type; }}\n"
        for number, (_, owner, code) in enumerate(unknown)
    )


def answers(root: Any, unknown: Questions) -> dict[str, list[Any]]:
    """Return clang's types of the bases and numbers that were asked for, by key, in the order of the questions.

    Most sources ask for none: nothing is looked at then, as the binding makes an object of each declaration in headers
    of the system.

    Examples
    --------
    >>> answers(None, {})
    {}
    """
    found: dict[str, list[Any]] = {}
    if not unknown:
        return found
    keys = {f"ppnsim_{number}": question.key for number, question in enumerate(unknown)}
    for space in root.get_children():
        for each in space.get_children() if space.spelling in keys else ():
            if each.kind.name == "TYPEDEF_DECL":
                base = each.underlying_typedef_type.get_canonical().get_pointee()
                found.setdefault(keys[space.spelling], []).append(base)
    return found


def _whole(general: Any) -> str:
    """Return the name of a template with all that it is in."""
    text, parent = str(general.spelling), general.semantic_parent
    while parent is not None and parent.kind.name in ("NAMESPACE", "CLASS_DECL", "STRUCT_DECL"):
        text, parent = f"{parent.spelling}::{text}" if parent.spelling else text, parent.semantic_parent
    return text


def _text(parameter: Any) -> str:
    return " ".join(token.spelling for token in parameter.get_tokens())


def settled(read: Callable[[Questions], tuple[TranslationUnit, Questions]]) -> TranslationUnit:
    """Return what is read of a source once the bases in it are known; ``read`` takes questions, and says what is open.

    What is not known in the end is refused where it is used.
    """
    asked_so_far: Questions = {}
    found, more = read(asked_so_far)
    for _ in range(_DEEPEST):
        if not more:
            break
        asked_so_far = {**asked_so_far, **more}
        try:
            found, more = read(asked_so_far)
        except InputError:
            break
    return found
