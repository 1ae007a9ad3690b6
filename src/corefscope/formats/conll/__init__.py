"""CoNLL-2011, CoNLL-2012 and SemEval-2010."""
