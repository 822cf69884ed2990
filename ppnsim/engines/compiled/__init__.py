"""The compiled engine: the same rules as recurrences over firings, evaluated by numba."""
