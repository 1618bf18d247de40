"""What makes submissions: models, agents, baselines, and imports of results."""
