import assert from "node:assert/strict";
import { test } from "node:test";

import { flowsOf, layOut } from "../../../src/corefscope/output/pages/report/assets/alluvial.js";
import { lanesOf, marksOf, nearest, pathsOf } from "../../../src/corefscope/output/pages/report/assets/lanes.js";
import { compared, DOCUMENT, documentOf } from "./example.js";

/* Chains of one-word mentions: sizes of key chains, all of them found in response chains of the same sizes. */
function equalSides(sizes) {
  let word = 0;
  const chains = sizes.map((size) => Array.from({ length: size }, () => [word, word++]));
  const mentions = Array.from({ length: word }, (_, mention) => mention);
  const p = sizes.map((_, chain) => chain);
  return compared(documentOf(mentions.map(String), chains, chains, { to: mentions, p }));
}

test("partners share a lane, the largest first, those of the response last", () => {
  const lanes = lanesOf(compared());
  assert.deepEqual(lanes.map(({ key, response }) => [key?.id, response?.id]), [
    ["e2", "y"],
    ["e1", "x"],
    [undefined, "2"],
  ]);
});

test("a lane has mentions of the key, their counterparts anywhere, and what is added", () => {
  const [second, first, extra] = lanesOf(compared());
  const marks = (lane) => marksOf(lane).map(({ mention, kind }) => [kind, mention.number]);
  assert.deepEqual(marks(first), [["key", 0], ["found", 0], ["key", 1], ["found", 2]]);
  assert.deepEqual(marks(second), [["key", 2], ["found", 1], ["key", 3], ["found", 3], ["key", 4], ["extra", 2]]);
  assert.deepEqual(marks(extra), [["extra", 5], ["extra", 4]]);
});

test("marks become one path for each look, in proportion to the text", () => {
  const [, first] = lanesOf(compared());
  assert.deepEqual([...pathsOf(marksOf(first), 10)], [
    ["mark c1 key", "M0.0 1h100.0v8h-100.0zM200.0 1h100.0v8h-100.0z"],
    ["mark c1 found", "M0.0 11h100.0v8h-100.0z"],
    ["mark c0 found", "M200.0 11h100.0v8h-100.0z"],
  ]);
  const thin = [...pathsOf(marksOf(first), 100000)][1][1];
  assert.equal(thin, "M0.0 11h3.2v8h-3.2z"); // a mark is never too thin to be seen
});

test("a click goes to the nearest mention", () => {
  const [second] = lanesOf(compared());
  const marks = marksOf(second);
  assert.deepEqual([0, 4.4, 7.9].map((node) => nearest(marks, node).runs[0]), [[2, 3], [5, 5], [8, 8]]);
});

test("every mention flows once, the unmatched from or into a box of their own", () => {
  const { left, right, flows } = flowsOf(compared());
  const boxes = (column) => column.map(({ role, title, size }) => [role, title, size]);
  assert.deepEqual(boxes(left), [["chain", "2", 3], ["chain", "1", 2], ["nothing", "extra", 2]]);
  assert.deepEqual(boxes(right), [["chain", "2", 3], ["chain", "r1", 2], ["chain", "1", 1], ["nothing", "missing", 1]]);
  const counts = [...flows].map(([from, targets]) => [from.title, [...targets].map(([to, n]) => [to.title, n])]);
  assert.deepEqual(counts, [["2", [["2", 2], ["missing", 1]]], ["1", [["1", 1], ["2", 1]]], ["extra", [["r1", 2]]]]);
});

test("boxes stand below each other and bands fill them", () => {
  const diagram = layOut(compared(), 800);
  const unit = diagram.left[0].height / diagram.left[0].size;
  for (const column of [diagram.left, diagram.right]) {
    column.slice(1).forEach((box, at) => assert.ok(Math.abs(box.y - column[at].y - column[at].height - 5) < 1e-9));
    assert.ok(column.at(-1).y + column.at(-1).height <= diagram.height + 1e-9);
  }
  const heights = diagram.bands.map(({ path }) => Number(/v([\d.]+)C/.exec(path)[1]));
  const mentions = diagram.left.reduce((sum, { size }) => sum + size, 0);
  assert.ok(Math.abs(heights.reduce((sum, height) => sum + height) - mentions * unit) < 1e-9);
  assert.ok(diagram.bands.every(({ path }) => path.startsWith("M118 ") && path.includes(" 682 ")));
  assert.equal(diagram.bands[1].title, "2 → missing: 1 mention");
  assert.deepEqual(diagram.bands.map(({ colour }) => colour), ["c0", "c0", "c1", "c1", "c2"]);
});

test("the right column is ordered so that few bands cross, what is missing last", () => {
  const embedded = documentOf(
    ["a", "b", "c", "d", "e"],
    [[[0, 0], [1, 1], [2, 2]], [[3, 3], [4, 4]]],
    [[[3, 3], [4, 4]], [[0, 0], [1, 1]]],
    { to: [2, 3, -1, 0, 1], p: [1, 0] },
  );
  assert.deepEqual(layOut(compared(embedded), 800).right.map(({ title }) => title), ["1", "2", "missing"]);
});

test("beyond twelve chains, the others are one box, of what they share with the large ones", () => {
  const thirteen = layOut(equalSides(Array(13).fill(1)), 800);
  assert.equal(thirteen.left.length, 13);
  const word = (number) => [number, number];
  const large = Array.from({ length: 12 }, (_, chain) => [word(3 * chain), word(3 * chain + 1), word(3 * chain + 2)]);
  const small = [36, 37, 38].map((number) => [word(number)]);
  const to = Array.from({ length: 39 }, (_, mention) => mention);
  to[35] = -1; // one mention of a large chain is missing
  to[36] = 35; // and a small one stands there instead
  const { left, right, leftOut } = layOut(
    compared(documentOf(to.map(String), [...large, ...small], [...large, ...small], { to })),
    800,
  );
  const boxes = (column) => column.slice(12).map(({ title, size }) => [title, size]);
  assert.deepEqual(boxes(left), [["3 others", 1]]);
  assert.deepEqual(boxes(right), [["missing", 1]]);
  assert.equal(leftOut, 3); // two small chains that are found, and one of the response that is extra
});

test("in large documents every box has room for its label", () => {
  const { left } = layOut(equalSides([400, ...Array(11).fill(1), ...Array(300).fill(1)]), 800);
  left.slice(1).forEach((box, at) => assert.ok(box.y - left[at].y >= 14));
});

test("a narrow diagram has narrow margins", () => {
  assert.deepEqual([layOut(compared(), 419).margin, layOut(compared(), 420).margin], [84, 118]);
});

test("without mentions there is no diagram", () => {
  const nothing = { e: [], m: [] };
  const responses = [{ ...nothing, to: [], back: [], p: [], f: [] }];
  assert.equal(layOut(compared({ ...DOCUMENT, key: nothing, responses }), 800), null);
  assert.deepEqual(lanesOf(compared({ ...DOCUMENT, key: nothing, responses })), []);
});
