// @ts-check
/* Tabs: arrow keys move between them, Enter, Space and clicks open them. */

import { all, byId } from "../../report/assets/dom.js";

const STEPS = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 });

/**
 * @param {HTMLElement} list
 * @param {(job: string) => void} opened is called with the name of the tab
 * @returns {(job: string) => void} opens a tab
 */
export function startTabs(list, opened) {
  const tabs = all("[role=tab]", list);
  const panels = tabs.map((tab) => byId(tab.getAttribute("aria-controls") || ""));
  const open = (/** @type {string} */ job) => {
    for (const [at, tab] of tabs.entries()) {
      const chosen = tab.dataset.job === job;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      panels[at].hidden = !chosen;
    }
    opened(job);
  };
  for (const [at, tab] of tabs.entries()) {
    tab.addEventListener("click", () => open(tab.dataset.job || ""));
    tab.addEventListener("keydown", ({ key }) => {
      const to = key === "Home" ? 0 : key === "End" ? tabs.length - 1 : key in STEPS ? at + STEPS[key] : null;
      if (to !== null) tabs[(to + tabs.length) % tabs.length].focus();
    });
  }
  return open;
}
