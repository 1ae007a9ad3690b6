// @ts-check
/* The document that is open: its text and diagrams, its marks, and what is selected in it. */

import { showAlluvial } from "./alluvial.js";
import { askForArrows } from "./arrows.js";
import { all, byId, chainsOf, mentionsOf, one } from "./dom.js";
import { showEntities } from "./entities.js";
import { percent, plural } from "./format.js";
import { hashOf, writeHash } from "./hash.js";
import { showHow } from "./how.js";
import { showLanes } from "./lanes.js";
import { markCurrent, neighbour, showList, turnTo } from "./list.js";
import { compareSides, DocumentModel, wordsFor } from "./model.js";
import { listChains, listErrors, showChain, showError } from "./panel.js";
import { relationsCard } from "./relations.js";
import { chainInFocus, lookOf, opened, overview, readEmbedded, roots, state } from "./state.js";
import { TextView } from "./text.js";

/** @import { Calls, Chain, Compared, DocumentError, Mention, Side } from "./types.d.ts" */

/** The class by which a mark is underlined. @type {WeakMap<Element, string>} */
const underlined = new WeakMap();
/** @type {Calls} */
const calls = { select: selectChain, goTo, link: (error) => hashOf(null, error) };
/**
 * The document that was read last: it is open, or was before another response was chosen.
 * @type {{ number: number, model: DocumentModel } | null}
 */
let read = null;

/* Opening */

/** @param {number} number */
export function openDocument(number) {
  if (!read || read.number !== number) {
    read = { number, model: new DocumentModel(readEmbedded(`document-${number}`)) };
    state.allLanes = false;
  }
  Object.assign(state, { number, chain: null, error: null });
  const { model } = read;
  const compared = compareSides(model, state.response);
  state.opened?.view.stop();
  state.opened = { model, compared, view: viewOf(model, compared) };
  showPlace();
  showFacts();
  showFilters();
  showDiagrams();
  showHow(roots.how, model, compared, goTo);
  showRelations();
  showLayers();
  showPanel();
  light(null);
}

/** Text, or a table of entities where mentions are ids. */
function showPlace() {
  const { model, compared } = opened();
  const ids = Boolean(model.embedded.ids);
  byId("reading").classList.toggle("ids", ids);
  roots.entities.hidden = !ids;
  if (ids) showEntities(roots.entities, model, compared, calls);
}

/** @param {DocumentModel} model @param {Compared} compared */
function viewOf(model, { key, response, relations }) {
  roots.text.className = state.overlaid ? "text overlaid" : "text beside";
  roots.text.classList.toggle("linked", relations.length > 0 && state.arrows !== "none");
  roots.heads.hidden = state.overlaid;
  roots.headOfResponse.textContent = overview.responses[state.response].name;
  return new TextView(roots.text, model, state.overlaid ? [[key, response]] : [[key], [response]], state.layers, dress);
}

/** Show the text again, overlaid or side by side. */
export function showText() {
  const { model, compared, view } = opened();
  view.stop();
  state.opened = { model, compared, view: viewOf(model, compared) };
  askForArrows();
}

/** How many mentions of key and response there are in each layer, and whether they are marked. */
export function showLayers() {
  const { key, response } = opened().compared;
  for (const input of all("#layers input")) {
    const { layer = "" } = input.dataset;
    const count = (/** @type {Side} */ { mentions }) => mentions.filter(({ chain }) => chain.layer === layer).length;
    /** @type {HTMLInputElement} */ (input).checked = state.layers.has(layer);
    one(".figure", input.closest("label") || input).textContent = `${count(key)} : ${count(response)}`;
  }
}

function showFacts() {
  const { words, scores, faults: errors } = overview.documents[state.number];
  const { model, compared } = opened();
  const sizes = [plural(model.sentences.length, "sentence"), plural(words, "word")];
  const facts = [
    ...(model.embedded.ids ? [plural(compared.key.mentions.length, "mention") + " in the key"] : sizes),
    `${overview.headline} ${percent(scores[state.response])}`,
    plural(errors[state.response], "error"),
  ];
  roots.facts.textContent = facts.join(" · ");
  roots.choice.value = String(state.number);
  roots.previous.disabled = state.number === 0;
  roots.next.disabled = state.number === overview.documents.length - 1;
}

export function showDiagrams() {
  const { model, compared } = opened();
  const more = () => {
    state.allLanes = true;
    showDiagrams();
  };
  showLanes(roots.lanes, model, compared, { select: selectChain, goTo, everything: state.allLanes, more });
  showAlluvial(roots.alluvial, model, compared, selectChain);
  lightDiagrams();
}

function showRelations() {
  const changed = () => {
    const { relation } = /** @type {HTMLElement} */ (document.activeElement).dataset;
    showRelations();
    one(`#relations input[data-relation="${relation}"]`)?.focus();
  };
  const card = relationsCard(goTo, changed);
  document.getElementById("relations")?.remove();
  if (card) roots.diagrams.append(card);
  askForArrows();
}

export function showFilters() {
  const counts = overview.kinds.map(() => 0);
  for (const error of opened().compared.errors) counts[error.kind] += 1;
  for (const label of all("label[data-kind]", roots.filters)) {
    const kind = Number(label.dataset.kind);
    /** @type {HTMLInputElement} */ (one("input", label)).checked = state.kinds.has(kind);
    one(".figure", label).textContent = String(counts[kind]);
    label.classList.toggle("empty", !counts[kind]);
  }
}

export function showPanel() {
  listErrors(calls);
  listChains(calls);
  showSelection();
}

function showSelection() {
  roots.panel.classList.toggle("chosen", Boolean(state.error || state.chain));
  if (state.error) showError(state.error, calls);
  else if (state.chain) showChain(state.chain, calls);
  else roots.selection.replaceChildren();
  for (const item of all("a.error", roots.errors)) {
    if (Number(item.dataset.error) === state.error?.number) item.setAttribute("aria-current", "true");
    else item.removeAttribute("aria-current");
  }
  markCurrent();
}

/** Show another response; a document must be opened afterwards. @param {number} number */
export function chooseResponse(number) {
  state.opened?.view.stop();
  Object.assign(state, { response: number, opened: null });
  all("section.response").forEach((section, at) => section.classList.toggle("current", at === number));
  for (const select of all("select.response-choice")) {
    /** @type {HTMLSelectElement} */ (select).value = String(number);
  }
  state.filter.other = -1; // it may be the one that is chosen now
  showList();
  for (const link of all("nav a[data-section]")) link.setAttribute("href", `#${link.dataset.section}-${number}`);
}

/* Marks */

/**
 * A mention is lit, underlined by the first kind of error that is not filtered out, or the target of a link.
 * @param {Mention} mention
 * @param {HTMLElement[]} marks
 */
function dress(mention, marks) {
  const shown = mention.errors.filter(({ kind }) => state.kinds.has(kind));
  const target = Boolean(state.error?.mentions.includes(mention));
  for (const mark of marks) {
    const lights = (mentionsOf.get(mark) || []).map(({ chain }) => state.lights.get(chain));
    mark.classList.toggle("lit", lights.includes("lit"));
    mark.classList.toggle("kin", lights.includes("kin") && !lights.includes("lit"));
    mark.classList.toggle("target", target);
    underline(mark, shown);
  }
}

/** @param {HTMLElement} mark @param {DocumentError[]} errors */
function underline(mark, errors) {
  const before = underlined.get(mark);
  if (before) mark.classList.remove("wrong", before);
  underlined.delete(mark);
  const [mention] = mentionsOf.get(mark) || [];
  const layer = mention?.chain.layer && wordsFor(mention.chain);
  const title = [layer, ...errors.map((error) => overview.kinds[error.kind].title)].filter(Boolean).join(", ");
  if (title) mark.title = title;
  else mark.removeAttribute("title");
  if (!errors.length) return;
  const look = lookOf(errors[0].kind);
  underlined.set(mark, look);
  mark.classList.add("wrong", look);
}

/** @param {Mention[]} mentions */
function dressAgain(mentions) {
  const { view } = opened();
  for (const mention of mentions) dress(mention, view.marksOf(mention));
}

/** Show other kinds of errors. @param {Iterable<number>} kinds */
export function filterKinds(kinds) {
  state.kinds = new Set(kinds);
  dressAgain(opened().compared.errors.flatMap(({ mentions }) => mentions));
  showFilters();
  showRelations();
  showPanel();
  showList();
}

/** A chain and its partner are lit, those that share mentions with it are its kin. @param {Chain | null} chain */
function lightsOf(chain) {
  /** @type {typeof state.lights} */
  const lights = new Map();
  if (!chain) return lights;
  for (const link of chain.links) lights.set(link.chain, "kin");
  lights.set(chain, "lit");
  if (chain.partner) lights.set(chain.partner, "lit");
  return lights;
}

/** Light a chain up; one that is selected pushes everything else into the background. @param {Chain | null} chain */
export function light(chain, selected = true) {
  const before = state.lights;
  state.lights = lightsOf(chain);
  for (const root of [roots.text, roots.diagrams]) root.classList.toggle("focused", selected && state.lights.size > 0);
  for (const touched of new Set([...before.keys(), ...state.lights.keys()])) dressAgain(touched.mentions);
  lightDiagrams();
  askForArrows();
}

function lightDiagrams() {
  for (const element of all(".lane, .band, .entity", roots.diagrams)) {
    const lights = (chainsOf.get(element) || []).map((chain) => state.lights.get(chain));
    const band = element.classList.contains("band"); // it is lit if both its ends are
    element.classList.toggle("lit", lights.includes("lit") && (!band || lights.every(Boolean)));
  }
}

/* Selecting */

/** Select a chain, or nothing; what is selected already is let go, unless kept. @param {Chain | null} chain */
export function selectChain(chain, keep = false) {
  const again = chain === state.chain && !state.error && !keep;
  choose(again ? null : chain, null);
  writeHash();
}

/** @param {DocumentError} error */
export function selectError(error) {
  choose(null, error);
  reveal(error.mentions[0]);
}

/** @param {Chain | null} chain @param {DocumentError | null} error */
function choose(chain, error) {
  const before = state.error;
  Object.assign(state, { chain, error });
  if (before) dressAgain(before.mentions);
  light(chainInFocus());
  if (error) dressAgain(error.mentions);
  showSelection();
}

/** @param {Mention} mention */
function goTo(mention) {
  if (state.chain !== mention.chain && !state.error) selectChain(mention.chain, true);
  reveal(mention);
}

/** Bring a mention into view and make it blink. @param {Mention} mention */
export function reveal(mention) {
  const { view } = opened();
  view.reveal(mention.runs[0][0]);
  const mark = view.marksOf(mention)[0];
  if (!mark) return;
  mark.classList.add("found");
  setTimeout(() => mark.classList.remove("found"), 1600);
}

/** Bring the text into view. */
export const showReading = () => byId("reading").scrollIntoView({ behavior: "instant" });

/** To the next error of the list, or one back, in whatever document it is. @param {1 | -1} step */
export function stepError(step) {
  const next = neighbour(step);
  if (!next) return;
  const elsewhere = next.document !== state.number;
  if (elsewhere) openDocument(next.document);
  selectError(opened().compared.errors[next.number - 1]);
  turnTo(next);
  writeHash(elsewhere);
}

/** To the next mention of the chain, or one back. @param {1 | -1} step */
export function stepMention(step) {
  const chain = chainInFocus();
  if (!chain) return;
  const size = chain.mentions.length;
  state.step = { chain, at: chain === state.step.chain ? (state.step.at + step + size) % size : 0 };
  reveal(chain.mentions[state.step.at]);
}
