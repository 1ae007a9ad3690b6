import assert from "node:assert/strict";
import { test } from "node:test";

import { groupingsOf, groupsOf, pointsOfMentions } from "../../../src/corefscope/output/pages/report/assets/groups.js";
import { everything } from "../../../src/corefscope/output/pages/report/assets/index.js";

const OVERVIEW = {
  kinds: [{ of: "missing" }, { of: "divided" }, { of: "missing" }],
  slices: [["distance", "first"], ["distance", "6+"], ["entity-type", "a"]],
  dimensions: {
    distance: { title: "sentences to the antecedent", names: { first: "first mentions", "6+": "far antecedents" } },
    "entity-type": { title: "type", names: { a: "entities of type a" } },
    genre: { title: "genre", names: { news: "genre news", novel: "genre novel" } },
  },
  responses: [{ costs: { missing: 6, divided: 1 } }],
  documents: [{ id: "d0", genre: "news" }, { id: "d1", genre: "novel" }],
};
const error = (more) => ({
  ...{ document: 0, kind: 0, slices: [], mentions: 1, texts: ["it"], heads: ["it"], headed: false },
  ...more,
});
const named = (errors, name) => groupingsOf(OVERVIEW, errors).find((grouping) => grouping.name === name);
const rows = (errors, name) =>
  groupsOf(errors, named(errors, name), pointsOfMentions(OVERVIEW, 0, errors)).map((group) => Object.values(group));

test("groupings are those that the errors have several values for", () => {
  const names = (errors) => groupingsOf(OVERVIEW, errors).map(({ name }) => name);
  assert.deepEqual(names([error({ headed: true })]), ["text", "head", "distance", "document", "genre"]);
  assert.deepEqual(names([error({})]), ["text", "distance", "document", "genre"]);
  assert.deepEqual(names([error({ texts: [], heads: [] })]), ["distance", "document", "genre"]);
  const single = { ...OVERVIEW, documents: OVERVIEW.documents.slice(0, 1), dimensions: {} };
  assert.deepEqual(groupingsOf(single, [error({ texts: [] })]), []);
});

test("mentions that differ in capitals are one group, with the most frequent spelling", () => {
  const errors = [error({ texts: ["It"] }), error({}), error({}), error({ texts: ["she"] })];
  assert.deepEqual(rows(errors, "text"), [["it", "it", 3, 4.5], ["she", "she", 1, 1.5]]);
});

test("an error of several mentions is in the groups of all, which share its points", () => {
  const errors = [error({ mentions: 2, texts: ["Ann", "she"] }), error({ texts: ["she"], kind: 2 })];
  assert.deepEqual(rows(errors, "text"), [["she", "she", 2, 4], ["ann", "Ann", 1, 2]]);
});

test("slices and documents have their names, and points of a class are divided among its kinds", () => {
  const errors = [error({ slices: [0, 1] }), error({ slices: [1], kind: 1, document: 1 })];
  assert.deepEqual(rows(errors, "distance"), [["6+", "far antecedents", 2, 4], ["first", "first mentions", 1, 3]]);
  assert.deepEqual(rows(errors, "document"), [["0", "d0", 1, 6], ["1", "d1", 1, 1]]);
  assert.deepEqual(rows(errors, "genre").map(([value]) => value), ["news", "novel"]);
});

test("groupings choose, say what is chosen, and leave the other filters alone", () => {
  const errors = [error({ headed: true })];
  const filter = { ...everything(), text: "x", slice: "distance:6+", mention: "it", document: 1 };
  const chosen = ["text", "head", "distance", "genre", "document"].map((name) => named(errors, name).chosen(filter));
  assert.deepEqual(chosen, ["it", "", "6+", "", "1"]);
  assert.deepEqual(named(errors, "distance").without(filter), { ...filter, slice: "" });
  assert.deepEqual(named(errors, "genre").without(filter), filter);
  assert.deepEqual(named(errors, "text").choose("she"), { mention: "she" });
  assert.deepEqual(named(errors, "distance").choose("first"), { slice: "distance:first" });
  assert.deepEqual(named(errors, "distance").choose(""), { slice: "" });
  assert.deepEqual(named(errors, "document").choose(""), { document: -1 });
});
