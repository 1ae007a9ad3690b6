// @ts-check
/* The text of a document with its mentions marked. Rows are made in chunks, when they are needed or time is left. */

import { make, mentionsOf, whenIdle } from "./dom.js";
import { visible } from "./format.js";
import { merged, nestRow, partsByRow } from "./rows.js";

/** @import { Content, Mark, Mention, Part, Side, Zero } from "./types.d.ts" */
/** @import { DocumentModel } from "./model.js" */
/** @typedef {{ element: HTMLElement, first: number, last: number, filled: boolean, size: number }} Chunk */

const CHUNK_NODES = 700;
const DEEPEST = 5; // deeper marks look like this one

/** An empty node: its forms, and on demand its id and dependencies. @param {Zero} zero @param {number} bits */
function zeroMark(zero, bits) {
  const seen = zero.variants.filter(([sides]) => sides & bits);
  const distinct = (/** @type {string[]} */ values) => [...new Set(values.filter(Boolean))];
  const relations = distinct(seen.map(([, , relation]) => relation)).join(" / ");
  const form = distinct(seen.map(([, written]) => written)).join("/");
  const title = `zero, empty node ${zero.name}${relations && `: ${relations}`}`;
  return make("span", { class: "zero", title: visible(title) }, "∅", form ? make("small", {}, visible(form)) : null);
}

export class TextView {
  /**
   * @param {HTMLElement} root to be filled
   * @param {DocumentModel} model
   * @param {Side[][]} columns of sides: [[key], [response]] or [[key, response]]
   * @param {Set<string>} layers that are marked
   * @param {(mention: Mention, marks: HTMLElement[]) => void} dress is called when marks of a mention have been made
   */
  constructor(root, model, columns, layers, dress) {
    this.root = root;
    this.model = model;
    this.columns = columns;
    this.dress = dress;
    const marked = (/** @type {Side} */ side) => side.mentions.filter(({ chain }) => layers.has(chain.layer));
    this.parts = new Map(columns.flat().map((side) => [side, partsByRow(model, marked(side))]));
    /** @type {Map<Mention, HTMLElement[]>} */
    this.marks = new Map();
    /** @type {Chunk[]} */
    this.chunks = [];
    /** By number of the row. @type {Chunk[]} */
    this.chunkOf = [];
    this.stopped = false;
    this.makeChunks();
    this.observer = this.observeChunks();
    root.replaceChildren(...this.chunks.map(({ element }) => element));
    root.classList.toggle("many", this.chunks.length > 4);
    if (this.chunks.length) this.fill(this.chunks[0]);
    this.fillInIdleTime();
  }

  /** Divide the rows among elements, which are empty at first but about as high as they will be. */
  makeChunks() {
    const width = this.columns.length > 1 ? 6 : 3.4;
    let nodes = Infinity;
    this.model.rows.forEach((row, number) => {
      if (nodes >= CHUNK_NODES) {
        const element = make("div", { class: "chunk" });
        this.chunks.push({ element, first: number, last: number, filled: false, size: 0 });
        nodes = 0;
      }
      const chunk = this.chunks[this.chunks.length - 1];
      chunk.last = number;
      chunk.size += 40 + (row.end - row.start) * width;
      nodes += row.end - row.start;
      this.chunkOf.push(chunk);
    });
    for (const { element, size } of this.chunks) element.style.containIntrinsicSize = `auto ${Math.round(size)}px`;
  }

  /** Fill chunks when they come near. */
  observeChunks() {
    const byElement = new Map(this.chunks.map((chunk) => [/** @type {Element} */ (chunk.element), chunk]));
    const near = (/** @type {IntersectionObserverEntry[]} */ entries) => {
      for (const { isIntersecting, target } of entries) {
        const chunk = byElement.get(target);
        if (isIntersecting && chunk) this.fill(chunk);
      }
    };
    const observer = new IntersectionObserver(near, { rootMargin: "1200px" });
    for (const element of byElement.keys()) observer.observe(element);
    return observer;
  }

  fillInIdleTime() {
    let at = 0;
    const work = (/** @type {{ timeRemaining(): number }} */ deadline) => {
      while (!this.stopped && at < this.chunks.length && deadline.timeRemaining() > 5) this.fill(this.chunks[at++]);
      if (!this.stopped && at < this.chunks.length) whenIdle(work);
    };
    whenIdle(work);
  }

  /** @param {Chunk} chunk */
  fill(chunk) {
    if (chunk.filled) return;
    chunk.filled = true;
    this.observer.unobserve(chunk.element);
    /** @type {Set<Mention>} */
    const touched = new Set();
    for (let number = chunk.first; number <= chunk.last; number += 1) {
      const columns = this.columns.map((sides) => sides.flatMap((side) => this.parts.get(side)?.get(number) || []));
      for (const { mention } of columns.flat()) touched.add(mention);
      chunk.element.append(this.row(number, columns));
    }
    for (const mention of touched) this.dress(mention, this.marksOf(mention));
  }

  fillAll() {
    this.chunks.forEach((chunk) => this.fill(chunk));
  }

  stop() {
    this.stopped = true;
    this.observer.disconnect();
  }

  /** The marks of a mention that have been made. @param {Mention} mention */
  marksOf(mention) {
    return this.marks.get(mention) || [];
  }

  /** The element of a row. @param {number} number @param {Part[][]} columns */
  row(number, columns) {
    const row = this.model.rows[number];
    const { id, line, start, number: counted } = this.model.sentences[row.sentence];
    const begins = row.start === start;
    const title = `sentence ${counted}${id ? `, ${visible(id)}` : ""}, line ${line} of the key`;
    const label = make("span", { class: "number", title: begins && title }, begins ? String(counted) : "");
    const element = make("div", { class: "row" }, label);
    let deepest = 0;
    columns.forEach((parts, column) => {
      const sides = this.columns[column];
      const nested = nestRow(this.model, row, sides.length > 1 ? merged(parts) : parts, sides);
      const name = `words ${sides.map((side) => side.name).join(" ")}`;
      const bits = sides.reduce((mask, side) => mask | (1 << side.bit), 0);
      element.append(make("p", { dir: "auto", class: name }, this.contents(nested.children, bits)));
      deepest = Math.max(deepest, nested.deepest);
    });
    element.classList.add(`deep${Math.min(deepest, DEEPEST)}`);
    return element;
  }

  /** @param {Content[]} contents @param {number} bits of the sides that are shown @returns {(string | Node)[]} */
  contents(contents, bits) {
    return contents.map((content) => {
      if (typeof content === "string") return content;
      if ("glue" in content) return make("span", { class: "glue", "aria-hidden": "true" }, "‿");
      return "zero" in content ? zeroMark(content.zero, bits) : this.mark(content, bits);
    });
  }

  /** @param {Mark} mark @param {number} bits */
  mark({ part, opens, closes, more, height, children }, bits) {
    const { mention, counterpart, again } = part;
    const { chain, side } = mention;
    const sides = [side.name, counterpart && counterpart.side.name, counterpart && "agreed"];
    const ends = [opens && "opens", closes && "closes", more && "more", `h${Math.min(height, DEEPEST)}`];
    const names = ["m", ...sides, `c${chain.colour}`, chain.layer, ...ends];
    const element = make("span", { class: names.filter(Boolean).join(" ") });
    if (opens) element.dataset.label = again ? "⋯" + chain.label : chain.label;
    const mentions = counterpart ? [mention, counterpart] : [mention];
    mentionsOf.set(element, mentions);
    for (const marked of mentions) this.marks.set(marked, [...this.marksOf(marked), element]);
    element.append(...this.contents(children, bits));
    return element;
  }

  /** The first node of the topmost row on the screen; null if the text begins below it. */
  firstVisible() {
    const line = 120; // below what sticks to the top
    const reaches = (/** @type {Element} */ element) => element.getBoundingClientRect().bottom > line;
    if (this.root.getBoundingClientRect().top > line) return null;
    const chunk = this.chunks.find(({ element }) => reaches(element)); // rows off the screen would have to be laid out
    const at = chunk ? [...chunk.element.children].findIndex(reaches) : -1;
    return chunk && at >= 0 ? this.model.rows[chunk.first + at].start : null;
  }

  /** The first and the last node of the rows on the screen; null if none is. */
  nodesInView() {
    const seen = (/** @type {Element} */ element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return bottom > 0 && top < window.innerHeight;
    };
    const rows = this.chunks
      .filter(({ element }) => seen(element)) // rows off the screen would have to be laid out
      .flatMap(({ element, first }) => [...element.children].flatMap((row, at) => (seen(row) ? [first + at] : [])));
    return rows.length ? { first: this.model.rows[rows[0]].start, last: this.model.rows[rows.at(-1) || 0].end } : null;
  }

  /**
   * Where a mention begins on the screen; where its rows will be, if they are not made yet; null if it has no mark.
   * @param {Mention} mention
   */
  boxOf(mention) {
    const [mark] = this.marksOf(mention);
    if (mark) return mark.getClientRects()[0] || null;
    const chunk = this.chunkOf[this.model.rowOf(mention.runs[0][0])];
    return !chunk || chunk.filled ? null : chunk.element.getBoundingClientRect();
  }

  /** Bring a node into view. @param {number} node */
  reveal(node) {
    const number = this.model.rowOf(node);
    const chunk = this.chunkOf[number];
    if (!chunk) return; // ids have no text
    this.fill(chunk);
    const element = chunk.element.children[number - chunk.first];
    const scroll = () => element.scrollIntoView({ block: "center", behavior: "instant" });
    scroll();
    requestAnimationFrame(() => requestAnimationFrame(scroll)); // sizes of chunks on the way were estimates
  }
}
