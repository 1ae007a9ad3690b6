// @ts-check
/* The files that people have chosen: what they are called, and how large they may be. */

/** @import { Chosen } from "./types.d.ts" */

/** Bytes of all files; more do not fit into the memory that a page gets, once they are read. */
export const MOST = 300_000_000;
const LONGEST = 120;

/** A name that a file may have in a directory, much like its own. @param {string} name */
export function safeName(name) {
  const plain = [...name.replace(/[\u0000-\u001f\u007f/\\]/g, "_")].filter((sign) => !/^[\ud800-\udfff]$/.test(sign));
  const end = plain.slice(-LONGEST).join("");
  return /^\.*$/.test(end) ? `file${end}` : end;
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
