"""Pages: the report, the leaderboard, the app, and a server for them."""
