"""What is done with scores: compare, resample, explain, rank, disturb."""
