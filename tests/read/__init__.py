"""The readers, one by one."""
