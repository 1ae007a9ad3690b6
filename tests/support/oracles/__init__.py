"""Slow, literal re-implementations of reference scorers, used only to check the real one."""
