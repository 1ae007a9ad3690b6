"""Tests of the formats: reading, writing, converting and validating files."""
