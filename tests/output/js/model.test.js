import assert from "node:assert/strict";
import { test } from "node:test";

import { percent, plural, shortened, visible } from "../../../src/corefscope/output/pages/report/assets/format.js";
import { bySize, chainNamed, unpaired } from "../../../src/corefscope/output/pages/report/assets/model.js";
import { compared, DOCUMENT, documentOf, read } from "./example.js";

test("values become text", () => {
  assert.equal(visible("a\u0000\u001b\u007f\u0085é"), "a␀␛␡␦é");
  assert.equal(shortened("abc", 3), "abc");
  assert.equal(shortened("𝒜𝒷𝒸𝒹", 3), "𝒜𝒷…");
  assert.deepEqual([plural(1, "word"), plural(2000, "word")], ["1 word", "2,000 words"]);
  assert.deepEqual([percent(0.72875), percent(null)], ["72.88", "–"]);
  assert.deepEqual([percent(0.99996), percent(1), percent(1 - 1e-15)], ["99.99", "100.00", "100.00"]);
});

test("sentences become nodes, blanks and rows", () => {
  const model = read();
  assert.equal(model.words.length, 10);
  assert.deepEqual(model.spaceAfter, [1, 1, 1, 0, 1, 1, 2, 1, 1, 1]);
  assert.deepEqual(model.rows, [{ sentence: 0, start: 0, end: 5 }, { sentence: 1, start: 5, end: 10 }]);
  assert.deepEqual(model.sentences[1], { id: "s2", line: 10, number: 2, start: 5, end: 10 });
  assert.deepEqual([0, 4, 5, 9].map((node) => model.rowOf(node)), [0, 0, 1, 1]);
  assert.deepEqual([model.zeros.get(5).sides, model.zeros.get(9).sides], [3, 2]);
});

test("long sentences are shown in several rows", () => {
  const model = read(documentOf(Array(500).fill("w"), [[[470, 480]]], [[[0, 0]]], { to: [-1] }));
  assert.deepEqual(model.rows.map(({ start, end }) => [start, end]), [[0, 240], [240, 480], [480, 500]]);
  assert.deepEqual([239, 240, 479, 480, 499].map((node) => model.rowOf(node)), [0, 1, 1, 2, 2]);
  assert.equal(model.sentenceOf(compared(model.embedded).key.mentions[0]), 1);
});

test("a document without sentences has no rows", () => {
  assert.deepEqual(read({ ...DOCUMENT, s: [], z: [] }).rows, []);
});

test("mentions are quoted as their side has them", () => {
  const model = read();
  const { key, response } = compared();
  const quoted = (side) => side.mentions.map((mention) => model.textOf(mention));
  assert.deepEqual(quoted(key), ["Ann", "her", "her dog", "∅she", "it"]);
  assert.deepEqual(quoted(response), ["Ann", "her dog", "her", "∅", "at it ∅x", "saw … ."]);
  assert.equal(model.textOf(key.mentions[2], 4), "her…");
  assert.equal(model.textOf(key.mentions[2], 7), "her dog");
});

test("a glued word is quoted with its glue, an empty node of others is passed over", () => {
  const model = read();
  const { key } = compared();
  assert.equal(model.textOf({ ...key.mentions[0], runs: [[6, 9]] }), "barked‿at it");
});

test("what is left out of a long mention is said, also without blanks", () => {
  const embedded = documentOf(Array(30).fill("字"), [[[0, 29]], [[0, 9]]], [[[0, 0]]], { to: [-1, -1] });
  embedded.s[0][3] = [...Array(30).keys()];
  const { key } = compared(embedded);
  assert.deepEqual(key.mentions.map((mention) => read(embedded).textOf(mention, 13)), [
    `${"字".repeat(12)}…`,
    "字".repeat(10),
  ]);
});

test("counterparts lead both ways and nowhere if there are none", () => {
  const { key, response } = compared();
  assert.deepEqual(key.mentions.map(({ counterpart }) => counterpart?.number), [0, 2, 1, 3, undefined]);
  assert.equal(response.mentions[1].counterpart, key.mentions[2]);
  assert.equal(response.mentions[4].counterpart, null);
});

test("partners are those that the data names, and share label and colour", () => {
  const { key, response } = compared();
  assert.deepEqual(response.chains.map(({ partner }) => partner?.id), ["e1", "e2", undefined]);
  assert.deepEqual(key.chains.map(({ partner }) => partner.id), ["x", "y"]);
  assert.deepEqual(response.chains.map(({ label }) => label), ["1", "2", "r1"]);
  assert.deepEqual(key.chains.map(({ colour }) => colour), [1, 0]); // the largest chain gets the first colour
  assert.deepEqual(response.chains.map(({ colour }) => colour), [1, 0, 2]);
  assert.deepEqual(unpaired(response.chains).map(({ id }) => id), ["2"]);
});

test("no partner is made up where the data names none", () => {
  const { key, response } = compared({ ...DOCUMENT, responses: [{ ...DOCUMENT.responses[0], p: [-1, 1] }] });
  assert.equal(key.chains[0].partner, null);
  assert.deepEqual(response.chains.map(({ label }) => label), ["r1", "2", "r2"]);
});

test("links say where the mentions of a chain went", () => {
  const { key, response } = compared();
  const links = (chain) => [chain.links.map((link) => [link.chain.id, link.count]), chain.alone];
  assert.deepEqual(links(key.chains[0]), [[["x", 1], ["y", 1]], 0]);
  assert.deepEqual(links(key.chains[1]), [[["y", 2]], 1]);
  assert.deepEqual(links(response.chains[1]), [[["e2", 2], ["e1", 1]], 0]);
  assert.deepEqual(links(response.chains[2]), [[], 2]);
});

test("mentions of a chain stand in the order of the text, the longer first", () => {
  const { response } = compared();
  assert.deepEqual(response.chains[1].mentions.map(({ number }) => number), [1, 2, 3]);
  assert.deepEqual(response.chains[2].mentions.map(({ number }) => number), [5, 4]);
  assert.deepEqual(bySize(response.chains).map(({ id }) => id), ["y", "2", "x"]);
});

test("errors know their mentions, and mentions their errors", () => {
  const { key, response, errors } = compared();
  assert.deepEqual(errors.map(({ number, kind, line }) => [number, kind, line]), [[1, 6, 3], [2, 4, 12]]);
  assert.deepEqual(errors[0].mentions, [key.mentions[1], response.mentions[2]]);
  assert.deepEqual(response.mentions[4].errors, [errors[1]]);
  assert.deepEqual(key.mentions[0].errors, []);
});

test("the second response has a bit of its own", () => {
  const embedded = { ...DOCUMENT, responses: [...DOCUMENT.responses, ...DOCUMENT.responses] };
  assert.equal(compared(embedded, 1).response.bit, 2);
});

test("chains are named by id, else by number", () => {
  const both = compared();
  assert.equal(chainNamed(both, "key:e2").number, 1);
  assert.equal(chainNamed(both, "response:2").number, 2); // an id before a number
  assert.equal(chainNamed(both, "response:1").number, 0);
  assert.equal(chainNamed(both, "key:e9"), null);
  assert.equal(chainNamed(both, "%"), null);
});
