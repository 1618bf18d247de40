"""Requests that cannot be met as they are: questions back, named faults, and refusals."""
