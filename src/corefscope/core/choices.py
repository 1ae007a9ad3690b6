"""The values of options as types: ``Match``, ``Rules``, ``PresetName`` and so on, for type checkers and editors.

A type checker refuses ``score(key, response, match="heads")``. Values are checked when a function is called, too, by
the registries; ``tests/core/test_choices.py`` holds that both name the same values. Metrics and formats are text,
because other packages add some, and metrics can be written as ``mean(muc,lea)``.

A function of your own that passes an option on takes the type from here:

>>> def own_score(key: str, response: str, rules: Rules = "corefud-1.2") -> float:
...     from corefscope import score
...
...     return score(key, response, rules=rules)["conll"].f1
"""

from __future__ import annotations

from typing import Literal

Match = Literal["head", "partial", "exact"]
Zeros = Literal["dependent", "linear"]
Singletons = Literal["drop", "keep"]
EarlierRules = Literal["corefud-1.0", "corefud-1.1"]
Rules = Literal["corefud-1.2", "corrected", "conll-8.01", "ua-1.0", "ua-2.0", EarlierRules, "bookcoref"]
SharedTask = Literal["crac22", "crac23", "crac24", "crac25", "crac26", "conll12"]
CodiCrac21 = Literal["codicrac21", "codicrac21-ar", "codicrac21-br", "codicrac21-dd"]
CodiCrac22 = Literal["codicrac22", "codicrac22-ar", "codicrac22-br", "codicrac22-dd"]
PresetName = Literal[SharedTask, CodiCrac21, CodiCrac22]
Heads = Literal["file", "tree", "key=tree", "response=tree"]
Documents = Literal["apart", "merge", "topic"]
Words = Literal["compare", "ignore", "align"]
Align = Literal["expand", "contract", "strict"]
Classes = Literal["restricted", "whole"]
AnaphorsName = Literal["zeros", "pronouns", "all"]
Reading = Literal["faithful", "text2text", "text2text-z"]
Unclosed = Literal["word", "sentence", "drop"]
Repair = Literal["offsets"]
TagStyle = Literal["crac", "xml", "markdown", "colon", "seq2seq", "corefinst", "json"]
Bracket = Literal["bracket", "bracket-last", "bracket-first", "bracket-before"]
Brace = Literal["brace", "brace-last", "brace-first", "brace-before"]
Paren = Literal["paren", "paren-last", "paren-first", "paren-before"]
Bold = Literal["bold", "bold-last", "bold-first", "bold-before"]
Angle = Literal["angle", "angle-last", "angle-first", "angle-before"]
MentionListStyle = Literal["lists", "bullets", "table"]
StyleName = Literal[TagStyle, Bracket, Brace, Paren, Bold, Angle, MentionListStyle]
WrittenZeros = Literal["keep", "drop"]
Test = Literal["randomisation", "bootstrap", "wilcoxon", "t", "runs"]
Missing = Literal["zero", "skip", "error"]
Duplicates = Literal["error", "drop-equal", "largest"]
Profile = Literal["corefscope", "ud"]
SideName = Literal["key", "response"]
FrameLibrary = Literal["pandas", "polars"]

Official = Literal["muc", "bcub", "ceafe", "ceafm", "blanc", "lea", "mor", "zero", "mentions"]
CaiStrube = Literal["b3_0", "b3_all", "b3_rn", "b3_sys", "ceaf_orig", "ceaf_rn", "ceaf_sys", "ceaf_sys_phi4"]
PopescuBelis = Literal["muc_pb", "b3_pb", "b3_pb_class", "core", "xcore", "xcore_strict", "entropy"]
Anaphora = Literal["b3_only", "anaphora_classes", "anaphora_links", "anaphora_full"]
Linkage = Literal["pairs", "clusters_exact"]
EmptyNodes = Literal["empty_arc", "empty_dep", "empty_wo", "empty_dep_wo", "empty_all"]
EmptyNodeColumns = Literal["empty_form", "empty_lemma", "empty_upos", "empty_xpos", "empty_feats"]
Plural = Literal["plural_muc", "plural_bcub", "plural_ceafe", "plural_ceafm", "plural_blanc", "plural_lea"]
Split = Literal["split_muc", "split_bcub", "split_ceafe", "split_ceafm", "split_blanc", "split_lea"]
Deixis = Literal["deixis_muc", "deixis_bcub", "deixis_ceafe", "deixis_ceafm", "deixis_blanc", "deixis_lea"]
Relations = Literal["bridging_recognition", "bridging_mention", "bridging_entity", "non_referring"]
ScoreMetric = Literal[
    Official,
    CaiStrube,
    PopescuBelis,
    Anaphora,
    Linkage,
    EmptyNodes,
    EmptyNodeColumns,
    Plural,
    Split,
    Deixis,
    Relations,
]
"""Metrics with recall, precision and F1."""
F1Metric = Literal["conll", "plural", "split", "deixis", "major_macro", "major_micro"]
"""Means, which have F1 only."""
ValueMetric = Literal["kappa", "dmt", "rand", "adjusted_rand", "fowlkes_mallows", "variation_of_information"]
"""Measures that are one number."""
DeviationMetric = Literal["d_err"]
"""Measures that are a magnitude with a direction."""
