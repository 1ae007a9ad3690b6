"""The layout of each kind of result."""
