"""Comparing scores: confidence intervals, paired tests, shared tasks, and reproducing saved results."""
