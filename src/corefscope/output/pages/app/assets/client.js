// @ts-check
/* Asks the worker, one question after the other; a question that takes too long ends with its worker. */

/** @import { Answer, FromWorker, Question, WorkerLike } from "./types.d.ts" */

/** What a question ends with if it is cancelled. */
export class Cancelled extends Error {}

export class Client {
  /** @type {Map<number, { resolve(answer: Answer): void, reject(error: Error): void }>} */
  #open = new Map();
  #asked = 0;
  /** @type {WorkerLike} */
  #worker;
  #start;
  #tell;

  /**
   * @param {() => WorkerLike} start makes a worker
   * @param {(message: FromWorker) => void} tell hears of everything else: that a worker is ready, how far it is
   */
  constructor(start, tell) {
    this.#start = start;
    this.#tell = tell;
    this.#worker = this.#begin();
  }

  /** Whether some question has no answer yet. */
  get busy() {
    return this.#open.size > 0;
  }

  /** @param {Question} question @returns {Promise<Answer>} */
  ask(question) {
    const number = (this.#asked += 1);
    return new Promise((resolve, reject) => {
      this.#open.set(number, { resolve, reject });
      this.#worker.postMessage({ ...question, number });
    });
  }

  /** Ends whatever is going on; a new worker takes the place of the old one. */
  cancel() {
    this.#restart(new Cancelled("cancelled"));
  }

  /** @param {Error} reason */
  #restart(reason) {
    this.#worker.terminate();
    const open = [...this.#open.values()];
    this.#open.clear();
    this.#worker = this.#begin();
    for (const { reject } of open) reject(reason);
  }

  #begin() {
    const worker = this.#start();
    worker.onmessage = ({ data }) => this.#hear(data);
    worker.onerror = (event) => this.#tell({ kind: "unable", message: event.message || "The worker does not start." });
    return worker;
  }

  /** @param {FromWorker} message */
  #hear(message) {
    if (message.kind === "done") {
      this.#open.get(message.number)?.resolve(message.answer);
      this.#open.delete(message.number);
    } else if (message.kind === "broken") {
      this.#restart(new Error(message.message));
    } else {
      this.#tell(message);
    }
  }
}
