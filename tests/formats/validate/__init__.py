"""Tests of corefscope.formats.validate."""
