"""Projects of high-level synthesis: Tcl scripts and ``hls_config.cfg``, read as data and never executed."""
