"""The Berkeley Function Calling Leaderboard."""
