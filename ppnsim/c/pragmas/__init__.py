"""Pragmas, which clang keeps out of its tree."""
