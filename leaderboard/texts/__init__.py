"""Texts in general: normal forms, names that are nearly the same, code, percentages."""
