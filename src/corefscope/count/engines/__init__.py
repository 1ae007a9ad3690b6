"""Search for a best assignment where the data are."""
