"""Agreement of annotators who have a directory each, as annotation tools export them."""

from __future__ import annotations

from pathlib import Path

import corefscope

TEXT = "Ann likes her dog .\nIt barks .\n"
SPANS = "T1\tMention 0 3\tAnn\nT2\tMention 10 13\ther\nT3\tMention 10 17\ther dog\nT4\tMention 20 22\tIt\n"
CHAINS = "#FORMAT=WebAnno TSV 3.3\n#T_CH=CoreferenceLink|referenceRelation|referenceType\n\n\n#Text=Ann and she\n"


def put_brat(folder: Path, links: dict[str, str]) -> Path:
    folder.mkdir()
    for name, relations in links.items():
        (folder / f"{name}.txt").write_text(TEXT, encoding="utf-8")
        (folder / f"{name}.ann").write_text(SPANS + relations, encoding="utf-8")
    return folder


def test_directories_of_brat_files_agree(tmp_path: Path) -> None:
    same = "*\tCoref T1 T2\n*\tCoref T3 T4\n"
    anna = put_brat(tmp_path / "anna", {"one": same, "two": same})
    bela = put_brat(tmp_path / "bela", {"one": same, "two": "*\tCoref T1 T2\n"})
    agreement = corefscope.agree([anna, bela, anna], names=["Anna", "Béla", "again"], metrics="conll,muc")
    reports = dict(agreement)
    assert reports["Anna", "again"]["conll"].f1 == 1
    assert reports["Anna", "Béla"]["muc"].f1 < 1
    assert sorted(reports["Anna", "Béla"].rows) == ["one", "two"]


def test_one_directory_per_document_and_one_file_per_annotator(tmp_path: Path) -> None:
    for document in ("a.txt", "b.txt"):
        for annotator, cells in {"anna": ("*->1-1", "*->1-2"), "bela": ("*->1-1", "_")}.items():
            rows = zip(("Ann", "and", "she"), (0, 4, 8), (cells[0], "_", cells[1]), strict=True)
            lines = [
                f"1-{number}\t{start}-{start + 3}\t{word}\t{'_' if cell == '_' else '*[1]'}\t{cell}\t\n"
                for number, (word, start, cell) in enumerate(rows, 1)
            ]
            path = tmp_path / "annotation" / document / f"{annotator}.tsv"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(CHAINS + "".join(lines), encoding="utf-8")
    patterns = [str(tmp_path / "annotation" / "*" / f"{name}.tsv") for name in ("anna", "bela")]
    report = corefscope.agree(patterns, metrics="mentions")["anna", "bela"]
    assert len(report.rows) == 2
    assert 0 < report["mentions"].f1 < 1
