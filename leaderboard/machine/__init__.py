"""What the code needs of the machine: files, locks, caches, processes and memory."""
