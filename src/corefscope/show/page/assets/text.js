/* The text of a document with its mentions marked. Rows are made in chunks, when they are needed or time is left. */

const CHUNK_NODES = 700;

/* Fill a paragraph with the nodes of a row; parts may nest and cross, spans that cross are cut in pieces.
   Returns how deep they nest. */
function fillRow(paragraph, model, row, parts, sides) {
  parts.sort((a, b) => a.start - b.start || b.end - a.end || a.mention.side.bit - b.mention.side.bit);
  const bits = sides.reduce((mask, side) => mask | (1 << side.bit), 0);
  const open = []; // {part, element, height}
  let next = 0;
  let pending = ""; // the blank before the next word: it belongs outside of what ends before it
  const container = () => (open.length ? open[open.length - 1].element : paragraph);
  const enter = (part, opens) => {
    const element = markOf(part, opens && part.opens);
    container().append(element);
    open.push({ part, element, height: 0 });
  };
  const leave = (cut) => {
    const { part, element, height } = open.pop();
    if (open.length) open[open.length - 1].height = Math.max(open[open.length - 1].height, height + 1);
    if (!cut && part.closes) element.classList.add("closes");
    if (!cut && part.more) element.classList.add("more");
    element.classList.add(`h${Math.min(height, 5)}`);
    return part;
  };
  let deepest = 0;
  for (let node = row.start; node < row.end; node += 1) {
    const zero = model.zeros.get(node);
    if (!zero || zero.sides & bits) {
      if (pending) container().append(pending);
      while (next < parts.length && parts[next].start <= node) enter(parts[next++], true);
      deepest = Math.max(deepest, open.length);
      container().append(zero ? zeroMark(zero, bits) : visible(model.words[node]));
      pending = zero ? pending && " " : joint(model.spaceAfter[node]);
    }
    closeAt(node);
  }
  return deepest;

  function closeAt(node) {
    const lowest = open.findIndex(({ part }) => part.end <= node);
    if (lowest < 0) return;
    const reopened = [];
    while (open.length > lowest) {
      const ends = open[open.length - 1].part.end <= node;
      const part = leave(!ends);
      if (!ends) reopened.unshift(part);
    }
    for (const part of reopened) enter(part, false);
  }
}

/* Where key and response agree, one mark stands for both. */
function merged(parts) {
  const agrees = ({ twin, chain, runs }) =>
    twin && twin.twin && twin.chain === chain.partner && String(runs) === String(twin.runs);
  const kept = parts.filter(({ mention }) => mention.side.isKey || !(agrees(mention) && mention.twin.twin === mention));
  return kept.map((part) => {
    const { mention } = part;
    const both = mention.side.isKey && agrees(mention) && mention.twin.twin === mention;
    return both ? { ...part, twin: mention.twin } : part;
  });
}

const joint = (space) => (space === 1 ? " " : space === 2 ? make("span", { class: "glue", "aria-hidden": "true" }, "‿") : "");

function markOf({ mention, twin, again }, opens) {
  const { chain } = mention;
  const element = make("span", { class: `m ${mention.side.name}${twin ? ` ${twin.side.name} agreed` : ""} c${chain.colour}` });
  element.mentions = twin ? [mention, twin] : [mention];
  if (opens) {
    element.classList.add("opens");
    element.dataset.label = again ? "⋯" + chain.label : chain.label;
  }
  for (const marked of element.mentions) marked.elements.push(element);
  return element;
}

function zeroMark(zero, bits) {
  const seen = zero.variants.filter(([sides]) => sides & bits);
  const relations = [...new Set(seen.map(([, , relation]) => relation).filter(Boolean))].join(" / ");
  const form = [...new Set(seen.map(([, written]) => written).filter(Boolean))].join("/");
  const said = `zero, empty node ${zero.name}${relations && `: ${relations}`}`;
  return make("span", { class: "zero", title: visible(said) }, "∅", form && make("small", {}, visible(form)));
}

class TextView {
  /* `dress` is called with every mention whose marks have been made, `root` is the element to fill. */
  constructor(root, model, sides, dress) {
    this.root = root;
    this.model = model;
    this.sides = sides; // one list of sides per column: [[key], [response]] or [[key, response]]
    this.dress = dress;
    this.parts = new Map(sides.flat().map((side) => [side, partsByRow(model, side)]));
    for (const side of sides.flat()) for (const mention of side.mentions) mention.elements = [];
    this.chunks = [];
    this.rowChunk = [];
    this.stopped = false;
    this.build();
  }

  build() {
    this.root.replaceChildren();
    let nodes = Infinity;
    this.model.rows.forEach((row, number) => {
      if (nodes >= CHUNK_NODES) {
        this.chunks.push({ element: make("div", { class: "chunk" }), first: number, last: number, filled: false, size: 0 });
        nodes = 0;
      }
      const chunk = this.chunks[this.chunks.length - 1];
      chunk.last = number;
      chunk.size += 40 + (row.end - row.start) * (this.sides.length > 1 ? 6 : 3.4);
      nodes += row.end - row.start;
      this.rowChunk.push(chunk);
    });
    this.observer = new IntersectionObserver(
      (entries) => entries.forEach((entry) => entry.isIntersecting && this.fill(entry.target.chunk)),
      { rootMargin: "1200px" },
    );
    for (const chunk of this.chunks) {
      chunk.element.chunk = chunk;
      chunk.element.style.containIntrinsicSize = `auto ${Math.round(chunk.size)}px`;
      this.observer.observe(chunk.element);
    }
    this.root.append(...this.chunks.map(({ element }) => element));
    this.root.classList.toggle("many", this.chunks.length > 4);
    let at = 0;
    const work = (deadline) => {
      while (!this.stopped && at < this.chunks.length && deadline.timeRemaining() > 5) this.fill(this.chunks[at++]);
      if (!this.stopped && at < this.chunks.length) whenIdle(work);
    };
    this.fill(this.chunks[0]);
    whenIdle(work);
  }

  fill(chunk) {
    if (!chunk || chunk.filled) return;
    chunk.filled = true;
    this.observer.unobserve(chunk.element);
    const touched = new Set();
    for (let number = chunk.first; number <= chunk.last; number += 1) chunk.element.append(this.row(number, touched));
    for (const mention of touched) this.dress(mention);
  }

  fillAll() {
    this.chunks.forEach((chunk) => this.fill(chunk));
  }

  stop() {
    this.stopped = true;
    this.observer.disconnect();
  }

  row(number, touched) {
    const row = this.model.rows[number];
    const sentence = this.model.sentences[row.sentence];
    const begins = row.start === sentence.start;
    const title = `sentence ${sentence.number}${sentence.id ? `, ${visible(sentence.id)}` : ""}, line ${sentence.line} of the key`;
    const element = make("div", { class: "row" });
    element.start = row.start;
    let deepest = 0;
    element.append(make("span", { class: "number", title: begins && title }, begins ? String(sentence.number) : ""));
    for (const sides of this.sides) {
      const paragraph = make("p", { dir: "auto", class: `words ${sides.map((side) => side.name).join(" ")}` });
      const parts = sides.flatMap((side) => this.parts.get(side).get(number) || []);
      for (const part of parts) touched.add(part.mention);
      deepest = Math.max(deepest, fillRow(paragraph, this.model, row, sides.length > 1 ? merged(parts) : parts, sides));
      element.append(paragraph);
    }
    element.classList.add(`deep${Math.min(deepest, 5)}`);
    return element;
  }

  /* The first node of the topmost row on the screen; null if the text begins below it. */
  firstVisible() {
    const line = 120; // below what sticks to the top
    if (this.root.getBoundingClientRect().top > line) return null;
    const reaches = (element) => element.getBoundingClientRect().bottom > line;
    const chunk = this.chunks.find(({ element }) => reaches(element)); // rows off the screen would have to be laid out
    const row = chunk && [...chunk.element.children].find(reaches);
    return row ? row.start : null;
  }

  /* Bring a node into view and return once it is there. */
  reveal(node) {
    const number = this.model.rowOf(node);
    const chunk = this.rowChunk[number];
    this.fill(chunk);
    const element = chunk.element.children[number - chunk.first];
    const scroll = () => element.scrollIntoView({ block: "center", behavior: "instant" });
    scroll();
    requestAnimationFrame(() => requestAnimationFrame(scroll)); // sizes of chunks on the way were estimates
    return element;
  }
}
