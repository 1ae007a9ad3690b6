// @ts-check
/* What is linked to what besides identity, in words: bridging anaphors to anchors, plurals to their elements; and what
   refers to nothing. */

import { button, make, quiet } from "./dom.js";
import { plural, visible } from "./format.js";
import { opened, overview, relationPasses, state } from "./state.js";

/** @import { Calls, Chain, Child, Mention, Relation } from "./types.d.ts" */

/** What is wrong with a relation, in words. @param {Relation} relation */
export const wrongOf = ({ errors }) => [...new Set(errors.map(({ kind }) => overview.kinds[kind].title))].join(", ");

/** A relation with links to its mentions. @param {Relation} relation @param {Calls["goTo"]} goTo */
export function relationItem(relation, goTo) {
  const { kind, label, anaphor, targets } = relation;
  const link = (/** @type {Mention} */ mention) =>
    button("plain", () => goTo(mention), make("bdi", {}, opened().model.textOf(mention, 48)));
  /** @type {Child[]} */
  const to = targets.map(({ mention }, at) => [at ? " + " : make("span", { class: "to" }, " → "), link(mention)]);
  const facts = [kind, visible(label)].filter(Boolean).join(", ");
  const wrong = wrongOf(relation);
  const verdict = wrong ? make("strong", {}, wrong) : "right";
  const said = make("span", { class: "quiet" }, make("bdi", {}, facts), " · ", verdict);
  return make("li", { class: wrong ? "relation bad" : "relation" }, link(anaphor), to, " ", said);
}

/** The relations of a chain, as the anaphor or as what it leads to. @param {Chain} chain */
export const relationsOf = (chain) =>
  opened().compared.relations.filter(
    ({ anaphor, targets }) => anaphor.chain === chain || targets.some(({ mention }) => mention.chain === chain),
  );

/** A mention and what it is linked to, for who cannot see arrows. @param {Mention} mention */
export function inWords(mention) {
  const { model } = opened();
  return relationsOf(mention.chain)
    .filter(({ anaphor }) => anaphor === mention)
    .map((relation) => {
      const to = relation.targets.map((target) => model.textOf(target.mention, 48)).join(" and ");
      return `, ${relation.kind}${to && ` to ${to}`}, ${wrongOf(relation) || "right"}`;
    })
    .join("");
}

/**
 * A card with the relations of both sides; null if the document has none.
 * @param {Calls["goTo"]} goTo
 * @param {() => void} changed is called when kinds have been switched on or off
 */
export function relationsCard(goTo, changed) {
  const { relations, key, response } = opened().compared;
  if (!relations.length) return null;
  const kinds = new Map(relations.map(({ kind }) => [kind, 0]));
  for (const { kind } of relations) kinds.set(kind, (kinds.get(kind) || 0) + 1);
  const columns = [key, response].map((side) => {
    const shown = relations.filter((relation) => relation.side === side && relationPasses(relation));
    const list = shown.length
      ? make("ul", { class: "list" }, shown.map((relation) => relationItem(relation, goTo)))
      : quiet("None.");
    const title = side.isKey ? "Key" : "Response";
    return make("div", {}, make("h3", {}, `${title}: ${plural(shown.length, "relation")}`), list);
  });
  return make(
    "details",
    { class: "card", id: "relations", open: true },
    make("summary", {}, "Relations"),
    quiet("Bridging anaphors lead to anchors, plurals to their elements. Choose a mention to see it in the text."),
    make(
      "fieldset",
      {},
      make("legend", { class: "hidden" }, "Kinds of relations that are shown"),
      [...kinds].map(([kind, count]) => relationFilter(kind, count, changed)),
    ),
    make("div", { class: "relations" }, columns),
  );
}

/** @param {string} kind @param {number} count @param {() => void} changed */
function relationFilter(kind, count, changed) {
  const change = () => {
    if (input.checked) state.hidden.delete(kind);
    else state.hidden.add(kind);
    changed();
  };
  const input = make("input", { type: "checkbox", autocomplete: "off", data: { relation: kind }, on: { change } });
  input.checked = !state.hidden.has(kind);
  return make("label", {}, input, ` ${kind} `, make("span", { class: "figure" }, String(count)));
}
