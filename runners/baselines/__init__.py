"""Baselines: simple programs that mark the floor and the ceiling of a suite."""
