"""Structs in hardware: each number of a struct is a separate register or memory; only FIFOs hold whole structs (R6.3).

The tool splits the structs of a kernel in this way. It keeps an argument's structs whole, in one wide memory; all
numbers of an element then arrive together, which has the same effect.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from ppnsim.errors import InputError
from ppnsim.hls.library.types import Format
from ppnsim.hls.structure.blocks import with_locks
from ppnsim.hls.structure.lanes import with_vectors
from ppnsim.loops.program import Access, Array, Execution, Guard, LoopProgram, Node, Operation, Statement

Fields = tuple[tuple[str, str, int], ...]
"""The numbers in a struct: path, type and bits of each."""


def without_structs(program: LoopProgram) -> LoopProgram:
    """Return a program with an array for each number in a struct.

    A value that is read from or written to a FIFO stays a struct. A program without structs to split is unchanged.

    Raises
    ------
    InputError
        If an expression makes a struct with unknown members.

    Examples
    --------
    >>> z = Array(name="z", type="complex", bits=64, fields=(("re", "float", 32), ("im", "float", 32)))
    >>> value = Operation("read", "complex", read=0)
    >>> copy = Statement(name="s", reads=(Access("z"),), writes=(Access("z"),), value=value)
    >>> program = LoopProgram(name="k", arrays=(z,), body=(Execution(copy),))
    >>> [str(statement.writes[0]) for statement in without_structs(program).statements()]
    ['z.re', 'z.im']
    """
    if not any(array.fields for array in program.arrays) or any(map(_is_token, program.arrays)):
        return with_locks(with_vectors(replace(program, arrays=_accessed(program.arrays, program))))
    split = _Split({array.name: array for array in program.arrays})
    body = split.nodes(program.body)
    made = replace(program, body=body)
    used = _used(made)
    arrays = (part for array in program.arrays for part in split.parts(array, used))
    made = replace(made, arrays=(*arrays, *split.taken))
    return with_locks(with_vectors(replace(made, arrays=_accessed(made.arrays, made))))


def _accessed(arrays: tuple[Array, ...], program: LoopProgram) -> tuple[Array, ...]:
    """Return the arrays without those that stand for an unused part of a struct.

    Such parts are array elements that are numbers of a token, and structs that contain only arrays.
    """
    used = _used(program)
    return tuple(a for a in arrays if a.name in used or not (_is_place(a.name) or _only_arrays(a)))


def _used(program: LoopProgram) -> set[str]:
    return {access.array for s in program.statements() for access in (*s.reads, *s.writes)}


def _is_place(name: str) -> bool:
    """Return whether a number in a struct is an element of an array in the struct."""
    return name.rpartition(".")[2].isdigit()


def _is_token(array: Array) -> bool:
    """Return whether an array is the register of a token: such a program is split already."""
    return bool(array.fields) and "@" in array.name


def _only_arrays(array: Array) -> bool:
    try:
        Format.held(array)
    except InputError:
        return not array.fields
    return False


def _within(fields: Fields, name: str) -> Fields:
    """Return the numbers in a member of a struct."""
    inside = (each for each in fields if each[0].startswith(f"{name}."))
    return tuple((path.removeprefix(f"{name}."), of, bits) for path, of, bits in inside)


@dataclass(slots=True)
class _Split:
    arrays: dict[str, Array]
    taken: list[Array] = field(default_factory=list)
    _fields: dict[str, Fields] = field(init=False)

    def __post_init__(self) -> None:
        structs = [each for each in self.arrays.values() if each.fields]
        self._fields = {each.type: each.fields for each in reversed(structs)}  # the first array of a type counts

    def parts(self, array: Array, used: Collection[str]) -> list[Array]:
        """Return the arrays that an array is split into; of arrays inside structs, only the elements in ``used``."""
        if not self.is_split(array.name):
            return [array]
        every = ((f"{array.name}.{path}", of, bits) for path, of, bits in array.fields)
        parts = (each for each in every if each[0] in used or not _is_place(each[0]))
        return [replace(array, name=name, type=of, bits=bits, fields=()) for name, of, bits in parts]

    def is_split(self, name: str) -> bool:
        array = self.arrays.get(name)
        return array is not None and bool(array.fields) and not array.stream

    def is_number(self, name: str) -> bool:
        """Return whether a read in a loop bound is a number: pointers and arrays in the struct are left out."""
        whole, _, path = name.partition(".")
        if not path or path.rpartition(".")[2].isdigit():
            return not path
        if name in self.arrays:  # what the reader has split already
            return not self.arrays[name].type.endswith("*")
        of = next((of for each, of, _ in self.arrays[whole].fields if each == path), "")
        return not of.endswith("*")

    def nodes(self, body: tuple[Node, ...]) -> tuple[Node, ...]:
        found: list[Node] = []
        for node in body:
            if isinstance(node, Execution):
                found += [Execution(statement) for statement in self.statements(node.statement)]
            elif isinstance(node, Guard):
                found.append(replace(node, body=self.nodes(node.body), otherwise=self.nodes(node.otherwise)))
            else:
                reads = tuple(p for access in node.reads for p in self.elements(access) if self.is_number(p.array))
                found.append(replace(node, body=self.nodes(node.body), reads=reads))
        return tuple(found)

    def elements(self, access: Access) -> list[Access]:
        """Return the accesses that replace an access to a struct: one for each number in it."""
        if not self.is_split(access.array):
            return [access]
        return [replace(access, array=f"{access.array}.{path}") for path, _, _ in self.arrays[access.array].fields]

    def statements(self, statement: Statement) -> list[Statement]:
        """Return the statements that replace a statement: one for each number that it writes."""
        concerned = any(self.arrays[access.array].fields for access in (*statement.reads, *statement.writes))
        if statement.value is None or not concerned:
            return [statement]
        before: list[Statement] = []
        value = self._taken(statement.value, statement, before)
        if not statement.writes or not self.is_split(statement.writes[0].array):
            return [*before, self._made(statement, statement.writes, value)]
        target, member = statement.writes[0], statement.member or ""
        found, fields = [], self.arrays[target.array].fields
        inside = _within(fields, member) if member else fields
        for path, of, _ in fields:
            if member and path != member and not path.startswith(f"{member}."):
                continue
            if path != member and of.endswith("*"):
                continue  # the target of the pointer is known without this assignment
            part = path.removeprefix(member).removeprefix(".")
            projected = self.projected(value, part, of, statement, inside) if part else value
            access = replace(target, array=f"{target.array}.{path}")
            found.append(self._made(replace(statement, name=f"{statement.name}.{path}"), (access,), projected))
        return before + found

    def _taken(self, tree: Operation, statement: Statement, before: list[Statement]) -> Operation:
        """Return a value that reads each struct from a FIFO only once: the struct is first stored in a register."""
        if tree.read is not None and tree.kind == "read":
            access = statement.reads[tree.read]
            array = self.arrays[access.array]
            if array.stream and array.fields:
                token = replace(array, name=f"{array.name}@{len(self.taken)}", shape=(), stream=0, role="local")
                self.taken.append(token)
                own = Access(token.name)
                chosen = tuple(self._taken(each, statement, before) for each in tree.operands)  # the choice of a FIFO
                take = Operation("read", tree.type, chosen, read=tree.read, position=tree.position)
                before.append(self._made(replace(statement, name=token.name, index=()), (own,), take))
                return Operation("read", tree.type, place=own, position=tree.position)
        return replace(tree, operands=tuple(self._taken(each, statement, before) for each in tree.operands))

    def projected(self, tree: Operation, path: str, of: str, statement: Statement, inside: Fields = ()) -> Operation:
        """Return a number in the value of a struct; ``inside`` are its numbers if no array has its type."""
        if tree.kind == "member":
            return self.projected(tree.operands[0], f"{tree.text}.{path}", of, statement)
        if tree.kind == "cast":
            return self.projected(tree.operands[0], path, of, statement)
        if tree.kind == "?:":
            test, *ends = tree.operands
            ways = (self.projected(end, path, of, statement, inside) for end in ends)
            return replace(tree, type=of, operands=(test, *ways))
        inside = self.fields_of(tree.type) or inside
        if tree.kind == "list" and (inside or not tree.operands):
            return self._listed(tree, path, of, statement, inside)
        if tree.kind == "read":
            access = tree.place or statement.reads[tree.read or 0]
            if self.is_split(access.array):
                within = [each for each in self.arrays[access.array].fields if each[0].startswith(f"{path}.")]
                if within:  # a struct inside the struct
                    parts = tuple(self.projected(tree, each, part, statement) for each, part, _ in within)
                    return Operation("list", of, parts, position=tree.position)
                return replace(tree, type=of, read=None, place=replace(access, array=f"{access.array}.{path}"))
            return Operation("member", of, (tree,), path, position=tree.position)
        if tree.kind == "constant":  # from ``S a[4] = {0}``: the value of each number
            return replace(tree, type=of)
        words = f"'{tree.text or tree.kind}' makes a struct, of which it is not known where '{path}' is"
        raise InputError(f"{words}; write its members one by one", where=str(tree.position))

    def _listed(self, tree: Operation, path: str, of: str, statement: Statement, inside: Fields) -> Operation:
        """Return a number in a list of a struct's members; a member without a value is 0."""
        names = list(dict.fromkeys(each.partition(".")[0] for each, _, _ in inside))
        name, _, rest = path.partition(".")
        if name not in names or names.index(name) >= len(tree.operands):
            return Operation("constant", of, text="0", position=tree.position)
        value = tree.operands[names.index(name)]
        return self.projected(value, rest, of, statement, _within(inside, name)) if rest else value

    def fields_of(self, of: str) -> Fields:
        """Return the numbers in a struct type, nothing if no array has that type."""
        return self._fields.get(of, ())

    def _made(self, statement: Statement, writes: tuple[Access, ...], value: Operation) -> Statement:
        """Return a statement whose reads are the reads in its value and its index."""
        reads: list[Access] = []

        def put(tree: Operation) -> Operation:
            if tree.kind == "member":
                tree = self._number(tree, statement)
            if tree.kind == "cast" and tree.type != tree.operands[0].type and (base := self.fields_of(tree.type)):
                # An object converted to a base class: the numbers that it inherits.
                inherited = tuple(put(self.projected(tree, path, of, statement)) for path, of, _ in base)
                return Operation("list", tree.type, inherited, position=tree.position)
            operands = tuple(put(operand) for operand in tree.operands)
            if tree.kind != "read":
                return replace(tree, operands=operands)
            access = tree.place or statement.reads[tree.read or 0]
            if self.is_split(access.array):
                fields = self.arrays[access.array].fields
                parts = tuple(put(self.projected(tree, path, of, statement)) for path, of, _ in fields)
                return Operation("list", tree.type, parts, position=tree.position)
            reads.append(access)
            return replace(tree, operands=operands, read=len(reads) - 1, place=None)

        value = put(value)
        index = tuple(put(each) for each in statement.index)
        return replace(statement, reads=tuple(reads), writes=writes, value=value, index=index, member="")

    def _number(self, tree: Operation, statement: Statement) -> Operation:
        """Return a member as a read of the array that replaces it, if there is one."""
        base = tree.operands[0]
        if base.kind == "read" and not self.is_split((base.place or statement.reads[base.read or 0]).array):
            return tree
        return self.projected(base, tree.text, tree.type, statement)
