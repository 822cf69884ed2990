"""Links, message schedules and flows, as parameters and rules without an event loop."""
