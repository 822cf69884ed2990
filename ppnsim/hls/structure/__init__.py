"""The loop structure that hardware has: pipelines, unrolled copies, partitions and loops of the state machine."""
