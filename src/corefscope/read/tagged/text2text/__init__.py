"""What the cleaner and the importer of the CRAC tasks (text2text-coref) make of printed text, flaws included."""
