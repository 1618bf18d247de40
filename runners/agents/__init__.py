"""Agents: what answers a query with the tools it is given. Five frameworks have adapters; any object with `answer` will do."""
