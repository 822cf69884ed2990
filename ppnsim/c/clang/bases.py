"""Finds the bases of template instances, ``struct tcp<8> : header<W>``, for which clang only tells the base template.

Code appended to the source makes the compiler convert a pointer to the class to a pointer to its base; the result has
the type of the base. Constants of such classes are found in the same way: the result is a type with the number as its
template argument. The constructor of such a class is found as the one that a member of another class calls.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ppnsim.c.syntax import TranslationUnit
from ppnsim.errors import InputError


class Question(NamedTuple):
    """A question about a class: the key of its answers, and the code that asks it."""

    key: str
    code: str


Questions = dict[Question, None]
"""The questions, in their order."""
_DEEPEST = 16  # most levels of template instances with bases that are template instances
_TEMPLATES = ("CLASS_TEMPLATE", "TYPE_ALIAS_TEMPLATE_DECL")
_PARAMETERS = ("TEMPLATE_TYPE_PARAMETER", "TEMPLATE_NON_TYPE_PARAMETER")
_NAME, _NUMBER = "ppnsim_base_of", "ppnsim_number"
FREELY = "-fno-access-control"
"""The option that makes private bases accessible."""


def asked(owner: str, base: Any) -> Question | None:
    """Return the question for a base of a class; None if the base is not a plain template instance.

    ``base`` is the base specifier in the template of the class.
    """
    general = next((each.referenced for each in base.get_children() if each.kind.name == "TEMPLATE_REF"), None)
    if general is None or general.kind.name not in _TEMPLATES or "anonymous" in owner or "(lambda" in owner:
        return None
    parts = [each for each in general.get_children() if "TEMPLATE" in each.kind.name]
    if general.kind.name == _TEMPLATES[1] and len(parts) != 1:
        return None  # the type need not tell each argument of a further name of a template
    if not parts or any(each.kind.name not in _PARAMETERS or "..." in _text(each) for each in parts):
        return None
    if owner.partition("<")[0] == _whole(general):
        return _asked_itself(owner, general, base)
    given = [f"p_{at}" for at in range(len(parts))]
    taken = [
        f"{'class' if each.kind.name == _PARAMETERS[0] else each.type.spelling} {name}"
        for each, name in zip(parts, given, strict=True)
    ]
    made = f"{_whole(general)}<{', '.join(given)}>"
    return Question(owner, f"template <{', '.join(taken)}> {made} *{_NAME}({made} *);\n{_result_of(owner)}")


def _asked_itself(owner: str, general: Any, base: Any) -> Question | None:
    """Return the question for a template derived from itself: the text of the base gives the base.

    The instance names its arguments, also those that it takes from defaults. None if a specialisation has the base,
    because its parameters have other names.
    """
    general = general.get_definition() or general
    whole, at, around = _whole(general), base.location, general.extent
    inside = at.file.name == around.start.file.name and around.start.offset <= at.offset < around.end.offset
    parts = [each for each in general.get_children() if each.kind.name in _PARAMETERS]
    if not inside or not all(each.spelling for each in parts):
        return None
    own = ", ".join(
        f"{'class' if each.kind.name == _PARAMETERS[0] else each.type.spelling} {each.spelling}" for each in parts
    )
    of = f"{whole}<{', '.join(each.spelling for each in parts)}>"
    space = whole.rpartition("::")[0]
    seen = f"using namespace {space};\n" if space and general.semantic_parent.kind.name == "NAMESPACE" else ""
    inner = f"{whole}<{_text(base).partition('<')[2]}"
    made = f"template <class> struct {_NAME}_own;\n"
    made += f"template <{own}> struct {_NAME}_own<{of}> {{ typedef {inner} *type; }};"
    return Question(owner, f"{seen}{made}\ntypedef {_NAME}_own<{owner}>::type {_NAME}_type;")


def asked_constant(owner: str, name: str) -> Question:
    """Return the question for the value of a constant of a class; the answer is not a record if there is none."""
    number = f"{_NUMBER}<(long long)T::{name}>"
    code = f"template <long long> struct {_NUMBER}; template <class T> {number} *{_NAME}(T *); void *{_NAME}(...);"
    return Question(f"{owner}::{name}", f"{code} {_result_of(owner)}")


def asked_maker(owner: str) -> Question:
    """Return the question for the default constructor of a class."""
    code = f"struct {_NAME}_maker {{ {owner} made; {_NAME}_maker() : made() {{}} }};"
    return Question(f"{owner}()", code)


def _result_of(owner: str) -> str:
    return f"typedef decltype({_NAME}(({owner} *)nullptr)) {_NAME}_type;"


def questions(unknown: Questions) -> str:
    r"""Return the code that asks the questions.

    Examples
    --------
    >>> print(questions({asked_maker("line<8>"): None}).strip())
    namespace ppnsim_0 { struct ppnsim_base_of_maker { line<8> made; ppnsim_base_of_maker() : made() {} }; }
    """
    return "".join(f"\nnamespace ppnsim_{number} {{ {code} }}\n" for number, (_, code) in enumerate(unknown))


def answers(root: Any, unknown: Questions) -> dict[str, list[Any]]:
    """Return the types of bases and numbers, and the constructors, that were asked for, by key, in their order.

    Without questions, as for most sources, nothing is visited, because clang's binding would make an object for each
    declaration in system headers.

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
            elif each.kind.name == "STRUCT_DECL":
                calls = (node.referenced for node in each.walk_preorder() if node.kind.name == "CALL_EXPR")
                found.setdefault(keys[space.spelling], []).append(next(calls, None))
    return found


def _whole(general: Any) -> str:
    """Return the qualified name of a template."""
    text, parent = str(general.spelling), general.semantic_parent
    while parent is not None and parent.kind.name in ("NAMESPACE", "CLASS_DECL", "STRUCT_DECL"):
        text, parent = f"{parent.spelling}::{text}" if parent.spelling else text, parent.semantic_parent
    return text


def _text(parameter: Any) -> str:
    return " ".join(token.spelling for token in parameter.get_tokens())


def settled(
    read: Callable[[Questions], tuple[TranslationUnit, Questions]], known: Questions | None = None
) -> TranslationUnit:  # fmt: skip
    """Return the source as read once its bases are known; ``read`` takes questions, and returns those that are open.

    A base that stays unknown is refused where it is used. ``known`` holds the questions of an earlier reading with
    fewer sibling sources; the new questions are added to it.
    """
    known = {} if known is None else known
    refused: set[Question] = set()
    """Constructors that no code may call; a question for one of them would leave all other questions unanswered."""
    try:
        found, more = read(known)
    except InputError:
        if not known:
            raise
        known.clear()  # read again, so that an error is only due to the source
        found, more = read(known)
    for _ in range(_DEEPEST):
        new = [each for each in more if each not in refused]
        makers = {each for each in new if each.key.endswith("()")}
        for tried in (new, [each for each in new if each not in makers]):
            try:
                found, more = read(known | dict.fromkeys(tried)) if tried else (found, {})
            except InputError:
                refused |= makers
                continue
            known |= dict.fromkeys(tried)
            break
        else:
            break
        if not tried:
            break
    return found
