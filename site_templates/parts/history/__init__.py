"""What changed between snapshots of the board."""
