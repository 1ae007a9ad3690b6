"""Validation: all problems of a file at once, each with its line, a code and a hint."""

from __future__ import annotations

from .checking import PROFILES, Inspection, Validation, find_problems, inspect, validate
from .problems import CODES, Problem

__all__ = ["CODES", "PROFILES", "Inspection", "Problem", "Validation", "find_problems", "inspect", "validate"]
