"""Canonical text: one spelling for all ways to write the same."""
