"""The board as a whole: its history, what changed, and comparisons of two submissions."""
