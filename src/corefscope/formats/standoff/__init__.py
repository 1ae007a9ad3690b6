"""Formats that annotate a text from outside: spans over characters or words, and identity by ids or by links."""
