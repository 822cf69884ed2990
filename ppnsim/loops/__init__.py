"""The loop program: expressions, iteration domains, dependences."""
