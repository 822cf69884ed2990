"""Moves side effects out of expressions into separate statements: ``a[i++] = x`` becomes ``a[i] = x; i++``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ppnsim.c.kinds import STEPS
from ppnsim.c.plain.nodes import BOOL, INT, assign, binary, block_of, is_nameless, number, with_children
from ppnsim.c.plain.side_effects import Functions, acts, may_change
from ppnsim.c.syntax import SyntaxNode, Variable

# Data decides whether the second operand is evaluated: a side effect in it moves into a branch.
_CONDITIONAL = frozenset(("&&", "||"))


@dataclass(slots=True)
class _Effects:
    """Collects the statements that go before a statement; ``functions`` are those that it may call.

    ``tests``: the statement is a test; an element that is set in the test is not loaded again.
    """

    functions: Functions
    tests: bool = False
    before: list[SyntaxNode] = field(default_factory=list)

    def without(self, node: SyntaxNode) -> SyntaxNode:
        """Return an expression without side effects, which go before the statement."""
        if not node.children:
            return node
        if node.kind == "choice" or (node.kind == "binary" and node.text in _CONDITIONAL):
            return self._conditional(node)
        if node.kind == "binary" and node.text == ",":
            *first, last = node.children
            self.before += (each for part in first for each in without_effects(part, self.functions))
            return self.without(last)
        if node.kind == "list":
            return self._in_order(node)
        plain = self._named(with_children(node, tuple(self.without(child) for child in node.children)))
        if plain.kind == "unary" and plain.text in STEPS:
            return self._stepped(plain)
        if plain.kind == "assign":
            target, value = plain.children
            if self.tests and target.kind != "name" and plain.text == "=" and target.type.kind in ("integer", "real"):
                value = self._once(replace(target, kind="cast", text="", variable=None, children=(value,)), "tested")
                self.before.append(with_children(plain, (target, value)))
                return value
            self.before.append(plain)
            return target
        return plain

    def _named(self, node: SyntaxNode) -> SyntaxNode:
        """Return an expression with variables for temporary objects of which it names a part, ``s.read().m[i]``."""
        first, *rest = node.children
        if node.kind in ("member", "index") and _is_object(first):
            return with_children(node, (self._once(first), *rest))
        if node.kind == "index" and any(rest[0].walk("token")):
            return with_children(node, (first, self._once(rest[0])))
        if node.kind == "call":
            return with_children(node, [self._once(e) if _is_list_of_array(e) else e for e in node.children])
        return node

    def _conditional(self, node: SyntaxNode) -> SyntaxNode:
        """Return ``c ? a : b``, ``a && b`` or ``a || b``; operands with side effects, and structs, become branches.

        So do operands that read a token, pass a stream to a function, or call a function with side effects or a loop:
        they must be executed only if they are evaluated.
        """
        inner = [_Effects(self.functions, self.tests) for _ in node.children[1:]]
        test = self.without(node.children[0])
        others = [each.without(child) for each, child in zip(inner, node.children[1:], strict=True)]
        works = any(acts(each, self.functions) for other in others for each in other.walk())
        if not works and not any(each.before for each in inner) and node.type.kind != "struct":
            return with_children(node, (test, *others))
        value = Variable("value", node.type, "local", node.position)
        name = SyntaxNode("name", node.position, node.type, variable=value, end=node.end, extent=node.extent)
        branches = [
            block_of(node, (*each.before, assign(name, other))) for each, other in zip(inner, others, strict=True)
        ]
        if node.kind == "choice":
            self.before.append(SyntaxNode("declare", node.position, node.type, variable=value, end=node.end))
        else:
            start = SyntaxNode("declare", node.position, node.type, (test,), variable=value, end=node.end)
            self.before.append(start)
            test = name if node.text == "&&" else SyntaxNode("unary", node.position, BOOL, (name,), "!", end=node.end)
        self.before.append(
            SyntaxNode("if", node.position, children=(test, *branches), end=node.end, extent=node.extent)
        )
        return name

    def _in_order(self, node: SyntaxNode) -> SyntaxNode:
        """Return a list, ``{z++, z}``, whose elements before a side effect keep their earlier value."""
        found: list[SyntaxNode] = []
        for child in node.children:
            at = len(self.before)
            plain = self.without(child)
            changes, self.before[at:] = self.before[at:], []
            if changes or any(map(may_change, plain.walk())):
                found = [*map(self._held, found)]
            self.before += changes
            found.append(plain)
        return with_children(node, tuple(found))

    def _held(self, node: SyntaxNode) -> SyntaxNode:
        """Return an element of a list before a side effect as a variable, if the side effect may change it."""
        if node.kind == "list":
            return with_children(node, tuple(map(self._held, node.children)))
        is_value = node.kind not in ("integer", "real") and node.type.kind in ("integer", "real", "struct")
        return self._once(node) if is_value else node

    def _once(self, node: SyntaxNode, name: str = "taken") -> SyntaxNode:
        """Return a new variable that holds a value, so that a token in it is read only once."""
        value = Variable(name, node.type, "local", node.position, node)
        self.before.append(SyntaxNode("declare", node.position, node.type, (node,), variable=value, end=node.end))
        return SyntaxNode("name", node.position, node.type, variable=value, end=node.end, extent=node.extent)

    def _stepped(self, node: SyntaxNode) -> SyntaxNode:
        """Return the value of ``++x`` or ``x++`` after its step: ``x``, or ``x - 1``."""
        self.before.append(node)
        target = replace(node.children[0])  # a new node, because counters are identified by their nodes
        if node.text[0] != "x":
            return target
        one = number(node, 1, INT if target.type.kind == "pointer" else target.type)
        return binary("-" if "+" in node.text else "+", target, one, target.type)


def _is_object(node: SyntaxNode) -> bool:
    """Return whether an object or an array is a temporary, of which a part is named."""
    return (node.type.kind == "struct" and is_nameless(node)) or _is_list_of_array(node)


def _is_list_of_array(node: SyntaxNode) -> bool:
    return node.kind == "list" and node.type.kind == "array"


def without_effects(node: SyntaxNode, functions: Functions) -> tuple[SyntaxNode, ...]:
    """Return a statement as several statements, none of which has side effects inside an expression.

    The steps go before the statement, and the value before a step is ``x - 1``. If an assignment names the variable
    nowhere else, a postfix step goes after it.
    """
    if node.kind == "choice" or (node.kind == "binary" and node.text in _CONDITIONAL):
        return without_effects(_as_if(node, functions), functions)
    if node.kind in ("assign", "declare", "return", "if", "switch", "call", "cast"):
        parts = 1 if node.kind in ("if", "switch") else len(node.children)
        if later := _with_later_step(node):
            return later
        found = _Effects(functions, tests=node.kind == "cast")
        if node.kind == "assign":  # the value is evaluated before the target
            value = found.without(node.children[1])
            inner: Sequence[SyntaxNode] = (found.without(node.children[0]), value)
        else:
            inner = [found.without(child) for child in node.children[:parts]]
        return (*found.before, with_children(node, (*inner, *node.children[parts:])))
    if node.kind == "unary" and node.text in STEPS:
        found = _Effects(functions)
        plain = with_children(node, tuple(found.without(child) for child in node.children))
        return (*found.before, plain)
    return (node,)


def _as_if(node: SyntaxNode, functions: Functions) -> SyntaxNode:
    """Return the ``if`` for a choice, an ``&&`` or an ``||`` that is a statement of its own."""
    test, *others = node.children
    if node.text == "||" and node.kind == "binary":
        test = SyntaxNode("unary", node.position, BOOL, (test,), "!", end=node.end, extent=node.extent)
    branches = (block_of(each, without_effects(each.bare, functions)) for each in others)
    return SyntaxNode("if", node.position, children=(test, *branches), end=node.end, extent=node.extent)


def _with_later_step(node: SyntaxNode) -> tuple[SyntaxNode, ...]:
    """Return an assignment and its only postfix step, if the step can follow the assignment; else nothing."""
    steps = [each for each in node.walk("unary") if each.text in ("x++", "x--")]
    if node.kind not in ("assign", "declare", "call") or len(steps) != 1 or steps[0].children[0].kind != "name":
        return ()
    step = steps[0]
    variable = step.children[0].variable
    mentions = sum(1 for each in node.walk() if each.kind == "name" and each.variable is variable)
    if mentions != 1 or any(_is_other(each, node) for each in node.walk()):
        return ()
    return _replaced(node, step), step


def _is_other(each: SyntaxNode, whole: SyntaxNode) -> bool:
    """Return whether a part of a statement is another side effect or a choice."""
    if each.kind == "unary":
        return each.text in ("++", "--")
    return each.kind == "choice" or (each.kind == "assign" and each is not whole) or each.text in _CONDITIONAL


def _replaced(node: SyntaxNode, step: SyntaxNode) -> SyntaxNode:
    if node is step:
        return replace(step.children[0])
    return with_children(node, tuple(_replaced(child, step) for child in node.children))
