"""CorefUD: CoNLL-U files with coreference in MISC."""
