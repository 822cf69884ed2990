"""High-level synthesis (HLS): loop programs, scheduled as an HLS tool does it. Start at `kernel.schedule_kernel`."""
