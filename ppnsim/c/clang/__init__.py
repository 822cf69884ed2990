"""The only place with clang: its tree as plain data."""
