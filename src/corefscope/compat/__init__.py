"""Compatibility with the programs and platforms of shared tasks."""
