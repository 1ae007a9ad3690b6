"""From two files to a report: what decides a score, and the loop that makes it."""
