"""Results and samples of Every Eval Ever."""
