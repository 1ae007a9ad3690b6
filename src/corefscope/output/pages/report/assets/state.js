// @ts-check
/* What the page is about, what is shown of it, and the elements it is shown in. */

import { byId } from "./dom.js";
import { everything } from "./index.js";
import { LAYERS } from "./model.js";

/** @import { Opened, Overview, Relation, State } from "./types.d.ts" */

/** @type {Overview} */
export const overview = readEmbedded("overview-data");

/** @type {State} */
export const state = {
  response: 0,
  number: -1,
  overlaid: false,
  kinds: new Set(overview.kinds.keys()),
  filter: everything(),
  layers: new Set(LAYERS.map(([layer]) => layer)),
  hidden: new Set(),
  arrows: "pointed",
  chain: null,
  error: null,
  allLanes: false,
  opened: null,
  lights: new Map(),
  step: { chain: null, at: 0 },
};

export const roots = {
  text: byId("text"),
  entities: byId("entities"),
  lanes: byId("lanes"),
  alluvial: byId("alluvial"),
  how: byId("how"),
  diagrams: byId("diagrams"),
  filters: byId("filters"),
  listKinds: byId("list-kinds"),
  panel: byId("panel"),
  selection: byId("selection"),
  errors: byId("document-errors"),
  chains: byId("chains"),
  facts: byId("facts"),
  heads: byId("heads"),
  headOfResponse: byId("response-head"),
  pages: byId("pages"),
  previous: /** @type {HTMLButtonElement} */ (byId("previous")),
  next: /** @type {HTMLButtonElement} */ (byId("next")),
  overlay: /** @type {HTMLInputElement} */ (byId("overlay")),
  choice: /** @type {HTMLSelectElement} */ (byId("document-choice")),
};

/** The value that is embedded in an element. @param {string} id */
export function readEmbedded(id) {
  return JSON.parse(byId(id).textContent || "");
}

/** The document that is open; to be asked only while one is. @returns {Opened} */
export function opened() {
  if (!state.opened) throw new Error("no document is open");
  return state.opened;
}

/** The class of style of a kind of error. @param {number} kind */
export const lookOf = (kind) => `k-${overview.kinds[kind].name}`;

/** Whether filters let a relation pass: by its kind, and one that is wrong by its errors. @param {Relation} relation */
export const relationPasses = ({ kind, errors }) =>
  !state.hidden.has(kind) && (!errors.length || errors.some((error) => state.kinds.has(error.kind)));

/** The errors that the filters let pass. */
export const shownErrors = () => opened().compared.errors.filter(({ kind }) => state.kinds.has(kind));

/** The chain that is selected or holds what is. */
export const chainInFocus = () => state.chain || state.error?.mentions[0].chain || null;
