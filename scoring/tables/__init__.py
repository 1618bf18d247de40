"""From verdicts to tables: scores, ranks, trials and case health."""
