"""Files of formats that are not read: errors call them by their names and say what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from corefscope.cli import main
from corefscope.formats.foreign import FOREIGN

SAMPLES = {
    "UIMA XMI": b'<?xml version="1.0"?>\n<xmi:XMI xmlns:cas="http:///uima/cas.ecore"></xmi:XMI>\n',
    "UIMA CAS JSON": b'{"%TYPES": {}, "%FEATURE_STRUCTURES": [{"%ID": 1}]}',
    "MUC SGML": b'<DOC><COREF ID="1">Ann</COREF> and <COREF ID="2" TYPE="IDENT" REF="1">her</COREF> dog</DOC>',
    "ACE APF XML": b'<?xml version="1.0"?>\n<!DOCTYPE source_file SYSTEM "apf.dtd">\n<source_file URI="a.sgm">\n',
    "TEI XML": b'<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><w>Ann</w></text></TEI>',
    "BioC": b'<?xml version="1.0"?><!DOCTYPE collection SYSTEM "BioC.dtd"><collection><source>x</source>',
    "CoreNLP XML": b'<?xml version="1.0"?>\n<?xml-stylesheet href="CoreNLP-to-HTML.xsl"?>\n<root><document/></root>',
    "the JSON-MIN export": b'[{"text": "Ann", "label": [{"start": 0, "end": 3, "labels": ["P"]}], "annotator": 1}]',
    "Stanza's JSON": b'[[{"id": 1, "text": "Ann", "coref_chains": [{"index": 0, "representative_text": "Ann"}]}]]',
    "a Python object as print shows it": b"{'tokens': ['Ann', 'fell'], 'clusters_token_offsets': [((0, 0),)]}\n",
    "HTML": b"<!DOCTYPE html>\n<html><body>Ann</body></html>\n",
    "a PDF": b"%PDF-1.7\n%\xe2\xe3\n",
    "a zip archive": b"PK\x03\x04\x14\x00",
    "a spaCy DocBin": b"x\x9c\x00\x01",
    "a Python pickle": b"\x80\x04\x95\x00",
}


@pytest.mark.parametrize("name", SAMPLES)
def test_foreign_files_are_called_by_their_names(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "response"
    path.write_bytes(SAMPLES[name])
    for arguments in (
        ["score", str(path), str(path)],
        ["stats", str(path)],
        ["convert", str(path), str(tmp_path / "x.jsonl")],
    ):
        assert main(arguments) == 1
        message = capsys.readouterr().err
        assert f"{path}: this is {name}" in message
        assert "hint: " in message


def test_every_foreign_format_has_a_sample() -> None:
    assert len(SAMPLES) == len(FOREIGN)
    assert all(row.name.startswith(name) for row, name in zip(FOREIGN, SAMPLES, strict=True))
