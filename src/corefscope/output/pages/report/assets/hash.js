// @ts-check
/* The hash says what is shown: #doc=ID&response=2&chain=key:e4&error=17, or in the list of errors
   #kind=divided,conflated&slice=distance:6%2B&mention=words&head=word&in=ID&q=words&without=2 (or with=2). */

import { chainName } from "./model.js";
import { overview, state } from "./state.js";

/** @import { Chain, ErrorFilter, DocumentError } from "./types.d.ts" */

/** @param {URLSearchParams} parameters @param {number} response */
function hash(parameters, response) {
  if (response) parameters.set("response", String(response + 1));
  return `#${parameters}`;
}

/** The hash of an error. @param {number} response @param {number} document @param {number} number */
export const errorHash = (response, document, number) =>
  hash(new URLSearchParams({ doc: overview.documents[document].id, error: String(number) }), response);

/** The hash of the open document. @param {Chain | null} chain @param {DocumentError | null} error */
export function hashOf(chain, error) {
  if (error) return errorHash(state.response, state.number, error.number);
  const parameters = new URLSearchParams({ doc: overview.documents[state.number].id });
  if (chain) parameters.set("chain", chainName(chain));
  return hash(parameters, state.response);
}

/**
 * The hash of a list of errors.
 * @param {number} response
 * @param {Iterable<number> | null} kinds all, if it is null
 * @param {ErrorFilter} filter
 */
export function errorsHash(response, kinds, { text, document, slice, mention, head, other, shared }) {
  const names = kinds ? [...kinds].map((kind) => overview.kinds[kind].name) : ["all"];
  const parameters = new URLSearchParams({ kind: names.join() });
  for (const [name, value] of Object.entries({ slice, mention, head })) if (value) parameters.set(name, value);
  if (document >= 0) parameters.set("in", overview.documents[document].id);
  if (other >= 0) parameters.set(shared ? "with" : "without", String(other + 1));
  if (text) parameters.set("q", text);
  return hash(parameters, response);
}

/** The hash of the list as it is filtered. */
export const listHash = () =>
  errorsHash(state.response, state.kinds.size < overview.kinds.length ? state.kinds : null, state.filter);

/** Say in the address what is shown; going back leads to where `push` was given. */
export function writeHash(push = false) {
  const shown = hashOf(state.chain, state.error);
  if (shown !== window.location.hash) window.history[push ? "pushState" : "replaceState"](null, "", shown);
}
