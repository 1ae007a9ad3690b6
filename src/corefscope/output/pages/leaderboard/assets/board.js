// @ts-check
/* Where the leaderboard begins. */

import { all, byId } from "../../report/assets/dom.js";
import { plural } from "../../report/assets/format.js";
import { makeSortable, startCopying, startTheme } from "../../report/assets/tables.js";
import { ALL, choiceOf, hashOfChoice, isShown } from "./choices.js";

/** @import { Choice } from "./types.d.ts" */

const settings = all("section.setting");
const titles = settings.map(({ dataset }) => dataset.setting || "");
const settingSelect = /** @type {HTMLSelectElement | null} */ (document.getElementById("setting"));
const partSelect = /** @type {HTMLSelectElement | null} */ (document.getElementById("part"));
const partNames = partSelect ? [...partSelect.options].slice(1).map(({ value }) => value) : [];

/** Hide the columns that do not belong to a part. @param {HTMLTableElement} table @param {number} part */
function showColumns(table, part) {
  const headings = table.tHead ? [...table.tHead.rows[0].cells] : [];
  const shown = headings.map(({ dataset }) => isShown(dataset, part));
  for (const row of table.rows) shown.forEach((visible, at) => (row.cells[at].hidden = !visible));
  return headings.filter(({ dataset }, at) => dataset.parts !== undefined && shown[at]).length;
}

/** @param {Choice} choice */
function show(choice) {
  settings.forEach((section, at) => (section.hidden = at !== choice.setting));
  if (settingSelect) settingSelect.selectedIndex = choice.setting;
  if (partSelect) partSelect.selectedIndex = choice.part + 1;
  const counts = all("table.ranked").map((table) => showColumns(/** @type {HTMLTableElement} */ (table), choice.part));
  const line = document.getElementById("shown");
  if (line) line.textContent = choice.part === ALL ? "" : `${plural(counts[choice.setting], "data set")} shown`;
}

/** Show what the selections say, and say it in the address. */
function choose() {
  const choice = { setting: settingSelect?.selectedIndex ?? 0, part: (partSelect?.selectedIndex ?? 0) - 1 };
  window.history.replaceState(null, "", hashOfChoice(choice, titles, partNames) || window.location.pathname);
  show(choice);
}

document.documentElement.classList.add("js");
startTheme(byId("theme"));
startCopying(all("button.copy"));
all("table.sortable").forEach((table) => makeSortable(/** @type {HTMLTableElement} */ (table)));
for (const select of [settingSelect, partSelect]) select?.addEventListener("change", choose);
const follow = () => show(choiceOf(window.location.hash, titles, partNames));
window.addEventListener("hashchange", () => {
  if (!document.getElementById(window.location.hash.slice(1))) follow();
});
follow();
