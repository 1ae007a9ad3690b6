"""Drop-in replacements for official programs: their readings, counts and command lines; Codabench bundles."""
