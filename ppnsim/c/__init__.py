"""The C and C++ front-end: it reads source text and makes loop programs of its kernels.

    load            entry point: reads a file and returns its loop programs
    input_checks    checks of file names, macros and settings
    policy          the ways to read C: strictly, for networks, and as high-level synthesis does
    kernels         finds the kernels of a file, and what the calls of a kernel tell about its parameters
    lowered_kernels lowers the kernels one by one, with what they share
    programs        builds the loop program of one kernel; branches chooses among branches that data decide
    regions, scops  the part of the source that a loop program replaces
    find_function, sibling_sources, caller_interfaces   what is around a kernel: other functions, files and callers
    declarations, inactive_text, continued_lines        text that the syntax tree does not contain
    layout, widths, blocks   bytes of values, bits of tokens, streams of blocks
    refusals, suffixes       the words of refusals, the suffixes of files
    syntax, kinds   the syntax tree that all other modules read, and the kinds of its nodes
    clang/          the only package that uses clang: builds the syntax tree, also for OpenCL C
    pragmas/        reads pragmas from the text, because clang's tree does not contain them
    plain/          rewrites the syntax tree into fewer forms, which the lowering knows
    executed/       executes control flow, to count the iterations of loops that known numbers alone decide
    lowering/       turns the syntax tree into a loop program
        lower       lowers statement by statement, one function for each kind
        scope       what names mean during the lowering
        statements/ assignments, expressions, declarations
        functions/  calls: inlined, or one statement with a footprint
        control/    loop heads, given trip counts, conditions that depend on data, continue and return
        places/     which element of which array an expression names
        values/     numbers and conditions that are affine in the iterators
        variables/  what the source tells about variables: constant tables, reaching definitions, control variables

All packages use `syntax`; the lowering also uses `policy`. plain/ asks `lowering/variables` what statements set.
"""
