"""Kernels as machine code: a compiler for functions on whole numbers and arrays of them, by way of LLVM.

It knows the few forms that kernels are written in, checks their types as it goes, and is therefore done in tenths of a
second where a compiler for all of Python takes many.
"""
