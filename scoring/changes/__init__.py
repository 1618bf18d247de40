"""What changed between two states of a board, and why."""
