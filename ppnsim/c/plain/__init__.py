"""The syntax tree in fewer forms: what a synthesis tool reads is rewritten into what the lowering knows."""
