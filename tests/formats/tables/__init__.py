"""Tests of corefscope.formats.tables."""
