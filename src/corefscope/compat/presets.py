"""The presets: options and metrics of shared tasks, with the programs that scored them."""

from __future__ import annotations

from typing import cast

from ..core.choices import PresetName
from ..core.options import Options
from ..core.presets import Preset

TRACKS = (
    ("", ", all tracks", "conll,bridging_recognition,bridging_mention,bridging_entity,deixis"),
    ("-ar", ", anaphora resolution (identity)", "conll"),
    ("-br", ", bridging", "bridging_recognition,bridging_mention,bridging_entity"),
    ("-dd", ", discourse deixis", "deixis_muc,deixis_bcub,deixis_ceafe,deixis"),
)
"""The tracks of CODI-CRAC: what follows the name of a preset, what it is, and its metrics."""
ROWS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            "crac22",
            "CRAC 2022: partial match, singletons dropped, CorefUD scorer 1.0",
            Options(match="partial", zeros="linear", rules="corefud-1.0"),
        ),
        Preset(
            "crac23",
            "CRAC 2023: head match, singletons dropped, CorefUD scorer 1.1",
            Options(zeros="linear", rules="corefud-1.1"),
        ),
        *(
            Preset(
                cast("PresetName", f"crac{year}"),
                f"CRAC 20{year}: head match, zeros by dependencies, singletons dropped",
                Options(),
            )
            for year in (24, 25, 26)
        ),
        Preset(
            "conll12",
            "CoNLL-2011 and CoNLL-2012: exact match, singletons as annotated, the reference scorer 8.01",
            Options(match="exact", zeros="linear", singletons="keep", rules="conll-8.01"),
            metrics="conll12",
        ),
        *(
            Preset(
                cast("PresetName", f"codicrac{year}{track}"),
                f"CODI-CRAC 20{year}{what}: exact match, singletons kept, UA scorer 1.0",
                Options(match="exact", zeros="linear", singletons="keep", rules="ua-1.0"),
                metrics=metrics,
            )
            for year in (21, 22)
            for track, what, metrics in TRACKS
        ),
    )
}
