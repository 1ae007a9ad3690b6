// @ts-check
/* The list of all errors: what it is filtered by, and the page of it that is shown. */

import { all, byId, make, one, whenIdle } from "./dom.js";
import { showFacets, startFacets } from "./facets.js";
import { plural, visible } from "./format.js";
import { errorHash, listHash } from "./hash.js";
import { ErrorIndex, everything, nextError, passes } from "./index.js";
import { lookOf, overview, readEmbedded, roots, state } from "./state.js";

/** @import { Child, ListedError } from "./types.d.ts" */

const PAGE = 50;
const controls = {
  search: /** @type {HTMLInputElement} */ (byId("search")),
  document: /** @type {HTMLSelectElement} */ (byId("in-document")),
  slice: /** @type {HTMLSelectElement} */ (byId("in-slice")),
  others: /** @type {HTMLSelectElement | null} */ (document.getElementById("in-others")),
};

export const index = new ErrorIndex(overview.documents.length, overview.responses.length, (number) =>
  readEmbedded(`document-${number}`),
);
let first = 0; // of the errors on the page that is shown

/** The errors that the filters let pass. */
export const listed = () => index.of(state.response).filter(passes(overview, state.kinds, state.filter));

/** The error after or before the one that is shown. @param {1 | -1} step */
export function neighbour(step) {
  const number = state.error ? state.error.number : step > 0 ? 0 : Infinity;
  return nextError(listed(), { document: state.number, number }, step);
}

/** An error as a link to the text. @param {ListedError} error @param {number} response */
export function listItem(error, response) {
  const { title } = overview.kinds[error.kind];
  const more = error.mentions > 1 && ` and ${error.mentions - 1} more`;
  const quote = make("q", {}, make("bdi", {}, error.text));
  const id = make("bdi", {}, visible(overview.documents[error.document].id));
  const sentence = error.sentence > 0 && ` : ${error.sentence}`;
  const place = make("span", { class: "place" }, id, sentence, made(error, response));
  return make(
    "li",
    {},
    make(
      "a",
      { class: "item error", href: errorHash(response, error.document, error.number) },
      make("span", { class: `sample ${lookOf(error.kind)}` }),
      make("span", { class: "grow" }, make("span", { class: "kind" }, title, " ", place), " ", quote, more),
    ),
  );
}

/** Which of the others make an error as well. @param {ListedError} error @param {number} response @returns {Child} */
function made({ also }, response) {
  const { responses } = overview;
  if (responses.length < 2) return null;
  const others = responses.filter((_, at) => at !== response && also & (1 << at)).map(({ name }) => visible(name));
  const text = others.length ? `also ${others.join(", ")}` : "only here";
  return [" · ", make("bdi", {}, text)];
}

/** What surrounds the list: counts of kinds, groups, documents. */
function showCounts() {
  const all = index.of(state.response);
  countKinds(all);
  showFacets(all, refine);
}

/** Show the list from its beginning, after a filter has changed. */
export function showList() {
  first = 0;
  showControls();
  if (index.complete) {
    showPage();
    showCounts();
  } else byId("found").textContent = "Reading …";
}

function showPage() {
  const errors = listed();
  if (first >= errors.length) first = 0;
  const last = Math.min(first + PAGE, errors.length);
  const total = index.of(state.response).length;
  const of = errors.length === total ? "" : ` of ${total.toLocaleString("en")}`;
  byId("found").textContent = errors.length ? `${plural(errors.length, "error")}${of}` : `No errors${of}`;
  byId("all-errors").hidden = errors.length === total;
  byId("list").replaceChildren(...errors.slice(first, last).map((error) => listItem(error, state.response)));
  byId("pager").hidden = errors.length <= PAGE;
  byId("page-number").textContent = `${first + 1}–${last} of ${errors.length.toLocaleString("en")}`;
  const [back, on] = all("button", byId("pager"));
  /** @type {HTMLButtonElement} */ (back).disabled = first === 0;
  /** @type {HTMLButtonElement} */ (on).disabled = last === errors.length;
  markCurrent();
}

/** Mark the error that is selected in the text. */
export function markCurrent() {
  const current = state.error ? errorHash(state.response, state.number, state.error.number) : "";
  for (const item of all("a.error", byId("list"))) {
    if (item.getAttribute("href") === current) item.setAttribute("aria-current", "true");
    else item.removeAttribute("aria-current");
  }
}

/** Turn to the page on which an error is. @param {ListedError} error */
export function turnTo(error) {
  const at = listed().indexOf(error);
  const start = at - (at % PAGE);
  if (at < 0 || start === first) return;
  first = start;
  showPage();
}

/** Let the controls say what the filter is. */
function showControls() {
  const { text, document: only, slice, other, shared } = state.filter;
  if (controls.search.value !== text) controls.search.value = text;
  controls.document.value = String(only);
  controls.slice.value = slice;
  if (controls.others) {
    const names = overview.responses.map(({ name }) => visible(name));
    const choices = names.flatMap((name, at) =>
      at === state.response ? [] : [[`-${at}`, `not made by ${name}`], [`+${at}`, `also made by ${name}`]],
    );
    const options = [["", "all errors"], ...choices].map(([value, label]) => make("option", { value }, label));
    controls.others.replaceChildren(...options);
    controls.others.value = other < 0 ? "" : `${shared ? "+" : "-"}${other}`;
  }
  for (const name of all(".system-name")) name.textContent = visible(overview.responses[state.response].name);
}

/** How many errors of each kind the other filters let pass. @param {ListedError[]} errors of the response */
function countKinds(errors) {
  const counts = overview.kinds.map(() => 0);
  const every = new Set(overview.kinds.keys());
  for (const { kind } of errors.filter(passes(overview, every, state.filter))) counts[kind] += 1;
  for (const label of all("label[data-kind]", roots.listKinds)) {
    const kind = Number(label.dataset.kind);
    /** @type {HTMLInputElement} */ (one("input", label)).checked = state.kinds.has(kind);
    one(".figure", label).textContent = counts[kind].toLocaleString("en");
    label.classList.toggle("empty", !counts[kind]);
  }
}

/** Slices in groups, one for each dimension. */
const sliceOptions = () =>
  Object.entries(overview.dimensions).map(([by, { title, names }]) => {
    const options = Object.entries(names).map(([value, name]) =>
      make("option", { value: `${by}:${value}` }, visible(name)),
    );
    return make("optgroup", { label: title }, options);
  });

/** Use a filter that a control has changed, and say so in the address. @param {Partial<typeof state.filter>} change */
function refine(change) {
  Object.assign(state.filter, change);
  showList();
  window.history.replaceState(null, "", listHash());
}

/** Everything that the list needs; `reset` chooses all kinds again. @param {() => void} reset */
export function startList(reset) {
  const documents = overview.documents.map(({ id }, at) => make("option", { value: String(at) }, visible(id)));
  controls.document.append(make("option", { value: "-1" }, "all documents"), ...documents);
  controls.slice.append(make("option", { value: "" }, "all mentions"), ...sliceOptions());
  controls.search.addEventListener("input", () => refine({ text: controls.search.value }));
  controls.document.addEventListener("change", () => refine({ document: Number(controls.document.value) }));
  controls.slice.addEventListener("change", () => refine({ slice: controls.slice.value }));
  controls.others?.addEventListener("change", () => {
    const value = controls.others?.value || "";
    refine({ other: value ? Number(value.slice(1)) : -1, shared: value.startsWith("+") });
  });
  startFacets(showCounts);
  byId("all-errors").addEventListener("click", () => {
    state.filter = everything();
    reset();
    window.history.replaceState(null, "", listHash());
  });
  for (const button of all("button", byId("pager"))) {
    button.addEventListener("click", () => {
      first += PAGE * Number(button.dataset.step);
      showPage();
    });
  }
}

/** Read all documents when there is time, then show the list and call. @param {() => void} then */
export function readAll(then) {
  const work = (/** @type {{ timeRemaining(): number }} */ deadline) => {
    index.readSome(() => deadline.timeRemaining() > 5);
    if (!index.complete) return whenIdle(work);
    showPage();
    showCounts();
    then();
  };
  whenIdle(work);
}

/** Show the list at once. */
export function showListNow() {
  index.of(state.response);
  showList();
  byId("errors").scrollIntoView({ behavior: "instant" });
}
