// @ts-check
/* The marks in a row of text, and how they nest. */

import { visible } from "./format.js";

/** @import { Content, Mark, Mention, Part, Row, Side } from "./types.d.ts" */
/** @import { DocumentModel } from "./model.js" */

/**
 * The parts of mentions that fall into each row: row number -> parts in the order of the mentions.
 * @param {DocumentModel} model
 * @param {Mention[]} mentions
 */
export function partsByRow(model, mentions) {
  /** @type {Map<number, Part[]>} */
  const rows = new Map();
  for (const mention of mentions) {
    mention.runs.forEach(([first, last], at) => {
      for (let row = model.rowOf(first); row < model.rows.length && model.rows[row].start <= last; row += 1) {
        const { start, end } = model.rows[row];
        const part = {
          mention,
          start: Math.max(first, start),
          end: Math.min(last, end - 1),
          opens: first >= start,
          closes: last < end,
          again: at > 0 && first >= start,
          more: at < mention.runs.length - 1 && last < end,
        };
        const others = rows.get(row);
        if (others) others.push(part);
        else rows.set(row, [part]);
      }
    });
  }
  return rows;
}

/** Merge the marks of key and response where they agree. @param {Part[]} parts @returns {Part[]} */
export function merged(parts) {
  return parts
    .filter(({ mention }) => mention.side.isKey || !agreed(mention))
    .map((part) => ({ ...part, counterpart: agreed(part.mention) }));
}

/**
 * The counterpart of a mention, if it has the same words and is in the partner of its chain, and both mutually.
 * @param {Mention} mention
 */
function agreed(mention) {
  const { counterpart, chain, runs } = mention;
  if (counterpart?.counterpart !== mention || counterpart.chain !== chain.partner) return undefined;
  return String(runs) === String(counterpart.runs) ? counterpart : undefined;
}

/**
 * The words and marks of a row. Parts may nest and cross; marks that cross are cut in pieces.
 * @param {DocumentModel} model
 * @param {Row} row
 * @param {Part[]} parts
 * @param {Side[]} sides that are shown: empty nodes of others are left out
 * @returns {{ children: Content[], deepest: number }} the content, and how deep marks nest
 */
export function nestRow(model, row, parts, sides) {
  const waiting = parts.slice().sort(inOpeningOrder);
  const bits = sides.reduce((mask, side) => mask | (1 << side.bit), 0);
  const nesting = new Nesting();
  let next = 0;
  let space = 0; // before the next word: it belongs outside of what ends before it
  for (let node = row.start; node < row.end; node += 1) {
    const zero = model.zeros.get(node);
    if (!zero || zero.sides & bits) {
      if (space) nesting.add(space === 2 ? { glue: true } : " ");
      while (next < waiting.length && waiting[next].start <= node) nesting.enter(waiting[next++], true);
      nesting.add(zero ? { zero } : visible(model.words[node]));
      if (!zero) space = model.spaceAfter[node];
      else if (space) space = 1; // an empty node between two words has a blank on both sides
    }
    nesting.closeAt(node);
  }
  return { children: nesting.children, deepest: nesting.deepest };
}

/** The longer part opens first, that of the key before that of the response. @param {Part} a @param {Part} b */
const inOpeningOrder = (a, b) => a.start - b.start || b.end - a.end || a.mention.side.bit - b.mention.side.bit;

/** Marks that open and close as the nodes of a row go by. */
class Nesting {
  constructor() {
    /** @type {Content[]} */
    this.children = [];
    /** @type {Mark[]} */
    this.open = []; // the innermost last
    this.deepest = 0;
  }

  /** @param {Content} content */
  add(content) {
    (this.open.at(-1) || this).children.push(content);
  }

  /** @param {Part} part @param {boolean} first whether no piece of the part came before */
  enter(part, first) {
    /** @type {Mark} */
    const mark = { part, opens: first && part.opens, closes: false, more: false, height: 0, children: [] };
    this.add(mark);
    this.open.push(mark);
    this.deepest = Math.max(this.deepest, this.open.length);
  }

  /** Close what ends at a node; what is nested in it and goes on is cut and opened again. @param {number} node */
  closeAt(node) {
    const lowest = this.open.findIndex(({ part }) => part.end <= node);
    if (lowest < 0) return;
    const closed = this.open.splice(lowest).reverse();
    const cut = closed.filter((mark) => !this.close(mark, node)).reverse();
    for (const { part } of cut) this.enter(part, false);
  }

  /** Whether a mark ends at a node, and is not only cut there. @param {Mark} mark @param {number} node */
  close(mark, node) {
    const ends = mark.part.end <= node;
    mark.height = mark.children.reduce((height, child) => Math.max(height, heightOf(child)), 0);
    mark.closes = ends && mark.part.closes;
    mark.more = ends && mark.part.more;
    return ends;
  }
}

/** @param {Content} content */
const heightOf = (content) => (typeof content !== "string" && "height" in content ? content.height + 1 : 0);
