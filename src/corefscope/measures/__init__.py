"""Metrics beyond the official ones."""
