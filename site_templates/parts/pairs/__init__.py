"""Comparisons of two submissions."""
