"""What the packages around ``core`` attach to it: metrics, formats, rule sets and hooks.

``core`` imports none of these packages. Everything is named here as ``module:ATTRIBUTE`` and imported when it is
needed; ``import corefscope`` runs this module once. A new metric, format or rule set of this package is one entry.
"""

from __future__ import annotations

from .core.format import FORMATS
from .core.metrics import GROUPS, MEANS, METRICS, OPTIONAL, WITH_SETTINGS
from .core.presets import PRESETS
from .core.registry import HOOKS
from .core.rules import RULES

LAYERS = ("plural", "split", "deixis")

METRIC_MODULES: dict[str, tuple[str, ...]] = {
    "corefscope.measures.cai_strube": (
        *("b3_0", "b3_all", "b3_rn", "b3_sys"),
        *("ceaf_orig", "ceaf_rn", "ceaf_sys", "ceaf_sys_phi4"),
    ),
    "corefscope.measures.popescu_belis": ("muc_pb", "b3_pb", "b3_pb_class", "core", "xcore", "xcore_strict"),
    "corefscope.measures.information": ("entropy",),
    "corefscope.measures.single_valued": ("kappa", "dmt", "d_err", "rand"),
    "corefscope.measures.b_cubed_only": ("b3_only",),
    "corefscope.measures.anaphora_resolution": ("anaphora_classes", "anaphora_links", "anaphora_full"),
    "corefscope.measures.linkage": (
        *("pairs", "clusters_exact", "adjusted_rand", "fowlkes_mallows"),
        "variation_of_information",
    ),
    "corefscope.measures.major": ("major_macro", "major_micro"),
    "corefscope.measures.empty_nodes": (
        *("empty_arc", "empty_dep", "empty_wo", "empty_dep_wo", "empty_form"),
        *("empty_lemma", "empty_upos", "empty_xpos", "empty_feats", "empty_all"),
    ),
    "corefscope.anaphora.split_antecedents": tuple(
        f"{layer}{metric}"
        for layer in LAYERS
        for metric in ("_muc", "_bcub", "_ceafe", "_ceafm", "_blanc", "_lea", "")
    ),
    "corefscope.anaphora.bridging": (
        *("bridging_recognition", "bridging_mention", "bridging_entity"),
        "non_referring",
    ),
}
"""The modules of metrics, and the names of the rows in their ``ROWS``, in the order in which reports show them."""
RELATION_METRICS = (
    *METRIC_MODULES["corefscope.anaphora.split_antecedents"],
    *METRIC_MODULES["corefscope.anaphora.bridging"],
)
EMPTY_NODE_METRICS = METRIC_MODULES["corefscope.measures.empty_nodes"]

METRICS.add_built_in({name: f"{module}:ROWS" for module, names in METRIC_MODULES.items() for name in names})
MEANS.extend(LAYERS)
WITH_SETTINGS.update(dict.fromkeys(METRIC_MODULES["corefscope.measures.major"], "corefscope.measures.major:row_of"))
OPTIONAL.update(RELATION_METRICS)
GROUPS.update(
    {
        "cai-strube": ("b3_0", "b3_all", "b3_rn", "b3_sys", "ceaf_orig", "ceaf_rn", "ceaf_sys"),
        "popescu-belis": ("muc_pb", "b3_pb", "b3_pb_class", "core", "xcore", "entropy", "kappa", "dmt", "d_err"),
        "anaphora": (*METRIC_MODULES["corefscope.measures.anaphora_resolution"], *RELATION_METRICS),
        "linkage": (
            *("pairs", "clusters_exact", "bcub", "rand", "adjusted_rand", "fowlkes_mallows"),
            *("entropy", "variation_of_information"),
        ),
        "major": METRIC_MODULES["corefscope.measures.major"],
        "empty-nodes": EMPTY_NODE_METRICS,
        "all": tuple(name for name in METRICS.built_in if name not in (*EMPTY_NODE_METRICS, "b3_only")),
    }
)

RULES.add_built_in(
    {
        "corefud-1.1": "corefscope.compat.rules:COREFUD_1_1",
        "corefud-1.0": "corefscope.compat.rules:COREFUD_1_0",
        "conll-8.01": "corefscope.compat.rules:CONLL",
        "ua-1.0": "corefscope.compat.rules:UA",
        "ua-2.0": "corefscope.compat.rules:UA_2_0",
        "bookcoref": "corefscope.compat.rules:BOOKCOREF",
    }
)

FORMATS.load_rows_from("corefscope.formats.detection:BUILT_IN")
PRESETS.load_rows_from("corefscope.compat.presets:ROWS")

HOOKS.add_built_in(
    {
        "count_relations": "corefscope.anaphora.relations:CorrectedRelations",
        "relations_input": "corefscope.anaphora.relations:RelationCounts",
        "assign_large": "corefscope.scale.large_assignment:assign_large",
        "assign_matrix": "corefscope.scale.dense_assignment:assign_rows",
        "assign_dense_groups": "corefscope.scale.dense_groups:assign_dense_groups",
        "pair_dense_mentions": "corefscope.scale.dense_groups:pair_dense_mentions",
        "pair_dense_zeros": "corefscope.scale.dense_groups:pair_dense_zeros",
        "best_overlap": "corefscope.scale.dense_groups:best_overlap",
        "rows_by_block": "corefscope.comparison.resampling:rows_by_block",
        "warnings_of_clusters": "corefscope.formats.mention_warnings:warnings_of_clusters",
        "comparable_clusters": "corefscope.formats.cluster_input:comparable_clusters",
        "check_categories": "corefscope.formats.cluster_input:check_categories",
        "baseline": "corefscope.measures.baselines:Baseline",
        "size_profiles": "corefscope.measures.profiles:profiles",
        "other_rules": "corefscope.comparison.other_rules:OtherRules",
        "agree": "corefscope.analysis.agreement:agree",
        "parse_weights": "corefscope.measures.weights:parse_weights",
        "weighable": "corefscope.measures.weights:weighable",
        "weighted_counts": "corefscope.measures.weights:weighted_counts",
        "tabulate_ids": "corefscope.scale.arrays:tabulate_documents",
        "parse_printed_options": "corefscope.llm.options:parse_printed_options",
        "printed_options": "corefscope.formats.detection:printed_as",
        "merge_copy_reports": "corefscope.llm.copy_report:merge_reports",
        "format_loss": "corefscope.llm.format_loss:FormatLoss",
        "printed_documents": "corefscope.llm.format_loss:comparable_documents",
        "escape_text": "corefscope.output.text:shown",
        "data_frame": "corefscope.output.records:data_frame",
        "flat_figures": "corefscope.output.records:flat_figures",
        "notebook_html": "corefscope.output.formats.html:render_in_notebook",
    }
)
