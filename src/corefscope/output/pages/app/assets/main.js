// @ts-check
/* The app's page: files and options come in, a worker computes, tabs show what it found. */

import { all, button, byId, make, one, quiet } from "../../report/assets/dom.js";
import { visible } from "../../report/assets/format.js";
import { startTheme } from "../../report/assets/tables.js";
import { pairsOf, refusal, sizeText } from "./chosen.js";
import { Cancelled, Client } from "./client.js";
import { downloadButtons, failure, failures, partElement, saveFile } from "./shown.js";
import { INCOMPLETE, statusText } from "./status.js";
import { startTabs } from "./tabs.js";

/** @import { Child } from "../../report/assets/types.d.ts" */
/** @import { Answer, Chosen, FromWorker } from "./types.d.ts" */

const FORMATS = { json: "JSON", csv: "CSV", markdown: "Markdown", latex: "LaTeX" };
const SUFFIXES = /** @type {Record<string, string>} */ ({ json: "json", csv: "csv", markdown: "md", latex: "tex" });
const EXAMPLE = ["key.conllu", "response.conllu"];
const PASTED = "pasted.txt";
/** Tabs that show the report page, and the part of it where they begin. @type {Record<string, string>} */
const FRAMED = { errors: "#kind=all", report: "" };
const TITLES = /** @type {Record<string, string>} */ ({ errors: "List of errors", report: "Report page" });

/** The files that were chosen, and pasted text as files. @type {Chosen} */
const chosen = { key: [], responses: [] };
/** Those of them that are pasted text. @type {WeakSet<File>} */
const pasted = new WeakSet();
const sides = /** @type {const} */ (["key", "responses"]);
let batch = 0;
let ready = false;
let trouble = "";
let remark = "";
let current = "scores";
/** Pages that frames show. @type {string[]} */
let addresses = [];
/** What each tab shows: nothing, "asked", or "shown". @type {Map<string, string>} */
const shown = new Map();

const client = new Client(startWorker, hear);
const openTab = startTabs(byId("results"), (job) => {
  current = job;
  showWindow();
  void look(job);
});
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
byId("back").addEventListener("click", () => {
  openTab("scores");
  byId("tab-scores").focus();
});
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
  for (const address of addresses.splice(0)) URL.revokeObjectURL(address);
  byId("results").hidden = true;
  showWindow();
  showState();
}

/** A page in a frame has the window to itself. */
function showWindow() {
  const framed = !byId("results").hidden && one("iframe", byId(`panel-${current}`)) !== undefined;
  document.body.classList.toggle("framed", framed);
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
    textBox(side).addEventListener("input", () => paste(side));
  }
  // A file that misses its place must not replace the page.
  for (const event of ["dragover", "drop"]) document.addEventListener(event, (dropped) => dropped.preventDefault());
  byId("example").addEventListener("click", () => void useExample());
}

/** A key of the same name replaces the one before; responses of the same name are of different systems. */
/** @param {typeof sides[number]} side @param {File[]} files */
function add(side, files) {
  if (files.length === 0) return;
  const replaced = side === "key" ? files.map(({ name }) => name) : [];
  choose({ ...chosen, [side]: [...chosen[side].filter(({ name }) => !replaced.includes(name)), ...files] });
}

/** @param {typeof sides[number]} side */
function textBox(side) {
  return /** @type {HTMLTextAreaElement} */ (byId(`${side}-text`));
}

/** The text of a box is a file as long as there is some. @param {typeof sides[number]} side */
function paste(side) {
  const text = textBox(side).value;
  const file = new File([text.endsWith("\n") ? text : `${text}\n`], PASTED);
  pasted.add(file);
  const others = chosen[side].filter((other) => !pasted.has(other));
  choose({ ...chosen, [side]: text.trim() ? [...others, file] : others });
}

/** @param {Chosen} files */
function choose(files) {
  Object.assign(chosen, files);
  const pairs = pairsOf(chosen);
  const alone = chosen.responses.filter((_, at) => pairs && pairs[at].key < 0);
  remark = alone.length
    ? `No key has the name of ${alone.map(({ name }) => visible(name)).join(", ")} (up to the first dot): left out.`
    : "";
  for (const side of sides) {
    const items = chosen[side].map((file, at) => {
      const pair = side === "responses" && pairs?.[at];
      if (!pair) return fileElement(side, file, "");
      const { key, system } = pair;
      return fileElement(side, file, key < 0 ? "no key of this name" : `${system}, key ${chosen.key[key].name}`);
    });
    byId(`${side}-files`).replaceChildren(...items);
  }
  forget();
}

/** @param {typeof sides[number]} side @param {File} file @param {string} pair to which key and system it belongs */
function fileElement(side, file, pair) {
  const remove = button("plain", () => {
    if (pasted.has(file)) textBox(side).value = "";
    choose({ ...chosen, [side]: chosen[side].filter((other) => other !== file) });
    byId(`${side}-input`).focus();
  }, "Remove");
  remove.setAttribute("aria-label", `Remove ${visible(file.name)}`);
  const facts = [sizeText(file.size), visible(pair)].filter(Boolean).join(" · ");
  const name = pasted.has(file) ? "pasted text" : visible(file.name);
  const about = make("span", { class: "quiet" }, make("bdi", {}, facts));
  return make("li", {}, make("span", { class: "grow" }, make("bdi", {}, name), " ", about), remove);
}

async function useExample() {
  const [key, response] = await Promise.all(
    EXAMPLE.map(async (name) => new File([await (await fetch(`example/${name}`)).blob()], name)),
  );
  for (const side of sides) textBox(side).value = "";
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
  const pairs = pairsOf(chosen);
  return chosen.key.length > 0 && (pairs ? pairs.some(({ key }) => key >= 0) : chosen.responses.length > 0);
}

function showState() {
  const refused = refusal(chosen);
  const complete = isComplete();
  const { busy } = client;
  const some = chosen.key.length + chosen.responses.length > 0;
  const state = { trouble, refused, remark, busy, ready, complete };
  /** @type {HTMLButtonElement} */ (byId("score")).disabled = !complete || Boolean(refused) || busy;
  /** @type {HTMLButtonElement} */ (byId("validate")).disabled = !some || Boolean(refused) || busy;
  document.body.classList.toggle("busy", busy);
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
    const answer = await ask(job in FRAMED ? "report" : job);
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
function showAnswer(job, panel, { error, in_files, text, names = [], failures: left = [], parts = [] }) {
  const validate = () => openTab("validation");
  shown.set(job, "shown");
  if (error !== undefined) {
    panel.replaceChildren(failure(error, in_files ? validate : null));
  } else if (text !== undefined) {
    const saving = job === "errors" && errorDownloads(names);
    showReport(job, panel, text, saving, left.length > 0 && failures(left, "", validate));
  } else {
    panel.replaceChildren(
      ...parts.map((part, result) => {
        const downloads = downloadButtons(FORMATS, (format) => void save(job, part.name, result, format));
        return partElement(part, downloads, validate);
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
/** @param {string} job @param {HTMLElement} panel @param {string} text @param {Child} saving @param {Child} left */
function showReport(job, panel, text, saving, left) {
  const { theme } = document.documentElement.dataset; // chosen here, it holds there
  const type = "text/html";
  const page = new Blob([theme ? text.replace("<html", `<html data-theme="${theme}"`) : text], { type });
  const src = URL.createObjectURL(page);
  addresses.push(src);
  const open = make("a", { href: `${src}${FRAMED[job]}`, target: "_blank" }, "Open in a new tab");
  const whole = button("plain", () => saveFile(new Blob([text], { type }), "report.html"), "Save the page");
  const frame = { sandbox: "allow-scripts", title: TITLES[job], src: `${src}${FRAMED[job]}` };
  const tools = make("div", { class: "frame-tools" }, make("div", { class: "downloads" }, open, whole), saving);
  panel.replaceChildren(make("div", { class: "framing" }, tools, left, make("iframe", frame)));
  showWindow();
}

/** Buttons that save the errors of a response. @param {string[]} names those of all responses */
function errorDownloads(names) {
  const options = names.map((name, at) => make("option", { value: String(at) }, visible(name)));
  const choice = make("select", { "aria-label": "Errors of the response" }, ...options);
  const downloads = downloadButtons(FORMATS, (format) => {
    void save("errors", names[Number(choice.value)], Number(choice.value), format);
  });
  if (names.length > 1) downloads.firstChild?.after(choice);
  return downloads;
}
