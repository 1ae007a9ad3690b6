"""From aligned sides to counts: the contingency table and the metrics over it."""
