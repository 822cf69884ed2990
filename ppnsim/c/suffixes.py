"""Lists the file suffixes of C and C++ sources, without an import of the reader."""

SUFFIXES = (".c", ".h", ".cc", ".cpp", ".cxx", ".C", ".hh", ".hpp")
HEADERS = (".h", ".hh", ".hpp")
