"""The parts of a kernel with dataflow regions: tasks that run together, in sequence, or repeatedly (R7.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ppnsim.errors import InputError
from ppnsim.hls.pragmas.directives import Directives, all_loops, scope_of
from ppnsim.hls.region.groups import Path, entered, joined, merged
from ppnsim.hls.region.model import Part, TaskChoice, TaskCode, TaskLoop, TaskRegion, TaskStages
from ppnsim.hls.region.round_loops import round_loop
from ppnsim.loops.expressions import Not
from ppnsim.loops.program import Execution, Frame, Guard, Loop, LoopProgram, Node, Position


def parts_of(program: LoopProgram, directives: Directives, said: dict[str, None] | None = None) -> Part | None:
    """Return the parts of a kernel, None if it has no dataflow region.

    ``said`` takes what the user should know about the division, each sentence once.

    Raises
    ------
    InputError
        If a region contains nothing to run at the same time.
    """
    none = {scope_of(loop): replace(directives.of(loop), dataflow=False) for loop in directives.dissolved(program.body)}
    directives = replace(directives, loops={**directives.loops, **none}) if none else directives
    frames = {frame.path: frame for frame in program.frames}
    asked = {path: directives.functions.get(scope_of(frame)) for path, frame in frames.items()}
    regions = frozenset(path for path, each in asked.items() if each is not None and each.dataflow)
    top = program.frames[0] if program.frames else Frame((), Position(), 0)
    if not program.frames and (whole := directives.functions.get(scope_of(top))) is not None and whole.dataflow:
        regions = frozenset([()])
    said = {} if said is None else said
    arrays = frozenset(array.name for array in program.arrays if array.shape and not array.stream)
    streams = frozenset(array.name for array in program.arrays if array.stream)
    divider = _Divider(arrays, streams, frames, regions, directives.inlined(program.frames), directives, said)
    if top.path not in regions and not divider.has_region(program.body, top.path):
        return None
    return divider.function(top.path, program.body, program.name, top.position)


@dataclass(frozen=True, slots=True)
class _Divider:
    """A builder of parts. ``regions`` are the calls of functions that are regions, ``inlined`` calls that are no tasks.

    ``arrays`` are the arrays without scalars and FIFOs, ``streams`` the FIFOs.
    """

    arrays: frozenset[str]
    streams: frozenset[str]
    frames: Mapping[Path, Frame]
    regions: frozenset[Path]
    inlined: frozenset[Path]
    directives: Directives
    said: dict[str, None]

    def function(self, path: Path, body: Sequence[Node], name: str, position: Position) -> Part:
        """Return the parts of a function, or of a call of a function."""
        if path in self.regions:
            return self.region(path, body, name, position)
        part = self.code(path, body, name, position)
        asked = self.directives.functions.get(scope_of(self.frames[path])) if path in self.frames else None
        if asked is None or not asked.endless:
            return part
        if not isinstance(part, TaskCode):
            raise InputError(f"task '{name}' runs as long as tokens come and has a region in it", where=str(position))
        if not asked.pipeline:
            return replace(part, endless=True)
        return replace(part, body=(round_loop(self.frames[path], part.body),), endless=True, pipelined=True)

    def region(self, path: Path, body: Sequence[Node], name: str, position: Position) -> Part:
        """Return the tasks of a region: calls and loops; straight-line code belongs to the task after it.

        A statement that only stores the scalar result of a call (``a[0] = f(x);``) belongs to the call.
        If several tasks use values of the code before the first task, that code is a separate task, which starts them
        all. A condition around all tasks decides about the region: each of its ways has its own tasks.
        """
        groups: list[tuple[Path, list[Node]]] = []
        waiting: list[Node] = []
        for number, node in enumerate(body):
            call = self._call(node, path, self.inlined)
            if not call and isinstance(node, Execution):
                result = not waiting and bool(groups) and self._is_result(node, groups[-1])
                result = result and not self._is_copied(node, body[number + 1 :], path)
                (groups[-1][1] if result else waiting).append(node)
                continue
            if not (call and groups and groups[-1][0] == call):
                if groups:
                    self.said.update(dict.fromkeys(joined(waiting, self.streams, position_of(node))))
                groups.append((call, []))
            groups[-1][1].extend((*waiting, node))
            waiting = []
        groups = entered(merged(groups, self.arrays), self.streams)
        if not groups:
            words = "a dataflow region without a call and without a loop has nothing to run at the same time"
            raise InputError(words, where=str(position) if position.file else "")
        groups[-1][1].extend(waiting)
        (call, nodes), *others = groups
        if not others and not call and isinstance(nodes[-1], Guard):
            before = [TaskCode("entry", position_of(nodes[0]), tuple(nodes[:-1]))] if len(nodes) > 1 else []
            whole = self._choice(nodes[-1], name, lambda way: self._way(path, way, name))
            return TaskStages(name, position, (*before, whole)) if before else whole
        return TaskRegion(name, position, tuple(self._task(path, call, nodes) for call, nodes in groups))

    def _is_result(self, node: Execution, group: tuple[Path, list[Node]]) -> bool:
        """Return whether a statement stores a scalar of the call before it, and reads no array."""
        call, code = group[0], LoopProgram(name="", arrays=(), body=tuple(group[1])).statements()
        made = (each for each in code if call and each.path[: len(call)] == call)
        scalars = {access.array for each in made for access in each.writes} - self.arrays - self.streams
        reads = {access.array for access in node.statement.reads}
        return bool(reads & scalars) and not reads & (self.arrays | self.streams)

    def _is_copied(self, node: Execution, later: Sequence[Node], path: Path) -> bool:
        """Return whether a statement computes a scalar for the next task."""
        made = {access.array for access in node.statement.writes} - self.arrays
        tasks = (each for each in later if self._call(each, path, self.inlined) or not isinstance(each, Execution))
        if not made or (first := next(tasks, None)) is None:
            return bool(made)
        call = self._call(first, path, self.inlined)
        task = [each for each in later if each is first or (call and self._call(each, path, self.inlined) == call)]
        code = LoopProgram(name="", arrays=(), body=tuple(task)).statements()
        return not made.isdisjoint(access.array for each in code for access in each.reads)

    def _way(self, path: Path, body: Sequence[Node], name: str) -> Part:
        """Return one way of a condition around all tasks of a region."""
        position = position_of(body[0])
        if all(isinstance(each, Execution) and not self._call(each, path, self.inlined) for each in body):
            return TaskCode(name, position, tuple(body))
        return self.region(path, body, name, position)

    def _task(self, path: Path, call: Path, nodes: Sequence[Node]) -> Part:
        """Return a task of a region: a call, or a loop or condition of the region's function itself."""
        if not call and all(isinstance(each, Execution) for each in nodes):
            return TaskCode("entry", position_of(nodes[0]), tuple(nodes))
        first = next(each for each in nodes if bool(self._call(each, path, self.inlined)) == bool(call)
                     and (call or not isinstance(each, Execution)))  # fmt: skip
        if call:
            return self.function(call, nodes, call[-1], position_of(first))
        if isinstance(first, Loop) and self.directives.of(first).unroll == 0:
            self._refuse_unrolled(first, path)
        name = f"loop {first.iterator}" if isinstance(first, Loop) else "if"
        return self.code(path, nodes, name, position_of(first))

    def _refuse_unrolled(self, loop: Loop, path: Path) -> None:
        """Refuse an unrolled loop whose calls would be separate tasks, unless the directive is in the source."""
        if all(self._call(each, path, self.inlined) for each in loop.body):
            words = "the calls in a loop of a dataflow region that is unrolled are a task each, which is followed where"
            more = "'#pragma HLS unroll' stands in the loop and its number of iterations is known"
            raise InputError(f"{words} {more}", where=str(loop.position))

    def code(self, path: Path, body: Sequence[Node], name: str, position: Position) -> Part:
        """Return code that runs part after part: the code itself, or the regions in it and the code between them."""
        if not self.has_region(body, path):
            return TaskCode(name, position, tuple(body))
        parts: list[Part] = []
        plain: list[tuple[Path, list[Node]]] = []
        for call, nodes in [*self._by_call(body, path), ((), [])]:
            if nodes and not self.has_region(nodes, path):
                plain.append((call, nodes))
                continue
            if plain:
                parts.append(_code_between(name, plain))
                plain = []
            if call:
                parts.append(self.function(call, nodes, call[-1], position_of(nodes[0])))
            elif nodes:
                parts.append(self._around(path, nodes[0], name))
        return parts[0] if len(parts) == 1 else TaskStages(name, position, tuple(parts))

    def _around(self, path: Path, node: Node, name: str) -> Part:
        """Return a loop or a condition around a region."""
        if isinstance(node, Guard):
            return self._choice(node, name, lambda way: self.code(path, way, name, position_of(way[0])))
        assert isinstance(node, Loop)
        own = self.directives.of(node).dataflow
        inner = (self.region if own else self.code)(path, node.body, name, node.position)
        return TaskLoop(name, node.position, (inner,), node, own)

    @staticmethod
    def _choice(guard: Guard, name: str, way: Callable[[Sequence[Node]], Part]) -> TaskChoice:
        """Return a condition with its ways; a way without code is left out."""
        condition = guard.condition if guard.body else Not(guard.condition)
        ways = tuple(way(each) for each in (guard.body, guard.otherwise) if each)
        return TaskChoice(name, position_of(guard), ways, condition)

    def has_region(self, body: Sequence[Node], path: Path) -> bool:
        """Return whether some nodes of a function contain the start of a region."""
        if any(self.directives.of(loop).dataflow for loop in all_loops(body)):
            return True
        paths = {statement.path for statement in LoopProgram(name="", arrays=(), body=tuple(body)).statements()}
        return any(each[:k] in self.regions for each in paths for k in range(len(path) + 1, len(each) + 1))

    def _by_call(self, body: Sequence[Node], path: Path) -> Iterator[tuple[Path, list[Node]]]:
        """Yield the nodes of each call together, and each other node separately."""
        last: tuple[Path, list[Node]] | None = None
        for node in body:
            call = self._call(node, path, frozenset())
            if last is not None and call and last[0] == call:
                last[1].append(node)
                continue
            if last is not None:
                yield last
            last = call, [node]
        if last is not None:
            yield last

    def _call(self, node: Node, path: Path, passed: frozenset[Path]) -> Path:
        """Return the call in a function that a node belongs to, () for a node of the function itself."""
        home = self.home(node)
        return next((home[:k] for k in range(len(path) + 1, len(home) + 1) if home[:k] not in passed), ())

    def home(self, node: Node) -> Path:
        """Return the call of the function that contains a node."""
        if isinstance(node, Execution):
            return node.statement.path
        inner = [self.home(each) for each in (*node.body, *(node.otherwise if isinstance(node, Guard) else ()))]
        common = _common([each for each in inner if each])
        while isinstance(node, Loop) and common in self.frames and not _stands_in(node, self.frames[common]):
            common = common[:-1]
        return common


def _common(paths: Sequence[Path]) -> Path:
    """Return the common prefix of all paths."""
    if not paths:
        return ()
    first, last = min(paths), max(paths)
    same = next((k for k, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), None)
    return first[: min(len(first), len(last))] if same is None else first[:same]


def _stands_in(loop: Loop, frame: Frame) -> bool:
    place = loop.position
    return place.file == frame.position.file and frame.position.line <= place.line <= frame.end


def _code_between(name: str, groups: Sequence[tuple[Path, list[Node]]]) -> TaskCode:
    """Return the code before, between and after regions; a single call gives the code its name."""
    nodes = [node for _, some in groups for node in some]
    position = position_of(nodes[0])
    call = groups[0][0] if len(groups) == 1 else ()
    return TaskCode(call[-1] if call else f"{name} line {position.line}", position, tuple(nodes))


def position_of(node: Node) -> Position:
    """Return the position of the first code of a node."""
    if isinstance(node, Execution):
        return node.statement.position
    if isinstance(node, Loop):
        return node.position
    return next((position_of(each) for each in (*node.body, *node.otherwise)), Position())
