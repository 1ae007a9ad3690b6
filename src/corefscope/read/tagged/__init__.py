"""What language models print: text with tags, read against the words of a key."""
