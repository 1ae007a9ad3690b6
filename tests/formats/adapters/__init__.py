"""Tests of corefscope.formats.adapters."""
