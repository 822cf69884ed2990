"""Parses C and C++ with clang and builds the syntax tree; no other package uses clang."""
