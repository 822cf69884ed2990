"""Rewrites the functions of a file into plain forms, statement by statement, with the inner statements first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ppnsim.c.kinds import LOOPS, UNCOUNTED
from ppnsim.c.plain.copies import Copies
from ppnsim.c.plain.counters import with_counters
from ppnsim.c.plain.effects import without_effects
from ppnsim.c.plain.exit_statements import with_last_behind
from ppnsim.c.plain.exits import once, to_its_end
from ppnsim.c.plain.flat_rows import with_lines
from ppnsim.c.plain.gotos import without_gotos
from ppnsim.c.plain.heads import plain_for
from ppnsim.c.plain.induction_variables import without_walks
from ppnsim.c.plain.joint_counters import Functions
from ppnsim.c.plain.narrow_views import with_other_widths, with_own_views
from ppnsim.c.plain.nodes import BOOL, assign, block_of, statements, with_children
from ppnsim.c.plain.nonblocking_accesses import Polls
from ppnsim.c.plain.number_aliases import with_first_names, without_moved_pointers
from ppnsim.c.plain.place_choices import with_ways
from ppnsim.c.plain.pointer_tables import with_entries
from ppnsim.c.plain.pointers import is_declaration, with_choices
from ppnsim.c.plain.recast import in_turn, with_bits
from ppnsim.c.plain.several_arrays import with_numbers
from ppnsim.c.plain.side_effects import works
from ppnsim.c.plain.stepped_tests import with_step_inside
from ppnsim.c.plain.stepping_pointers import with_pointers
from ppnsim.c.plain.switches import chain_of
from ppnsim.c.plain.values_after_loops import with_ends
from ppnsim.c.plain.whiles import as_for, as_left_for, as_walked, begins_true, ended_by_data, leaves_first, with_start
from ppnsim.c.pragmas.text import hls_pragmas
from ppnsim.c.syntax import SyntaxNode, TranslationUnit, Variable


def plain_unit(unit: TranslationUnit, *, polls: bool = False) -> TranslationUnit:
    """Return a file whose functions have only loops without early exits, and no side effects inside expressions.

    With ``polls``, non-blocking stream accesses are rewritten too (`Polls`).
    """
    polled = Polls()
    unit = replace(unit, functions=with_lines(unit.functions))
    copies = Copies([each for file, text in unit.active.items() for each in hls_pragmas(file, text)], unit.functions)
    made = {}
    for name, function in unit.functions.items():
        if (body := None if function.system else function.body) is not None:
            body = with_first_names(without_moved_pointers(body))
            body = body if name in copies.regions else with_entries(body, choices=True)
            body = with_pointers(with_bits(in_turn(body)), function.parameters, unit.functions)
            body = with_ways(with_numbers(with_choices(body), function.parameters, unit.functions), unit.functions)
            body = _Plain(unit.functions).plain(polled.without(body) if polls else body)
            body = with_ends(without_gotos(body))
            if name in copies.regions:
                body = with_entries(copies.within(name, body), choices=False)
            body = with_other_widths(with_counters(body), unit.functions)
        made[name] = function if body is None else replace(function, body=body)
    left_out = dict(unit.left_out)
    for place in copies.followed:
        left_out[place.file] = (*left_out.get(place.file, ()), (place.line, place.line))
    return replace(unit, functions=with_own_views(made), left_out=left_out)


@dataclass(frozen=True, slots=True)
class _Plain:
    """Rewrites statements; ``functions`` are the functions of the file."""

    functions: Functions

    def plain(self, node: SyntaxNode) -> SyntaxNode:
        """Return the plain form of a statement, as one statement."""
        found = self._several(node)
        return found[0] if len(found) == 1 else block_of(node, found)

    def _several(self, node: SyntaxNode, before: Sequence[SyntaxNode] = ()) -> tuple[SyntaxNode, ...]:
        """Return the plain form of a statement as several; ``before`` are the statements before it in its block."""
        if node.kind in LOOPS and len(parts := with_last_behind(node)) > 1:
            return self._several(block_of(node, parts))[0].children
        match node.kind:
            case "block":
                inner: list[SyntaxNode] = []
                for child in _one_by_one(node, self.functions):
                    for each in with_step_inside(child, inner, self.functions):
                        inner += self._several(begins_true(each, inner, self.functions), inner)
                return (with_children(node, inner),)
            case "for" if len(node.children) == 4:
                return statements(self._for(node, before))
            case "while" | "do":
                found = self._uncounted(node, before)
                return statements(found) if node.kind == "while" else (found,)
            case "if":
                *before, head = without_effects(node, self.functions)
                return (*before, with_children(head, (head.children[0], *map(self.plain, head.children[1:]))))
            case "switch":
                *before, head = without_effects(node, self.functions)
                return (*before, self.plain(chain_of(head)))
            case "case" | "default":
                return (node,)  # read with its switch
        if node.kind == "binary" and node.text == ",":
            return tuple(each for child in node.children for each in self._several(child))
        if node.kind == "binary" and node.type.kind == "pointer" and node.children[1].kind == "call":
            return self._several(node.children[1])  # the iterator that an algorithm returns is not used
        return without_effects(node, self.functions)

    def _for(self, node: SyntaxNode, before: Sequence[SyntaxNode]) -> SyntaxNode:
        start, test, step, body = node.children
        left = as_left_for(test, body, node, self.functions) if step.kind == "empty" else None
        if left is not None:
            made = self._for(with_children(left[0], (start, *left[0].children[1:])), before)
            return block_of(node, (*statements(made), *left[1]))
        test, body = leaves_first(test, body)
        test, body = ended_by_data(test, body)
        body, leaves = to_its_end(self.plain(body))
        if leaves:
            return block_of(node, (start, *statements(once(body))))
        counted = as_for(test, body, node, self.functions) if step.kind == "empty" else None
        if counted is None:
            return self._with_head(replace(node, children=(start, test, step, body)), body, before)
        loop, behind = counted
        made = self._with_head(with_children(loop, (start, *loop.children[1:])), loop.children[3], before)
        return block_of(node, (*statements(made), *behind)) if behind else made

    def _with_head(self, node: SyntaxNode, body: SyntaxNode, before: Sequence[SyntaxNode]) -> SyntaxNode:
        """Return a ``for`` with a plain head; the rest of its start is before it, the rest of its steps after."""
        loop = plain_for(node, body, self.functions)
        *starts, last = statements(loop)
        counting = self._counting(with_start(last, [*before, *starts], self.functions))
        return block_of(node, (*starts, *statements(counting))) if starts or counting.kind == "block" else counting

    def _counting(self, node: SyntaxNode) -> SyntaxNode:
        return _effects_inside(node, self.functions) if node.kind == "while" else without_walks(node, self.functions)

    def _uncounted(self, node: SyntaxNode, before: Sequence[SyntaxNode]) -> SyntaxNode:
        at = 0 if node.kind == "do" else 1
        test, body = node.children[1 - at], node.children[at]
        if node.kind == "while":
            test, body = leaves_first(test, body)
            if (left := as_left_for(test, body, node, self.functions)) is not None:
                return block_of(node, (*statements(self._for(left[0], before)), *left[1]))
        body, leaves = to_its_end(self.plain(body))
        counted = as_for(test, body, node, self.functions) if node.kind == "while" and not leaves else None
        if counted is not None:
            loop, behind = counted
            return block_of(node, (*statements(self._with_head(loop, loop.children[3], before)), *behind))
        if leaves or (node.kind == "do" and test.bare.value == 0):
            return once(body)
        if node.kind == "while" and (walked := as_walked(test, body, node, before, self.functions)) is not None:
            return self._with_head(walked, walked.children[3], before)
        loop = replace(node, children=(body, test) if node.kind == "do" else (test, body))
        return _effects_inside(loop, self.functions)


def _one_by_one(block: SyntaxNode, functions: Functions) -> Iterator[SyntaxNode]:
    """Yield the statements of a block; a declaration with effects is one statement for each variable."""
    for each in block.children:
        several = is_declaration(each) and any(len(without_effects(inner, functions)) > 1 for inner in each.children)
        yield from each.children if several else (each,)


def _effects_inside(node: SyntaxNode, functions: Functions) -> SyntaxNode:
    """Return a loop of unknown trip count whose condition has no side effects; its body executes them.

    They also stand before a ``while``, to be executed as often as in C, if they concern numbers alone, read a token,
    ``while (!s.read())``, or change an argument, ``while (!next_bit(stream))``. A token assigned to a variable is read
    in the body alone.
    """
    assert node.kind in UNCOUNTED
    at = 0 if node.kind == "do" else 1
    test = node.children[1 - at]
    *before, head = without_effects(replace(test, kind="cast", children=(test,)), functions)
    inner = statements(node.children[at])
    if not before:
        return _tested_once(node, test, inner) if any(_takes(each, functions) for each in test.walk()) else node
    declared = test.bare.text == ","  # a variable declared in the test is set for each test
    if node.kind == "while" and (declared or not any(works(each, functions) for each in test.walk())):
        body = block_of(node.children[at], (*inner, *before))
        return block_of(node, (*before, replace(node, children=(head.children[0], body))))
    if node.kind == "while" and not any(each.kind == "token" for each in test.walk()):
        return block_of(node, (*before, _tested_once(node, head.children[0], (*inner, *before))))
    body = block_of(node.children[at], (*inner, *before) if node.kind == "do" else (*before, *inner))
    return replace(node, children=(body, head.children[0]) if node.kind == "do" else (head.children[0], body))


def _takes(node: SyntaxNode, functions: Functions) -> bool:
    """Return whether an expression reads a token, or calls a function that may change an argument."""
    called = functions.get(node.text) if node.kind == "call" else None
    if called is None or called.body is None:
        return node.kind == "token"
    return any(each.type.kind in ("pointer", "array") and not each.type.points_to_const for each in called.parameters)


def _tested_once(node: SyntaxNode, test: SyntaxNode, inner: Sequence[SyntaxNode]) -> SyntaxNode:
    """Return a loop with a variable for its condition, which reads a token; each test sets the variable once."""
    tested = Variable("tested", BOOL, "local", test.position, test)
    name = SyntaxNode("name", test.position, BOOL, variable=tested, end=test.end, extent=test.extent)
    at, first = (0, ()) if node.kind == "do" else (1, (test,))
    start = SyntaxNode("declare", node.position, BOOL, first, variable=tested, end=node.position.line)
    body = block_of(node.children[at], (*inner, assign(name, test)))
    return block_of(node, (start, replace(node, children=(body, name) if node.kind == "do" else (name, body))))
