"""A finished run in the formats of other tools: waveform viewers, profilers, spreadsheets."""
