"""Agents answer a query with the tools they are given. Five frameworks have adapters."""
