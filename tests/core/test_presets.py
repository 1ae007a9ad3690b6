"""Presets: the options of shared tasks."""

from __future__ import annotations

import pytest

from corefscope.core.presets import PRESETS


@pytest.mark.parametrize(
    ("names", "options"),
    [
        (["crac22"], "match:partial|zeros:linear|singletons:drop|rules:corefud-1.0"),
        (["crac23"], "match:head|zeros:linear|singletons:drop|rules:corefud-1.1"),
        (["crac24", "crac25", "crac26"], "match:head|zeros:dependent|singletons:drop|rules:corefud-1.2"),
        (["conll12"], "match:exact|zeros:linear|singletons:keep|rules:conll-8.01"),
        (["codicrac21", "codicrac22-dd"], "match:exact|zeros:linear|singletons:keep|rules:ua-1.0"),
    ],
)
def test_presets_have_the_options_of_their_shared_tasks(names: list[str], options: str) -> None:
    """Zeros matched by dependencies came with CRAC 2024; before, they matched by position like other mentions."""
    assert [str(PRESETS[name].options) for name in names] == [f"corefud|{options}"] * len(names)
