// @ts-check
/* The app's page: files and options come in, a worker computes, tabs show what it found. */

import { all, button, byId, make, quiet } from "../../report/assets/dom.js";
import { visible } from "../../report/assets/format.js";
import { startTheme } from "../../report/assets/tables.js";
import { refusal, sizeText } from "./chosen.js";
import { Cancelled, Client } from "./client.js";
import { downloadButtons, failure, partElement, saveFile } from "./shown.js";
import { INCOMPLETE, statusText } from "./status.js";
import { startTabs } from "./tabs.js";

/** @import { Answer, Chosen, FromWorker } from "./types.d.ts" */

const FORMATS = { json: "JSON", csv: "CSV", markdown: "Markdown", latex: "LaTeX" };
const SUFFIXES = /** @type {Record<string, string>} */ ({ json: "json", csv: "csv", markdown: "md", latex: "tex" });
const EXAMPLE = ["key.conllu", "response.conllu"];

/** @type {Chosen} */
const chosen = { key: [], responses: [] };
const sides = /** @type {const} */ (["key", "responses"]);
let batch = 0;
let ready = false;
let trouble = "";
let remark = "";
/** What each tab shows: nothing, "asked", or "shown". @type {Map<string, string>} */
const shown = new Map();

const client = new Client(startWorker, hear);
const openTab = startTabs(byId("results"), (job) => void look(job));
startTheme(byId("theme"));
startFiles();
byId("options-form").addEventListener("input", () => {
  forget();
  showOptions();
});
byId("options-form").addEventListener("submit", (event) => event.preventDefault());
byId("score").addEventListener("click", () => begin("scores"));
byId("validate").addEventListener("click", () => begin("validation"));
byId("cancel").addEventListener("click", () => client.cancel());
showOptions();
showState();

/* A worker that begins as a blob is bound by the policy of this page: it cannot send anything anywhere either. */
function startWorker() {
  ready = false;
  const module = new URL("worker.js", import.meta.url).href;
  const source = URL.createObjectURL(new Blob([`import ${JSON.stringify(module)};`], { type: "text/javascript" }));
  return new Worker(source, { type: "module" });
}

/** @param {FromWorker} message */
function hear(message) {
  if (message.kind === "ready") {
    ready = true;
    showState();
  } else if (message.kind === "unable") {
    trouble = message.message;
    showState();
  } else if (message.kind === "progress") {
    showProgress(message);
  }
}

/** Shows results from now on, those of a tab first. @param {string} job */
function begin(job) {
  forget();
  byId("results").hidden = false;
  openTab(job);
}

/** Files and options are others: what is shown is not about them. */
function forget() {
  batch += 1;
  if (client.busy) client.cancel();
  shown.clear();
  for (const panel of all("[role=tabpanel]")) panel.replaceChildren();
  byId("results").hidden = true;
  showState();
}

/* Files */

function startFiles() {
  for (const side of sides) {
    const input = /** @type {HTMLInputElement} */ (byId(`${side}-input`));
    input.addEventListener("change", () => {
      add(side, [...(input.files || [])]);
      input.value = ""; // the same file can be chosen again
    });
    const zone = byId(`${side}-drop`);
    for (const event of ["dragenter", "dragover"]) zone.addEventListener(event, () => zone.classList.add("over"));
    for (const event of ["dragleave", "drop"]) zone.addEventListener(event, () => zone.classList.remove("over"));
    zone.addEventListener("drop", (event) => add(side, [...(event.dataTransfer?.files || [])]));
  }
  // A file that misses its place must not replace the page.
  for (const event of ["dragover", "drop"]) document.addEventListener(event, (dropped) => dropped.preventDefault());
  byId("example").addEventListener("click", () => void useExample());
}

/** @param {typeof sides[number]} side @param {File[]} files */
function add(side, files) {
  if (files.length === 0) return;
  remark = side === "key" && files.length > 1 ? "The key is one file: the first was taken." : "";
  choose({ ...chosen, [side]: side === "key" ? files.slice(0, 1) : [...chosen.responses, ...files] });
}

/** @param {Chosen} files */
function choose(files) {
  Object.assign(chosen, files);
  for (const side of sides) {
    byId(`${side}-files`).replaceChildren(...chosen[side].map((file, at) => fileElement(side, file, at)));
  }
  forget();
}

/** @param {typeof sides[number]} side @param {File} file @param {number} at */
function fileElement(side, file, at) {
  const remove = button("plain", () => {
    choose({ ...chosen, [side]: chosen[side].filter((_, other) => other !== at) });
    byId(`${side}-input`).focus();
  }, "Remove");
  remove.setAttribute("aria-label", `Remove ${visible(file.name)}`);
  const size = make("span", { class: "quiet" }, sizeText(file.size));
  return make("li", {}, make("bdi", {}, visible(file.name)), size, remove);
}

async function useExample() {
  const [key, response] = await Promise.all(
    EXAMPLE.map(async (name) => new File([await (await fetch(`example/${name}`)).blob()], name)),
  );
  choose({ key: [key], responses: [response] });
}

/* Options */

/** Those that are not left open. @returns {Record<string, string>} */
function options() {
  const form = /** @type {HTMLFormElement} */ (byId("options-form"));
  const values = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]);
  return Object.fromEntries(values.filter(([, value]) => value));
}

function showOptions() {
  const named = Object.entries(options()).map(([name, value]) => `${name} ${value}`);
  byId("options-summary").textContent = named.join(", ") || "defaults for the format of the key";
}

/* What is going on */

function isComplete() {
  return chosen.key.length > 0 && chosen.responses.length > 0;
}

function showState() {
  const refused = refusal(chosen);
  const complete = isComplete();
  const { busy } = client;
  const some = chosen.key.length + chosen.responses.length > 0;
  const state = { trouble, refused, remark, busy, ready, complete };
  /** @type {HTMLButtonElement} */ (byId("score")).disabled = !complete || Boolean(refused) || busy;
  /** @type {HTMLButtonElement} */ (byId("validate")).disabled = !some || Boolean(refused) || busy;
  byId("cancel").hidden = !busy;
  byId("progress").hidden = !busy;
  byId("progress").removeAttribute("value");
  byId("status").textContent = statusText(state);
  byId("step").textContent = "";
}

/** @param {{ done: number, of: number, name: string }} message */
function showProgress({ done, of, name }) {
  if (!client.busy) return;
  const progress = /** @type {HTMLProgressElement} */ (byId("progress"));
  progress.max = of;
  if (done < of) progress.value = done;
  else progress.removeAttribute("value"); // what comes after the last document may take longer than all of them
  byId("step").textContent = `Document ${done} of ${of}${done < of ? `: ${visible(name)}` : ", then the result …"}`;
}

/** @param {string} job @param {{ format?: string, result?: number }} more */
async function ask(job, more = {}) {
  const answer = client.ask({ batch, job, files: { ...chosen }, options: options(), ...more });
  showState();
  try {
    return await answer;
  } finally {
    showState();
  }
}

/* Results */

/** Fills a tab, unless it is filled already. @param {string} job */
async function look(job) {
  if (shown.has(job)) return;
  const about = batch;
  const panel = byId(`panel-${job}`);
  if (job !== "validation" && !isComplete()) return panel.replaceChildren(quiet(INCOMPLETE));
  shown.set(job, "asked");
  panel.replaceChildren(quiet("Working …"));
  try {
    const answer = await ask(job);
    if (about === batch) showAnswer(job, panel, answer);
  } catch (error) {
    if (about !== batch) return;
    shown.delete(job);
    if (error instanceof Cancelled) panel.replaceChildren(quiet("Cancelled. ", again(job)));
    else panel.replaceChildren(failure(error instanceof Error ? error.message : "", null));
  }
}

/** @param {string} job */
const again = (job) => button("plain", () => void look(job), "Try again");

/** @param {string} job @param {HTMLElement} panel @param {Answer} answer */
function showAnswer(job, panel, { error, in_files, text, parts = [] }) {
  shown.set(job, "shown");
  if (error !== undefined) {
    panel.replaceChildren(failure(error, in_files ? () => openTab("validation") : null));
  } else if (text !== undefined) {
    showReport(panel, text);
  } else {
    panel.replaceChildren(
      ...parts.map((part, result) => {
        const downloads = downloadButtons(FORMATS, (format) => void save(job, part.name, result, format));
        return partElement(part, downloads);
      }),
    );
  }
}

/** @param {string} job @param {string} name @param {number} result @param {string} format */
async function save(job, name, result, format) {
  try {
    const { text, error } = await ask(job, { format, result });
    if (text === undefined) byId("status").textContent = error || "";
    else saveFile(new Blob([text]), `${[name, job].filter(Boolean).join(".")}.${SUFFIXES[format]}`);
  } catch {
    byId("status").textContent = "Cancelled.";
  }
}

/* The report is a page of its own, with a script that the policy of this one names by its hash. In the frame it has no
   origin, so it can reach nothing here. */
/** @param {HTMLElement} panel @param {string} text */
function showReport(panel, text) {
  const page = new Blob([text], { type: "text/html" });
  const src = URL.createObjectURL(page);
  panel.replaceChildren(
    make(
      "div",
      { class: "downloads" },
      make("a", { href: src, target: "_blank" }, "Open in a new tab"),
      button("plain", () => saveFile(page, "report.html"), "Save the page"),
    ),
    make("iframe", { class: "report-frame", sandbox: "allow-scripts", title: "Report page", src }),
  );
}
