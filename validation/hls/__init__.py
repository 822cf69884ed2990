"""The section ``hls``: loop schedules beside hardware synthesised by a commercial tool."""
