/* Elements are made here and nowhere else; text from files only ever becomes text nodes and the values of attributes
   that are read as plain text: title and aria-label. */

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, listener] of Object.entries(value)) node.addEventListener(event, listener);
    else if (name === "data") Object.assign(node.dataset, value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) node.append(child);
  }
  return node;
}

const make = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const draw = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
const byId = (id) => document.getElementById(id);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

/* Control characters would be invisible: show their pictures. */
function visible(text) {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, (character) => {
    const code = character.charCodeAt(0);
    return code < 32 ? String.fromCharCode(0x2400 + code) : code === 127 ? "\u2421" : "\u2426";
  });
}

function shortened(text, limit) {
  const characters = [...text];
  return characters.length > limit ? characters.slice(0, limit - 1).join("") + "…" : text;
}

const plural = (count, one, many) => `${count.toLocaleString("en")} ${count === 1 ? one : many || one + "s"}`;
const percent = (value) => (value === null ? "–" : (100 * value).toFixed(2));

function whenIdle(work) {
  if (window.requestIdleCallback) window.requestIdleCallback(work, { timeout: 500 });
  else window.setTimeout(() => work({ timeRemaining: () => 12 }), 30);
}
