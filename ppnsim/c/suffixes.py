"""What sources of C and C++ are called, known without importing their reader."""

SUFFIXES = (".c", ".h", ".cc", ".cpp", ".cxx", ".C", ".hh", ".hpp")
HEADERS = (".h", ".hh", ".hpp")
