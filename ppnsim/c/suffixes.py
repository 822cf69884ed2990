"""What sources of C and C++ are called, known without importing their reader."""

HEADERS = (".h", ".hh", ".hpp")
SUFFIXES = (".c", ".cc", ".cpp", ".cxx", ".C", *HEADERS)
