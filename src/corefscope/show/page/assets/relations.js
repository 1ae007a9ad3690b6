// @ts-check
/* What is linked to what besides identity: bridging anaphors to anchors, plurals to their elements; and what refers to
   nothing. */

import { button, make, quiet } from "./dom.js";
import { plural, visible } from "./format.js";
import { runsOf } from "./model.js";

/** @import { Child, Compared, EmbeddedRelation, EmbeddedResponse, Place, Relation, Side } from "./types.d.ts" */
/** @import { DocumentModel } from "./model.js" */

/** Kinds that are switched off. */
const hiddenRelations = new Set();

/**
 * The mention with these words, if a chain has it; else where they are.
 * @param {Side} side
 * @param {number[]} ends
 * @returns {Place}
 */
function placeOf(side, ends) {
  const wanted = String(ends);
  return side.mentions.find(({ runs }) => String(runs) === wanted) || { side, runs: runsOf(ends) };
}

/** The relations of one side. @param {EmbeddedRelation[]} embedded @param {Side} side @returns {Relation[]} */
const readRelations = (embedded, side) =>
  embedded.map(([kind, label, anaphor, targets, wrong]) => ({
    kind,
    label,
    anaphor: placeOf(side, anaphor),
    targets: targets.map((target) => placeOf(side, target)),
    wrong,
  }));

/** The relations of the key and of a response. @param {EmbeddedResponse} embedded @param {Compared} compared */
export function relationsOf({ r }, { key, response }) {
  return r ? [readRelations(r[0], key), readRelations(r[1], response)] : null;
}

/** How many relations there are of each kind. @param {Relation[][]} sides */
export function countRelations(sides) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { kind } of sides.flat()) counts.set(kind, (counts.get(kind) || 0) + 1);
  return counts;
}

/**
 * A card with the relations of both sides; null if the document has none.
 * @param {DocumentModel} model
 * @param {number} response
 * @param {Compared} compared
 * @param {(place: Place) => void} goTo
 */
export function relationsCard(model, response, compared, goTo) {
  const sides = relationsOf(model.embedded.responses[response], compared);
  if (!sides) return null;
  const lists = make("div", { class: "relations" });
  const show = () => {
    const columns = sides.map((relations, at) => relationList(model, relations, at ? "Response" : "Key", goTo));
    lists.replaceChildren(...columns);
  };
  show();
  const filters = [...countRelations(sides)].map(([kind, count]) => relationFilter(kind, count, show));
  return make(
    "details",
    { class: "card", id: "relations", open: true },
    make("summary", {}, "Relations"),
    quiet("Bridging anaphors lead to anchors, plurals to their elements. Choose a mention to see it in the text."),
    make("fieldset", {}, make("legend", { class: "hidden" }, "Kinds of relations that are shown"), filters),
    lists,
  );
}

/** @param {string} kind @param {number} count @param {() => void} show */
function relationFilter(kind, count, show) {
  const change = () => {
    if (input.checked) hiddenRelations.delete(kind);
    else hiddenRelations.add(kind);
    show();
  };
  const input = make("input", { type: "checkbox", autocomplete: "off", on: { change } });
  input.checked = !hiddenRelations.has(kind);
  return make("label", {}, input, ` ${kind} `, make("span", { class: "figure" }, String(count)));
}

/**
 * @param {DocumentModel} model
 * @param {Relation[]} relations
 * @param {string} title
 * @param {(place: Place) => void} goTo
 */
function relationList(model, relations, title, goTo) {
  const shown = relations.filter(({ kind }) => !hiddenRelations.has(kind));
  const items = shown.map((relation) => relationItem(model, relation, goTo));
  const list = items.length ? make("ul", { class: "list" }, items) : quiet("None.");
  return make("div", {}, make("h4", {}, `${title}: ${plural(shown.length, "relation")}`), list);
}

/** @param {DocumentModel} model @param {Relation} relation @param {(place: Place) => void} goTo */
function relationItem(model, { kind, label, anaphor, targets, wrong }, goTo) {
  const link = (/** @type {Place} */ place) =>
    button("plain", () => goTo(place), make("bdi", {}, model.textOf(place, 48)));
  /** @type {Child[]} */
  const to = targets.map((target, at) => [at ? " + " : make("span", { class: "arrow" }, " → "), link(target)]);
  const facts = [kind, visible(label)].filter(Boolean).join(", ");
  const verdict = wrong.length ? make("strong", {}, wrong.join(", ")) : "right";
  const said = make("span", { class: "quiet" }, make("bdi", {}, facts), " · ", verdict);
  return make("li", { class: wrong.length ? "relation bad" : "relation" }, link(anaphor), to, " ", said);
}
