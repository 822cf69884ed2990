"""Design-space exploration of HLS directives, by Algorithm 1 of the roofline paper."""
