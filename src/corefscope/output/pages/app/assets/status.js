// @ts-check
/* One line that says what is going on, or what to do next. */

/** @import { State } from "./types.d.ts" */

export const INCOMPLETE = "Choose, drop or paste a key and at least one response.";

/** @param {State} state */
export function statusText({ trouble, refused, remark, busy, ready, complete }) {
  if (trouble) return trouble;
  if (busy) return ready ? "Working …" : "Python is starting, which takes some seconds …";
  if (refused) return refused;
  const next = complete ? (ready ? "Ready." : "Python is starting …") : INCOMPLETE;
  return [remark, next].filter(Boolean).join(" ");
}
