import assert from "node:assert/strict";
import { test } from "node:test";

import { distinctNames, MOST, pairUp, place, refusal, safeName, sizeText } from "../../../src/corefscope/output/pages/app/assets/chosen.js";
import { Cancelled, Client } from "../../../src/corefscope/output/pages/app/assets/client.js";
import { statusText } from "../../../src/corefscope/output/pages/app/assets/status.js";

test("names of files are names that a directory can hold", () => {
  assert.equal(safeName("a.conllu"), "a.conllu");
  assert.equal(safeName("../../etc/passwd"), "file.._.._etc_passwd");
  assert.equal(safeName("a\u0000b\nc\\d"), "a_b_c_d");
  assert.deepEqual(["", ".", ".."].map(safeName), ["file", "file.", "file.."]);
  assert.equal(safeName("<img src=x onerror=alert(1)>"), "<img src=x onerror=alert(1)>");
  assert.equal(safeName(`${"x".repeat(500)}.gz`).length, 120);
  assert.ok(safeName(`${"x".repeat(500)}.gz`).endsWith(".gz"));
  assert.equal(safeName("a\ud800b𝒜"), "ab𝒜");
});

test("the same name twice is told apart before the suffixes", () => {
  assert.deepEqual(distinctNames(["a.conllu", "b.conllu"]), ["a.conllu", "b.conllu"]);
  assert.deepEqual(distinctNames(["a.conllu.gz", "a.conllu.gz", "a.conllu.gz"]), [
    "a.conllu.gz",
    "a (2).conllu.gz",
    "a (3).conllu.gz",
  ]);
  assert.deepEqual(distinctNames(["a", "a (2)", "a"]), ["a", "a (2)", "a (3)"]);
});

test("a response belongs to the key that has its name up to the first dot, and the rest names its system", () => {
  const systems = (keys, ...responses) => pairUp(keys, responses).map(({ key, system }) => [key, system]);
  assert.deepEqual(systems(["en.conllu", "cs.conllu"], "cs.ours.conllu", "en.ours.v2.conllu.gz", "en.conllu"), [
    [1, "ours"],
    [0, "ours.v2"],
    [0, "response"],
  ]);
  assert.deepEqual(systems(["en.conllu", "cs.conllu"], "fr.conllu", "cs.jsonl", "cs.jsonl"), [
    [-1, ""],
    [1, "response"],
    [1, "response (2)"],
  ]);
  assert.deepEqual(systems(["dev.en.conllu", "dev.cs.conllu"], "dev.conllu", "dev.cs.conllu"), [[-1, ""], [1, "response"]]);
  assert.deepEqual(systems(["a", "b"], "a", "b...x", "b"), [[0, "response"], [1, "response"], [1, "response (2)"]]);
});

test("the files of several keys are in directories, those of one are not", () => {
  const paths = (key, responses) => {
    const files = (names) => names.map((name) => ({ name }));
    const placed = place({ key: files(key), responses: files(responses) });
    return [placed.key, placed.responses, placed.names, placed.files.map(({ path }) => path)];
  };
  assert.deepEqual(paths(["k"], ["a.x", "a.x"]), [
    "key/k",
    ["responses/a.x", "responses/a (2).x"],
    undefined,
    ["key/k", "responses/a.x", "responses/a (2).x"],
  ]);
  assert.deepEqual(paths(["a.k", "../b.k"], ["a.o.x", "c.o.x", "._b.k"]), [
    "key",
    ["responses/o", "responses/_b"],
    ["o", "_b"],
    ["key/a.k", "key/file.._b.k", "responses/o/a.o.x", "responses/_b/file._b.k"],
  ]);
});

test("sizes are said as people say them, and too much is refused", () => {
  assert.deepEqual([0, 999, 1000, 2_793_025].map(sizeText), ["0 bytes", "999 bytes", "1 kB", "2.8 MB"]);
  const file = (size) => ({ name: "x", size });
  assert.equal(refusal({ key: [file(MOST)], responses: [] }), "");
  assert.match(refusal({ key: [file(MOST)], responses: [file(1)] }), /^Together the files have 300\.0 MB.*pip install/);
  assert.match(refusal({ key: [file(MOST + 1)], responses: [] }), /^The file has/);
});

test("one line says what to do next, or what is wrong", () => {
  const state = { trouble: "", refused: "", remark: "", busy: false, ready: true, complete: true };
  assert.equal(statusText(state), "Ready.");
  assert.equal(statusText({ ...state, remark: "Only one.", complete: false }), "Only one. Choose, drop or paste a key and at least one response.");
  assert.match(statusText({ ...state, ready: false, busy: true }), /starting/);
  assert.equal(statusText({ ...state, refused: "Too large" }), "Too large");
  assert.equal(statusText({ ...state, trouble: "No Python", refused: "Too large", busy: true }), "No Python");
});

/* Workers that remember what they were asked, and answer when the test says so. */
function workers() {
  const made = [];
  const start = () => {
    const worker = { asked: [], ended: false, postMessage: (question) => worker.asked.push(question) };
    worker.terminate = () => (worker.ended = true);
    worker.say = (data) => worker.onmessage({ data });
    made.push(worker);
    return worker;
  };
  return { made, start };
}

test("answers find their questions", async () => {
  const { made, start } = workers();
  const heard = [];
  const client = new Client(start, (message) => heard.push(message.kind));
  const [one, two] = [client.ask({ job: "scores" }), client.ask({ job: "errors" })];
  assert.deepEqual(made[0].asked, [{ job: "scores", number: 1 }, { job: "errors", number: 2 }]);
  assert.ok(client.busy);
  made[0].say({ kind: "ready" });
  made[0].say({ kind: "progress", done: 1, of: 2, name: "d" });
  made[0].say({ kind: "done", number: 2, answer: { text: "b" } });
  made[0].say({ kind: "done", number: 1, answer: { text: "a" } });
  assert.deepEqual([await one, await two], [{ text: "a" }, { text: "b" }]);
  assert.deepEqual(heard, ["ready", "progress"]);
  assert.ok(!client.busy);
});

test("cancelling ends the worker, and another one takes its place", async () => {
  const { made, start } = workers();
  const client = new Client(start, () => {});
  const asked = client.ask({ job: "scores" });
  client.cancel();
  await assert.rejects(asked, Cancelled);
  assert.deepEqual(made.map(({ ended }) => ended), [true, false]);
  const again = client.ask({ job: "scores" });
  made[1].say({ kind: "done", number: 2, answer: { text: "a" } });
  assert.deepEqual(await again, { text: "a" });
});

test("a worker that breaks down is replaced, and its questions fail with the reason", async () => {
  const { made, start } = workers();
  const client = new Client(start, () => {});
  const asked = client.ask({ job: "scores" });
  made[0].say({ kind: "broken", message: "no memory" });
  await assert.rejects(asked, /no memory/);
  assert.equal(made.length, 2);
});

test("a worker that does not start says so", () => {
  const { made, start } = workers();
  const heard = [];
  new Client(start, (message) => heard.push(message));
  made[0].onerror({ message: "" });
  assert.deepEqual(heard, [{ kind: "unable", message: "The worker does not start." }]);
});
