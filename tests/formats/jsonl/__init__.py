"""Tests of corefscope.formats.jsonl."""
