"""Second, plain evaluators that the code is held against."""
