"""Tests of corefscope.formats.standoff."""
