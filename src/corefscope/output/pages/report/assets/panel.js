// @ts-check
/* Beside the text: the chain or error that is selected, and lists of errors and chains to select from. */

import { button, make, quiet } from "./dom.js";
import { plural, visible } from "./format.js";
import { bySize, inLayer, LAYERS, unpaired, wordsFor } from "./model.js";
import { relationItem, relationsOf } from "./relations.js";
import { lookOf, opened, overview, roots, shownErrors } from "./state.js";

/** @import { Calls, Chain, Child, DocumentError, Mention, Side } from "./types.d.ts" */

const LISTED = 150;
const OTHER_HEAD = "The response has this mention with the same words but another head.";

/**
 * A list that shows its beginning, and the rest when asked.
 * @template Item
 * @param {Item[]} items
 * @param {(item: Item) => Child} render
 * @param {"ol" | "ul"} tag
 */
function longList(items, render, tag = "ul") {
  const list = make(tag, { class: "list" }, items.slice(0, LISTED).map(render));
  if (items.length <= LISTED) return list;
  const showAll = () => {
    list.append(...make(tag, {}, items.slice(LISTED).map(render)).childNodes);
    more.remove();
  };
  const more = button("plain", showAll, `Show all ${items.length}`);
  return make("div", {}, list, more);
}

/** @param {Chain} chain */
const swatch = (chain) => make("b", { class: `swatch c${chain.colour}` }, chain.label);
/** @param {string} title */
const noSwatch = (title) => make("b", { class: "swatch none", title: title || null }, "–");
/** @param {string} text */
const figure = (text) => make("span", { class: "figure" }, text);
/** @param {Mention} mention @param {number} limit */
const textOf = (mention, limit) => opened().model.textOf(mention, limit);
/** @param {number} part @param {Chain} chain */
const share = (part, chain) => `${part} of ${chain.mentions.length}`;

/** @param {Chain} chain @param {Calls} calls @param {string} extra */
function chainItem(chain, { select }, extra) {
  const text = make("bdi", { class: "grow" }, textOf(chain.mentions[0], 48));
  return make("li", {}, button("item", () => select(chain), swatch(chain), text, figure(extra)));
}

/** Whether the mentions of an error have the same words, and differ in their heads. @param {DocumentError} error */
const sameWords = ({ key, response }) =>
  Boolean(key[0] && response[0]) && String(key[0].runs) === String(response[0].runs);

/** @param {DocumentError} error */
function headsOf({ key, response }) {
  const { model } = opened();
  const [inKey, inResponse] = [key[0], response[0]].map(({ side, head }) => visible(model.wordFor(side, head) || ""));
  const same = key[0].head === response[0].head;
  return same ? "the same words" : `head “${inKey}” in the key, “${inResponse}” in the response`;
}

/** A zero in the key and in the response: which node it is, and what it depends on. @param {Mention[]} mentions */
function attachments(...mentions) {
  const { zeros } = opened().model;
  return mentions.map((mention, at) => {
    const zero = zeros.get(mention.head);
    const [, , relation] = zero?.variants.find(([sides]) => sides & (1 << mention.side.bit)) || [];
    const place = zero ? [`node ${zero.name}`, relation && visible(relation)] : ["no zero"];
    const where = [`sentence ${opened().model.sentenceOf(mention)}`, ...place].filter(Boolean).join(", ");
    return [at > 0 && " → ", make("q", {}, make("bdi", {}, textOf(mention, 48))), " ", make("bdi", {}, `(${where})`)];
  });
}

/** What is wrong, in words. @param {DocumentError} error @returns {Child[]} */
function errorLine(error) {
  const [key, response] = [error.key[0], error.response[0]];
  const mentions = key ? error.key : error.response;
  const quote = (/** @type {Mention} */ mention) => make("q", {}, make("bdi", {}, textOf(mention, 48)));
  /** @type {Child[]} */
  const parts = [quote(mentions[0]), mentions.length > 1 && ` and ${mentions.length - 1} more`];
  const { name, of, verb, relation } = overview.kinds[error.kind];
  if (error.relations.length) return [parts, targetsOf(error, quote)];
  if (!key || !response) parts.push(" ", swatch(mentions[0].chain));
  else if (name !== of) return attachments(key, response); // a zero
  else if (verb) parts.push(" of ", swatch(key.chain), ` ${verb} `, swatch(response.chain));
  else if (!relation) parts.push(...(sameWords(error) ? [`, ${headsOf(error)}`] : [" → ", quote(response)]));
  return parts;
}

/**
 * What an anaphor leads to, in the key and in the response, as far as an error is about it.
 * @param {DocumentError} error
 * @param {(mention: Mention) => Child} quote
 */
function targetsOf(error, quote) {
  const { key, response } = opened().compared;
  return [key, response].map((side) => {
    const targets = error.relations
      .filter((relation) => relation.side === side)
      .flatMap((relation) => relation.targets.filter(({ errors }) => errors.includes(error)));
    const quotes = targets.map(({ mention }, at) => [at ? " + " : " → ", quote(mention)]);
    return targets.length > 0 && [quotes, ` in the ${side.name} `];
  });
}

/** @param {DocumentError} error @param {Calls} calls */
function errorItem(error, { link }) {
  const sentence = opened().model.sentenceOf(error.mentions[0]);
  const { title } = overview.kinds[error.kind];
  return make(
    "li",
    {},
    make(
      "a",
      { class: "item error", href: link(error), data: { error: error.number } },
      make("span", { class: `sample ${lookOf(error.kind)}`, title }),
      make("span", { class: "grow" }, make("span", { class: "kind" }, title), " ", errorLine(error)),
      sentence > 0 && make("span", { class: "figure", title: `sentence ${sentence}` }, String(sentence)),
    ),
  );
}

/** @param {Mention} mention @param {Calls} calls */
function mentionItem(mention, { goTo }) {
  const { counterpart, chain } = mention;
  const sentence = opened().model.sentenceOf(mention);
  const text = make("bdi", { class: "grow" }, textOf(mention, 60));
  const elsewhere = counterpart && counterpart.chain !== chain.partner && swatch(counterpart.chain);
  const fate = counterpart ? elsewhere : noSwatch("no counterpart");
  const place = sentence > 0 && figure(String(sentence));
  return make("li", {}, button("item", () => goTo(mention), place, text, fate));
}

/** Where the mentions of a chain are on the other side. @param {Chain} chain @param {Calls} calls */
function mapping(chain, calls) {
  const other = chain.side.isKey ? "response" : "key";
  const rows = chain.links.map((link) => chainItem(link.chain, calls, share(link.count, chain)));
  if (chain.alone) {
    const text = make("span", { class: "grow" }, `not in the ${other}`);
    rows.push(make("li", { class: "item lost" }, noSwatch(""), text, figure(share(chain.alone, chain))));
  }
  return [make("h4", {}, `In the ${other}`), make("ul", { class: "list maps" }, rows)];
}

/** What else is in the partner of a chain. @param {Chain} chain @param {Calls} calls @returns {Child[]} */
function alsoThere(chain, calls) {
  const { partner, side } = chain;
  const others = partner ? partner.links.filter((link) => link.chain !== chain) : [];
  if (!partner || !others.length) return [];
  const rows = others.map((link) => chainItem(link.chain, calls, share(link.count, partner)));
  const title = side.isKey ? "The response chain also holds" : "The key chain is also in";
  return [make("h4", {}, title), make("ul", { class: "list" }, rows)];
}

/** Mentions under a title. @param {string} title @param {Mention[]} mentions @param {Calls} calls */
const mentionList = (title, mentions, calls) => [
  make("h4", {}, title),
  longList(mentions, (mention) => mentionItem(mention, calls), "ol"),
];

/** @param {Chain} chain @param {Calls} calls */
export function showChain(chain, calls) {
  const size = plural(chain.mentions.length, "mention");
  const relations = relationsOf(chain);
  const facts = [`${chain.side.name} ${wordsFor(chain)}`, visible(chain.id), visible(chain.type), size].filter(Boolean);
  const errors = [...new Set(chain.mentions.flatMap((mention) => mention.errors))];
  errors.sort((a, b) => a.number - b.number);
  const content = make(
    "div",
    {},
    make("h3", {}, swatch(chain), " ", make("bdi", {}, textOf(chain.mentions[0], 60))),
    make("p", { class: "quiet facts" }, facts.map((fact, at) => [at ? " · " : "", make("bdi", {}, fact)])),
    mapping(chain, calls),
    alsoThere(chain, calls),
    relations.length > 0 && [
      make("h4", {}, "Relations"),
      longList(relations, (relation) => relationItem(relation, calls.goTo)),
    ],
    errors.length > 0 && [make("h4", {}, "Errors"), longList(errors, (error) => errorItem(error, calls))],
    mentionList("Mentions", chain.mentions, calls),
  );
  roots.selection.replaceChildren(...content.childNodes);
}

/** @param {DocumentError} error @param {Calls} calls */
export function showError(error, calls) {
  const { title, help } = overview.kinds[error.kind];
  const chains = [...new Set(error.mentions.map((mention) => mention.chain))];
  const content = make(
    "div",
    {},
    make("h3", {}, make("span", { class: `sample ${lookOf(error.kind)}` }), " ", title),
    make("p", {}, errorLine(error)),
    quiet(sameWords(error) && error.key[0].head !== error.response[0].head ? OTHER_HEAD : help),
    error.line > 0 && quiet(`line ${error.line} of the ${error.key.length ? "key" : "response"} file`),
    make("h4", {}, "Chains"),
    make("ul", { class: "list" }, chains.map((chain) => chainItem(chain, calls, chain.side.name))),
    error.key.length > 0 && mentionList("In the key", error.key, calls),
    error.response.length > 0 && mentionList("In the response", error.response, calls),
  );
  roots.selection.replaceChildren(...content.childNodes);
}

/** The errors that the filters let pass, and how many they hide. @param {Calls} calls */
export function listErrors(calls) {
  const errors = shownErrors();
  const hidden = opened().compared.errors.length - errors.length;
  const none = quiet(hidden ? "" : "No errors in this document.");
  const list = errors.length ? longList(errors, (error) => errorItem(error, calls), "ol") : none;
  roots.errors.replaceChildren(list, quiet(hidden > 0 ? `${plural(hidden, "error")} hidden by the filters.` : ""));
}

/** The chains of both sides, partners as one, layer by layer. @param {Calls} calls */
export function listChains(calls) {
  const { key, response } = opened().compared;
  const of = (/** @type {Side} */ side) => LAYERS.map(([layer]) => bySize(inLayer(side, layer)));
  const [ours, theirs] = [of(key), of(response)];
  const chains = ours.flatMap((layer, at) => [...layer, ...unpaired(theirs[at])]);
  const sizes = (/** @type {Chain} */ { side, mentions, partner }) =>
    side.isKey ? `${mentions.length} : ${partner ? partner.mentions.length : 0}` : `0 : ${mentions.length}`;
  roots.chains.replaceChildren(
    quiet("Mentions in the key : in the response chain of the same colour"),
    chains.length ? longList(chains, (chain) => chainItem(chain, calls, sizes(chain)), "ol") : quiet("No chains."),
  );
}
