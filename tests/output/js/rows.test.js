import assert from "node:assert/strict";
import { test } from "node:test";

import { compareSides } from "../../../src/corefscope/output/pages/report/assets/model.js";
import { merged, nestRow, partsByRow } from "../../../src/corefscope/output/pages/report/assets/rows.js";
import { documentOf, DOCUMENT, read } from "./example.js";

/* Content in brackets: "<" where a mention opens, "[" where a piece of one goes on, ">" and "]" likewise. */
function drawn(children) {
  return children
    .map((content) => {
      if (typeof content === "string") return content;
      if (content.glue) return "‿";
      if (content.zero) return `∅${content.zero.name}`;
      const ends = `${content.more ? "…" : ""}${content.closes ? ">" : "]"}${content.height || ""}`;
      const agreed = content.part.counterpart ? "=" : "";
      return `${content.part.again ? "…" : ""}${content.opens ? "<" : "["}${agreed}${drawn(content.children)}${ends}`;
    })
    .join("");
}

function rows(embedded, choose) {
  const model = read(embedded);
  const sides = choose(compareSides(model, 0));
  const parts = sides.map((side) => partsByRow(model, side.mentions));
  return model.rows.map((row, number) => {
    const inRow = parts.flatMap((byRow) => byRow.get(number) || []);
    return nestRow(model, row, sides.length > 1 ? merged(inRow) : inRow, sides);
  });
}

const ofKey = ({ key }) => [key];
const ofResponse = ({ response }) => [response];
const ofBoth = ({ key, response }) => [key, response];
const shown = (embedded, choose) => rows(embedded, choose).map(({ children }) => drawn(children));
const ofWords = (words, ...chains) =>
  documentOf(words.split(" "), chains, [[[0, 0]]], { to: chains.flat().map(() => -1) });

test("words stand with their blanks, glue and empty nodes", () => {
  assert.deepEqual(shown(DOCUMENT, ofKey), ["<Ann> saw <<her> dog>1.", "<∅0.1>barked‿at <it>"]);
});

test("empty nodes of other sides are left out", () => {
  assert.deepEqual(shown(DOCUMENT, ofResponse), ["<Ann> <saw…> <<her> dog>1…<.>", "<∅0.1>barked‿<at it ∅3.1>"]);
});

test("an empty node between words stands between two blanks", () => {
  const embedded = { ...ofWords("one  two", [[1, 1]]), z: [[1, "1.1", [[1, "", ""]]]] };
  assert.deepEqual(shown(embedded, ofKey), ["one <∅1.1> two"]);
});

test("where key and response agree, one mark stands for both", () => {
  assert.deepEqual(shown(DOCUMENT, ofBoth), [
    "<=Ann> <saw…> <=<<her>>1 dog>2…<.>",
    "<=∅0.1>barked‿<at <it> ∅3.1>1",
  ]);
});

test("marks agree only with the same words, in partners, and mutually", () => {
  const words = ["a", "b"];
  const agreed = (response, to, p) => shown(documentOf(words, [[[0, 0]]], response, { to, p }), ofBoth)[0];
  assert.equal(agreed([[[0, 0]]], [0], [0]), "<=a> b");
  assert.equal(agreed([[[0, 0]]], [0], [-1]), "<<a>>1 b");
  assert.equal(agreed([[[0, 1]]], [0], [0]), "<<a> b>1");
  const oneWay = documentOf(words, [[[0, 0], [0, 0]]], [[[0, 0]]], { to: [0, 0], p: [0] });
  assert.equal(shown(oneWay, ofBoth)[0], "<=<a>>1 b");
});

test("marks that cross are cut in pieces", () => {
  const [{ children, deepest }] = rows(ofWords("a b c d", [[0, 2]], [[1, 3]]), ofKey);
  assert.equal(drawn(children), "<a <b c]>1[ d>");
  assert.equal(deepest, 2);
});

test("of marks that open together the longer is outside", () => {
  assert.deepEqual(shown(ofWords("a b c", [[0, 0]], [[0, 2]], [[0, 1]]), ofKey), ["<<<a> b>1 c>2"]);
});

test("several marks may end at one word, one of them cut", () => {
  assert.deepEqual(shown(ofWords("a b c d", [[0, 1]], [[1, 1]], [[1, 3]]), ofKey), ["<a <<b>]1>2[ c d>"]);
});

test("mentions of several rows are open at the ends between them", () => {
  const long = documentOf(Array(250).fill("w"), [[[238, 241]]], [[[0, 0]]], { to: [-1] });
  const [first, second] = shown(long, ofKey);
  assert.ok(first.endsWith("w <w w]"));
  assert.ok(second.startsWith("[w w> w"));
});

test("nothing nests in a row without mentions", () => {
  const [row] = rows(ofWords("a b"), ofKey);
  assert.deepEqual([drawn(row.children), row.deepest], ["a b", 0]);
});

test("control characters are made visible", () => {
  assert.deepEqual(shown(ofWords("a\u0000 b"), ofKey), ["a␀ b"]);
});
