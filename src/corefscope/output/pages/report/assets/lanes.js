// @ts-check
/* Chains as lanes over the document: mentions of the key above the line, what the response has there below. */

import { button, chainsOf, draw, make, quiet } from "./dom.js";
import { unpaired } from "./model.js";

/** @import { Calls, Chain, Compared, Lane, LaneMark, Mention } from "./types.d.ts" */
/** @import { DocumentModel } from "./model.js" */

const LANES = 12;
const MOST_LANES = 400;
const WIDTH = 1000; // of a lane, in units of its own
const THINNEST = 3.2;
/** Top and height of a mark. */
const HEIGHTS = { key: [1, 8], found: [11, 8], extra: [13.5, 3] };

/** @param {Chain | null} chain */
const sizeOf = (chain) => (chain ? chain.mentions.length : 0);

/** One lane for each chain of the key and its partner, and for each chain without one. @param {Compared} compared */
export function lanesOf({ key, response }) {
  /** @type {Lane[]} */
  const lanes = key.chains.map((chain) => ({ chain, key: chain, response: chain.partner }));
  for (const chain of unpaired(response.chains)) lanes.push({ chain, key: null, response: chain });
  const size = (/** @type {Lane} */ lane) => Math.max(sizeOf(lane.key), sizeOf(lane.response));
  return lanes.sort((a, b) => size(b) - size(a) || Number(!a.key) - Number(!b.key) || a.chain.number - b.chain.number);
}

/**
 * The marks of a lane: mentions of the key, their counterparts in any chain, and mentions that the response adds.
 * @param {Lane} lane
 */
export function marksOf({ key, response }) {
  /** @type {LaneMark[]} */
  const marks = [];
  for (const mention of key ? key.mentions : []) {
    marks.push({ mention, kind: "key" });
    if (mention.counterpart) marks.push({ mention: mention.counterpart, kind: "found" });
  }
  for (const mention of response ? response.mentions : []) {
    if (mention.counterpart?.chain !== key) marks.push({ mention, kind: "extra" });
  }
  return marks;
}

/**
 * The rectangles of marks, those that look alike as one path: class -> path.
 * @param {LaneMark[]} marks
 * @param {number} nodes of the document
 */
export function pathsOf(marks, nodes) {
  const scale = WIDTH / Math.max(nodes, 1);
  /** @type {Map<string, string>} */
  const paths = new Map();
  for (const { mention, kind } of marks) {
    const [top, height] = HEIGHTS[kind];
    const name = `mark c${mention.chain.colour} ${kind}`;
    for (const [first, last] of mention.runs) {
      const from = (first * scale).toFixed(1);
      const width = Math.max((last - first + 1) * scale, scale, THINNEST).toFixed(1);
      paths.set(name, `${paths.get(name) || ""}M${from} ${top}h${width}v${height}h-${width}z`);
    }
  }
  return paths;
}

/** The mark that begins nearest to a place. @param {LaneMark[]} marks @param {number} node */
export function nearest(marks, node) {
  const distance = (/** @type {LaneMark} */ { mention: { runs } }) => Math.max(runs[0][0] - node, node - runs[0][1], 0);
  return marks.reduce((best, mark) => (distance(mark) < distance(best) ? mark : best)).mention;
}

/** @param {Lane} lane @param {DocumentModel} model @param {(mention: Mention) => void} goTo */
function drawLane(lane, model, goTo) {
  const nodes = model.words.length;
  const marks = marksOf(lane);
  const picture = draw(
    "svg",
    { viewBox: `0 0 ${WIDTH} 20`, preserveAspectRatio: "none", class: "strip", "aria-hidden": "true" },
    draw("path", { d: `M0 10H${WIDTH}`, class: "axis" }),
    [...pathsOf(marks, nodes)].map(([name, d]) => draw("path", { d, class: name })),
  );
  picture.addEventListener("click", ({ clientX }) => {
    const { left, width } = picture.getBoundingClientRect();
    goTo(nearest(marks, ((clientX - left) / width) * nodes));
  });
  return picture;
}

/** @param {Lane} lane @param {DocumentModel} model @param {Pick<Calls, "select" | "goTo">} calls */
function laneRow(lane, model, { select, goTo }) {
  const { chain } = lane;
  const text = model.textOf(chain.mentions[0], 40);
  const sizes = `${sizeOf(lane.key)} in the key, ${sizeOf(lane.response)} in the response`;
  const name = button(
    `lane-name c${chain.colour}`,
    () => select(chain),
    make("b", {}, chain.label),
    make("bdi", {}, text),
  );
  name.title = `${text}: ${sizes}`;
  const row = make("li", { class: "lane" }, name, drawLane(lane, model, goTo));
  chainsOf.set(
    row,
    [lane.key, lane.response].filter((shown) => shown !== null),
  );
  return row;
}

/**
 * Show the largest chains, or all (but not too many) of them.
 * @param {HTMLElement} root
 * @param {DocumentModel} model
 * @param {Compared} compared
 * @param {Pick<Calls, "select" | "goTo"> & { everything: boolean, more: () => void }} calls
 */
export function showLanes(root, model, compared, { everything, more, ...calls }) {
  const lanes = lanesOf(compared);
  if (!lanes.length) {
    root.replaceChildren(quiet("No chains in this document."));
    return;
  }
  const shown = lanes.slice(0, everything ? MOST_LANES : LANES);
  root.replaceChildren(make("ol", { class: "lanes" }, shown.map((lane) => laneRow(lane, model, calls))));
  if (lanes.length === shown.length) return;
  if (everything) root.append(quiet(`the ${shown.length} largest of ${lanes.length} chains`));
  else root.append(button("plain", more, `Show all ${lanes.length} chains`));
}
