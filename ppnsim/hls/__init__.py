"""Loop programs scheduled as synthesis tools do it: `kernel.schedule_kernel` is the door."""
