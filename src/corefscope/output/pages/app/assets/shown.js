// @ts-check
/* Results as elements. Text from files becomes text nodes, made by dom.js. */

import { button, make, quiet } from "../../report/assets/dom.js";
import { visible } from "../../report/assets/format.js";

/** @import { Block, Failure, Part, Sheet } from "./types.d.ts" */

/**
 * A part of an answer.
 * @param {Part} part
 * @param {HTMLElement} downloads
 * @param {() => void} validate
 */
export function partElement(part, downloads, validate) {
  const title = part.name && make("h2", {}, make("bdi", {}, visible(part.name)));
  return make(
    "section",
    { class: "card part" },
    title,
    part.failures.length > 0 && failures(part.failures, part.name, validate),
    part.warnings.length > 0 && warnings(part.warnings),
    make(
      "div",
      { class: "beside" },
      make("div", { class: "blocks" }, ...part.blocks.map(blockElement)),
      part.settings.length > 0 && settings(part.settings),
    ),
    ...part.files.map(blockElement),
    part.notes.length > 0 && make("ul", { class: "notes" }, ...part.notes.map((note) => make("li", {}, visible(note)))),
    ...part.signatures.map((text) => make("p", { class: "signature" }, make("code", {}, visible(text)))),
    part.complete && downloads,
  );
}

/**
 * Why responses, or files of one, have no result, beside their names.
 * @param {Failure[]} list
 * @param {string} about the name that is said already
 * @param {() => void} validate
 */
export function failures(list, about, validate) {
  const items = list.map(({ name, message }) =>
    make("p", {}, name !== about && make("b", {}, make("bdi", {}, visible(name)), ": "), lines(message)),
  );
  const inFiles = list.some(({ in_files }) => in_files);
  const check = inFiles && button("plain", validate, "Check the files and list every problem");
  return make("div", { class: "failed", role: "alert" }, ...items, check);
}

/** How a score was made, in words. @param {Part["settings"]} list */
function settings(list) {
  const items = list.flatMap(({ option, value, meaning, reason }) => [
    make("dt", {}, `${option} `, make("b", {}, value), " ", make("span", { class: "quiet" }, reason)),
    make("dd", {}, meaning),
  ]);
  return make("div", { class: "settings" }, make("h3", {}, "How it was scored"), make("dl", {}, ...items));
}

/** Text with line breaks and no other control characters. @param {string} text */
const lines = (text) => text.split("\n").map(visible).join("\n");

/** @param {string[]} messages */
function warnings(messages) {
  const count = messages.length === 1 ? "1 remark" : `${messages.length} remarks`;
  const list = make("ul", {}, ...messages.map((text) => make("li", {}, visible(text))));
  return make("details", { class: "warnings", open: messages.length < 4 }, make("summary", {}, count), list);
}

/** @param {Block} block */
function blockElement(block) {
  if ("sheets" in block) {
    const tables = block.sheets.map(tableElement);
    return tables.length === 1 ? tables[0] : make("div", { class: "beside" }, ...tables);
  }
  const lines = block.lines.map((spans) =>
    make("p", {}, ...spans.map(([text, style]) => make("span", { class: style || null }, visible(text)))),
  );
  return make("div", { class: "lines" }, ...lines);
}

/** @param {Sheet} sheet */
function tableElement(sheet) {
  const named = sheet.title || sheet.head[0] || "Figures";
  const head = sheet.head.map((text, at) =>
    text ? make("th", { scope: "col", class: at < sheet.left && "text" }, visible(text)) : make("td", {}),
  );
  const rows = sheet.rows.map(({ strong, cells }) =>
    make("tr", { class: strong && "strong" }, ...cells.map((cell, at) => cellElement(cell, at, sheet.left))),
  );
  const table = make(
    "table",
    { class: "figures" },
    sheet.title && make("caption", {}, visible(sheet.title)),
    make("thead", {}, make("tr", {}, ...head)),
    make("tbody", {}, ...rows),
  );
  const scroll = make("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": visible(named) }, table);
  return make("div", {}, scroll, sheet.note && quiet(visible(sheet.note)));
}

/** @param {Sheet["rows"][0]["cells"][0]} cell @param {number} at @param {number} left */
function cellElement([text, bold, note, mark], at, left) {
  const shown = bold ? make("b", {}, visible(text + mark)) : visible(text + mark);
  const small = note && make("small", {}, ` ${visible(note)}`);
  if (at === 0) return make("th", { scope: "row", class: "indented" }, shown, small);
  return make("td", { class: at < left && "text" }, shown, small);
}

/** What went wrong, and what to do about it. @param {string} message @param {(() => void) | null} validate */
export function failure(message, validate) {
  return make(
    "div",
    { class: "card failed", role: "alert" },
    make("p", {}, lines(message)),
    validate && button("plain", validate, "Check the files and list every problem"),
  );
}

/**
 * Buttons that save something.
 * @param {Record<string, string>} formats titles by name
 * @param {(format: string) => void} save
 */
export function downloadButtons(formats, save) {
  const buttons = Object.entries(formats).map(([format, title]) => button("plain", () => save(format), title));
  return make("div", { class: "downloads" }, make("span", { class: "quiet" }, "Save as"), ...buttons);
}

/** Hands a file to the person. @param {Blob} content @param {string} name */
export function saveFile(content, name) {
  const href = URL.createObjectURL(content);
  make("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
