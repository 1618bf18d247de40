"""What is cached between two runs, so that nothing unchanged is decided again."""
