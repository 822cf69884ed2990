"""HLS projects: Tcl scripts and ``hls_config.cfg`` are read as data and are never executed."""
