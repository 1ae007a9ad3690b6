"""Which kinds of noise are about what."""

from __future__ import annotations

from corefscope.study.noise import PERTURBATIONS, relations

IN_RELATIONS = [
    name for name, row in PERTURBATIONS.items() if row.changes and row.changes.__module__ == relations.__name__
]
"""Kinds that leave entities as they are."""
