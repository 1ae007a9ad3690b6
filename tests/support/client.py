"""A program that uses every public function with its options: type checkers must accept it. It is not run."""

from __future__ import annotations

from pathlib import Path

import corefscope
from corefscope import (
    AlignmentError,
    CorefscopeError,
    Document,
    InputError,
    Mention,
    OptionError,
    Report,
    Scorer,
    SettingsReport,
)
from corefscope.core.choices import Match, Rules

KEY, RESPONSE = Path("key.conllu"), "response.conllu"
CLUSTERS = [["a", "b"], ["c"]]
SPANS = [[(0, 1), (4, 4)]]


def is_long(_: Document, mention: Mention) -> bool:
    return mention.size > 2


def scored(match: Match, rules: Rules = "corrected") -> float:
    return corefscope.score(KEY, RESPONSE, match=match, rules=rules)["conll"].f1


def scores() -> list[float]:
    try:
        report: Report = corefscope.score(
            KEY,
            RESPONSE,
            preset="crac26",
            match="head",
            zeros="dependent",
            singletons="keep",
            rules="corefud-1.2",
            heads="tree",
            metrics=["conll", "lea", "mean(muc,lea)"],
            key_format="corefud",
            documents="topic",
            topic=r"\d+",
            anaphors=is_long,
            words="align",
            align="contract",
            where=is_long,
            unclosed="sentence",
            style="xml",
            reading="faithful",
            repair="offsets",
            mention_column="id",
            entity_column=("truth", "predicted"),
            compare_rules=True,
            digests=True,
            jobs=None,
        )
    except (AlignmentError, InputError) as error:
        print(error.path, error.line, error.hint)
        raise
    except (OptionError, CorefscopeError):
        return []
    recall, precision, f1 = report["muc"]
    print(f"{report['conll']:.2f} {report['rand']:.2%}", report.signature, report.options.rules)
    figures = [recall, precision, f1, report["conll"].f1, report["rand"].value, report["d_err"].value]
    figures += [scores["lea"].precision for scores in report.documents.values()]
    figures += [score.f1 for name, score in report.items() if name in corefscope.GROUPS["conll"]]
    figures += [report["mean(muc,lea)"].f1, scored("partial")]
    figures += [scored("exact", rules) for rules in corefscope.RULES]
    for preset in corefscope.PRESETS:
        figures.append(corefscope.score(KEY, RESPONSE, preset=preset)["conll"].f1)
    return figures


def several() -> None:
    settings: SettingsReport = corefscope.score_settings(KEY, RESPONSE, "crac", rules="corrected")
    print({title: report["conll"].f1 for title, report in settings.items()})
    comparison = corefscope.compare(KEY, {"ours": RESPONSE, "theirs": KEY}, against="ours", test="bootstrap", seed=3)
    print(comparison["ours"]["muc"].recall, comparison.interval("ours", "conll"), comparison.to_records())
    corefscope.compare(KEY, [RESPONSE, KEY], names=["ours", "theirs"], resample="sentences", metrics="muc")
    print(corefscope.agree({"Ann": KEY, "Ben": RESPONSE}, match="exact").mean("conll"))
    print(corefscope.correlate(["all.json"], figures=("recall", "f1")).value("kendall", "blanc", "muc"))
    print(corefscope.intervals(corefscope.score(KEY, RESPONSE))["conll"]["f1"].low)
    task = corefscope.score_task("task.toml", missing="skip", rank_by="lea", jobs=1)
    if average := task.macro("ours"):
        print(average["lea"].f1, task.ranks)
    print(corefscope.score_task_settings("task", "crac", resamples=1000)["exact match"].ranks)
    print(corefscope.verify("result.json", key=KEY).same)
    merged: Report = corefscope.merge(["a.json", "b.json"])
    print(merged["conll"].f1, [fault.line for fault in merged.missing])
    print(corefscope.score_keys([KEY, RESPONSE], "system.conllu", names=["Ann", "Ben"], match="exact"))
    probed = corefscope.probe("pro.conll", "pro-out.conll", "anti.conll", "anti-out.conll", names=["pro", "anti"])
    if isinstance(probed, corefscope.ProbeReport):
        print(probed.accuracy("pro"), probed.interval("anti"), probed.all_right)
    probed = corefscope.probe("gap-test.tsv", "response.jsonl", gap="overlap", seed=3)
    if isinstance(probed, corefscope.GapReport):
        print(probed["feminine"].f1, probed.bias, probed.intervals["bias"])
    print(corefscope.score_windows("key.jsonl", "response.jsonl", [500, 1500])["500"]["conll"].f1)
    print(corefscope.score_sampled_key("key.csv", "clusters.csv", "size", metrics="pairs")["pairs"].precision.low)
    print(corefscope.cite_line(comparison, "conll", format="text"))


def clusters() -> None:
    print(corefscope.score_clusters(CLUSTERS, {"e1": ["a"], "e2": ["b", "c"]}, singletons="drop")["muc"].f1)
    print(corefscope.score_clusters(SPANS, [[[0, 1], [4, 4]]], preset="conll12", rules="ua-1.0")["conll"].f1)
    scorer = Scorer(metrics="conll", rules="conll-8.01", singletons="keep", preset="conll12")
    scorer.add(CLUSTERS, CLUSTERS, name="first")
    scorer.update(key={"e1": SPANS[0]}, response=SPANS)
    scorer.merge(Scorer())
    print(scorer.report()["muc"].recall, scorer.compute()["conll"].f1, len(scorer + Scorer()))
    print(corefscope.score_labels([1, 1, 2], [1, 2, 2], rules="corrected")["adjusted_rand"].value)
    print(corefscope.b_cubed_over(CLUSTERS, CLUSTERS, str.islower).recall)
    print(corefscope.restrict(CLUSTERS, str.islower), corefscope.clusters_from_links([("a", "b")]))
    print(corefscope.characters_to_tokens([[(0, 12)]], ["Ada", "Lovelace"], "Ada Lovelace"))
    for convert in (corefscope.from_allennlp, corefscope.from_coref_data, corefscope.from_corenlp):
        print(corefscope.score_clusters(convert({}), SPANS)["conll"])
    print(corefscope.from_fastcoref({}, tokens=["a"]), corefscope.from_maverick({}))
    print(corefscope.from_spacy(None, heads=True), corefscope.from_stanza(None))


def own_engine(engine: corefscope.Engine) -> None:
    print(corefscope.check_engine(engine), engine.dialect.quoted("a"), engine.columns("a")["b"])
    print(corefscope.score_tables({}, {}, engine=engine)["muc"].f1, corefscope.Dialect('"', "ROW_NUMBER() OVER ()"))


def tables() -> None:
    report = corefscope.score_tables(
        "key.csv", "response.csv", key="truth", mention=("id", "record_id"), duplicates="largest", engine="duckdb"
    )
    print(report["pairs"].precision, report["clusters_exact"].f1, report["fowlkes_mallows"].value)
    sweep = corefscope.score_tables("linked.csv", key="person", response=["cluster_*"], metrics="linkage")
    print({column: each["pairs"].f1 for column, each in sweep.items()})
    entities = corefscope.score_entities(KEY, RESPONSE, singletons="keep")
    print(entities.report["bcub"].f1, [row.entity for row in entities.key])


def explanations() -> None:
    errors = corefscope.examine(KEY, RESPONSE, metric="lea", by=["mention-type"], kinds=["span"], examples=3)
    print(errors.faults[0].kind, errors.report["lea"].f1)
    explanation = corefscope.explain_metric(KEY, RESPONSE, "bcub", document="d", rules="corrected")
    print(explanation.calculation.score.recall)
    print(corefscope.explain_difference([50.0, "72.9"], KEY, RESPONSE, match="exact"))
    print(corefscope.write_report(KEY, {"ours": RESPONSE}, "report.html", title="Ours", singletons="keep"))
    with corefscope.serve_report(KEY, [RESPONSE], port=0) as server:
        print(server.url)
    print(corefscope.criteria("muc"), corefscope.curves(KEY, kinds="merge", levels=(0, 50)).series("merge", "lea"))


def files() -> None:
    for document in corefscope.read_documents(KEY, "corefud"):
        print(document.id, corefscope.perturb(document, "drop", 20, seed=1).entities)
    print(corefscope.convert(KEY, "key.jsonl", to="jsonl", side="response", zeros="drop", style="markdown").lost)
    problems = corefscope.validate(KEY, profile="ud", side="key")
    print([problem.line for problem in problems], corefscope.stats(KEY).to_records())
    frame = corefscope.stats(KEY).to_frame(library="polars")
    print(frame, corefscope.Options(match="exact", rules="ua-1.0"), corefscope.Request({"match": "exact"}))
    print(corefscope.METRICS["muc"].title, corefscope.FORMATS["conll"].title, corefscope.REPORTS["json"].suffix)
    print(corefscope.PRESETS["crac22"].options, corefscope.RULES["corrected"].title, corefscope.__version__)
