// @ts-check
/* Beside the list of errors: their groups, which are also filters; above it, how many errors each document has. */

import { byId, draw, make } from "./dom.js";
import { moreRows, plural, visible } from "./format.js";
import { groupingsOf, groupsOf, pointsOfMentions } from "./groups.js";
import { passes } from "./index.js";
import { overview, state } from "./state.js";

/** @import { ErrorFilter, ErrorGroup, Grouping, ListedError } from "./types.d.ts" */
/** @typedef {(change: Partial<ErrorFilter>) => void} Refine */

const FIRST_GROUPS = window.matchMedia("(max-width: 44rem)").matches ? 3 : 12; // above the list or beside it
const MORE_GROUPS = 50; // that one click adds

/** @type {{ by: string, order: "errors" | "points", most: number }} */
const display = { by: "", order: "errors", most: FIRST_GROUPS };
/**
 * What was computed for the response that is shown.
 * @type {{ response: number, groupings: Grouping[], points: number[] }}
 */
let known = { response: -1, groupings: [], points: [] };

/** @param {ListedError[]} all errors of the response */
function prepare(all) {
  if (known.response === state.response) return;
  const groupings = groupingsOf(overview, all);
  known = { response: state.response, groupings, points: pointsOfMentions(overview, state.response, all) };
  const options = groupings.map(({ name, title }) => make("option", { value: name }, title));
  if (!groupings.some(({ name }) => name === display.by)) display.by = groupings[0]?.name || "";
  const choice = /** @type {HTMLSelectElement} */ (byId("group-by"));
  choice.replaceChildren(...options);
  choice.value = display.by;
}

/**
 * Show groups and histogram of the errors that the filters let pass.
 * @param {ListedError[]} all of the response
 * @param {Refine} refine
 */
export function showFacets(all, refine) {
  prepare(all);
  showHistogram(all, refine);
  showChosen(refine);
  const grouping = known.groupings.find(({ name }) => name === display.by);
  byId("groups").hidden = !grouping;
  if (grouping) showGroups(grouping, all, refine);
}

/** @param {Grouping} grouping @param {ListedError[]} all @param {Refine} refine */
function showGroups(grouping, all, refine) {
  const { response, points } = known;
  const errors = all.filter(passes(overview, state.kinds, grouping.without(state.filter)));
  const groups = groupsOf(errors, grouping, points);
  const costly = Object.keys(overview.responses[response].costs).length > 0;
  const by = costly ? display.order : "errors";
  groups.sort((a, b) => b[by] - a[by] || b.errors - a.errors);
  const chosen = grouping.chosen(state.filter);
  const visibleGroups = groups.slice(0, display.most);
  const other = groups.slice(display.most).find(({ value }) => value === chosen);
  if (other) visibleGroups.push(other);
  const most = Math.max(...groups.map((group) => group[by]), 0) || 1;
  const sorter = (/** @type {"errors" | "points"} */ order, /** @type {string} */ text) => {
    const sort = () => {
      display.order = order;
      showFacets(all, refine);
      byId(`sort-${order}`).focus();
    };
    const press = make("button", { type: "button", class: "sorter", id: `sort-${order}`, on: { click: sort } }, text);
    return make("th", { scope: "col", "aria-sort": by === order ? "descending" : null }, press);
  };
  const row = (/** @type {ErrorGroup} */ group) => {
    const on = group.value === chosen;
    const click = () => refine(grouping.choose(on ? "" : group.value));
    const name = make("bdi", {}, visible(group.name));
    const press = make("button", { type: "button", class: "group", "aria-pressed": String(on), on: { click } }, name);
    const made = make(
      "tr",
      { class: on && "chosen" },
      make("th", { scope: "row" }, press),
      make("td", {}, group.errors.toLocaleString("en")),
      costly && make("td", {}, group.points.toFixed(2)),
    );
    made.style.setProperty("--share", `${Math.max((100 * group[by]) / most, 0)}%`);
    return made;
  };
  const head = make("th", { scope: "col" }, make("span", { class: "hidden" }, grouping.title));
  byId("group-table").replaceChildren(
    make("thead", {}, make("tr", {}, head, sorter("errors", "Errors"), costly && sorter("points", "Points"))),
    make("tbody", {}, visibleGroups.map(row)),
  );
  const left = groups.length - visibleGroups.length;
  const more = byId("more-groups");
  more.hidden = left <= 0;
  more.textContent = moreRows(left, MORE_GROUPS);
}

/** The words or heads that are chosen, each with a button that lets them go. @param {Refine} refine */
function showChosen(refine) {
  const chips = known.groupings
    .filter(({ name, chosen }) => (name === "text" || name === "head") && chosen(state.filter))
    .map(({ title, chosen, choose }) => {
      const words = make("bdi", {}, visible(chosen(state.filter)));
      const click = () => refine(choose(""));
      const label = `Errors of all mentions again, not only of ${title} ${chosen(state.filter)}`;
      return make(
        "button",
        { type: "button", class: "chip", "aria-label": label, on: { click } },
        ...[`${title} “`, words, "” ×"],
      );
    });
  byId("chosen-groups").replaceChildren(...chips);
}

/** A bar for each document, in the order of the corpus. @param {ListedError[]} all @param {Refine} refine */
function showHistogram(all, refine) {
  const { documents } = overview;
  const root = byId("histogram");
  root.hidden = documents.length < 2;
  if (root.hidden) return;
  const counts = documents.map(() => 0);
  const filter = { ...state.filter, document: -1 };
  for (const error of all.filter(passes(overview, state.kinds, filter))) counts[error.document] += 1;
  const most = Math.max(...counts);
  const top = counts.indexOf(most);
  const wide = 10; // units of a bar
  const bars = counts.map((count, at) => {
    const height = most ? (100 * count) / most : 0;
    const place = { x: at * wide, y: 100 - height, width: wide * 0.85, height };
    const title = `${visible(documents[at].id)}: ${plural(count, "error")}`;
    const name = at === state.filter.document ? "bar chosen" : "bar";
    return draw("g", { class: name }, draw("title", {}, title), [
      draw("rect", { class: "reach", x: at * wide, y: 0, width: wide, height: 100 }),
      draw("rect", place),
    ]);
  });
  const click = (/** @type {MouseEvent} */ { clientX, currentTarget }) => {
    const { left, width } = /** @type {Element} */ (currentTarget).getBoundingClientRect();
    const at = Math.min(Math.floor(((clientX - left) / width) * documents.length), documents.length - 1);
    refine({ document: at === state.filter.document ? -1 : at });
  };
  const id = make("bdi", {}, visible(documents[top].id));
  const picture = draw(
    "svg",
    {
      ...{ viewBox: `0 0 ${wide * documents.length} 100`, preserveAspectRatio: "none", role: "img", on: { click } },
      "aria-label": `Errors in each of ${plural(documents.length, "document")}`,
    },
    bars,
  );
  picture.style.maxWidth = `${3 * documents.length}rem`; // few bars would be blocks
  const count = ` (${most.toLocaleString("en")})`;
  const says = most ? ["Errors by document; most in ", id, count] : ["Errors by document: none"];
  root.replaceChildren(picture, make("figcaption", { class: "quiet" }, says));
}

/** @param {() => void} show is called when the groups must be shown again */
export function startFacets(show) {
  const choice = /** @type {HTMLSelectElement} */ (byId("group-by"));
  choice.addEventListener("change", () => {
    Object.assign(display, { by: choice.value, most: FIRST_GROUPS });
    show();
  });
  byId("more-groups").addEventListener("click", () => {
    display.most += MORE_GROUPS;
    show();
  });
}
