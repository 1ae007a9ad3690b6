import assert from "node:assert/strict";
import { test } from "node:test";

import { curveBetween, headOf, labelBox } from "../../../src/corefscope/output/pages/report/assets/curves.js";
import { chainName, chainNamed, inLayer, wordsFor } from "../../../src/corefscope/output/pages/report/assets/model.js";
import { compared, DOCUMENT } from "./example.js";

/* The example, and besides: in the key the node 6 refers to nothing, and 7 is deixis; in the response so is 7. */
const BEYOND = {
  ...DOCUMENT,
  key: {
    e: [...DOCUMENT.key.e, ["x-Pseudo", "", "non-referring"], ["e1", "", "deixis"]],
    m: [...DOCUMENT.key.m, [2, 6, 6, 6], [3, 7, 7, 7]],
  },
  responses: [
    {
      ...DOCUMENT.responses[0],
      e: [...DOCUMENT.responses[0].e, ["k", "", "deixis"], ["l", "", "deixis"]],
      m: [...DOCUMENT.responses[0].m, [3, 7, 7, 7], [4, 8, 8, 8]],
      to: [...DOCUMENT.responses[0].to, -1, 6],
      back: [...DOCUMENT.responses[0].back, 6, -1],
      p: [0, 1, -1, 3],
      r: [
        [
          ["split", "", 2, [[0], [4, 1]], [1]],
          ["non-referring", "", 5, [], [0]],
        ],
        [["bridging", "part", 1, [[0, 0]], [0]]],
      ],
    },
  ],
};

test("a document without relations has none, and one layer", () => {
  const { relations, key } = compared();
  assert.deepEqual(relations, []);
  assert.equal(key.chains.length, key.all.length);
});

test("relations know their mentions, and errors their relations", () => {
  const { relations, key, response, errors } = compared(BEYOND);
  const [plural, expletive, bridging] = relations;
  assert.deepEqual(relations.map(({ side }) => side.name), ["key", "key", "response"]);
  assert.equal(plural.anaphor, key.mentions[2]);
  assert.deepEqual(plural.targets.map(({ mention }) => mention.number), [0, 4]);
  assert.deepEqual(plural.targets.map((target) => target.errors), [[], [errors[1]]]);
  assert.deepEqual([expletive.targets, expletive.errors], [[], [errors[0]]]);
  assert.deepEqual([bridging.label, bridging.anaphor], ["part", response.mentions[1]]);
  assert.deepEqual(errors.map((error) => error.relations), [[expletive, bridging], [plural]]);
});

test("layers have chains, partners and labels of their own", () => {
  const { key, response } = compared(BEYOND);
  assert.deepEqual(key.chains.map(({ label }) => label), ["1", "2"]);
  assert.deepEqual(key.all.map(({ label }) => label), ["1", "2", "n1", "d1"]);
  assert.deepEqual(response.all.map(({ label }) => label), ["1", "2", "r1", "d1", "rd1"]);
  assert.equal(inLayer(key, "deixis")[0].partner, inLayer(response, "deixis")[0]);
  assert.equal(key.mentions[6].counterpart, response.mentions[6]);
  assert.deepEqual(key.all.slice(1).map(wordsFor), ["entity", "mention that does not refer", "entity of discourse deixis"]);
});

test("chains of layers have names of their own, whatever their ids", () => {
  const both = compared(BEYOND);
  for (const chain of [...both.key.all, ...both.response.all]) assert.equal(chainNamed(both, chainName(chain)), chain);
  assert.equal(chainName(both.key.all[3]), "key:deixis:e1");
});

const box = (left, top) => ({ left, top, width: 40, height: 20 });
const numbers = (path) => path.match(/-?[\d.]+/g).map(Number);

test("an arrow on one line is an arc above it", () => {
  const { path, end, rises } = curveBetween(box(200, 100), box(0, 102), 0.5);
  const [x, y, , above, , alsoAbove, toX, toY] = numbers(path);
  assert.deepEqual([x, y, toX, toY], [220, 100, 20, 102]);
  assert.ok(above < 100 && above >= 75 && alsoAbove < 102);
  assert.deepEqual([end, rises], [[20, 102], false]);
});

test("an arrow to a line above arrives at its lower edge, one to a line below at its upper", () => {
  const up = curveBetween(box(100, 300), box(0, 100), 0.5);
  assert.deepEqual([numbers(up.path).slice(0, 2), up.end, up.rises], [[120, 300], [20, 120], true]);
  const down = curveBetween(box(0, 100), box(100, 300), 0.5);
  assert.deepEqual([numbers(down.path).slice(0, 2), down.end, down.rises], [[20, 120], [120, 300], false]);
  assert.deepEqual(up.middle, [70, 210]);
});

test("arrows of key and response leave a mention at different places", () => {
  const [key, response] = [0.4, 0.6].map((share) => curveBetween(box(0, 100), box(0, 0), share).end[0]);
  assert.deepEqual([key, response], [16, 24]);
});

test("heads point where the arrow goes", () => {
  const ys = (curve) => numbers(headOf(curve)).filter((_, at) => at % 2);
  const up = ys(curveBetween(box(0, 200), box(0, 0)));
  assert.ok(up[0] === 20 && up[1] > 20);
  const down = ys(curveBetween(box(0, 0), box(0, 200)));
  assert.ok(down[0] === 200 && down[1] < 200);
});

test("labels are on the curve if there is room, else beside it, and never outside", () => {
  const wide = curveBetween(box(400, 100), box(0, 0));
  const label = labelBox(wide, 10, 1000);
  assert.deepEqual([label.left + label.width / 2, label.top + label.height / 2], wide.middle);
  const narrow = curveBetween(box(10, 100), box(0, 0));
  assert.ok(labelBox(narrow, 10, 1000).left > 30);
  assert.equal(labelBox(narrow, 10, 70).left + labelBox(narrow, 10, 70).width, 70);
});

test("a label that would be on another one is below it", () => {
  const curve = curveBetween(box(400, 100), box(0, 0));
  const first = labelBox(curve, 10, 1000);
  const second = labelBox(curve, 6, 1000, [first]);
  assert.equal(second.top, first.top + first.height);
  assert.equal(labelBox(curve, 6, 1000, [first, second]).top, second.top + second.height);
  assert.equal(labelBox(curve, 6, 1000, [{ ...first, left: 900 }]).top, first.top);
});
