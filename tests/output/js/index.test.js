import assert from "node:assert/strict";
import { test } from "node:test";

import {
  ErrorIndex,
  everything,
  listedErrors,
  nextError,
  passes,
} from "../../../src/corefscope/output/pages/report/assets/index.js";
import { DOCUMENT } from "./example.js";

const OVERVIEW = {
  slices: [["distance", "0"], ["distance", "6+"], ["entity-type", "a:b"]],
  documents: [{ genre: "news" }, { genre: "novel" }],
};
const KINDS = new Set([0, 1, 4, 6]);
const error = (document, number, more = {}) => ({
  ...{ document, number, kind: 0, slices: [], also: 0, text: "", sentence: 1, mentions: 1, texts: [], heads: [] },
  ...more,
});
const chosen = (errors, filter, kinds = KINDS) =>
  errors.filter(passes(OVERVIEW, kinds, { ...everything(), ...filter })).map(({ number }) => number);

test("errors are quoted from the side that has them, with their place", () => {
  const [errors] = listedErrors(DOCUMENT, 7);
  assert.deepEqual(errors, [
    {
      ...{ document: 7, number: 1, kind: 6, slices: [1], also: 0, text: "her", sentence: 1, mentions: 1 },
      ...{ texts: ["her"], heads: ["her"], headed: false },
    },
    {
      ...{ document: 7, number: 2, kind: 4, slices: [], also: 2, text: "at it ∅x", sentence: 2, mentions: 2 },
      ...{ texts: ["at it ∅x", "saw … ."], heads: ["at", "saw"], headed: false },
    },
  ]);
});

test("ids have no words and no sentences", () => {
  const side = { e: [["e", ""]], m: [[0, 0, 0, 0], [0, 1, 1, 1]] };
  const embedded = { id: "d", ids: true, s: [["", 0, ["a", "b"], [], []]], z: [], key: side };
  const response = { ...side, to: [0, 1], back: [0, 1], p: [0], f: [[0, 0, [0, 1], [], [], 0]], how: [] };
  const [[found]] = listedErrors({ ...embedded, responses: [response] }, 0);
  assert.deepEqual([found.text, found.sentence, found.texts, found.heads], ["a", 0, [], []]);
});

test("errors are chosen by the words of any of their mentions, and by their heads", () => {
  const errors = [error(0, 1, { texts: ["The dog", "It"], heads: ["dog", "It"] }), error(0, 2, { texts: ["it"] })];
  assert.deepEqual(chosen(errors, { mention: "it" }), [1, 2]);
  assert.deepEqual(chosen(errors, { mention: "dog" }), []);
  assert.deepEqual(chosen(errors, { head: "dog" }), [1]);
});

test("the words of errors are searched, whatever their case", () => {
  const errors = [error(0, 1, { text: "The Mayor" }), error(0, 2, { text: "her" })];
  assert.deepEqual(chosen(errors, { text: " mayor " }), [1]);
  assert.deepEqual(chosen(errors, { text: "" }), [1, 2]);
  assert.deepEqual(chosen(errors, { text: "nobody" }), []);
});

test("errors are chosen by kind, document and slice", () => {
  const errors = [error(0, 1, { slices: [0, 2] }), error(1, 2, { slices: [1], kind: 4 }), error(1, 3)];
  assert.deepEqual(chosen(errors, {}, new Set([4])), [2]);
  assert.deepEqual(chosen(errors, { document: 1 }), [2, 3]);
  assert.deepEqual(chosen(errors, { slice: "distance:6+" }), [2]);
  assert.deepEqual(chosen(errors, { slice: "entity-type:a:b" }), [1]); // a value may have a colon
  assert.deepEqual(chosen(errors, { slice: "genre:novel" }), [2, 3]);
  assert.deepEqual(chosen(errors, { slice: "distance:none" }), []);
});

test("errors are chosen by who else makes them", () => {
  const errors = [error(0, 1, { also: 0 }), error(0, 2, { also: 4 }), error(0, 3, { also: 6 })];
  assert.deepEqual(chosen(errors, { other: 2, shared: true }), [2, 3]);
  assert.deepEqual(chosen(errors, { other: 1, shared: false }), [1, 2]);
});

test("the next error may be in another document, and after the last one comes the first", () => {
  const errors = [error(0, 2), error(0, 5), error(3, 1)];
  const next = (document, number, step) => {
    const found = nextError(errors, { document, number }, step);
    return [found.document, found.number];
  };
  assert.deepEqual(next(0, 0, 1), [0, 2]);
  assert.deepEqual(next(0, 2, 1), [0, 5]);
  assert.deepEqual(next(0, 3, 1), [0, 5]); // one that the filters hide
  assert.deepEqual(next(0, 5, 1), [3, 1]);
  assert.deepEqual(next(3, 1, 1), [0, 2]);
  assert.deepEqual(next(3, 1, -1), [0, 5]);
  assert.deepEqual(next(0, 2, -1), [3, 1]);
  assert.deepEqual(next(1, Infinity, -1), [0, 5]);
  assert.deepEqual(next(4, Infinity, -1), [3, 1]);
  assert.equal(nextError([], { document: 0, number: 0 }, 1), null);
});

test("documents are read once, and only as long as there is time", () => {
  const read = [];
  const index = new ErrorIndex(3, 1, (number) => read.push(number) && DOCUMENT);
  index.readSome(() => read.length < 1);
  assert.deepEqual([read, index.complete, index.errors[0].length], [[0], false, 2]);
  assert.deepEqual(index.of(0).map(({ document }) => document), [0, 0, 1, 1, 2, 2]);
  index.of(0);
  assert.deepEqual([read, index.complete], [[0, 1, 2], true]);
});

test("twenty thousand errors are filtered in no time", () => {
  const errors = Array.from({ length: 20000 }, (_, at) => error(at % 2, at, { text: `mention ${at} of many words` }));
  const began = performance.now();
  for (let at = 0; at < 10; at += 1) assert.ok(chosen(errors, { text: `ion 1${at}` }).length > 100);
  assert.ok((performance.now() - began) / 10 < 200);
});
