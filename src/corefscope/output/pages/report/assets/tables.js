// @ts-check
/* What needs no document: sorting, copying, light and dark. */

import { make, one } from "./dom.js";
import { moreRows } from "./format.js";

/** @param {HTMLTableElement} table */
const headings = (table) => (table.tHead ? [...table.tHead.rows[0].cells] : []);

/** A number if the cell has one, else its text. @param {HTMLTableCellElement} cell */
const valueOf = ({ dataset, textContent }) =>
  dataset.value === undefined ? (textContent || "").trim() : Number(dataset.value);

/** @param {string | number} a @param {string | number} b */
const compareValues = (a, b) =>
  typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });

/** @param {HTMLTableElement} table @param {number} column @param {1 | -1} direction */
function sortTable(table, column, direction) {
  const [body] = table.tBodies;
  const rows = [...body.rows].map((row) => ({ row, value: valueOf(row.cells[column]) }));
  rows.sort((a, b) => direction * compareValues(a.value, b.value));
  body.append(...rows.map(({ row }) => row));
  folds.get(table)?.();
  headings(table).forEach((cell, at) => {
    if (at === column) cell.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
    else cell.removeAttribute("aria-sort");
  });
}

/** Shows the first rows of a table in their present order. @type {WeakMap<HTMLTableElement, () => void>} */
const folds = new WeakMap();
const FEW_ROWS = 12;

/** Show only the first rows of a long table, and a button for the others. @param {HTMLTableElement} table */
export function foldRows(table) {
  const rows = () => [...table.tBodies[0].rows];
  const left = rows().length - FEW_ROWS;
  if (left < 3) return;
  let folded = true;
  const show = () => rows().forEach((row, at) => row.classList.toggle("folded", folded && at >= FEW_ROWS));
  const unfold = () => {
    folded = false;
    show();
    more.remove();
  };
  const more = make("button", { type: "button", class: "plain unfold", on: { click: unfold } }, moreRows(left, left));
  folds.set(table, show);
  (table.closest(".scroll") || table).after(more);
  show();
}

/**
 * The headings become buttons; a first click on a number sorts the worst figures, or the most, to the top.
 * @param {HTMLTableElement} table
 */
export function makeSortable(table) {
  headings(table).forEach((cell, column) => {
    const button = make("button", { type: "button", class: "sorter" }, ...cell.childNodes);
    button.addEventListener("click", () => {
      const now = cell.getAttribute("aria-sort");
      const first = cell.dataset.first === "descending" ? -1 : 1;
      sortTable(table, column, now ? (now === "ascending" ? -1 : 1) : first);
    });
    cell.append(button);
  });
}

/** What the browser keeps under a name; null where a page from disk has no storage. @param {string} name */
function remembered(name) {
  try {
    return window.localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string} value */
function remember(name, value) {
  try {
    window.localStorage.setItem(name, value);
  } catch {
    // a page from disk may have no storage
  }
}

/** Light or dark as the system says, until the button says otherwise. @param {HTMLElement} button */
export function startTheme(button) {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
  const show = () => {
    const label = isDark() ? "Light colours" : "Dark colours";
    button.textContent = isDark() ? "☀" : "☾";
    button.setAttribute("aria-label", label);
    button.title = label;
  };
  const kept = remembered("corefscope-theme");
  if (kept === "dark" || kept === "light") root.dataset.theme = kept;
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    remember("corefscope-theme", root.dataset.theme);
    show();
  });
  dark.addEventListener("change", show);
  show();
}

/** Each copies the code beside it, or selects it where the browser forbids copying. @param {HTMLElement[]} buttons */
export function startCopying(buttons) {
  for (const button of buttons) {
    button.addEventListener("click", async () => {
      const source = one("code", button.parentElement || document);
      try {
        await navigator.clipboard.writeText(source.textContent || "");
        button.textContent = "Copied";
      } catch {
        window.getSelection()?.selectAllChildren(source);
        button.textContent = "Selected";
      }
      setTimeout(() => (button.textContent = "Copy"), 1500);
    });
  }
}
