// @ts-check
/* Showing what the hash says. */

import { everything } from "./index.js";
import { showListNow } from "./list.js";
import { chainNamed } from "./model.js";
import { chooseResponse, filterKinds, openDocument, reveal, selectChain, selectError, showReading } from "./reading.js";
import { opened, overview, state } from "./state.js";

/** @import { ErrorFilter } from "./types.d.ts" */

/** What makes a hash one of the list of errors. */
const OF_LIST = ["kind", "slice", "mention", "head", "in", "q", "with", "without"];

/** Show what the hash says; without one, nothing changes but the first document is opened. */
export function follow() {
  const hash = window.location.hash.slice(1);
  const says = hash.includes("="); // other hashes are the names of sections
  if (!says && state.opened) return;
  const asked = new URLSearchParams(says ? hash : "");
  const response = Number(asked.get("response") || 1) - 1;
  if (says && response !== state.response && overview.responses[response]) chooseResponse(response);
  const named = documentNamed(asked.get("doc"));
  const number = named >= 0 ? named : Math.max(state.number, 0);
  if (number !== state.number || !state.opened) openDocument(number);
  if (named < 0 && OF_LIST.some((name) => asked.has(name))) filter(asked);
  else if (!select(asked) && named >= 0) showReading();
}

/** @param {string | null} wanted */
const documentNamed = (wanted) => overview.documents.findIndex(({ id }) => id === wanted);

/** Show the errors that are asked for. @param {URLSearchParams} asked */
function filter(asked) {
  const wanted = (asked.get("kind") || "all").split(",");
  const kinds = [...overview.kinds.keys()].filter((kind) => wanted.includes(overview.kinds[kind].name));
  const other = Number(asked.get("with") || asked.get("without") || 0) - 1;
  /** @type {ErrorFilter} */
  const found = {
    ...everything(),
    text: asked.get("q") || "",
    document: documentNamed(asked.get("in")),
    slice: asked.get("slice") || "",
    mention: asked.get("mention") || "",
    head: asked.get("head") || "",
    other: overview.responses[other] ? other : -1,
    shared: asked.has("with"),
  };
  state.filter = found;
  filterKinds(kinds.length ? kinds : overview.kinds.keys());
  showListNow();
}

/** Select the error or chain that is asked for; whether there is one. @param {URLSearchParams} asked */
function select(asked) {
  const { compared } = opened();
  const error = compared.errors[Number(asked.get("error") || asked.get("fault")) - 1]; // "fault" in addresses of 0.9
  const name = asked.get("chain");
  const chain = name ? chainNamed(compared, name) : null;
  if (error) selectError(error);
  else if (chain) {
    selectChain(chain, true);
    reveal(chain.mentions[0]);
  } else if (state.chain || state.error) selectChain(null);
  return Boolean(error || chain);
}
