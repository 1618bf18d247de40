"""Imports of other systems' cases and results, one folder per system."""
