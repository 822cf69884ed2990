"""The ten lessons: read from Markdown, made into notebooks, or performed and shown as pages."""
