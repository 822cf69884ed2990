"""C and C++ text to a loop program."""
