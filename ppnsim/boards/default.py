"""What a source is scheduled for where nobody says it, known without importing what reads boards."""

DEVICE, CLOCK = "xc7z020", "10 ns"
"""Those of the published designs that schedules are measured on."""
