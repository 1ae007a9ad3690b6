"""The sentence about scores for a paper: what it says of each kind of result, and that it can be pasted."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import corefscope
from corefscope import cite_line
from corefscope.cli import main
from corefscope.comparison.tasks import score_task, score_task_settings
from corefscope.core.errors import InputError, OptionError
from corefscope.measures.bibliography import entries
from corefscope.output.citation import STYLES, YEAR, software_entry
from places import EXAMPLE_KEY, EXAMPLE_RESPONSE, REPOSITORY
from systems import systems_of
from tasks_on_disk import KEY, Documents, write

BOTH = (EXAMPLE_KEY, EXAMPLE_RESPONSE)
CONLL = (
    "CoNLL is the mean of the F1 scores of MUC (Vilain et al., 1995), B³ (Bagga and Baldwin, 1998) and CEAFe"
    " (Luo, 2005)"
)
SIGNATURE = "corefud|match:exact|zeros:linear|singletons:keep|rules:corrected|v0.1.2"


def _keys(text: str) -> list[str]:
    return re.findall(r"^@\w+\{([\w-]+),$", text, flags=re.MULTILINE)


def test_a_report_is_cited_by_its_signature() -> None:
    report = corefscope.score(*BOTH)
    text = cite_line(report)
    sentence, blank, *_ = text.splitlines()
    version = corefscope.__version__
    assert sentence == (
        f"Scores by corefscope {version} (The corefscope authors, {YEAR}; signature {report.signature}); {CONLL};"
        " LEA (Moosavi and Strube, 2016) is reported as well."
    )
    assert blank == ""
    assert _keys(text) == ["corefscope", "vilain-1995", "bagga-1998", "luo-2005", "moosavi-2016"]
    assert all(entries()[key] in text for key in _keys(text)[1:])


def test_metrics_are_those_of_the_paper() -> None:
    report = corefscope.score(*BOTH)
    assert cite_line(report, "conll").splitlines()[0].endswith(f"{CONLL}.")
    assert (
        cite_line(report, ["kappa", "lea"])
        .splitlines()[0]
        .endswith(
            "; κ (Passonneau, 1997; Krippendorff, 1980; Popescu-Belis, 2000) and LEA (Moosavi and Strube, 2016)"
            " are reported."
        )
    )
    mean = cite_line(report, "mean(muc,lea)").splitlines()[0]
    assert "mean(MUC, LEA) is the mean of the F1 scores of MUC (Vilain et al., 1995) and LEA" in mean


def test_a_signature_is_enough() -> None:
    sentence = cite_line(f" {SIGNATURE}\n").splitlines()[0]
    assert sentence.startswith("Scores by corefscope 0.1.2 (The corefscope authors")
    assert f"signature {SIGNATURE})" in sentence
    assert "note   = {Version 0.1.2}" in cite_line(SIGNATURE)
    with pytest.raises(OptionError, match="incomplete"):
        cite_line("corefud|match:exact")


def test_resampling_and_averages_are_explained(tmp_path: Path) -> None:
    compared = corefscope.compare(*systems_of(tmp_path, 3), resamples=200, test="wilcoxon")
    text = cite_line(compared)
    assert text.splitlines()[0].endswith(
        " 95 % intervals are by the bootstrap (Efron and Tibshirani, 1993) over documents (200 resamples),"
        " p-values by Wilcoxon's signed-rank test (Wilcoxon, 1945), adjusted by Holm's method (Holm, 1979)."
    )
    assert _keys(text)[-3:] == ["wilcoxon-1945", "holm-1979", "efron-1993"]
    key, paths = systems_of(tmp_path, 3)
    runs = corefscope.compare(key, {"a": paths[:2], "b": paths[2]})
    assert (
        cite_line(runs)
        .splitlines()[0]
        .endswith(
            " 95 % intervals and p-values are by a t-test over runs and documents (Hillis, 2007),"
            " adjusted by Holm's method (Holm, 1979)."
        )
    )
    plain = corefscope.compare(*systems_of(tmp_path, 3), resample="nothing")
    assert "intervals" not in cite_line(plain).splitlines()[0]
    files: dict[str, Documents | str] = {
        f"{name}/{file}.conllu": KEY for name in ("one", "two") for file in ("key", "a", "b")
    }
    task = cite_line(score_task(write(tmp_path / "task", files), resamples=200)).splitlines()[0]
    assert "Scores are averaged over 2 data sets." in task
    assert "approximate randomisation (Noreen, 1989)" in task


def test_results_and_their_files_say_the_same(tmp_path: Path) -> None:
    files: dict[str, Documents | str] = {f"task/one/{file}.conllu": KEY for file in ("key", "a")}
    folder = write(tmp_path, files) / "task"
    results: list[Any] = [
        corefscope.score(*BOTH),
        corefscope.score_settings(EXAMPLE_KEY, EXAMPLE_RESPONSE, "crac"),
        corefscope.compare(BOTH[0], BOTH, resamples=200),
        corefscope.agree(BOTH),
        score_task(folder),
        score_task_settings(folder, "head,exact"),
    ]
    for number, result in enumerate(results):
        path = tmp_path / f"{number}.json"
        path.write_text(json.dumps(result.to_dict()), encoding="utf-8")
        assert cite_line(path) == cite_line(str(path)) == cite_line(result) == cite_line(result.to_dict())
        assert CONLL in cite_line(result) or number == 3
        if number not in (1, 5):
            assert result.signature in cite_line(result)


@pytest.mark.parametrize(
    "content", ["[]", "{", '{"schema": "x"}', '{"schema": "corefscope-report-1"}', '{"schema": []}', "[" * 5000]
)
def test_other_files_are_refused(content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match="is not a result with scores"):
        cite_line(path)
    assert main(["cite-line", str(path)]) == 1
    assert "save one with --format json" in capsys.readouterr().err
    with pytest.raises(InputError, match=r"none\.json"):
        cite_line(tmp_path / "none.json")
    with pytest.raises(OptionError, match="is no result with scores"):
        cite_line({"schema": "x"})


def test_the_entry_of_the_program_is_that_of_the_citation_file() -> None:
    cff = (REPOSITORY / "CITATION.cff").read_text(encoding="utf-8")
    for line in ('name: "The corefscope authors"', "title: corefscope", f"date-released: {YEAR}-"):
        assert line in cff
    assert "author = {{The corefscope authors}}" in software_entry()


def test_the_command_takes_results_files_and_signatures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def printed(*arguments: str, code: int = 0) -> str:
        assert main(["cite-line", *arguments]) == code
        return "".join(capsys.readouterr())

    report = corefscope.score(*BOTH, match="exact")
    files = [str(path) for path in BOTH]
    text = printed(*files, "--match", "exact", "--format", "text")
    assert text.split() == cite_line(report).split()
    assert max(map(len, text.splitlines())) <= 80
    assert printed(*files, "--match", "exact", "--format", "latex") == cite_line(report, format="latex")
    assert main(["score", *files, "--match", "exact", "-o", str(tmp_path / "r.json")]) == 0
    assert printed(str(tmp_path / "r.json")).split() == cite_line(report).split()
    assert printed("--signature", SIGNATURE, "--metrics", "lea").split() == cite_line(SIGNATURE, "lea").split()
    assert printed("--example", "--match", "exact").split() == cite_line(report).split()
    for arguments in ([], [*files, "third"]):
        assert "give a result that was saved as JSON" in printed(*arguments, code=2)


BIBLIOGRAPHY = "\n\n".join([software_entry(), *entries().values()])


@pytest.mark.skipif(not shutil.which("pdflatex") or not shutil.which("bibtex"), reason="there is no LaTeX")
def test_the_latex_sentence_compiles_with_its_bibliography(tmp_path: Path) -> None:
    sentence, _, bibliography = cite_line(
        corefscope.compare(*systems_of(tmp_path, 3), resamples=200), format="latex"
    ).partition("\n\n")
    assert r"MUC~\citep{vilain-1995}" in sentence
    begin = r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{natbib}\begin{document}\sloppy"
    end = r"\bibliographystyle{plainnat}\bibliography{x}\end{document}"
    (tmp_path / "x.bib").write_text(bibliography, encoding="utf-8")
    (tmp_path / "x.tex").write_text(f"{begin}\n{sentence}\n{end}\n", encoding="utf-8")
    latex = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "x.tex"]
    for command in (latex, ["bibtex", "x"], latex, latex):
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", errors="replace")
        if done.returncode and "natbib.sty" in done.stdout:
            pytest.skip("there is no natbib")
        assert done.returncode == 0, done.stdout[-1500:]
    log = (tmp_path / "x.log").read_text(encoding="utf-8", errors="replace")
    assert re.findall(r".*(?:Warning|Overfull).*", log) == []


def test_the_typst_sentence_compiles_with_its_bibliography(tmp_path: Path) -> None:
    typst = pytest.importorskip("typst", reason="there is no Typst: pip install typst")
    sentence, _, bibliography = cite_line(
        corefscope.compare(*systems_of(tmp_path, 3), resamples=200), format="typst"
    ).partition("\n\n")
    (tmp_path / "x.bib").write_text(bibliography, encoding="utf-8")
    (tmp_path / "x.typ").write_text(f'{sentence}\n\n#bibliography("x.bib")\n', encoding="utf-8")
    _, warnings = typst.compile_with_warnings(str(tmp_path / "x.typ"))
    assert warnings == []


@pytest.mark.parametrize("style", STYLES)
def test_text_of_signatures_is_harmless(style: str) -> None:
    signature = SIGNATURE.replace("|v", "|documents:topic=[#$%_&{}]\\x1b|v").replace("\\x1b", "\x1b")
    text = cite_line(signature, format=style).partition("\n\n")[0]
    assert "\x1b" not in text
    if style == "latex":
        assert r"[\#\$\%\_\&\{\}]" in text
