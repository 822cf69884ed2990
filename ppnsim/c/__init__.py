"""From C and C++ text to a loop program.

    load        the door: a file in, its loop programs out
    given       checks of file name, macros and settings
    policy      the two ways to read C: strict, and as high-level synthesis does
    kernels     which functions are kernels, and what their calls say about their parameters
    regions     the part of the source that a program replaces
    syntax      the tree that all others read; kinds: the kinds of its nodes
    clang/      the only place with clang: makes the tree, also of OpenCL C
    pragmas/    text that clang keeps out of its tree
    executed/   control flow as C executes it: how often loops run that the source alone decides
    lowering/   from the tree to the loop program
        lower       statement by statement, by kind
        scope       what names mean meanwhile
        statements/ assignments, expressions, declarations
        functions/  calls: opened in place, or a statement with a footprint
        control/    heads of loops, given trip counts, conditions that are data, continue and return
        places/     which element of which array
        values/     numbers and conditions that are affine in the iterators
        variables/  what the text says about variables: constant tables, followed assignments, steering integers

`syntax`, `kinds`, `policy` and `lowering/scope` serve all others.
"""
