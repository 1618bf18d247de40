"""Environments: small worlds with tools and a state, for suites of kind `tool_usage`."""
