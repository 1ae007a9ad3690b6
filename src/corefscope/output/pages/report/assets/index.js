// @ts-check
/* All errors of the corpus, in the order of the documents, which are read for it one after the other and not kept. */

import { visible } from "./format.js";
import { DocumentModel, runsOf } from "./model.js";

/** @import { EmbeddedDocument, ErrorFilter, ListedError, Overview } from "./types.d.ts" */

/** The longest quotation of a list. */
const LONGEST = 90;

/**
 * The errors of a document, for each response.
 * @param {EmbeddedDocument} embedded
 * @param {number} document
 * @returns {ListedError[][]}
 */
export function listedErrors(embedded, document) {
  const model = new DocumentModel(embedded);
  const words = !embedded.ids;
  return embedded.responses.map((response, number) =>
    response.f.map(([kind, , inKey, inResponse, slices, also], at) => {
      const quote = (/** @type {number[]} */ mention, /** @type {number} */ bit) =>
        model.textOf({ side: { bit }, runs: runsOf(mention.slice(2)) }, LONGEST);
      const mentions = inKey.length ? inKey.map((n) => embedded.key.m[n]) : inResponse.map((n) => response.m[n]);
      const bit = inKey.length ? 0 : number + 1;
      const text = quote(mentions[0], bit);
      const sentence = model.sentenceAt(mentions[0][2]);
      const texts = words ? [text, ...mentions.slice(1).map((mention) => quote(mention, bit))] : [];
      const heads = words ? mentions.map((mention) => visible(model.wordFor({ bit }, mention[1]) || "")) : [];
      const headed = words && mentions.some(([, head, first]) => head !== first && !model.zeros.has(head));
      const count = mentions.length;
      return { document, number: at + 1, kind, slices, also, text, sentence, mentions: count, texts, heads, headed };
    }),
  );
}

/** A filter that lets everything pass. @returns {ErrorFilter} */
export const everything = () => ({
  ...{ text: "", document: -1, slice: "", mention: "", head: "" },
  ...{ other: -1, shared: false },
});

/** Whether one of these words is the wanted one, whatever its capitals. @param {string[]} all @param {string} wanted */
const includes = (all, wanted) => all.some((words) => words.toLowerCase() === wanted);

/**
 * Whether an error passes a filter.
 * @param {Overview} overview
 * @param {Set<number>} kinds
 * @param {ErrorFilter} filter
 * @returns {(error: ListedError) => boolean}
 */
export function passes(overview, kinds, { text, document, slice, mention, head, other, shared }) {
  const wanted = text.trim().toLowerCase();
  const [by, ...rest] = slice.split(":");
  const value = rest.join(":");
  const number = overview.slices.findIndex((part) => part[0] === by && part[1] === value);
  const inSlice = (/** @type {ListedError} */ error) =>
    by === "genre" ? overview.documents[error.document].genre === value : error.slices.includes(number);
  return (error) =>
    kinds.has(error.kind) &&
    (document < 0 || error.document === document) &&
    (!slice || inSlice(error)) &&
    (!mention || includes(error.texts, mention)) &&
    (!head || includes(error.heads, head)) &&
    (other < 0 || Boolean(error.also & (1 << other)) === shared) &&
    (!wanted || error.text.toLowerCase().includes(wanted));
}

export class ErrorIndex {
  /** @param {number} documents @param {number} responses @param {(document: number) => EmbeddedDocument} read */
  constructor(documents, responses, read) {
    this.documents = documents;
    this.read = read;
    this.next = 0;
    /** @type {ListedError[][]} */
    this.errors = Array.from({ length: responses }, () => []);
  }

  get complete() {
    return this.next >= this.documents;
  }

  /** Read documents while there is time. @param {() => boolean} goOn */
  readSome(goOn) {
    while (!this.complete && goOn()) {
      listedErrors(this.read(this.next), this.next).forEach((errors, response) => {
        for (const error of errors) this.errors[response].push(error);
      });
      this.next += 1;
    }
  }

  /** All errors of a response; what has not been read yet is. @param {number} response */
  of(response) {
    this.readSome(() => true);
    return this.errors[response];
  }
}

/**
 * The error that comes next, or before; after the last one comes the first.
 * @param {ListedError[]} errors in the order of the text
 * @param {{ document: number, number: number }} from what is shown: 0 is before all errors of a document
 * @param {1 | -1} step
 */
export function nextError(errors, from, step) {
  const compare = (/** @type {ListedError} */ error) => error.document - from.document || error.number - from.number;
  const after = errors.findIndex((error) => (step > 0 ? compare(error) > 0 : compare(error) >= 0));
  if (step > 0) return errors[Math.max(after, 0)] || null;
  return errors.at(after < 0 ? -1 : after - 1) || null;
}
