"""Lowers the statements of a C function to the nodes of a loop program."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ppnsim.c.kinds import NON_AFFINE, STEPS, UNCOUNTED
from ppnsim.c.lowering.control.data_bounds import chosen, counted, data_condition, never
from ppnsim.c.lowering.control.ending_tests import TAKEN, ended_by, has_way_out, is_read_behind, is_way_out, left_in
from ppnsim.c.lowering.control.endless import left_out
from ppnsim.c.lowering.control.executed_control import exact_truth, known_truth, left_early
from ppnsim.c.lowering.control.exits import without_continues
from ppnsim.c.lowering.control.forms import refuse_form
from ppnsim.c.lowering.control.head_tests import tested
from ppnsim.c.lowering.control.loop_heads import head, iterator_of
from ppnsim.c.lowering.control.runs import runs_of
from ppnsim.c.lowering.control.taken_branches import taken
from ppnsim.c.lowering.control.trips import as_reported, trips_of
from ppnsim.c.lowering.functions import inline, synthesis_inline
from ppnsim.c.lowering.places.arrays import keep_returned
from ppnsim.c.lowering.places.elements import note_copies
from ppnsim.c.lowering.scope import Scope
from ppnsim.c.lowering.statements import assignments
from ppnsim.c.lowering.statements.blocks import filled_block
from ppnsim.c.lowering.statements.choices import by_choice
from ppnsim.c.lowering.statements.declarations import assigned, copied_memory, declaration, stepped
from ppnsim.c.lowering.values.affine import NotAffine, NotBound, condition, guard
from ppnsim.c.lowering.values.piecewise import decided
from ppnsim.c.lowering.variables.uses import AROUND, is_opened
from ppnsim.c.plain.nodes import is_value
from ppnsim.c.pragmas.timing import StatementTiming
from ppnsim.c.pragmas.trips import Trips
from ppnsim.c.refusals import unfollowed
from ppnsim.c.syntax import SyntaxNode, Variable, refuse
from ppnsim.loops.expressions import Affine, All, Condition, Not
from ppnsim.loops.program import Execution, Guard, Loop, Node
from ppnsim.loops.work import LOWERED, spend

_ALWAYS = All(())


def block(nodes: Iterable[SyntaxNode], scope: Scope, timing: StatementTiming, after: int) -> tuple[Node, ...]:
    """Return the nodes of a sequence of statements; pragmas after line ``after`` apply to them."""
    result: list[Node] = []
    for node in nodes:
        found = timing.under(scope.context.pragmas.timing(node.position.file, after, node.position.line))
        if found.tripcount is not None and node.kind not in ("for", "if", *UNCOUNTED):
            refuse(node.position, f"tripcount before '{node}', which is neither a loop nor an if")
        scope.context.random, scope.context.access = found.random, found.access
        result += statement(node, scope, found)
        after = node.end
    return tuple(result)


def statement(node: SyntaxNode, scope: Scope, timing: StatementTiming) -> tuple[Node, ...]:
    """Return the nodes of a statement."""
    policy, before = scope.context.policy, tuple[Node, ...]()
    spend(LOWERED, node.position)
    if node.kind == "while" and never(node.children[0], scope):
        scope.dead.append((node.position.line, node.end))
        return ()
    if policy.vendor_pragmas and timing.tripcount is None and node.kind in ("for", *UNCOUNTED):
        timing = replace(timing, tripcount=trips_of(node, scope))
    if policy.opens_calls:
        before, node = synthesis_inline.without_calls(node, scope, timing, block)
    return (*before, *_statement(node, scope, timing))


def _statement(node: SyntaxNode, scope: Scope, timing: StatementTiming) -> tuple[Node, ...]:
    match node.kind:
        case "block":
            return block(node.children, scope, timing, node.position.line)
        case "for" | "if" | "while" | "do" if timing.tripcount is not None:
            return _annotated(node, scope, timing, timing.tripcount)
        case "for":
            return _loop(node, scope, timing)
        case "if":
            return _guard(node, scope, timing)
        case "declare":
            return declaration(node, scope, timing)
        case "call":
            return _call(node, scope, timing)
        case "empty" | "left":
            if node.text not in ("", TAKEN):
                scope.context.assumed[str(node.position)] = node.text
            return ()
        case "return":
            return _return(node, scope, timing)
    if node.kind in NON_AFFINE:
        refuse_form(node, scope)
    if node.kind == "cast":
        return statement(node.children[0], scope, timing)
    if node.kind == "binary" and node.text == ",":
        return block(node.children, scope, timing, node.position.line)
    if node.kind == "assign":
        return assigned(node, scope, timing)
    if node.kind == "unary" and node.text in STEPS:
        return stepped(node, scope, timing)
    if is_value(node):
        return ()  # its value is not used
    if node.kind == "token":  # read from a stream and not used
        dropped = Variable("dropped", node.type, "local", node.position, node)
        return declaration(replace(node, kind="declare", children=(node,), variable=dropped), scope, timing)
    return refuse(node.position, unfollowed(node, f"statement '{node}' is neither an assignment nor a call"))


def _loop(node: SyntaxNode, scope: Scope, timing: StatementTiming) -> tuple[Node, ...]:
    variable, before = iterator_of(node)[0], dict(scope.bindings)
    if variable in scope.iterators:
        refuse(node.position, f"'{variable.name}' is the iterator of a loop around this one already")
    scope.finished.discard(variable)
    found, inner = left_early(as_reported(head(node, scope), node, scope), node, scope)
    scope.context.bounds[found.iterator] = (found.first, found.last) if found.step > 0 else (found.last, found.first)
    body = _inside(inner, variable, found.iterator, scope, timing, node.position.line)
    leaves = left_in(variable, before, scope)
    if variable in before:
        scope.bindings[variable] = before[variable]
    if not body:
        return left_out(node, scope)
    body = (Guard(All(found.also), body),) if found.also else body
    loop = Loop(
        iterator=found.iterator, first=found.first, last=found.last, step=found.step, body=body, leaves=leaves,
        position=node.position, end=node.end, assumed=found.assumed, left=has_way_out(inner),
        ended=ended_by(inner, body, known=bool(leaves) or is_read_behind(variable, node, scope.function.body)),
    )  # fmt: skip
    return (Guard(All(found.around), (loop,)),) if found.around else (loop,)


def _annotated(node: SyntaxNode, scope: Scope, timing: StatementTiming, trips: Trips) -> tuple[Node, ...]:
    context, known, count = scope.context, len(scope.context.control), scope.context.counted(trips)
    if node.kind == "if":
        runs, reads = chosen(node, scope, count)
        context.control += reads
        end = node.position.line if runs else node.children[1].end
        body = block(node.children[1:2] if runs else node.children[2:3], scope, timing, end)
        del context.control[known:]
        return body
    bindings = dict(scope.bindings)
    found = counted(node, scope, Affine.of(count) if trips.exact is None else trips.exact, count)
    asked = context.policy.vendor_pragmas and not trips.certain
    often, begins = (runs_of(node, scope, bindings) if asked else None) or (None, None)
    context.control += found.control
    inner, loaded = tested(node, found.body, trips, scope)
    body = _inside(inner, found.variable, found.iterator, scope, timing, node.position.line)
    del context.control[known:]
    leaves = left_in(found.variable, bindings, scope)
    if not body:
        return left_out(node, scope)
    loop = Loop(
        iterator=found.iterator, first=(found.first,), last=(found.last,), step=found.step, body=body,
        assumed=not trips.certain, endless=trips.endless, position=node.position, end=node.end,
        reads=found.control if context.policy.data_conditions else (), leaves=leaves, runs=often, begins=begins,
        unlimited=trips.most is None, ended=ended_by(inner, body, loaded, known=bool(leaves)), left=has_way_out(inner),
    )  # fmt: skip
    return (loop,)


def _inside(
    node: SyntaxNode, variable: Variable | None, iterator: str, scope: Scope, timing: StatementTiming, after: int
) -> tuple[Node, ...]:
    """Return the nodes of a loop body; the iterator of the loop is open during the lowering, and finished after it."""
    scope.context.open_iterators.append(iterator)
    scope.context.counting.discard(iterator)
    if variable is None or variable in scope.counters:
        scope.context.counting.add(iterator)
    scope.depth += 1
    if variable is not None:
        scope.iterators.add(variable)
    body = block([without_continues(node)], scope, timing, after)
    if variable is not None:
        scope.iterators.discard(variable)
        scope.counters.pop(variable, None)
        scope.formulas.pop(variable, None)
        scope.bindings.pop(variable, None)
        scope.finished.add(variable)
    scope.depth -= 1
    scope.context.open_iterators.pop()
    return body


def _guard(node: SyntaxNode, scope: Scope, timing: StatementTiming) -> tuple[Node, ...]:
    known, test = None, None
    if scope.context.policy.data_conditions:
        try:
            condition(node.children[0], scope)
        except (NotAffine, NotBound):
            if (known := known_truth(node, scope)) is None:
                return _data_guard(node, scope, timing)
    if known is None:
        test = guard(node.children[0], scope)
        known = decided(test)
    yes, no = _branches(node, scope, timing, known, [], (_ALWAYS, _ALWAYS) if test is None else (test, Not(test)))
    return (Guard(test, yes, no),) if known is None and test is not None and (yes or no) else yes or no


def _data_guard(node: SyntaxNode, scope: Scope, timing: StatementTiming) -> tuple[Node, ...]:
    """Return an ``if`` whose condition depends on data: a statement computes it, and a guard tests the result."""
    alone = len(node.children) < 3
    affine, test, holds = data_condition(node.children[0], scope, timing, alone=alone)
    context, exact, before = scope.context, exact_truth(node, scope), scope.context.guards
    known, holding = None if exact is None else decided(exact), (All(tuple(affine)), _ALWAYS)
    yes, no = _branches(node, scope, timing, known, context.facts, holding)
    ways: tuple[Node, ...] = ()
    if exact is not None and (yes or no):
        first, second = (tuple(_after(test, each) for each in branch) for branch in (yes, no))
        ways = (first or second) if decided(exact) is not None else (Guard(exact, first, second),)
    elif yes or no:
        branch = taken(node, yes, no, scope, holds, before)
        ways = (Guard(holds, yes, no),) if branch is None else tuple(_after(test, each) for each in branch)
    elif any(map(is_way_out, node.walk("left", "empty"))):
        context.last_is_used(*(each.statement.writes[0].array for each in test if isinstance(each, Execution)))
    else:
        return ()
    inside = (*test, *ways)
    return (Guard(All(tuple(affine)), inside),) if affine else inside


def _branches(
    node: SyntaxNode, scope: Scope, timing: StatementTiming, known: bool | None,
    facts: list[tuple[SyntaxNode, bool]], holds: tuple[Condition, Condition],
) -> tuple[tuple[Node, ...], tuple[Node, ...]]:  # fmt: skip
    """Return the nodes of both branches of an ``if``, or the taken one; ``holds`` is what they know of iterators."""
    test, body, *other = node.children
    before = dict(scope.bindings) if other and known is None else {}
    facts.append((test, True))
    scope.context.holding.append(holds[0])
    scope.context.undecided += known is None
    yes = block((body,), scope, timing, node.position.line) if known is not False else ()
    facts[-1] = (test, False)
    scope.context.holding[-1] = holds[1]
    scope.bindings.update(before)  # both branches start with the same bindings
    no = block(other, scope, timing, body.end) if known is not True else ()
    facts.pop()
    scope.context.holding.pop()
    scope.context.undecided -= known is None
    if known is not None:
        scope.dead += [(each.position.line, each.end) for each in node.children[2 if known else 1 :][:1]]
    return yes, no


def _after(test: Sequence[Node], node: Node) -> Node:
    """Return a loop that starts when the condition around it is known; return other nodes unchanged."""
    if not isinstance(node, Loop):
        return node
    known = [access for each in test if isinstance(each, Execution) for access in each.statement.writes]
    return replace(node, reads=(*node.reads, *(each for each in known if each not in node.reads)))


def _call(node: SyntaxNode, scope: Scope, timing: StatementTiming) -> tuple[Node, ...]:
    if scope.context.policy.opens_calls:
        function = synthesis_inline.is_open(node, scope)
        if function is not None and node.text not in AROUND and node.spelled != "hls::print":
            return synthesis_inline.called(node, function, scope, timing, block)
        if node.text == "memcpy":
            return copied_memory(node, scope, timing)
        if node.text == "memset":
            return (filled_block(node, scope, timing),)
    function = scope.context.unit.functions.get(node.text)
    if node.text in AROUND or node.spelled == "hls::print" or node.text.startswith("polybench_"):
        scope.context.spelling.left_out.append(node)
        return ()
    if function is not None and is_opened(function, scope.context.unit.functions):
        inner, copies = inline.opened(node, function, scope, timing)
        assert function.body is not None
        after = function.body.position.line
        return (*copies, *block(function.body.children, inner, inline.timing_of(function, inner, timing), after))
    note_copies(node, scope)
    return by_choice(node, scope, lambda each: Execution(assignments.call(each, scope, timing)))


def _return(node: SyntaxNode, scope: Scope, timing: StatementTiming) -> tuple[Node, ...]:
    body = scope.function.body
    if body is None or not body.children or body.children[-1].position != node.position:
        words = f"a return in the middle of kernel '{scope.function.name}'"
        refuse(node.position, f"{words}; only its last statement may be one")
    if not node.children or node.children[0].kind in ("integer", "name"):
        keep_returned(node, scope)
        return ()
    return (Execution(assignments.returned(node, scope, timing)),)
