"""The compiled engine: the same rules as recurrences over firings, evaluated as machine code."""
