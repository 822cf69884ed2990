"""Generates the implicit parts of constructors: the bases and members that a constructor does not list, in order.

A member gets its default value from its class, or its own class constructs it. Unsupported parts are refused by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ppnsim.c.clang import names
from ppnsim.c.clang.classes import default_of, directs, expression_of, is_of_template, not_read, taken_by, value_of
from ppnsim.c.clang.library import children_of, foreign, position
from ppnsim.c.clang.methods import address_of, initialised, name_of, substituted, this_of
from ppnsim.c.clang.special_members import class_of, element_of
from ppnsim.c.clang.types import Types
from ppnsim.c.plain.nodes import INT, binary, block_of, number
from ppnsim.c.syntax import VOID, Function, SyntaxNode, Variable

Listed = Mapping[str, Sequence[SyntaxNode]]
"""The statements of a constructor's initialiser list, by the name of a member or the type of a base."""


class Making(Types):
    """The part of the cursor reader that constructs objects; the reader has the functions read so far."""

    functions: dict[str, Function]
    makers: dict[str, Function]  # default constructors that a source calls, by class, also of templates

    def known(self, called: Any) -> Function:
        """Return a called function."""
        raise AssertionError(called)

    def variable(self, cursor: Any) -> Variable:
        """Return the variable of a declaration."""
        raise AssertionError(cursor)

    def working(self, constructor: Any) -> Function | None:
        """Return a constructor as a function, None if it does nothing."""
        raise AssertionError(constructor)

    def directing(self, constructor: Any, of: Any) -> Function:
        """Return a template's constructor with only directives in it, as a constructor of one instance."""
        owner, at, end = self.type(of, ()), position(constructor.location), constructor.extent.end.line
        name = re.sub(r"\W+", "_", owner.text).strip("_")
        body = SyntaxNode("block", at, end=end)
        return self.functions.setdefault(name, Function(name, (this_of(owner, at),), VOID, body, at, end))

    def only_directing(self, call: SyntaxNode) -> SyntaxNode:
        """Return the call of a constructor as the call of a function that only has its directives."""
        function = self.functions[call.text]
        name, at = f"{function.name}_directives", function.position
        empty = SyntaxNode("block", at, end=function.end)
        self.functions.setdefault(name, replace(function, name=name, body=empty))
        return replace(call, text=name, spelled=name)

    def making(self, owner: Any, place: SyntaxNode, listed: Listed) -> Iterator[SyntaxNode]:
        """Yield the statements that construct the bases and the members of an object of a class at a place."""
        if owner.get_declaration().kind.name == "UNION_DECL":
            yield from self._of_union(owner)
            return
        bases = [each for each in children_of(owner.get_declaration()) if each.kind.name == "CXX_BASE_SPECIFIER"]
        for each in bases:
            if any(token.spelling == "virtual" for token in each.get_tokens()):
                yield refused(
                    each, f"virtual base {each.type.spelling}, of which an object has one (have it as a member)"
                )
        fields = list(owner.get_canonical().get_fields())
        own = {each.spelling for each in fields}
        for name, statements in listed.items():
            if name not in own:  # a base, or a member of an unnamed struct or union
                yield from statements
        general = {name.split("<")[0] for name in listed}
        for each, of in zip(bases, self._bases_of(owner), strict=False):
            made = of.get_canonical()
            by_template = "type-parameter" in made.spelling and made.spelling.split("<")[0] in general
            if _is_open(made, owner):
                yield refused(each, f"base {each.type.spelling}, which is not known (list it)")
            elif made.spelling not in listed and not by_template:
                yield from self.made_alone(made, place, f"base {made.spelling}", each)
        for field in fields:
            if field.spelling in listed and not _is_stream(field):
                yield from listed[field.spelling]
            else:
                yield from self._of_field(field, place, listed)

    def inherited(self, constructor: Any, this: Variable) -> Listed | None:
        """Return the call of a constructor that a class inherits by ``using B::B``, None for its own constructors."""
        owner, at = constructor.semantic_parent, constructor.location.offset
        used = [each.extent for each in children_of(owner) if each.kind.name == "USING_DECLARATION"]
        if not any(each.start.offset <= at < each.end.offset for each in used):
            return None
        taken = taken_by(constructor)
        for base in children_of(owner):
            for each in children_of(base.type.get_declaration()) if base.kind.name == "CXX_BASE_SPECIFIER" else ():
                if each.kind.name == "CONSTRUCTOR" and taken_by(each) == taken:
                    function = self.known(each.get_definition() or each)
                    place = name_of(this, position(constructor.location))
                    given = (
                        address_of(place),
                        *(name_of(self.variable(one), place) for one in constructor.get_arguments()),
                    )
                    call = SyntaxNode("call", place.position, VOID, given, function.name, end=place.end,
                                      spelled=function.name)  # fmt: skip
                    return {base.type.get_canonical().spelling: (call,)}
        return {"": (refused(constructor, f"a constructor that {owner.spelling} inherits (write one that calls it)"),)}

    def _of_field(self, field: Any, place: SyntaxNode, listed: Listed) -> Iterator[SyntaxNode]:
        if _is_stream(field):
            return
        of, real = self.type(field.type, ()), field.type.get_canonical()
        if not field.spelling.isidentifier():
            inner = {each.spelling for each in real.get_fields()}
            yield from self.making(real, place, {name: () for name in listed if name in inner})
            return
        member = SyntaxNode("member", position(field.location), of, (place,), field.spelling, end=field.location.line)
        if [name for name, _ in place.type.fields].count(field.spelling) > 1:
            yield refused(field, f"member {field.spelling}, which a base has, too (give it another name)")
        elif (value := value_of(field)) is not None:
            yield from initialised(member, self.node(value))
        else:
            yield from self.made_alone(real, member, f"member {field.spelling}", field)

    def _of_union(self, owner: Any) -> Iterator[SyntaxNode]:
        given = next((each for each in owner.get_canonical().get_fields() if value_of(each) is not None), None)
        if given is not None:
            yield refused(given, f"the value of {given.spelling} in a union (set it in the body)")

    def made_alone(self, of: Any, place: SyntaxNode, words: str, at: Any) -> Iterator[SyntaxNode]:
        """Yield the statements that construct an object without an initialiser; a refusal names it by ``words``."""
        if of.kind.name == "CONSTANTARRAY" or names.std_array(of.spelling) is not None:
            yield from self.made_elements(of, place, words, at)
            return
        if (owner := class_of(of)) is None:
            return
        if foreign(owner.location):
            if self.holds_made(of, at):
                yield refused(at, f"{words}, which holds objects whose constructors work (set them in a loop)")
            return
        if (maker := self.makers.get(of.spelling)) is not None:
            yield self._calling(maker, of, place)
            return
        why = not_read(owner)
        default = self.instantiated(of) if why else default_of(owner)
        if why and default is None:
            yield refused(at, f"{words}, {why} (list it)")
        elif default is None or is_of_template(default):
            yield from self.making(of, place, {})
            if default is not None and directs(default):
                yield self._calling(self.directing(default, of), of, place)
        elif (function := self.working(default.get_definition() or default)) is not None:
            given = [self.node(expression_of(each)) for each in default.get_arguments()]
            yield self._calling(function, of, place, given)
        elif directs(written := default.get_definition() or default):
            yield self._calling(self.directing(written, of), of, place)

    def _calling(self, maker: Function, of: Any, place: SyntaxNode, given: Sequence[SyntaxNode] = ()) -> SyntaxNode:
        called = (address_of(replace(place, type=self.type(of, ()))), *given)
        return SyntaxNode("call", place.position, VOID, called, maker.name, end=place.end, spelled=maker.name)

    def holds_made(self, of: Any, at: Any) -> bool:
        """Return whether code constructs the objects in a container of the standard library."""
        for each in map(of.get_template_argument_type, range(max(0, of.get_num_template_arguments()))):
            if each.kind.name == "INVALID" or class_of(element_of(each)) is None:
                continue
            if any(map(self._is_work, self.made_alone(each.get_canonical(), self.some(each, at), "", at))):
                return True
        return False

    def _is_work(self, made: SyntaxNode) -> bool:
        """Return whether a statement that constructs an object does more than hold directives."""
        called = self.functions.get(made.text) if made.kind == "call" else None
        return called is None or called.body is None or bool(called.body.children)

    def some(self, of: Any, at: Any) -> SyntaxNode:
        """Return the name of a fictitious object of a type, to find out how such an object is constructed."""
        where = position(at.location)
        return name_of(Variable("held", self.type(of, ()), "local", where), where)

    def made_elements(self, of: Any, place: SyntaxNode, words: str, at: Any) -> Iterator[SyntaxNode]:
        """Yield the loop that constructs the objects in an array; directives of one object apply to all."""
        if (element := place.type.element) is None or not isinstance(place.type.size, int):
            return
        counter = Variable("made", INT, "local", place.position)
        name = name_of(counter, place)
        one = SyntaxNode("index", place.position, element, (place, name), end=place.end)
        inside = of.element_type if of.kind.name == "CONSTANTARRAY" else of.get_template_argument_type(0)
        made = list(self.made_alone(inside.get_canonical(), one, words, at))
        inner = list(filter(self._is_work, made))
        first = {counter: number(place, 0)}
        yield from (substituted(each, first) for each in made if each not in inner)
        if inner:
            start = SyntaxNode("declare", place.position, INT, (number(place, 0),), variable=counter, end=place.end)
            test = binary("<", name, number(place, place.type.size), INT)
            step = SyntaxNode("unary", place.position, INT, (name,), "++", end=place.end)
            children = (start, test, step, block_of(place, inner))
            yield SyntaxNode("for", place.position, children=children, end=place.end)


def _is_stream(field: Any) -> bool:
    """Return whether a member is a FIFO, or an array of FIFOs, whose initialiser is only a name."""
    real = field.type.get_canonical()
    return real.kind.name != "LVALUEREFERENCE" and bool(names.stream_depth(element_of(real).spelling))


def _is_open(base: Any, owner: Any) -> bool:
    """Return whether the base of a class is an unknown instance of the class's own template: ``d<N - 1>``."""
    own: str = owner.spelling
    return base.kind.name != "RECORD" and str(base.spelling).split("<")[0] == own.split("<")[0]


def refused(at: Any, words: str) -> SyntaxNode:
    """Return a node that is refused where it is used, with the words for the part that would be lost."""
    text = f"what is left to the compiler: {words}"
    return SyntaxNode("other", position(at.location), VOID, text=text, end=at.location.line)
