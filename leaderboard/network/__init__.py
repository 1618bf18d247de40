"""Requests to servers of models: addresses, keys, and when to try again."""
