"""Readers: from files to documents."""
