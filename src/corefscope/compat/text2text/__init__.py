"""Printed text as the cleaner and the importer of the CRAC tasks (text2text-coref) read it, flaws included."""
