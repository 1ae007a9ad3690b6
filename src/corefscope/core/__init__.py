"""The whole of a score: documents, matching, contingency table, official metrics, rules, options, report."""
