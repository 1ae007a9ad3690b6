// @ts-check
/* In place of the text, where mentions are ids: the entities of the key, and where they are in the response. */

import { button, chainsOf, make } from "./dom.js";
import { moreRows, plural, visible } from "./format.js";
import { bySize, unpaired } from "./model.js";

/** @import { Calls, Chain, Child, Compared } from "./types.d.ts" */
/** @import { DocumentModel } from "./model.js" */

const FIRST_ENTITIES = 25; // rows at first
const MORE_ENTITIES = 100; // that one click adds
const IDS_OF_ENTITY = 6; // of an entity

/** How many rows of the document are shown. @type {{ model: DocumentModel | null, rows: number }} */
const unfolded = { model: null, rows: FIRST_ENTITIES };

/** Chains with errors first, then the largest. @param {Compared} compared */
export function orderedEntities({ key, response }) {
  const chains = [...bySize(key.chains), ...bySize(unpaired(response.chains))];
  const wrong = (/** @type {Chain} */ chain) => chain.mentions.some(({ errors }) => errors.length > 0);
  return [...chains.filter(wrong), ...chains.filter((chain) => !wrong(chain))];
}

/**
 * @param {HTMLElement} root
 * @param {DocumentModel} model
 * @param {Compared} compared
 * @param {Pick<Calls, "select">} calls
 */
export function showEntities(root, model, compared, { select }) {
  if (unfolded.model !== model) Object.assign(unfolded, { model, rows: FIRST_ENTITIES });
  const entities = orderedEntities(compared);
  const swatch = (/** @type {Chain} */ chain) => {
    const id = visible(chain.id);
    const name = make("b", { class: `swatch c${chain.colour}`, title: id || null }, chain.label);
    return button("plain", () => select(chain), name);
  };
  const named = (/** @type {Chain} */ chain) => [swatch(chain), " ", make("code", {}, visible(chain.id))];
  const ids = (/** @type {Chain} */ { mentions }) => {
    const some = mentions.slice(0, IDS_OF_ENTITY).map((mention) => model.textOf(mention, 40));
    const more = mentions.length - some.length;
    return [make("bdi", {}, some.join(", ")), more > 0 && ` and ${more.toLocaleString("en")} more`];
  };
  const elsewhere = (/** @type {Chain} */ chain) => {
    /** @type {Child[]} */
    const parts = chain.links.map(({ chain: other, count }, at) => [at > 0 && " · ", swatch(other), ` ×${count}`]);
    return [...parts, chain.alone > 0 && `${parts.length ? " · " : ""}${chain.alone} missing`];
  };
  const row = (/** @type {Chain} */ chain) => {
    const inKey = chain.side.isKey;
    const cells = [inKey ? named(chain) : "–", ids(chain), inKey ? elsewhere(chain) : [named(chain), " only here"]];
    const [first, ...others] = cells;
    const made = make("tr", {}, make("th", { scope: "row" }, first), others.map((cell) => make("td", {}, cell)));
    chainsOf.set(made, [chain]);
    return made;
  };
  const heads = ["Key entity", "Mentions", "In the response"].map((head) => make("th", { scope: "col" }, head));
  const table = make(
    "table",
    { class: "figures entities" },
    make("thead", {}, make("tr", {}, heads)),
    make("tbody", {}, entities.slice(0, unfolded.rows).map(row)),
  );
  const left = entities.length - unfolded.rows;
  const more = () => {
    unfolded.rows += MORE_ENTITIES;
    showEntities(root, model, compared, { select });
  };
  const count = plural(entities.length, "entity", "entities");
  const says = `Mentions are ids, so there is no text: ${count}, those with errors first.`;
  root.replaceChildren(
    make("p", { class: "quiet" }, says),
    make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table of entities" }, table),
    ...(left > 0 ? [button("plain", more, moreRows(left, MORE_ENTITIES))] : []),
  );
}
