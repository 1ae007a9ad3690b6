// @ts-check
/* How the score of a document comes about: tables of terms, as `corefscope explain` prints them. */

import { button, make, quiet } from "./dom.js";
import { visible } from "./format.js";

/** @import { Child, Compared, Mention } from "./types.d.ts" */
/** @import { EmbeddedCalculation, EmbeddedPiece, EmbeddedRow, EmbeddedSection } from "./types.d.ts" */
/** @import { DocumentModel } from "./model.js" */

const LIMIT = 32;

/** Those of the response are −1, −2, … instead of 0, 1, ….  @param {number} number */
const decoded = (number) => (number >= 0 ? number : -1 - number);

/**
 * The calculations of the document that is open.
 * @param {HTMLElement} root
 * @param {DocumentModel} model
 * @param {Compared} compared
 * @param {(mention: Mention) => void} goTo
 */
export function showHow(root, model, compared, goTo) {
  const how = model.embedded.responses[compared.response.bit - 1].how;
  const command = `corefscope explain METRIC KEY RESPONSE --document '${visible(model.embedded.id)}'`;
  const hint = how.length ? "The same for all metrics: " : "Not explained on this page: ";
  const tables = new Tables(model, compared, goTo);
  const shown = how.map((calculation) => tables.calculation(calculation));
  root.replaceChildren(...shown, quiet(hint, make("code", {}, command)));
}

/** Makes the tables of one document. */
class Tables {
  /** @param {DocumentModel} model @param {Compared} compared @param {(mention: Mention) => void} goTo */
  constructor(model, compared, goTo) {
    this.model = model;
    this.compared = compared;
    this.goTo = goTo;
  }

  /** @param {EmbeddedCalculation} calculation */
  calculation([title, sections, figures]) {
    const rows = figures.map(([name, formula, value, percent]) =>
      make("tr", {}, heading(name), make("td", {}, formula), make("td", {}, value), make("td", {}, percent)),
    );
    return make(
      "div",
      { class: "calculation" },
      make("h3", {}, title),
      sections.map((section) => this.section(section)),
      make("table", { class: "figures result" }, make("tbody", {}, rows)),
    );
  }

  /** @param {EmbeddedSection} section @returns {Child[]} */
  section([title, columns, rows, totals, altered]) {
    const unsaid = ["Entity", "Mentions"].map((column) => make("span", { class: "hidden" }, column));
    const heads = [...unsaid, ...columns].map((column) => make("th", { scope: "col" }, column));
    const several = totals.some(Boolean) && rows.length > 1;
    const sum = several && make("tr", { class: "sum" }, heading("Σ"), cells(["", ...totals]));
    const table = make(
      "table",
      { class: "figures terms" },
      make("thead", {}, make("tr", {}, heads)),
      make("tbody", {}, rows.map((row) => this.row(row)), sum),
    );
    const sets = altered.map(([name, entities]) =>
      quiet(`${name}: `, entities.map((mentions) => ["{", this.mentions(mentions), "} "])),
    );
    return [make("p", { class: "lead" }, title), sets, make("div", { class: "scroll" }, table)];
  }

  /** @param {EmbeddedRow} row */
  row([level, about, pieces, terms]) {
    const shown = pieces.map((piece, at) => [at ? " | " : "", this.piece(piece)]);
    const name = typeof about === "string" ? visible(about) : this.chain(about);
    const mentions = make("td", { class: "pieces" }, shown);
    const head = name === "" ? make("td", {}) : heading(name);
    return make("tr", { class: level ? "detail" : null }, head, mentions, cells(terms));
  }

  /** @param {EmbeddedPiece} piece @returns {Child[]} */
  piece([mentions, chain]) {
    return [this.mentions(mentions), chain !== null && [" → ", this.chain(chain)]];
  }

  /** A chain as the text shows it; one that is in no file is a plus. @param {number | null} number @returns {Child} */
  chain(number) {
    if (number === null) return "+";
    const { key, response } = this.compared;
    const chain = (number >= 0 ? key : response).chains[decoded(number)];
    return make("b", { class: `swatch c${chain.colour}`, title: visible(chain.id) || null }, chain.label);
  }

  /** @param {number[]} numbers @returns {Child[]} */
  mentions(numbers) {
    const { key, response } = this.compared;
    return numbers.map((number, at) => {
      const mention = (number >= 0 ? key : response).mentions[decoded(number)];
      const text = make("bdi", {}, this.model.textOf(mention, LIMIT));
      return [at ? ", " : "", button("plain mention-link", () => this.goTo(mention), text)];
    });
  }
}

/** @param {Child} content */
const heading = (content) => make("th", { scope: "row" }, content);

/** @param {string[]} texts */
const cells = (texts) => texts.map((text) => make("td", {}, text));
