"""OpenCL C to the hierarchy of a kernel, by symbolic execution: the source is read once, for all work items at once.

::

    load               the door: file, options -> Kernel and Design
      control/         statements, branches, loops: which statements execute, and what they leave behind
      expressions/     evaluate: operators, calls, places and memory -> values, and the steps that compute them
      machine          the state between them: variables, memory, loops around, steps found so far
      hints            work sizes and arguments; what options, pragmas and attributes say
      hierarchy/       steps in blocks, loops and branches -> the nodes of a kernel; what addresses say
      symbolic/        numbers as sums of symbols (work items, iterations), values, the path to a statement, trip counts

A package imports only from those below it.
"""
