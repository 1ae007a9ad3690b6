// @ts-check
/* The files that people have chosen: what they are called, which belong together, and how large they may be. */

/** @import { Chosen, Placed } from "./types.d.ts" */

/** Bytes of all files; more do not fit into the memory that a page gets, once they are read. */
export const MOST = 300_000_000;
const LONGEST = 120;

/** A name that a file may have in a directory, much like its own. @param {string} name */
export function safeName(name) {
  const plain = [...name.replace(/[\u0000-\u001f\u007f/\\]/g, "_")].filter((sign) => !/^[\ud800-\udfff]$/.test(sign));
  const end = plain.slice(-LONGEST).join("");
  return /^(\.|$)/.test(end) ? `file${end}` : end; // hidden files of a directory are not read
}

/** Names that differ: "a.conllu", "a (2).conllu". @param {string[]} names */
export function distinctNames(names) {
  /** @type {Set<string>} */
  const taken = new Set();
  return names.map((name) => {
    const [, stem, suffix] = /^(.+?)((?:\.[^.]*){0,2})$/su.exec(name) || ["", name, ""];
    let free = name;
    for (let number = 2; taken.has(free); number += 1) free = `${stem} (${number})${suffix}`;
    taken.add(free);
    return free;
  });
}

/** A name up to its first dot, by which files are paired. @param {string} name */
const stemOf = (name) => name.split(".", 1)[0];

/**
 * For each response the number of its key among several, and its system. A key and its responses have the same name
 * up to the first dot; what follows it names the system: en.conllu, en.ours.conllu, en.theirs.conllu.
 * @param {string[]} keys
 * @param {string[]} responses
 * @returns {{ key: number, system: string }[]} the key of a response that has none is -1
 */
export function pairUp(keys, responses) {
  const stems = keys.map(stemOf);
  /** @type {Set<string>} */
  const taken = new Set();
  return responses.map((name) => {
    const stem = stemOf(name);
    const near = stems.indexOf(stem);
    const key = keys.includes(name) ? keys.indexOf(name) : near === stems.lastIndexOf(stem) ? near : -1;
    if (key < 0) return { key, system: "" };
    const rest = name === keys[key] ? "" : name.slice(stem.length);
    const label = rest.replace(/\.[^.]*(\.(gz|xz|bz2))?$/, "").replace(/^\.+/, "") || "response";
    let system = label;
    for (let number = 2; taken.has(`${key} ${system}`); number += 1) system = `${label} (${number})`;
    taken.add(`${key} ${system}`);
    return { key, system };
  });
}

/** What `pairUp` says of files; null if there are not several keys. @param {Chosen} chosen */
export const pairsOf = ({ key, responses }) =>
  key.length > 1 ? pairUp(distinctNames(key.map(nameOf)), responses.map(nameOf)) : null;

const nameOf = (/** @type {File} */ { name }) => safeName(name);

/** Where files are for Python: those of several keys in a directory for each side and system. @param {Chosen} chosen */
export function place({ key, responses }) {
  const keys = distinctNames(key.map(nameOf));
  const names = responses.map(nameOf);
  const pairs = pairsOf({ key, responses });
  /** @type {Placed} */
  const placed = { key: pairs ? "key" : keys.map((name) => `key/${name}`).join(""), responses: [], files: [] };
  key.forEach((file, at) => placed.files.push({ path: `key/${keys[at]}`, file, side: "key" }));
  const add = (/** @type {string} */ path, /** @type {File} */ file) =>
    placed.files.push({ path, file, side: "responses" });
  if (pairs) {
    placed.names = [...new Set(pairs.map(({ system }) => system).filter(Boolean))];
    placed.responses = placed.names.map((system) => `responses/${system}`);
    pairs.forEach(({ system }, at) => system && add(`responses/${system}/${names[at]}`, responses[at]));
  } else {
    placed.responses = distinctNames(names).map((name) => `responses/${name}`);
    placed.responses.forEach((path, at) => add(path, responses[at]));
  }
  return placed;
}

/** "812 bytes", "2.8 MB". @param {number} bytes */
export function sizeText(bytes) {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(0)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Why these files cannot be scored here; nothing if they can. @param {Chosen} chosen */
export function refusal({ key, responses }) {
  const files = [...key, ...responses];
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  if (bytes <= MOST) return "";
  const together = files.length > 1 ? "Together the files have" : "The file has";
  return `${together} ${sizeText(bytes)}: more than the ${sizeText(MOST)} that this page takes. `
    + "The command line takes any size: pip install corefscope";
}
