"""Recorded judge calls: files, index, redaction and checks."""
