// @ts-check
/* Which setting and which data sets are shown, and how the address says so: #setting=exact+match&part=language:en. */

/** @import { Choice, ColumnData } from "./types.d.ts" */

/** All data sets. */
export const ALL = -1;

/**
 * What an address asks for; what does not exist is the first setting, and all data sets.
 * @param {string} hash
 * @param {string[]} settings titles
 * @param {string[]} parts names such as language:en
 * @returns {Choice}
 */
export function choiceOf(hash, settings, parts) {
  const asked = new URLSearchParams(hash.replace(/^#/, ""));
  const setting = settings.indexOf(asked.get("setting") ?? "");
  return { setting: Math.max(setting, 0), part: parts.indexOf(asked.get("part") ?? "") };
}

/**
 * The address of a choice; nothing for the first setting with all data sets.
 * @param {Choice} choice
 * @param {string[]} settings
 * @param {string[]} parts
 */
export function hashOfChoice({ setting, part }, settings, parts) {
  const asked = new URLSearchParams();
  if (setting > 0) asked.set("setting", settings[setting]);
  if (part !== ALL) asked.set("part", parts[part]);
  return asked.size ? `#${asked}` : "";
}

/**
 * Whether a column is shown: an average of its own part only, a data set if it belongs to the part, all else always.
 * @param {ColumnData} column
 * @param {number} part
 */
export function isShown({ part: own, parts }, part) {
  if (own !== undefined) return Number(own) === part;
  if (parts === undefined || part === ALL) return true;
  return parts.split(" ").includes(String(part));
}
