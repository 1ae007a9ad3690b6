// @ts-check
/* Showing what the hash says. */

import { chainNamed } from "./model.js";
import { chooseResponse, openDocument, reveal, selectChain, selectFault, showReading } from "./reading.js";
import { opened, overview, state } from "./state.js";

/** Show what the hash says; without one, nothing changes but the first document is opened. */
export function follow() {
  const hash = window.location.hash.slice(1);
  const says = hash.includes("="); // other hashes are the names of sections
  if (!says && state.opened) return;
  const asked = new URLSearchParams(says ? hash : "");
  const response = Number(asked.get("response") || 1) - 1;
  if (says && response !== state.response && overview.responses[response]) chooseResponse(response);
  const kinds = [...overview.kinds.keys()].filter((kind) => overview.kinds[kind].of === asked.get("kind"));
  if (kinds.length) state.kinds = new Set(kinds);
  const named = overview.documents.findIndex(({ id }) => id === asked.get("doc"));
  const number = named >= 0 ? named : kinds.length ? richest(kinds) : Math.max(state.number, 0);
  if (number !== state.number || kinds.length || !state.opened) openDocument(number);
  if (!select(asked) && (named >= 0 || kinds.length)) showReading();
}

/** Select the fault or chain that is asked for; whether there is one. @param {URLSearchParams} asked */
function select(asked) {
  const { compared } = opened();
  const fault = compared.faults[Number(asked.get("fault")) - 1];
  const name = asked.get("chain");
  const chain = name ? chainNamed(compared, name) : null;
  if (fault) selectFault(fault);
  else if (chain) {
    selectChain(chain, true);
    reveal(chain.mentions[0]);
  } else if (state.chain || state.fault) selectChain(null);
  return Boolean(fault || chain);
}

/** The document in which there is most to see of some kinds of error. @param {number[]} wanted */
function richest(wanted) {
  const counts = overview.documents.map(({ kinds }) =>
    wanted.reduce((sum, kind) => sum + kinds[state.response][kind], 0),
  );
  return counts.indexOf(Math.max(...counts));
}
