/* A small document as pages embed it, and ways to make others. */

import { compareSides, DocumentModel } from "../../../src/corefscope/output/pages/report/assets/model.js";

/* Nodes: 0 Ann, 1 saw, 2 her, 3 dog, 4 ., 5 an empty node of both sides,
   6 barked, 7 at, 8 it, 9 an empty node of the response. */
export const DOCUMENT = {
  id: "d",
  s: [
    ["s1", 3, ["Ann", "saw", "her", "dog", "."], [3], []],
    ["s2", 10, ["", "barked", "at", "it", ""], [], [1]],
  ],
  z: [
    [5, "0.1", [[1, "she", "nsubj of barked"], [2, "", "nsubj of at"]]],
    [9, "3.1", [[2, "x", ""]]],
  ],
  key: {
    e: [["e1", "person"], ["e2", ""]],
    m: [[0, 0, 0, 0], [0, 2, 2, 2], [1, 3, 2, 3], [1, 5, 5, 5], [1, 8, 8, 8]],
  },
  responses: [
    {
      e: [["x", "person"], ["y", ""], ["2", ""]],
      m: [[0, 0, 0, 0], [1, 3, 2, 3], [1, 2, 2, 2], [1, 5, 5, 5], [2, 7, 7, 9], [2, 1, 1, 1, 4, 4]],
      to: [0, 2, 1, 3, -1],
      back: [0, 2, 1, 3, -1, -1],
      p: [0, 1],
      f: [[6, 3, [1], [2], [1], 0], [4, 12, [], [4, 5], [], 2]],
      how: [],
    },
  ],
};

export const read = (embedded = DOCUMENT) => new DocumentModel(embedded);

export const compared = (embedded = DOCUMENT, response = 0) => compareSides(read(embedded), response);

/* A document of one sentence; a side is a list of chains, a chain of mentions, a mention of first and last nodes. */
export function documentOf(words, key, response, { to, p = key.map(() => -1) }) {
  const side = (chains) => ({
    e: chains.map(() => ["", ""]),
    m: chains.flatMap((mentions, chain) => mentions.map((ends) => [chain, ends[0], ...ends])),
  });
  const [left, right] = [side(key), side(response)];
  const back = right.m.map((_, mention) => to.indexOf(mention));
  return { id: "d", s: [["", 1, words, [], []]], z: [], key: left, responses: [{ ...right, to, back, p, f: [], how: [] }] };
}
