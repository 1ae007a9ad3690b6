"""For every test of the official validator, what makes the text of ``submissions.rich`` fail it: old and new text."""

from __future__ import annotations

ANN = "1\tAnn\t_\tPROPN\t_\t_\t2\tnsubj\t2:nsubj\tEntity=(e1-person-1--Ann)"
PARK = "2:dep\tEntity=(e4[2/2]-place-1-)"
THERE = "7\tthere\t_\tADV\t_\t_\t2\tadvmod\t2:advmod\t_"
IT = "2\tnsubj\t2:nsubj\tEntity=(e9-abstract-1-)"
TEXT = "# text = It rained"
THEY = "Entity=(e5--1-)"
SPLIT = "SplitAnte=e1<e5,e2<e5"
FEATS = "Case=Acc|Number=Sing"
THIRD = "# newdoc id = d2\n# global.Entity = eid-etype-head-other-identity\n# sent_id = s3"
LAST = f"{THIRD}\n{TEXT}\n1\tIt\t_\tPRON\t_\t_\t{IT}"
"""The last sentence, up to its first word."""

EDITS: dict[str, tuple[str, str]] = {
    "misplaced-comment": (THERE, f"# x\n{THERE}"),
    "pseudo-empty-line": ("\n\n# sent_id", "\n \n# sent_id"),
    "empty-sentence": ("\n\n# sent_id", "\n\n\n# sent_id"),
    "invalid-line": (THERE, f"x\n{THERE}"),
    "missing-empty-line": ("Entity=(e10-event-1-)\n\n", "Entity=(e10-event-1-)\n"),
    "number-of-columns": (THERE, THERE[:-2]),
    "invalid-whitespace-mwt": ("5-6\tdel", "5-6\tde l"),
    "invalid-whitespace": ("\tADV\t_\t_\t2\tadvmod", "\tADV\ta b\t_\t2\tadvmod"),
    "empty-column": ("\tthere\t_\t", "\tthere\t\t"),
    "leading-whitespace": ("\tthere\t_\t", "\tthere\t a\t"),
    "trailing-whitespace": ("\tthere\t_\t", "\tthere\ta \t"),
    "repeated-whitespace": ("\tthere\t_\t", "\tthere\ta  b\t"),
    "invalid-word-id": ("7\tthere", "7x\tthere"),
    "misplaced-word-interval": (THERE, f"{THERE}\n5-8\tx" + "\t_" * 8),
    "misplaced-empty-node": ("2.1\t_", "2.2\t_"),
    "word-id-sequence": ("7\tthere", "9\tthere"),
    "reversed-word-interval": ("5-6\tdel", "5-3\tdel"),
    "word-interval-out": ("5-6\tdel", "5-9\tdel"),
    "overlapping-word-intervals": ("6\tel", "6-7\tx" + "\t_" * 8 + "\n6\tel"),
    "non-unix-newline": ("\n", "\r\n"),
    "invalid-utf": ("\tthere\t_\t", "\tthere\t\ufffd\t"),
    "unicode-normalization": ("\tthere\t_\t", "\tthere\te\u0301\t"),
    "mwt-nonempty-field": ("5-6\tdel\t_", "5-6\tdel\tdel"),
    "empty-node-nonempty-field": ("_\t_\t_\t2:obj\tEntity=(e3", "_\t2\tobj\t2:obj\tEntity=(e3"),
    "invalid-head": ("\t2\tadvmod", "\t_\tadvmod"),
    "invalid-deps": ("2:advmod", "2"),
    "invalid-ehead": ("2:advmod", "02:advmod"),
    "unsorted-deps": ("2:obj|2.1:dep", "2.1:dep|2:obj"),
    "unsorted-deps-2": ("2:obj|2.1:dep", "2:obj|2:dep"),
    "repeated-deps": ("2:obj|2.1:dep", "2:obj|2:obj"),
    "repeated-misc": ("2:advmod\t_", "2:advmod\tLang=en|Lang=de"),
    "empty-misc": ("2:advmod\t_", "2:advmod\ta=b|"),
    "empty-misc-key": ("2:advmod\t_", "2:advmod\t=b"),
    "misc-extra-space": ("2:advmod\t_", "2:advmod\ta =b"),
    "misc-attr-typo": ("2:advmod\t_", "2:advmod\tgloss=b"),
    "unknown-upos": ("\tADV\t_\t_\t2\tadvmod", "\tRB\t_\t_\t2\tadvmod"),
    "empty-string-in-xpos": ("\tADV\t_\t_\t2\tadvmod", "\tADV\t\t_\t2\tadvmod"),
    "unsorted-features": (FEATS, "Number=Sing|Case=Acc"),
    "invalid-feature": (FEATS, "case=Acc"),
    "repeated-feature-value": (FEATS, "Case=Acc,Acc"),
    "unsorted-feature-values": (FEATS, "Case=Dat,Acc"),
    "repeated-feature": (FEATS, "Case=Acc|Case=Dat"),
    "unknown-head": ("\t2\tadvmod", "\t99\tadvmod"),
    "head-self-loop": ("\t2\tadvmod", "\t7\tadvmod"),
    "multiple-roots": ("\t2\tadvmod", "\t0\tadvmod"),
    "non-tree": ("\t0\troot\t0:root\tEntity=(e10", "\t1\troot\t0:root\tEntity=(e10"),
    "invalid-deprel": ("\t2\tadvmod", "\t2\tAdvmod"),
    "unknown-udeprel": ("\t2\tadvmod", "\t2\tmod"),
    "unknown-ehead": ("2:advmod", "99:advmod"),
    "deps-self-loop": ("2:obj|2.1:dep", "2:obj|3:dep"),
    "invalid-edeprel": ("2:advmod", "2:_"),
    "unknown-eudeprel": ("2:advmod", "2:mod"),
    "edeps-only-sometimes": (
        f"{IT}\n2\trained\t_\tVERB\t_\t_\t0\troot\t0:root",
        IT.replace("2:nsubj", "_") + "\n2\trained\t_\tVERB\t_\t_\t0\troot\t_",
    ),
    "unconnected-egraph": ("2:advmod", "7.1:advmod\t_\n7.1" + "\t_" * 7 + "\t7:dep"),
    "invalid-sent-id": ("# sent_id = s3", "# sent_id = s 3"),
    "missing-sent-id": ("# sent_id = s3\n", ""),
    "multiple-sent-id": ("# sent_id = s3", "# sent_id = s3\n# sent_id = s4"),
    "non-unique-sent-id": ("# sent_id = s3", "# sent_id = s1"),
    "slash-in-sent-id": ("# sent_id = s3", "# sent_id = s/3/4"),
    "invalid-parallel-id": ("# sent_id = s3", "# parallel_id = X\n# sent_id = s3"),
    "multiple-parallel-id": ("# sent_id = s3", "# parallel_id = a/1\n# parallel_id = a/2\n# sent_id = s3"),
    "non-unique-parallel-id": ("# sent_id = s", "# parallel_id = a/1\n# sent_id = s"),
    "parallel-id-alt": ("# sent_id = s3", "# parallel_id = a/1/alt2\n# sent_id = s3"),
    "parallel-id-part": ("# sent_id = s3", "# parallel_id = a/1/part2\n# sent_id = s3"),
    "multiple-newdoc": ("# newdoc\n", "# newdoc\n# newdoc x\n"),
    "multiple-newpar": ("# sent_id = s3", "# newpar\n# newpar x\n# sent_id = s3"),
    "spaceafter-newdocpar": ("# sent_id = s3", "# newpar\n# sent_id = s3"),
    "missing-text": (f"{TEXT}\n", ""),
    "multiple-text": (TEXT, f"{TEXT}\n{TEXT}"),
    "empty-text": (TEXT, "# text ="),
    "text-trailing-whitespace": (TEXT, f"{TEXT} "),
    "nospaceafter-yes": ("2:advmod\t_", "2:advmod\tNoSpaceAfter=Yes"),
    "spaceafter-value": ("2:advmod\t_", "2:advmod\tSpaceAfter=Yes"),
    "spaceafter-empty-node": ("Entity=(e3-person-1-)", "Entity=(e3-person-1-)|SpaceAfter=No"),
    "spaceafter-mwt-node": ("Entity=e4[1/2])", "Entity=e4[1/2])|SpaceAfter=No"),
    "text-form-mismatch": (TEXT, "# text = That rained"),
    "missing-spaceafter": (TEXT, "# text = Itrained"),
    "text-extra-chars": (TEXT, f"{TEXT} ."),
    "global-entity-mismatch": (THIRD, THIRD.replace("-identity", "")),
    "spurious-global-entity": ("eid-etype-head-other", "eid-etype-head-more-other"),
    "entity-mwt": ("5-6\tdel" + "\t_" * 8, "5-6\tdel" + "\t_" * 7 + "\tEntity=(e1-person-1--Ann)"),
    "multiple-entity-statements": (THEY, f"{THEY}|{THEY}"),
    "multiple-bridge-statements": (THEY, f"Bridge=e1<e5|{THEY}"),
    "multiple-splitante-statements": (SPLIT, f"{SPLIT}|{SPLIT}"),
    "bridge-without-entity": ("2:advmod\t_", "2:advmod\tBridge=e1<e2"),
    "splitante-without-entity": ("2:advmod\t_", f"2:advmod\t{SPLIT}"),
    "entity-without-global-entity": ("# global.Entity", "# Global.Entity"),
    "spurious-entity-statement": ("Entity=e7)", "Entity=e7"),
    "too-many-entity-attributes": ("(e9-abstract-1-)", "(e9-abstract-1---x)"),
    "spurious-entity-id": ("(e9-abstract-1-)", "(e9[1/1]-abstract-1-)"),
    "misplaced-mention-part": ("(e6[2/3]", "(e6[3/3]"),
    "mention-attribute-mismatch": (PARK, PARK.replace("-1-", "-2-")),
    "entity-across-newdoc": (LAST, LAST.replace(" id = d2", "").replace("(e9-abstract-1-)", "(e3-person-1-)")),
    "spurious-entity-type": ("(e9-abstract-1-)", "(e9-idea-1-)"),
    "spurious-mention-head": ("(e9-abstract-1-)", "(e9-abstract-0-)"),
    "entity-type-mismatch": ("2.1:dep\tEntity=(e1-person", "2.1:dep\tEntity=(e1-"),
    "entity-identity-mismatch": ("2.1:dep\tEntity=(e1-person-1--Ann)", "2.1:dep\tEntity=(e1-person-1--Bob)"),
    "ill-nested-entities": ("Entity=e7)", "Entity=e77)"),
    "mention-head-out-of-range": ("(e2-person-2-", "(e2-person-5-"),
    "same-span-entity-mentions": ("(e9-abstract-1-)", "(e9-abstract-1-)(e99-abstract-1-)"),
    "crossing-mentions-same-entity": (
        f"_\n8\tpark\t_\tNOUN\t_\t_\t2\tdep\t{PARK}",
        f"Entity=(e4-place-1-\n8\tpark\t_\tNOUN\t_\t_\t2\tdep\t{PARK}e4)",
    ),
    "spurious-bridge-statement": ("Bridge=e2<e5:subset", "Bridge=e2<e5:Subset"),
    "spurious-splitante-statement": (SPLIT, "SplitAnte=e1,e2"),
    "spurious-splitante-relation": (SPLIT, "SplitAnte=e5<e5,e2<e5"),
    "misplaced-splitante-statement": (SPLIT, "SplitAnte=e1<e1x,e2<e1x"),
    "repeated-splitante-relation": (SPLIT, "SplitAnte=e1<e5,e1<e5"),
    "only-one-split-antecedent": (SPLIT, "SplitAnte=e1<e5"),
    "split-antecedent-mismatch": ("2:punct\tEntity=", "2:punct\tSplitAnte=e1<e5,e2<e5|Entity=(e5--1-)"),
    "cross-sentence-mention": ("Entity=e7)", "_"),
    "internal-error": (PARK, PARK.replace("(e4[2/2]-place-1-)", "(e4[2/2]-place-1-(e4[2/2]-place-1-)e4[2/2])")),
    "ill-nested-entities-warning": ("", ""),
}

NODE = "2.1\t_\t_\t_\t_\t_\t_\t_\t2:obj\tEntity=(e3-person-1-)\n"
MANY = "".join(f"2.{minor}\t_\t_\t_\t_\t_\t_\t_\t{3 if minor == 10 else 2}:obj\t_\n" for minor in range(2, 11))
ELEVENTH = "2.11\t_\t_\t_\t_\t_\t_\t_\t2:obj\t_\n"
FURTHER: dict[str, tuple[str, str]] = {
    "an empty node behind the token that it precedes": ("5\tde", "4.1" + "\t_" * 7 + "\t2:dep\t_\n5\tde"),
    "ref as a basic relation, after DEPS": ("\t2\tadvmod", "\t2\tref"),
    "ref as a basic relation, before DEPS": ("\t2\tnsubj\t2:nsubj\tEntity=(e1", "\t2\tref\t2:nsubj\tEntity=(e1"),
    "the tenth empty node": (NODE, NODE + MANY),
    "the tenth empty node, unconnected": (NODE, NODE + MANY.replace("3:obj", "2.10:obj").replace("3:", "2.10:")),
    "the tenth empty node as a parent": (
        f"{NODE}3\ther\t_\tPRON\t_\tCase=Acc|Number=Sing\t2\tobj\t2:obj|2.1:dep",
        f"{NODE}{MANY}3\ther\t_\tPRON\t_\tCase=Acc|Number=Sing\t2\tobj\t2:obj|2.10:dep",
    ),
    "the eleventh empty node as a parent": (
        f"{NODE}3\ther\t_\tPRON\t_\tCase=Acc|Number=Sing\t2\tobj\t2:obj|2.1:dep",
        f"{NODE}{MANY}{ELEVENTH}3\ther\t_\tPRON\t_\tCase=Acc|Number=Sing\t2\tobj\t2:obj|2.11:dep",
    ),
    "an entity in two named documents": ("(e9-abstract-1-)", "(e3-person-1-)"),
    "a bridge from an entity to itself": ("Bridge=e2<e5", "Bridge=e5<e5"),
    "a bridge to what does not begin here": ("Bridge=e2<e5", "Bridge=e2<e7"),
    "a bridge twice": ("e4<e5|", "e4<e5,e4<e5:x|"),
    "the same SplitAnte again": ("Entity=e7)", f"Entity=e7)(e5--1-|{SPLIT}"),
    "a header that is too short": ("eid-etype-head-other-identity", "eid-head"),
    "a header of four fields with other third": ("eid-etype-head-other-identity", "eid-etype-other-head"),
    "a malformed Entity with SplitAnte": (THEY, "Entity=(e5"),
    "a malformed Entity with a space": (THEY, "Entity=(e5 )"),
    "a bracket inside the id": ("(e9-", "(e9]x-"),
    "a type twice": ("(e9-abstract-1-)", "(e9-abstract-1-)e9)"),
    "crossing of two entities in parts": ("Entity=e8)(e6[3/3]", "Entity=(e6[3/3]"),
    "a head beyond the last part only": ("(e6[3/3]-event-2-", "(e6[3/3]-event-9-"),
    "an empty line of another blank": ("\n\n# sent_id", "\n\u3000\n# sent_id"),
    "a comment without a space": ("# sent_id = s3", "#sent_id=s3"),
    "a sentence of an empty node only": ("# sent_id = s2", "0.1" + "\t_" * 7 + "\t0:root\t_\n\n# sent_id = s2"),
}
"""Further ways to spoil the text, which tell apart what the edits do not."""


def edited(text: str, test: str) -> str:
    """The text as it fails a test; some edits are made in all places at once."""
    old, new = {**EDITS, **FURTHER}[test]
    assert old in text, test
    everywhere = (
        "non-unix-newline",
        "non-unique-parallel-id",
        "spurious-global-entity",
        "entity-without-global-entity",
    )
    return text.replace(old, new, -1 if test in everywhere else 1)
