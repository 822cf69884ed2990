"""The lines of one function in LLVM's language while it is being written: blocks, registers, variables."""

from __future__ import annotations

from dataclasses import dataclass, field

from ppnsim.machine_code.types import (
    BITS,
    PLACE,
    TRUTH,
    WHOLE,
    ArrayType,
    Held,
    KernelError,
    TupleType,
    Type,
    number,
    registers_of,
    tuple_of,
)


@dataclass
class Body:
    """Lines, and where variables lie: on the stack, from where LLVM takes them into registers.

    ``is_open`` is whether a line could still be reached: not behind a jump.
    """

    lines: list[str] = field(default_factory=list)
    slots: list[str] = field(default_factory=list)
    is_open: bool = True
    _made: int = 0

    def name(self) -> str:
        """Return a name that nothing has yet."""
        self._made += 1
        return f"t{self._made}"

    def put(self, text: str) -> str:
        """Write an instruction, and return the register of its result."""
        register = f"%{self.name()}"
        self.do(f"{register} = {text}")
        return register

    def do(self, text: str) -> None:
        """Write an instruction without a result."""
        self.lines.append(f"  {text}")

    def jump(self, label: str) -> None:
        """Go on at a label."""
        if self.is_open:
            self.do(f"br label %{label}")
        self.is_open = False

    def fork(self, condition: Held, yes: str, no: str) -> None:
        """Go on at one label or the other."""
        self.do(f"br i1 {self.truth(condition)}, label %{yes}, label %{no}")
        self.is_open = False

    def place(self, label: str) -> None:
        """Begin the block of a label, in which what comes before it goes on."""
        self.jump(label)
        self.lines.append(f"{label}:")
        self.is_open = True

    def stack(self, kind: Type) -> Held:
        """Return room for a value of a type: its registers are addresses."""
        names = tuple(f"%{self.name()}" for _ in registers_of(kind))
        self.slots += [f"  {name} = alloca {each}" for name, each in zip(names, registers_of(kind), strict=True)]
        return Held(kind, names)

    def keep(self, room: Held, value: Held) -> None:
        """Put a value into room on the stack."""
        value = self.as_type(value, room.type)
        for kind, at, register in zip(registers_of(room.type), room.registers, value.registers, strict=True):
            self.do(f"store {kind} {register}, ptr {at}")

    def kept(self, room: Held) -> Held:
        """Return the value that lies in room on the stack."""
        kinds = registers_of(room.type)
        registers = [self.put(f"load {kind}, ptr {at}") for kind, at in zip(kinds, room.registers, strict=True)]
        return Held(room.type, tuple(registers))

    def as_type(self, value: Held, kind: Type) -> Held:
        """Return a value as one of another type that holds all of its values."""
        if value.type == kind:
            return value
        if isinstance(kind, TupleType) and isinstance(value.type, TupleType) and len(kind.parts) == len(value.parts()):
            both = zip(value.parts(), kind.parts, strict=True)
            return tuple_of([self.as_type(part, wanted) for part, wanted in both], kind.names)
        if (kind == WHOLE and value.type == PLACE) or (kind == PLACE and is_constant(value)):
            return Held(kind, value.registers)
        if kind == WHOLE and value.type == TRUTH:
            return self.whole(value)
        raise KernelError(f"a value of {value.type} stands where one of {kind} is expected")

    def whole(self, value: Held) -> Held:
        """Return a number with 64 bits, truth values as 0 and 1."""
        if value.type == TRUTH:
            if value.register in ("true", "false"):
                return number(int(value.register == "true"))
            return Held(WHOLE, (self.put(f"zext i1 {value.register} to i64"),))
        if value.type not in (WHOLE, PLACE):
            raise KernelError(f"a value of {value.type} is no number")
        return value

    def truth(self, value: Held) -> str:
        """Return a register that holds whether a number is not 0."""
        if value.type == TRUTH:
            return value.register
        return self.put(f"icmp ne i64 {self.whole(value).register}, 0")

    def read(self, array: Held, place: str) -> Held:
        """Return the element of an array at a place from its beginning."""
        assert isinstance(array.type, ArrayType)
        element, at = array.type.element, self._address(array, place)
        bits = BITS[element]
        register = self.put(f"load i{bits}, ptr {at}")
        if element == "bool":
            return Held(TRUTH, (self.put(f"icmp ne i8 {register}, 0"),))
        if bits < 64:
            register = self.put(f"sext i{bits} {register} to i64")
        return Held(PLACE if element == "uint64" else WHOLE, (register,))

    def write(self, array: Held, place: str, value: Held) -> None:
        """Set the element of an array at a place from its beginning."""
        assert isinstance(array.type, ArrayType)
        bits, at = BITS[array.type.element], self._address(array, place)
        if array.type.element == "bool":
            register = self.put(f"zext i1 {self.truth(value)} to i8")
        else:
            register = self.whole(value).register
            if bits < 64:
                register = self.put(f"trunc i64 {register} to i{bits}")
        self.do(f"store i{bits} {register}, ptr {at}")

    def row(self, array: Held, place: str) -> Held:
        """Return what lies behind the first subscript of an array, which begins at a place."""
        assert isinstance(array.type, ArrayType)
        kind = ArrayType(array.type.element, array.type.dimensions - 1)
        return Held(kind, (self._address(array, place), *array.registers[2:]))

    def _address(self, array: Held, place: str) -> str:
        assert isinstance(array.type, ArrayType)
        return self.put(f"getelementptr i{BITS[array.type.element]}, ptr {array.register}, i64 {place}")


def is_constant(value: Held) -> bool:
    """Return whether a value is a number that is known and not negative."""
    return value.type == WHOLE and value.register.isdigit()
