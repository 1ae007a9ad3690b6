// @ts-check
/* The hash says what is shown: #doc=ID&response=2&chain=key:e4&fault=17, or #kind=divided. */

import { overview, state } from "./state.js";

/** @import { Chain, Fault } from "./types.d.ts" */

/** The hash of the open document with a chain or a fault. @param {Chain | null} chain @param {Fault | null} fault */
export function hashOf(chain, fault) {
  const parameters = new URLSearchParams({ doc: overview.documents[state.number].id });
  if (state.response) parameters.set("response", String(state.response + 1));
  if (fault) parameters.set("fault", String(fault.number));
  else if (chain) parameters.set("chain", `${chain.side.name}:${chain.id || chain.number + 1}`);
  return `#${parameters}`;
}

/** Say in the address what is shown; going back leads to where `push` was given. */
export function writeHash(push = false) {
  const hash = hashOf(state.chain, state.fault);
  if (hash !== window.location.hash) window.history[push ? "pushState" : "replaceState"](null, "", hash);
}
