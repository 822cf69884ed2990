"""What is known of a kernel without values of its data: numbers, work items, the path to a statement."""
