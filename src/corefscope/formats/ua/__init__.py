"""Universal Anaphora: CoNLL-UA "exploded", and how UA scorer 1.0 reads it."""
