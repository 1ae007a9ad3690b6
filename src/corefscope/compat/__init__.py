"""Exact reproduction of official programs."""
