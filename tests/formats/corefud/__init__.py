"""Tests of CorefUD."""
