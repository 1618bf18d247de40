"""The answers to a case: verdicts, differences, facts, steps, and replies of judges."""
