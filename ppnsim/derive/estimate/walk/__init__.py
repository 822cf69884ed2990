"""The walk behind both estimates: Python source generated from a loop program, interpreted or compiled.

`text` and `nest` write a walk that can pause and continue, `step` counts one execution, `activity` holds the number of
active executes per cycle, and `run` runs the walk. `shadow_times` is the kernel of the estimates, `early_reads` finds
the arrays to stream in.
"""
