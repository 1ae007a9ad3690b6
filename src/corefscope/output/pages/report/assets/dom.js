// @ts-check
/* Elements are made here and nowhere else; text from files only ever becomes text nodes and the values of attributes
   that are read as plain text: title and aria-label. */

/** @import { Attributes, Chain, Child, Mention } from "./types.d.ts" */

const SVG = "http://www.w3.org/2000/svg";

/** The mentions of a mark in the text. @type {WeakMap<Node, Mention[]>} */
export const mentionsOf = new WeakMap();
/** The chains of an element of a diagram. @type {WeakMap<Node, Chain[]>} */
export const chainsOf = new WeakMap();

/**
 * Gives an element attributes, listeners and children.
 * @template {HTMLElement | SVGElement} Kind
 * @param {Kind} node
 * @param {Attributes} attributes
 * @param {Child[]} children
 * @returns {Kind}
 */
export function fill(node, attributes, children = []) {
  const { on = {}, data = {}, ...others } = attributes;
  for (const [name, value] of Object.entries(others)) {
    if (value === null || value === undefined || value === false) continue;
    node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const [event, listener] of Object.entries(on)) node.addEventListener(event, listener);
  Object.assign(node.dataset, data);
  appendAll(node, children);
  return node;
}

/** @param {Element} node @param {Child[]} children */
function appendAll(node, children) {
  for (const child of children) {
    if (Array.isArray(child)) appendAll(node, child);
    else if (child !== null && child !== undefined && child !== false) node.append(child);
  }
}

/**
 * An element of HTML.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
export const make = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);

/**
 * An element of SVG.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
export const draw = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

/** A button with a listener. @param {string} name @param {() => void} click @param {Child[]} children */
export const button = (name, click, ...children) =>
  make("button", { type: "button", class: name, on: { click } }, ...children);

/** @param {Child[]} children */
export const quiet = (...children) => make("p", { class: "quiet" }, ...children);

/** The element of an id, which the page has. @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element ${id}`);
  return element;
}

/**
 * The elements that a selector finds.
 * @param {string} selector
 * @param {ParentNode} root
 * @returns {HTMLElement[]}
 */
export const all = (selector, root = document) => [...root.querySelectorAll(selector)].map(asHTML);

/** The first of them, which is there. @param {string} selector @param {ParentNode} root */
export const one = (selector, root = document) => all(selector, root)[0];

/** @param {unknown} element */
const asHTML = (element) => /** @type {HTMLElement} */ (element);

/** The element around the place of an event that a selector finds. @param {Event} event @param {string} selector */
export function around(event, selector) {
  const { target } = event;
  return target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest(selector)) : null;
}

/** Calls when there is time left. @param {(deadline: { timeRemaining(): number }) => void} work */
export function whenIdle(work) {
  let begun = false;
  const begin = (/** @type {{ timeRemaining(): number }} */ deadline) => {
    if (!begun) work(deadline);
    begun = true;
  };
  const idle = "requestIdleCallback" in window;
  if (idle) window.requestIdleCallback(begin, { timeout: 500 });
  setTimeout(() => begin({ timeRemaining: () => 12 }), idle ? 1000 : 30); // in a frame, Chrome may forget to call
}
