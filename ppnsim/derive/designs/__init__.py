"""The ways to split the statements of a loop program, and what each way is worth."""
