// @ts-check
/* A document as it is embedded, made into objects: rows of text, chains, mentions and errors. What the embedded values
   mean is said in output/schemas/corefscope-page-1.json. */

import { shortened, visible } from "./format.js";

/** @import * as Types from "./types.d.ts" */

const COLOURS = 10;
/** The layers of chains, the letter before their numbers, and what they consist of. @type {string[][]} */
export const LAYERS = [
  ["", "", "entity"],
  ["deixis", "d", "entity of discourse deixis"],
  ["non-referring", "n", "mention that does not refer"],
  ["unscored", "s", "mention that identity does not score"],
];
const LONGEST_ROW = 240; // nodes; longer sentences are shown in several rows

export class DocumentModel {
  /** @param {Types.EmbeddedDocument} embedded */
  constructor(embedded) {
    this.embedded = embedded;
    /** The words of all sentences; empty nodes are empty words. @type {string[]} */
    this.words = [];
    /** After each word: 1 a blank, 0 none, 2 glued inside a multiword token. @type {number[]} */
    this.spaceAfter = [];
    /** @type {Types.Row[]} */
    this.rows = [];
    this.sentences = embedded.s.map((sentence, number) => this.readSentence(sentence, number));
    this.zeros = new Map(embedded.z.map(([node, name, variants]) => [node, readZero(name, variants)]));
  }

  /** @param {Types.EmbeddedDocument["s"][0]} sentence @param {number} number @returns {Types.Sentence} */
  readSentence([id, line, words, unspaced, glued], number) {
    const start = this.words.length;
    for (const word of words) {
      this.words.push(word);
      this.spaceAfter.push(1);
    }
    for (const at of unspaced) this.spaceAfter[start + at] = 0;
    for (const at of glued) this.spaceAfter[start + at] = 2;
    for (let at = start; at < this.words.length && !this.embedded.ids; at += LONGEST_ROW) {
      this.rows.push({ sentence: number, start: at, end: Math.min(at + LONGEST_ROW, this.words.length) });
    }
    return { id, line, number: number + 1, start, end: this.words.length };
  }

  /** The number of the row in which a node is. @param {number} node */
  rowOf(node) {
    let low = 0;
    let high = this.rows.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.rows[middle].start <= node) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The number of the sentence in which a node is, counted from 1; 0 if it is an id. @param {number} node */
  sentenceAt(node) {
    return this.embedded.ids ? 0 : this.sentences[this.rows[this.rowOf(node)].sentence].number;
  }

  /** The same for where a mention begins. @param {Types.Mention} mention */
  sentenceOf(mention) {
    return this.sentenceAt(mention.runs[0][0]);
  }

  /**
   * The words of a mention as in the text, "…" between its parts.
   * @param {{ side: { bit: number }, runs: [number, number][] }} mention
   */
  textOf({ side, runs }, limit = 80) {
    let text = "";
    runs.forEach(([first, last], at) => {
      let space = at ? " … " : "";
      // A character may be two units long: what has more than twice as many units is longer than the limit.
      for (let node = first; node <= last && text.length <= 2 * limit; node += 1) {
        const word = this.wordFor(side, node);
        if (word === null) continue;
        text += space + word;
        space = ["", " ", "‿"][this.spaceAfter[node]];
      }
    });
    return shortened(visible(text), limit);
  }

  /**
   * What a side has at a node: a word, "∅" and its form, or null.
   * @param {{ bit: number }} side
   * @param {number} node
   */
  wordFor(side, node) {
    const zero = this.zeros.get(node);
    if (!zero) return this.words[node];
    const variant = zero.variants.find(([sides]) => sides & (1 << side.bit));
    return variant ? "∅" + variant[1] : null;
  }
}

/** @param {string} name @param {Types.Variant[]} variants @returns {Types.Zero} */
function readZero(name, variants) {
  return { name, variants, sides: variants.reduce((mask, [sides]) => mask | sides, 0) };
}

/** First and last nodes, in pairs. @param {number[]} ends @returns {Types.Mention["runs"]} */
export const runsOf = (ends) =>
  Array.from({ length: ends.length / 2 }, (_, at) => [ends[2 * at], ends[2 * at + 1]]);

/** @param {Types.EmbeddedSide} embedded @param {number} bit */
function readSide(embedded, bit) {
  /** @type {Types.Side} */
  const side = { bit, isKey: bit === 0, name: bit === 0 ? "key" : "response", chains: [], all: [], mentions: [] };
  const empty = { partner: null, alone: 0, label: "", colour: 0 };
  side.all = embedded.e.map(([id, type, layer = ""], number) => {
    return { side, number, id, type, layer, mentions: [], links: [], ...empty };
  });
  side.chains = inLayer(side, "");
  side.mentions = embedded.m.map(([chain, head, ...ends], number) => {
    const runs = runsOf(ends);
    const mention = { side, number, chain: side.all[chain], head, runs, counterpart: null, errors: [] };
    mention.chain.mentions.push(mention);
    return mention;
  });
  const inText = (/** @type {Types.Mention} */ a, /** @type {Types.Mention} */ b) =>
    a.runs[0][0] - b.runs[0][0] || b.runs[0][1] - a.runs[0][1];
  for (const chain of side.all) chain.mentions.sort(inText);
  return side;
}

/** What a chain is, in words. @param {Types.Chain} chain */
export const wordsFor = (chain) => LAYERS.find(([layer]) => layer === chain.layer)?.[2] || "";

/** The chains of a side in a layer. @param {Types.Side} side @param {string} layer */
export const inLayer = (side, layer) => side.all.filter((chain) => chain.layer === layer);

/**
 * Key and one response, with counterparts, partners, labels and colours.
 * @param {DocumentModel} model
 * @param {number} number
 * @returns {Types.Compared}
 */
export function compareSides(model, number) {
  const embedded = model.embedded.responses[number];
  const key = readSide(model.embedded.key, 0);
  const response = readSide(embedded, number + 1);
  embedded.to.forEach((to, from) => (key.mentions[from].counterpart = response.mentions[to] || null));
  embedded.back.forEach((to, from) => (response.mentions[from].counterpart = key.mentions[to] || null));
  embedded.p.forEach((partner, from) => {
    if (partner >= 0) pair(key.all[from], response.all[partner]);
  });
  linkChains(key);
  linkChains(response);
  for (const [layer, letter] of LAYERS) nameChains(inLayer(key, layer), inLayer(response, layer), letter);
  const errors = embedded.f.map((error, at) => readError(error, at + 1, key, response));
  const sides = [key, response];
  const relations = (embedded.r || []).flatMap((rows, at) => rows.map((row) => readRelation(row, sides[at], errors)));
  return { key, response, errors, relations };
}

/** @param {Types.Chain} key @param {Types.Chain} response */
function pair(key, response) {
  key.partner = response;
  response.partner = key;
}

/**
 * @param {Types.EmbeddedResponse["f"][0]} error
 * @param {number} number
 * @param {Types.Side} keySide
 * @param {Types.Side} responseSide
 * @returns {Types.DocumentError}
 */
function readError([kind, line, inKey, inResponse], number, keySide, responseSide) {
  const key = inKey.map((mention) => keySide.mentions[mention]);
  const response = inResponse.map((mention) => responseSide.mentions[mention]);
  const error = { number, kind, line, key, response, mentions: [...key, ...response], relations: [] };
  for (const mention of error.mentions) mention.errors.push(error);
  return error;
}

/**
 * @param {Types.EmbeddedRelation} embedded
 * @param {Types.Side} side
 * @param {Types.DocumentError[]} all
 */
function readRelation([kind, label, anaphor, targets, errors], side, all) {
  const { mentions } = side;
  const named = (/** @type {number[]} */ numbers) => numbers.map((number) => all[number]);
  const to = targets.map(([target, ...about]) => ({ mention: mentions[target], errors: named(about) }));
  const relation = { side, kind, label, anaphor: mentions[anaphor], targets: to, errors: named(errors) };
  for (const error of relation.errors) error.relations.push(relation);
  return relation;
}

/** Which chains of the other side hold the counterparts of each chain's mentions. @param {Types.Side} side */
function linkChains(side) {
  for (const chain of side.all) {
    /** @type {Map<Types.Chain, number>} */
    const counts = new Map();
    for (const { counterpart } of chain.mentions) {
      if (counterpart) counts.set(counterpart.chain, (counts.get(counterpart.chain) || 0) + 1);
    }
    chain.links = [...counts].map(([other, count]) => ({ chain: other, count }));
    chain.links.sort((a, b) => b.count - a.count || a.chain.number - b.chain.number);
    chain.alone = chain.mentions.length - chain.links.reduce((sum, link) => sum + link.count, 0);
  }
}

/** Chains, the largest first. @param {Types.Chain[]} chains */
export const bySize = (chains) =>
  chains.slice().sort((a, b) => b.mentions.length - a.mentions.length || a.number - b.number);

/** The chains of a response that have no partner. @param {Types.Chain[]} chains */
export const unpaired = (chains) => chains.filter((chain) => !chain.partner);

/**
 * Partners share label and colour; the largest chains get colours first, so that neighbours seldom look alike.
 * @param {Types.Chain[]} key those of one layer
 * @param {Types.Chain[]} response
 * @param {string} letter of the layer, before the number
 */
function nameChains(key, response, letter) {
  const alone = unpaired(response);
  key.forEach((chain, at) => (chain.label = `${letter}${at + 1}`));
  alone.forEach((chain, at) => (chain.label = `r${letter}${at + 1}`));
  [...bySize(key), ...bySize(alone)].forEach((chain, at) => (chain.colour = at % COLOURS));
  for (const chain of response) {
    if (chain.partner) Object.assign(chain, { label: chain.partner.label, colour: chain.partner.colour });
  }
}

/** The name of a chain: its side, its layer if that is not identity, its id or number. @param {Types.Chain} chain */
export const chainName = ({ side, layer, id, number }) =>
  [side.name, layer, id || number + 1].filter(Boolean).join(":");

/**
 * The chain of a name: "key:e4", "key:deixis:e4", "response:2"; a number also finds a chain that has an id.
 * @param {Types.Compared} compared
 * @param {string} name
 */
export function chainNamed({ key, response }, name) {
  const chains = [...key.all, ...response.all];
  const numbered = (/** @type {Types.Chain} */ { side, number }) => `${side.name}:${number + 1}` === name;
  return chains.find((chain) => chainName(chain) === name) || chains.find(numbered) || null;
}
