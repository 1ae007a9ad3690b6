"""Options: what reports of several files have in common."""

from __future__ import annotations

from corefscope.core.options import Options


def test_options_of_several_reports_name_every_format_and_how_printed_text_was_read() -> None:
    plain, printed = Options(), Options(format="corefud+llm", llm="tags-move,unclosed-word")
    assert plain.as_of([plain, printed]) == plain._replace(format="corefud+llm", llm=printed.llm)
    assert printed.as_of([plain]) == plain
    assert plain.as_of([]) == plain
