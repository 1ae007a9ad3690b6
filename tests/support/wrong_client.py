# mypy: ignore-errors
"""A program with a wrong value in each line that says so: type checkers must refuse it there. It is not run."""

import corefscope
from corefscope import Scorer, compare, score, score_clusters

score("k", "r", match="heads")  # wrong
score("k", "r", zeros="none")  # wrong
score("k", "r", singletons=False)  # wrong
score("k", "r", rules="corefud")  # wrong
score("k", "r", preset="crac21")  # wrong
score("k", "r", heads="trees")  # wrong
score("k", "r", documents="all")  # wrong
score("k", "r", words="compared")  # wrong
score("k", "r", align="grow")  # wrong
score("k", "r", anaphors="nouns")  # wrong
score("k", "r", style="html")  # wrong
score("k", "r", unclosed="words")  # wrong
score("k", "r", reading="faithfully")  # wrong
score("k", "r", repair="all")  # wrong
score("k", "r", macth="head")  # wrong
score_clusters([["a"]], [["a"]], rules="corect")  # wrong
score_clusters([["a"]], 7)  # wrong
Scorer(preset="conll11")  # wrong
compare("k", ["r"], test="welch")  # wrong
corefscope.score_task("task.toml", missing="zeros")  # wrong
corefscope.score_tables("k.csv", "r.csv", duplicates="drop")  # wrong
corefscope.score_labels([1], [1], rules="conll")  # wrong
corefscope.validate("k", profile="udd")  # wrong
corefscope.convert("k", "t", side="system")  # wrong
corefscope.stats("k").to_frame(library="dask")  # wrong
corefscope.Options(match="heads")  # wrong
corefscope.Request({"rules": "correct"})  # wrong
print(score("k", "r")["conll"].recall)  # wrong
print(score("k", "r")["muc"].value)  # wrong
print(score("k", "r")["conll"].f1)
score("k", "r", match="head")
