"""Tests of CoNLL-UA."""
