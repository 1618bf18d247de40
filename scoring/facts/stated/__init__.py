"""Texts that must state the facts of a case: names, numbers, dates, times and sets."""
