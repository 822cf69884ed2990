"""Reads pragmas from the source text, because clang's tree does not contain them."""
