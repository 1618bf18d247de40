"""What is kept between two runs, so that nothing unchanged is decided again."""
