"""Formats that are not read, so that errors can call them by their names and say what to do."""

from __future__ import annotations

import re
from typing import NamedTuple

from .source import Source

GLANCE = 1 << 14


class ForeignFormat(NamedTuple):
    """A format that is not read."""

    name: str
    pattern: bytes
    """Regular expression that the first 16 KB of a file contain."""
    remedy: str


XML = rb"\A(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE[^>]*>\s*)?(?:<!--.*?-->\s*)*"
TAGGED = "convert it to CoNLL-2012, jsonlines or brat"
FOREIGN = (
    ForeignFormat(
        "UIMA XMI",
        rb"http:///uima/cas\.ecore|<xmi:XMI\b",
        "export WebAnno TSV 3 from INCEpTION or WebAnno, or convert it with DKPro Cassis",
    ),
    ForeignFormat("UIMA CAS JSON", rb'"%(?:FEATURE_STRUCTURES|TYPES|VIEWS)"', "export WebAnno TSV 3 from INCEpTION"),
    ForeignFormat("MUC SGML", rb'<COREF\s+ID="', f"{TAGGED}: COREF elements that REF links are one entity"),
    ForeignFormat("ACE APF XML", rb"<source_file\b|<!DOCTYPE source_file", f"{TAGGED}: entity_mention elements"),
    ForeignFormat(
        "TEI XML", XML + rb"<(?:TEI|teiCorpus|TEI\.2)\b", f"{TAGGED}, for example with a script for its w elements"
    ),
    ForeignFormat("BioC", XML + rb"<collection>\s*<source>|\"bioctype\"|\"infons\"", "convert it to brat stand-off"),
    ForeignFormat(
        "CoreNLP XML",
        rb"CoreNLP-to-HTML\.xsl|" + XML + rb"<root>\s*<document>",
        "run CoreNLP with -outputFormat json",
    ),
    ForeignFormat(
        "the JSON-MIN export of Label Studio, which has no relations",
        rb'"(?:label|ner|entities)"\s*:\s*\[\s*\{[^{}]*"labels"\s*:\s*\[[\s\S]*"annotator"\s*:',
        "export it as JSON instead of JSON-MIN",
    ),
    ForeignFormat(
        "Stanza's JSON",
        rb'"representative_text"\s*:',
        'write CoNLL-U instead: CoNLL.write_doc2conll(doc, "response.conllu") of stanza.utils.conll',
    ),
    ForeignFormat(
        "a Python object as print shows it",
        rb"\A(?:\xef\xbb\xbf)?\s*[\[(]*\{'\w+': |\A\s*\[?CorefResult\(",
        "write JSON instead: json.dump(result, file); for fastcoref, predict(…, output_file=…)",
    ),
    ForeignFormat("HTML", XML + rb"<html\b", "export plain text with tags, or another format"),
    ForeignFormat("a PDF", rb"\A%PDF-", "export the annotation as text"),
    ForeignFormat(
        "a zip archive (Word, Excel or an export of an annotation tool)",
        rb"\APK\x03\x04",
        "unpack it, and name the file or directory inside; save spreadsheets as CSV",
    ),
    ForeignFormat(
        "a spaCy DocBin",
        rb"\Ax\x9c",
        "write doc.to_json() of each Doc as a line of JSON, or use from_spacy in Python",
    ),
    ForeignFormat("a Python pickle", rb"\A\x80[\x02-\x05]", "load it in Python and use score_clusters"),
)


def refuse_foreign(source: Source) -> None:
    """Raise the error about a file of a format that is known but not read."""
    beginning = source.read(source.start, min(source.start + GLANCE, source.size))
    for foreign in FOREIGN:
        if re.search(foreign.pattern, beginning, re.DOTALL):
            source.refuse(f"this is {foreign.name}, which corefscope does not read", foreign.remedy, code="foreign")
