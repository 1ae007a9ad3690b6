"""Tests of what everything else builds on."""
