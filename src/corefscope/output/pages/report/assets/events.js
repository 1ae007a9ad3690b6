// @ts-check
/* What people do: pointer, keyboard, controls. */

import { askForArrows, startArrows } from "./arrows.js";
import { all, around, byId, chainsOf, fill, make, mentionsOf } from "./dom.js";
import { visible } from "./format.js";
import { writeHash } from "./hash.js";
import { follow } from "./links.js";
import { startList } from "./list.js";
import { wordsFor } from "./model.js";
import {
  chooseResponse,
  filterKinds,
  light,
  openDocument,
  reveal,
  selectChain,
  showDiagrams,
  showText,
  stepError,
  stepMention,
} from "./reading.js";
import { inWords } from "./relations.js";
import { opened, overview, roots, state } from "./state.js";

/** @import { Chain } from "./types.d.ts" */

/** The first mention of a mark. @param {Element | null} mark */
const firstMention = (mark) => (mark && mentionsOf.get(mark)?.[0]) || null;

/** The chain of the element at an event. @param {Event} event @returns {Chain | null} */
function chainAt({ target }) {
  for (let node = target instanceof Node ? target : null; node; node = node.parentNode) {
    const mention = mentionsOf.get(node)?.[0];
    if (mention) return mention.chain;
    const chains = chainsOf.get(node);
    if (chains) return chains[0] || null;
  }
  return null;
}

/** Chains are lit under the pointer, unless something is selected. @param {HTMLElement} root */
function startHovering(root) {
  const selected = () => state.chain || state.error;
  /** @type {Chain | null} */
  let hovered = null;
  root.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch" || selected()) return;
    const chain = chainAt(event);
    if (chain !== hovered) light((hovered = chain), false);
  });
  root.addEventListener("pointerleave", () => {
    if (hovered && !selected()) light(null);
    hovered = null;
  });
}

/** Focus the next mark of the same column, or the one before. @param {HTMLElement | null} from @param {1 | -1} step */
function moveAmongMentions(from, step) {
  const column = state.overlaid ? "m" : firstMention(from)?.side.name || "key";
  const marks = all(`.m.opens.${column}`, roots.text);
  const now = from ? marks.indexOf(from) : -1;
  const next = marks[now < 0 ? (step > 0 ? 0 : marks.length - 1) : now + step];
  const mention = firstMention(next);
  if (!mention) return;
  const layer = mention.chain.layer && `, ${wordsFor(mention.chain)}`;
  const label = `${opened().model.textOf(mention)}, chain ${mention.chain.label}${layer}${inWords(mention)}`;
  fill(next, { tabindex: "-1", role: "button", "aria-label": label });
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest", behavior: "instant" });
  if (!state.chain && !state.error) light(mention.chain, false);
}

function startText() {
  roots.text.addEventListener("click", (event) => {
    const mention = firstMention(around(event, ".m"));
    if (mention) selectChain(mention.chain);
    else if (state.chain || state.error) selectChain(null);
  });
  roots.text.addEventListener("keydown", (event) => {
    const mark = around(event, ".m");
    const mention = firstMention(mark);
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      const words = (mark && mark.closest(".words")) || all(".words", roots.text)[0];
      const backwards = getComputedStyle(words).direction === "rtl";
      moveAmongMentions(mark, (event.key === "ArrowRight") === backwards ? -1 : 1);
      event.preventDefault();
    } else if ((event.key === "Enter" || event.key === " ") && mention) {
      selectChain(mention.chain);
      event.preventDefault();
    }
  });
}

/** @type {Record<string, () => void>} */
const SHORTCUTS = {
  n: () => stepError(1),
  p: () => stepError(-1),
  "]": () => stepMention(1),
  "[": () => stepMention(-1),
  o: () => roots.overlay.click(),
  "/": () => byId("search").focus(),
  "?": () => showShortcuts(),
  Escape: () => (state.chain || state.error) && selectChain(null),
};

function startShortcuts() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || around(event, "input, select, textarea")) return;
    if (!Object.hasOwn(SHORTCUTS, event.key) || around(event, "dialog")) return;
    event.preventDefault();
    SHORTCUTS[event.key]();
  });
  byId("help").addEventListener("click", showShortcuts);
  for (const id of ["close-shortcuts", "to-legend"]) byId(id).addEventListener("click", () => shortcuts.close());
  byId("to-legend").addEventListener("click", () => (/** @type {HTMLDetailsElement} */ (byId("legend")).open = true));
}

const shortcuts = /** @type {HTMLDialogElement} */ (byId("shortcuts"));
const showShortcuts = () => shortcuts.showModal();

/** Choose kinds of errors, in the text or in the list. @param {HTMLElement} root */
function startFilters(root) {
  root.addEventListener("change", (event) => {
    const box = /** @type {HTMLInputElement} */ (event.target);
    const kind = Number(around(event, "label")?.dataset.kind);
    filterKinds([...state.kinds].filter((other) => other !== kind).concat(box.checked ? [kind] : []));
  });
  for (const button of all("button[data-all]", root)) {
    button.addEventListener("click", () => filterKinds(button.dataset.all === "yes" ? overview.kinds.keys() : []));
  }
  for (const button of all("button[data-only]", root)) {
    const { only = "" } = button.dataset;
    const kinds = [...overview.kinds.keys()].filter((kind) => (overview.kinds[kind].relation || "") === only);
    button.addEventListener("click", () => filterKinds(kinds));
  }
}

/** Choose layers that are marked, and arrows that are drawn; pages without relations have nothing to choose. */
function startLayers() {
  document.getElementById("layers")?.addEventListener("change", (event) => {
    const { checked, dataset } = /** @type {HTMLInputElement} */ (event.target);
    if (checked) state.layers.add(dataset.layer || "");
    else state.layers.delete(dataset.layer || "");
    const top = opened().view.firstVisible();
    showText();
    if (top !== null) opened().view.reveal(top);
  });
  document.getElementById("arrows")?.addEventListener("change", (event) => {
    state.arrows = /** @type {typeof state.arrows} */ (/** @type {HTMLInputElement} */ (event.target).value);
    roots.text.classList.toggle("linked", state.arrows !== "none");
    askForArrows();
  });
  startArrows();
}

/** Open a document, so that going back leads to the one before. @param {number} number */
function visit(number) {
  openDocument(number);
  writeHash(true);
}

function startDocumentChoice() {
  const options = overview.documents.map(({ id }, at) => make("option", { value: String(at) }, visible(id)));
  roots.choice.append(...options);
  roots.choice.addEventListener("change", () => visit(Number(roots.choice.value)));
  roots.previous.addEventListener("click", () => visit(state.number - 1));
  roots.next.addEventListener("click", () => visit(state.number + 1));
}

function startResponseChoice() {
  for (const select of all("select.response-choice")) {
    select.addEventListener("change", () => {
      chooseResponse(Number(/** @type {HTMLSelectElement} */ (select).value));
      visit(Math.max(state.number, 0));
    });
  }
}

/** Overlaid or side by side: what was in view stays in view. */
function startOverlay() {
  roots.overlay.addEventListener("change", () => {
    state.overlaid = roots.overlay.checked;
    const place = opened().view.firstVisible();
    showText();
    if (state.error) reveal(state.error.mentions[0]);
    else if (place !== null) opened().view.reveal(place);
  });
}

function startTabs() {
  const tabs = all("[role=tab]", roots.panel);
  const show = (/** @type {HTMLElement} */ chosen) => {
    for (const tab of tabs) {
      tab.setAttribute("aria-selected", String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
      byId(tab.getAttribute("aria-controls") || "").hidden = tab !== chosen;
    }
  };
  for (const tab of tabs) {
    tab.addEventListener("click", () => show(tab));
    tab.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
      for (const other of tabs.filter((some) => some !== tab)) {
        show(other);
        other.focus();
      }
    });
  }
}

function startWindow() {
  let width = window.innerWidth;
  window.addEventListener("resize", () => {
    if (width !== window.innerWidth) showDiagrams();
    width = window.innerWidth;
  });
  window.addEventListener("beforeprint", () => opened().view.fillAll());
  window.addEventListener("hashchange", follow);
}

/** Everything that reading a document needs; there must be one. */
export function startReading() {
  startDocumentChoice();
  startResponseChoice();
  startOverlay();
  startTabs();
  startWindow();
  startLayers();
  startFilters(roots.filters);
  startFilters(roots.listKinds);
  startList(() => filterKinds(overview.kinds.keys()));
  startText();
  startHovering(roots.text);
  startHovering(roots.diagrams);
  startShortcuts();
  byId("close").addEventListener("click", () => selectChain(null));
  follow();
}
