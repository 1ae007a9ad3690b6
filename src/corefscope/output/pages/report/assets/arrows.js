// @ts-check
/* Arrows over the text: from bridging anaphors to anchors, from plurals to their elements. The lists of relations say
   the same in words. */

import { curveBetween, headOf, labelBox } from "./curves.js";
import { draw } from "./dom.js";
import { visible } from "./format.js";
import { lookOf, opened, overview, relationPasses, roots, state } from "./state.js";

/** @import { DocumentError, Mention, Rectangle, Relation } from "./types.d.ts" */

const MOST = 120; // arrows at once: more would hide the text
const DOT = 3;
/** Where on a mention an arrow begins and ends: those of key and response apart where they are overlaid. */
const SHARES = { key: 0.4, response: 0.6 };

/** It has no size: arrows are drawn at their place in the text. */
const picture = draw("svg", { class: "arrows", width: 1, height: 1, "aria-hidden": "true" });
let asked = false;

/** What is wrong, as short as an arrow needs: missing, extra, wrong entity. @param {DocumentError | undefined} error */
const verdictOf = (error) =>
  error ? overview.kinds[error.kind].name.replace(/^(missing|extra)_.*|_/, "$1 ").trim() : "";

/** The relations that are meant: all, or those of the chains that are lit and of the error that is selected. */
function wanted() {
  if (state.arrows === "none") return [];
  const { relations } = opened().compared;
  if (state.arrows === "all") return relations;
  const lit = (/** @type {Mention} */ { chain }) => state.lights.get(chain) === "lit";
  return relations.filter(
    (relation) =>
      lit(relation.anaphor) ||
      relation.targets.some(({ mention }) => lit(mention)) ||
      state.error?.relations.includes(relation),
  );
}

/** Those of them that filters let pass and that begin or end on the screen. @param {Relation[]} relations */
function inView(relations) {
  const nodes = relations.length ? opened().view.nodesInView() : null;
  if (!nodes) return [];
  const seen = (/** @type {Mention} */ { runs: [[node]] }) => node >= nodes.first && node < nodes.last;
  return relations.filter(
    (relation) =>
      relationPasses(relation) && (seen(relation.anaphor) || relation.targets.some(({ mention }) => seen(mention))),
  );
}

/** The first relations, until they have too many targets. @param {Relation[]} relations @param {number} most */
function atMost(relations, most) {
  let left = most;
  return relations.filter(({ targets }) => (left -= targets.length) >= 0);
}

/**
 * @param {Relation} relation
 * @param {Relation["targets"][0]} target
 * @param {(mention: Mention) => Rectangle | null} boxOf
 * @param {Rectangle[]} labels that are there already
 */
function arrow({ kind, label, side, anaphor }, { mention, errors }, boxOf, labels) {
  const [from, to] = [boxOf(anaphor), boxOf(mention)];
  if (!from || !to) return [];
  const curve = curveBetween(from, to, SHARES[side.name]);
  const error = errors.find((about) => state.kinds.has(about.kind));
  const [x, y] = curve.end;
  const text = [visible(label), verdictOf(error)].filter(Boolean).join(" · ");
  const box = labelBox(curve, text.length, roots.pages.clientWidth, labels);
  if (text) labels.push(box);
  const look = error ? lookOf(error.kind) : "right";
  const drawn = draw(
    "g",
    { class: `arrow ${side.name} ${kind} ${look}` },
    draw("path", { class: "halo", d: curve.path }),
    draw("path", { class: "shaft", d: curve.path }),
    kind === "bridging"
      ? draw("path", { class: "head", d: headOf(curve) })
      : draw("circle", { class: "head", cx: x, cy: y, r: DOT }),
  );
  const [middle, line] = [box.left + box.width / 2, box.top + box.height / 2];
  return text ? [drawn, draw("text", { class: look, x: middle, y: line }, text)] : [drawn];
}

function drawArrows() {
  asked = false;
  if (!state.opened) return;
  const relations = atMost(inView(wanted()), MOST);
  const { left, top } = picture.getBoundingClientRect();
  const boxOf = (/** @type {Mention} */ mention) => {
    const box = opened().view.boxOf(mention);
    return box && { left: box.left - left, top: box.top - top, width: box.width, height: box.height };
  };
  /** @type {Rectangle[]} */
  const labels = [];
  const drawn = relations.flatMap((relation) =>
    relation.targets.flatMap((target) => arrow(relation, target, boxOf, labels)),
  );
  const isLabel = (/** @type {SVGElement} */ { tagName }) => tagName === "text";
  picture.replaceChildren(...drawn.filter((part) => !isLabel(part)), ...drawn.filter(isLabel));
}

/** Draw the arrows again before the next frame: something has changed, or moved. */
export function askForArrows() {
  if (asked || !state.opened?.compared.relations.length) {
    if (!asked) picture.replaceChildren();
    return;
  }
  asked = true;
  requestAnimationFrame(drawArrows);
}

/** Follow the text wherever it goes. */
export function startArrows() {
  roots.pages.append(picture);
  new ResizeObserver(askForArrows).observe(roots.text);
  for (const event of ["scroll", "resize"]) window.addEventListener(event, askForArrows, { passive: true });
}
