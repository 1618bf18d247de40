"""Readers of the files that people write, and the shapes these files have."""
