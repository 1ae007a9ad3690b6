"""Tests of CoNLL."""
