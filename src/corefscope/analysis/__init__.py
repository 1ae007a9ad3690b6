"""Error analysis, explanations, agreement, correlation, controlled noise."""
