"""High-level synthesis (HLS): loop programs become schedules, cycle by cycle, as an HLS tool makes them.

The data take one way: a loop program and its directives become loops as hardware has them (`structure`), each loop body
becomes a graph of operators (`graph`), each graph gets states and an initiation interval (`schedule`), and the states
of all loops are counted. RULES.md says each rule of the tool with its evidence; the code cites the rules by number.

    kernel          entry point: `schedule_kernel` goes this way for one loop program
    pragmas/        `#pragma HLS` and directives of a script, read into `Directives`
    project/        scripts and configurations of the tool (run_hls.tcl, hls_config.cfg), read as data
    numbers         constant propagation before the schedule; unused removes dead code, idle_loops loops that never run
    structure/      pipelines, unrolled copies, partitions, tables
    graph/          the data-flow graph of a loop body: operators, memory ports, dependences
    library/        latency, delay and area of each operator on a device and at a clock; releases of the tool
    schedule/       intervals and states of a body, regions of straight-line code, the state machine of a kernel
    region/         dataflow regions: tasks, FIFOs and buses as a process network, which the engines run
    native/         designs whose accesses data decide: compiled, executed and timed
    reports/        a vendor's reports, whose intervals and latencies can replace ours
    dse/ | lost/    a search of directives; what the cycles of a schedule are spent on

What is told about a schedule: report (what all outputs need), tables, results (JSON), pictures, loop_names (the name
of a loop in all of them), advice (what makes a loop faster), resources (area), formulas and region_formula (cycles by
arguments: known_ends, run_counts, scalars), extremes and limits (fewest and most cycles), as_reports and ends (which
cycles count), unmet_directives, waits, volatile, bus_latencies, beyond_clock, undefined_behaviour (what the user should
know), shown_lines (lines of the user's code). sequential are the loops without a pipeline, rams says which FIFOs are
in memories, recent_results keeps what was computed last. rules has a switch for each rule that can be removed.
"""
