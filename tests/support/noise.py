"""Which kinds of noise are about what."""

from __future__ import annotations

from corefscope.analysis.noise import PERTURBATIONS

IN_RELATIONS = [name for name in PERTURBATIONS if name.startswith(("bridging-", "element-", "non-referring-"))]
"""Kinds that leave entities as they are."""
