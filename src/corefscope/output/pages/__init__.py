"""Pages in HTML: the report, the leaderboard of a task, the app, and the server of a report."""
