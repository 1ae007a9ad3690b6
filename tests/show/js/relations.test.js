import assert from "node:assert/strict";
import { test } from "node:test";

import { countRelations, relationsOf } from "../../../src/corefscope/show/page/assets/relations.js";
import { compared, DOCUMENT } from "./example.js";

const WRONG = "anchor of a wrong entity";
const withRelations = (r) => ({ ...DOCUMENT, responses: [{ ...DOCUMENT.responses[0], r }] });
const read = (embedded) => relationsOf(embedded.responses[0], compared(embedded));

test("a document without relations has none", () => {
  assert.equal(read(DOCUMENT), null);
});

test("anaphors and targets are the mentions of chains, or where their words are", () => {
  const linked = ["bridging", "part", [2, 3], [[0, 0]], [WRONG]];
  const embedded = withRelations([[linked, ["non-referring", "", [6, 7], [], []]], []]);
  const sides = compared(embedded);
  const [[bridging, expletive], none] = relationsOf(embedded.responses[0], sides);
  assert.equal(bridging.anaphor, sides.key.mentions[2]);
  assert.deepEqual(bridging.targets, [sides.key.mentions[0]]);
  assert.deepEqual([bridging.label, bridging.wrong], ["part", [WRONG]]);
  assert.deepEqual([expletive.anaphor.runs, "chain" in expletive.anaphor], [[[6, 7]], false]);
  assert.deepEqual(none, []);
});

test("relations of both sides are counted by kind", () => {
  const row = (kind) => [kind, "", [0, 0], [[2, 2]], []];
  const counts = countRelations(read(withRelations([[row("split"), row("bridging")], [row("split")]])));
  assert.deepEqual([...counts], [["split", 2], ["bridging", 1]]);
});
