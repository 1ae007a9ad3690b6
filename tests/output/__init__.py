"""Tests of the package, in the order of its tree."""
