import assert from "node:assert/strict";
import { test } from "node:test";

import { ALL, choiceOf, hashOfChoice, isShown } from "../../../src/corefscope/output/pages/leaderboard/assets/choices.js";

const SETTINGS = ["head match", "exact match", "a&b=c"];
const PARTS = ["language:cs", "language:en", "group:x y"];

test("an address says the setting and the data sets, and reads back", () => {
  for (const setting of SETTINGS.keys()) {
    for (const part of [ALL, ...PARTS.keys()]) {
      const hash = hashOfChoice({ setting, part }, SETTINGS, PARTS);
      assert.deepEqual(choiceOf(hash, SETTINGS, PARTS), { setting, part });
    }
  }
  assert.equal(hashOfChoice({ setting: 0, part: ALL }, SETTINGS, PARTS), "");
  assert.equal(hashOfChoice({ setting: 1, part: 1 }, SETTINGS, PARTS), "#setting=exact+match&part=language%3Aen");
});

test("what an address asks for and does not exist is the first setting with all data sets", () => {
  const first = { setting: 0, part: ALL };
  for (const hash of ["", "#", "#main", "#setting=none&part=none", "#setting=&part=", "#%"]) {
    assert.deepEqual(choiceOf(hash, SETTINGS, PARTS), first);
  }
  assert.deepEqual(choiceOf("#part=x", [""], []), first);
});

test("columns are shown by the part that is chosen", () => {
  const columns = [{}, { part: "0" }, { part: "1" }, { parts: "0" }, { parts: "1 10" }, { parts: "" }];
  const shown = (part) => columns.map((column) => isShown(column, part));
  assert.deepEqual(shown(ALL), [true, false, false, true, true, true]);
  assert.deepEqual(shown(0), [true, true, false, true, false, false]);
  assert.deepEqual(shown(1), [true, false, true, false, true, false]);
  assert.deepEqual(shown(10), [true, false, false, false, true, false]);
});
