"""From data-flow graphs to schedules: loop bodies, regions, and the state machine (`machine.state_machine`)."""
