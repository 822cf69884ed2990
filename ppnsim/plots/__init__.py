"""Pictures of networks and timelines, drawn with matplotlib."""
