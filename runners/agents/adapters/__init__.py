"""One module per framework. Each imports its framework when an agent is made, so that the others need not be installed."""
