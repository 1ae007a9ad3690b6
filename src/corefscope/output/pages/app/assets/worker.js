// @ts-check
/* Python beside the page. Its files are those that were chosen, and nothing is written anywhere else. */

import { place } from "./chosen.js";

/** @import { Answer, Chosen, WorkerApi, FromWorker, Pyodide, Question } from "./types.d.ts" */

const ROOT = new URL("../../", import.meta.url);
const PACKAGES = "/packages";
const FILES = "/files";
const UNREADABLE = "cannot be read. Has it changed since it was chosen, or is it a directory?";
const OFTEN = 100; // milliseconds between two messages on how far it is

/** @param {FromWorker} message */
const tell = (message) => postMessage(message);
const started = start();
started.then(
  () => tell({ kind: "ready" }),
  (error) => tell({ kind: "unable", message: `Python cannot start here: ${error.message}` }),
);
let batch = 0;
/** @type {string[]} */
let unreadable = [];
let turn = Promise.resolve();

addEventListener("message", ({ data }) => {
  turn = turn.then(() => serve(data));
});

/** @returns {Promise<{ python: Pyodide, api: WorkerApi }>} */
async function start() {
  const { loadPyodide } = await import(new URL("pyodide/pyodide.mjs", ROOT).href);
  const [python, packages] = await Promise.all([
    /** @type {Promise<Pyodide>} */ (loadPyodide({ indexURL: new URL("pyodide/", ROOT).href })),
    load("python.zip"),
  ]);
  python.FS.mkdirTree(PACKAGES);
  python.unpackArchive(packages, "zip", { extractDir: PACKAGES });
  /** @type {any} */ (python.pyimport("sys")).path.append(PACKAGES);
  for (const side of ["key", "responses"]) python.FS.mkdirTree(`${FILES}/${side}`);
  python.FS.chdir(FILES);
  return { python, api: python.pyimport("corefscope.output.pages.app.worker_api").WorkerApi() };
}

/** @param {string} name */
async function load(name) {
  const answer = await fetch(new URL(name, ROOT));
  if (!answer.ok) throw new Error(`${name} is not there (${answer.status})`);
  return answer.arrayBuffer();
}

/** @param {Question & { number: number }} question */
async function serve({ number, files, ...question }) {
  try {
    const { python, api } = await started;
    tell({ kind: "done", number, answer: await answer(python, api, files, question) });
  } catch (error) {
    tell({ kind: "broken", message: saying(error) });
  }
}

/**
 * @param {Pyodide} python
 * @param {WorkerApi} api
 * @param {Chosen} files
 * @param {Omit<Question, "files">} question
 * @returns {Promise<Answer>}
 */
async function answer(python, api, files, question) {
  const { key, responses, names, files: placed } = place(files);
  if (question.batch !== batch) {
    unreadable = [];
    for (const side of ["key", "responses"]) {
      python.pyimport("shutil").rmtree(side);
      python.FS.mkdirTree(side);
    }
    for (const path of names ? responses : []) python.FS.mkdirTree(path);
    for (const { path, file, side } of placed) {
      try {
        python.FS.writeFile(path, new Uint8Array(await file.arrayBuffer()));
      } catch {
        if (side === "key") return { error: `${file.name}: ${UNREADABLE}` };
        unreadable.push(path);
      }
    }
    batch = question.batch;
  }
  const asked = { ...question, key, responses, names, unreadable };
  let last = 0;
  return JSON.parse(
    api.answer(JSON.stringify(asked), (done, of, name) => {
      if (done < of && performance.now() - last < OFTEN) return;
      last = performance.now();
      tell({ kind: "progress", done, of, name });
    }),
  );
}

/** What to say when Python itself has ended. @param {unknown} error */
function saying(error) {
  const message = error instanceof Error ? error.message : "";
  const why = /memory|allocation/i.test(message)
    ? "it needs more memory than there is"
    : /stack|recursion/i.test(message) ? "something in a file is nested too deeply" : "it has stopped";
  return `Python cannot go on: ${why}. It restarts by itself. For large files: pip install corefscope`;
}
