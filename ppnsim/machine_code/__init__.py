"""Kernels as machine code: a compiler for functions on whole numbers and arrays of them, by way of LLVM.

It knows the few forms that kernels are written in, checks their types as it goes, and is therefore done in tenths of a
second where numba, a compiler for all of Python, takes many. Whatever is not among these forms is a `KernelError` that
names it; nothing is guessed.

A kernel takes whole numbers, truth values, arrays without gaps of one or two dimensions (int8 to int64, uint64, bool)
and tuples of all these, named or not. It has assignments, ``if``, ``while``, ``for`` over a `range`, ``break``,
``continue``, ``else`` behind loops, ``return`` of one value or several, ``+ - * // % & | ^ ~``, comparisons, ``and``,
``or``, ``not``, choices, subscripts, ``.shape`` and parts of named tuples; it calls `len`, `max`, `min`, `int`, `bool`,
`unsigned` and other kernels, and looks up constants around it. A name has one type, and a value on every way to where
it is read.

All of this means what it means in Python, as long as numbers stay within 64 bits: beyond, they go round. ``//`` and
``%`` round down; where Python divides by zero, both are 0. A negative subscript counts from the end, except one that is
`unsigned`. No subscript is looked at for whether the array has it: the same kernels, run as Python, do.
"""
