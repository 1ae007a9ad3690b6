"""What everything stands on: errors, words and mentions, numbers."""
