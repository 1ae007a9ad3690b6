// @ts-check
/* A against B: which errors only one of two systems makes, what they cost, and where. */

import { byId, make, quiet } from "./dom.js";
import { percent, plural, visible } from "./format.js";
import { errorsHash } from "./hash.js";
import { everything } from "./index.js";
import { index, listItem } from "./list.js";
import { lookOf, overview } from "./state.js";
import { foldRows, makeSortable } from "./tables.js";

/** @import { Child, ListedError } from "./types.d.ts" */

const EXAMPLES = 6;

/** The errors that one system makes and another does not. @param {number} one @param {number} other */
const onlyIn = (one, other) => index.of(one).filter(({ also }) => !(also & (1 << other)));

/** @param {number} value */
const signed = (value) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(2)}`;

/**
 * How many errors there are of each of some things.
 * @param {ListedError[]} errors
 * @param {(error: ListedError) => number} of
 */
export function tally(errors, of) {
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const error of errors) counts.set(of(error), (counts.get(of(error)) || 0) + 1);
  return (/** @type {number} */ thing) => counts.get(thing) || 0;
}

/** A link to the errors that one system makes and another does not. */
class Side {
  /** @param {number} own @param {number} other */
  constructor(own, other) {
    this.own = own;
    this.other = other;
    this.errors = onlyIn(own, other);
    this.name = visible(overview.responses[own].name);
    this.byDocument = tally(this.errors, ({ document }) => document);
    this.byKind = tally(this.errors, ({ kind }) => kind);
  }

  /** @param {number} count @param {number[] | null} kinds @param {number} document */
  link(count, kinds = null, document = -1) {
    if (!count) return "0";
    const filter = { ...everything(), other: this.other, document };
    return make("a", { href: errorsHash(this.own, kinds, filter) }, count.toLocaleString("en"));
  }
}

/** A cell that sorts by its value. @param {number} value @param {Child} content */
const cell = (value, content) => make("td", { data: { value } }, content);

/** @param {string[]} heads @param {Child[]} rows @param {string} caption */
function table(heads, rows, caption) {
  const numeric = { first: "descending" };
  const columns = heads.map((content, at) => make("th", { scope: "col", data: at ? numeric : {} }, content));
  const made = make(
    "table",
    { class: "figures" },
    make("caption", {}, caption),
    make("thead", {}, make("tr", {}, columns)),
    make("tbody", {}, rows),
  );
  makeSortable(made);
  return made;
}

/** A heading that ends with the name of a system, whatever its script. @param {string} text @param {string} name */
const headed = (text, name) => `${text}\u2068${name}\u2069`;

/** Points and errors by class. @param {Side} a @param {Side} b */
function byKind(a, b) {
  const classes = overview.kinds.filter(({ name, of }) => name === of);
  const costs = (/** @type {Side} */ { own }, /** @type {string} */ name) => overview.responses[own].costs[name] || 0;
  const rows = classes.map(({ name, title }) => {
    const kinds = [...overview.kinds.keys()].filter((kind) => overview.kinds[kind].of === name);
    const only = (/** @type {Side} */ side) => kinds.reduce((sum, kind) => sum + side.byKind(kind), 0);
    const [costsA, costsB] = [costs(a, name), costs(b, name)];
    if (!costsA && !costsB && !only(a) && !only(b)) return null;
    return make(
      "tr",
      {},
      make("th", { scope: "row" }, make("span", { class: `sample ${lookOf(kinds[0])}` }), " ", title),
      cell(only(a), a.link(only(a), kinds)),
      cell(only(b), b.link(only(b), kinds)),
      cell(costsA, costsA.toFixed(2)),
      cell(costsB, costsB.toFixed(2)),
      cell(costsB - costsA, signed(costsB - costsA)),
    );
  });
  const only = [a, b].map(({ name }) => headed("Errors of only ", name));
  const lost = [a, b].map(({ name }) => headed("Points lost by ", name));
  return table(["Class", ...only, ...lost, "A is ahead by"], rows, "By class of errors");
}

/** Scores and errors by document. @param {Side} a @param {Side} b */
function byDocument(a, b) {
  const rows = overview.documents.map(({ id, scores }, number) => {
    const [scoreA, scoreB] = [scores[a.own], scores[b.own]];
    const difference = 100 * ((scoreA ?? 0) - (scoreB ?? 0));
    const link = `#${new URLSearchParams({ doc: id, response: String(a.own + 1) })}`;
    const row = make(
      "tr",
      {},
      make("th", { scope: "row" }, make("a", { href: link }, make("bdi", {}, visible(id)))),
      cell(scoreA ?? -1, percent(scoreA)),
      cell(scoreB ?? -1, percent(scoreB)),
      cell(difference, scoreA === null || scoreB === null ? "–" : signed(difference)),
      cell(a.byDocument(number), a.link(a.byDocument(number), null, number)),
      cell(b.byDocument(number), b.link(b.byDocument(number), null, number)),
    );
    return { row, difference };
  });
  rows.sort((one, other) => Math.abs(other.difference) - Math.abs(one.difference));
  const names = [a, b].map(({ name }) => headed("", name));
  const only = [a, b].map(({ name }) => headed("Errors of only ", name));
  const caption = `${overview.headline} by document, the largest differences first`;
  return table(["Document", ...names, "A is ahead by", ...only], rows.map(({ row }) => row), caption);
}

/** What one system gets right and the other does not: errors of the other. @param {Side} right @param {Side} wrong */
function examples(right, wrong) {
  const [hero, other] = [right, wrong].map(({ name }) => make("bdi", {}, name));
  const count = wrong.errors.length;
  const length = Math.min(EXAMPLES, count);
  const some = Array.from({ length }, (_, at) => Math.floor((at * count) / length)); // from all over the corpus
  const shown = some.map((at) => listItem(wrong.errors[at], wrong.own));
  return make(
    "div",
    {},
    make("h3", {}, hero, " is right where ", other, " is not"),
    quiet("Errors that only the other makes: ", wrong.link(count)),
    make("ol", { class: "list" }, shown),
  );
}

/** @param {number} one @param {number} other */
function show(one, other) {
  const [a, b] = [new Side(one, other), new Side(other, one)];
  const [scoreA, scoreB] = [one, other].map((response) => overview.responses[response].score);
  byId("name-a").textContent = a.name;
  byId("name-b").textContent = b.name;
  const ahead = scoreA === null || scoreB === null ? "" : ` (${signed(100 * (scoreA - scoreB))})`;
  const both = index.of(one).length - a.errors.length;
  const sharing = ` They share ${plural(both, "error")}: of the same kind, at the same mention.`;
  const scores = [` has ${overview.headline} ${percent(scoreA)}${ahead}, `, ` ${percent(scoreB)}.${sharing}`];
  const documents = byDocument(a, b);
  byId("comparison").replaceChildren(
    make("p", { class: "lead" }, make("bdi", {}, a.name), scores[0], make("bdi", {}, b.name), scores[1]),
    make("div", { class: "halves" }, examples(a, b), examples(b, a)),
    make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "By class of errors" }, byKind(a, b)),
    make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "By document" }, documents),
  );
  foldRows(documents);
}

/** Compare the first two systems, and others when they are chosen. */
export function startAgainst() {
  if (overview.responses.length < 2) return;
  const [a, b] = ["system-a", "system-b"].map((id) => /** @type {HTMLSelectElement} */ (byId(id)));
  b.value = "1";
  const choose = (/** @type {HTMLSelectElement} */ chosen, /** @type {HTMLSelectElement} */ other) => {
    if (a.value === b.value) other.value = chosen.value === "0" ? "1" : "0";
    show(Number(a.value), Number(b.value));
  };
  a.addEventListener("change", () => choose(a, b));
  b.addEventListener("change", () => choose(b, a));
  choose(a, b);
}
