"""Jsonlines: one JSON object for each document."""
