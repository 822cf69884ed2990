"""Text of pragmas, which is not in clang's tree."""
