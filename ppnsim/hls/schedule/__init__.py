"""From graphs to schedules: bodies, regions, and the state machine around them (`machine.state_machine`)."""
