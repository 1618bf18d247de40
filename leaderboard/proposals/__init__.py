"""A pull request: what it changes, and the board that it would give."""
