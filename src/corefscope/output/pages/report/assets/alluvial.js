// @ts-check
/* How the mentions of key entities flow into response entities: the largest of both, the others together. What flows
   among the others alone is left out, or it would fill the diagrams of large documents. */

import { chainsOf, draw, fill, quiet } from "./dom.js";
import { plural } from "./format.js";
import { bySize } from "./model.js";

/** @import { Band, Box, Chain, Compared, Diagram, Side } from "./types.d.ts" */
/** @import { DocumentModel } from "./model.js" */
/** @typedef {Map<Box, Map<Box, number>>} Flows the mentions that go from one box to another */

const FLOWS = 12;
const GAP = 5;
const LINE = 14; // a label is that high

/** @param {Box["role"]} role @param {number} size @param {string} colour @param {string} title */
const boxOf = (role, size, colour, title, /** @type {Chain | null} */ chain = null) =>
  /** @type {Box} */ ({ role, chain, size, colour, title, y: 0, height: 0 });

/**
 * One column: the largest chains, then the others as one box, then what has no counterpart in this side.
 * @param {Side} side
 * @param {string} title of the latter
 */
function columnOf(side, title) {
  const sorted = bySize(side.chains);
  const big = sorted.length > FLOWS + 1 ? sorted.slice(0, FLOWS) : sorted;
  const boxes = big.map((chain) => boxOf("chain", chain.mentions.length, `c${chain.colour}`, chain.label, chain));
  const home = new Map(boxes.map((box) => [box.chain, box]));
  const rest = sorted.slice(big.length);
  if (rest.length) {
    const others = boxOf("others", 0, "other", `${rest.length} others`);
    boxes.push(others);
    for (const chain of rest) home.set(chain, others);
  }
  const nothing = boxOf("nothing", 0, "none", title);
  boxes.push(nothing);
  home.set(null, nothing);
  return { boxes, home };
}

/** The boxes of both columns, what flows between them, how many mentions are left out. @param {Compared} compared */
export function flowsOf({ key, response }) {
  const left = columnOf(key, "extra");
  const right = columnOf(response, "missing");
  /** @type {Flows} */
  const flows = new Map(left.boxes.map((box) => [box, new Map()]));
  let leftOut = 0;
  const count = (/** @type {Chain | null} */ from, /** @type {Chain | null} */ to) => {
    const [source, target] = [left.home.get(from), right.home.get(to)];
    const targets = source && flows.get(source);
    if (!targets || !target) return;
    if (source.chain || target.chain) targets.set(target, (targets.get(target) || 0) + 1);
    else leftOut += 1;
  };
  for (const { chain, counterpart } of key.mentions) count(chain, counterpart && counterpart.chain);
  for (const { chain, counterpart } of response.mentions) if (!counterpart) count(null, chain);
  for (const box of left.boxes) if (!box.chain) box.size = sum([...(flows.get(box)?.values() || [])]);
  for (const box of right.boxes) if (!box.chain) box.size = sum([...flows.values()].map((to) => to.get(box) || 0));
  const shown = (/** @type {Box} */ { chain, size }) => chain || size;
  return { left: left.boxes.filter(shown), right: right.boxes.filter(shown), flows, leftOut };
}

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/**
 * Order the right column by where its flows come from, so that few of them cross.
 * @param {Box[]} right
 * @param {Flows} flows
 */
function untangle(right, flows) {
  const sums = new Map(right.map((box) => [box, { places: 0, mentions: 0 }]));
  [...flows.values()].forEach((targets, place) => {
    for (const [to, count] of targets) {
      const so = sums.get(to);
      if (so) Object.assign(so, { places: so.places + place * count, mentions: so.mentions + count });
    }
  });
  const rank = (/** @type {Box} */ box) => {
    const { places = 0, mentions = 0 } = sums.get(box) || {};
    return { chain: places / (mentions || 1), others: 1e8, nothing: 1e9 }[box.role];
  };
  right.sort((a, b) => rank(a) - rank(b));
}

/** Give the boxes of a column their places, and say how high it is. @param {Box[]} boxes @param {number} unit */
function stack(boxes, unit) {
  let y = 0;
  for (const box of boxes) {
    box.y = y;
    box.height = Math.max(box.size * unit, 2);
    y += Math.max(box.height + GAP, LINE);
  }
  return y - GAP;
}

/**
 * The outline of a band from one column to the other.
 * @param {number[]} x of the columns
 * @param {number} y0
 * @param {number} y1
 * @param {number} high
 */
function bandPath([x0, x1], y0, y1, high) {
  const middle = (x0 + x1) / 2;
  const there = `M${x0} ${y0}C${middle} ${y0} ${middle} ${y1} ${x1} ${y1}`;
  return `${there}v${high}C${middle} ${y1 + high} ${middle} ${y0 + high} ${x0} ${y0 + high}z`;
}

/**
 * The bands between boxes that have their places: those of a box one below the other.
 * @param {Flows} flows
 * @param {number} unit
 * @param {number[]} x of the left and the right column
 */
function bandsOf(flows, unit, x) {
  /** @type {Band[]} */
  const bands = [];
  /** @type {Map<Box, number>} */
  const used = new Map();
  const take = (/** @type {Box} */ box, /** @type {number} */ high) => {
    const before = used.get(box) || 0;
    used.set(box, before + high);
    return box.y + before;
  };
  for (const [from, targets] of flows) {
    for (const [to, count] of [...targets].sort(([a], [b]) => a.y - b.y)) {
      const high = count * unit;
      bands.push({
        path: bandPath(x, take(from, high), take(to, high), high),
        colour: from.chain ? from.colour : to.colour,
        title: `${from.title} → ${to.title}: ${plural(count, "mention")}`,
        chains: [from.chain, to.chain].filter((chain) => chain !== null),
      });
    }
  }
  return bands;
}

/**
 * Where everything is; null if there is nothing to compare.
 * @param {Compared} compared
 * @param {number} width
 * @returns {Diagram | null}
 */
export function layOut(compared, width) {
  const { left, right, flows, leftOut } = flowsOf(compared);
  if (!left.length || !right.length) return null;
  untangle(right, flows);
  const margin = width < 420 ? 84 : 118;
  const total = Math.max(...[left, right].map((boxes) => sum(boxes.map(({ size }) => size))));
  const height = Math.min(Math.max(14 * total, 90), 270);
  const unit = (height - GAP * Math.max(left.length, right.length)) / Math.max(total, 1);
  const highest = Math.max(stack(left, unit), stack(right, unit), 60);
  const bands = bandsOf(flows, unit, [margin, width - margin]);
  return { width, height: highest, margin, left, right, bands, leftOut };
}

/** @param {Band} band */
function drawBand({ path, colour, title, chains }) {
  const band = draw("path", { d: path, class: `band ${colour}` }, draw("title", {}, title));
  chainsOf.set(band, chains);
  return band;
}

/**
 * A box with its label; a chain can be selected.
 * @param {Box} box
 * @param {string} excerpt the first mention of the chain, if it is one
 * @param {{ x: number, anchor: "start" | "end", offset: number }} place
 * @param {(chain: Chain) => void} select
 */
function drawBox(box, excerpt, { x, anchor, offset }, select) {
  const { chain, title, y, height, size, colour } = box;
  const text = chain ? `${title} ${excerpt}` : title;
  const group = draw("g", { class: `entity ${colour}` });
  if (chain) makeButton(group, `chain ${text}, ${plural(size, "mention")}`, () => select(chain));
  group.append(draw("rect", { x, y, width: 8, height, rx: 1.5 }));
  const words = chain ? [draw("tspan", {}, title), ` \u2068${excerpt}\u2069`] : [title];
  group.append(draw("text", { x: x + offset, y: y + height / 2 + 4, "text-anchor": anchor }, words));
  group.append(draw("title", {}, `${text}: ${plural(size, "mention")}`));
  chainsOf.set(group, chain ? [chain] : []);
  return group;
}

/** @param {SVGElement} element @param {string} label @param {() => void} activate */
function makeButton(element, label, activate) {
  const keydown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    activate();
  };
  fill(element, { tabindex: "0", role: "button", "aria-label": label, on: { click: activate, keydown } });
}

/**
 * @param {HTMLElement} root
 * @param {DocumentModel} model
 * @param {Compared} compared
 * @param {(chain: Chain) => void} select
 */
export function showAlluvial(root, model, compared, select) {
  const diagram = layOut(compared, Math.max(root.clientWidth, 260));
  if (!diagram) {
    root.replaceChildren(quiet("No mentions to compare in this document."));
    return;
  }
  const { width, margin, left, right, bands, leftOut } = diagram;
  const height = diagram.height + 12;
  const longest = margin < 100 ? 8 : 12;
  const excerpt = (/** @type {Box} */ { chain }) => (chain ? model.textOf(chain.mentions[0], longest) : "");
  const label = "Key entities on the left, response entities on the right";
  root.replaceChildren(
    draw(
      "svg",
      { viewBox: `0 -4 ${width} ${height}`, width, height, class: "alluvial", role: "group", "aria-label": label },
      bands.map(drawBand),
      left.map((box) => drawBox(box, excerpt(box), { x: margin - 8, anchor: "end", offset: -6 }, select)),
      right.map((box) => drawBox(box, excerpt(box), { x: width - margin, anchor: "start", offset: 14 }, select)),
    ),
    leftOut ? quiet(`${plural(leftOut, "mention")} in smaller chains ${leftOut === 1 ? "is" : "are"} not shown.`) : "",
  );
}
