"""Final answers of agents, decided by what simulated APIs replied to them."""
