/* Chains as lanes over the document: mentions of the key above the line, what the response has there below. */

const LANES = 12;
const MOST_LANES = 400;

function lanesOf({ key, response }) {
  const lanes = key.chains.map((chain) => ({ chain, key: chain, response: chain.partner }));
  for (const chain of response.chains) if (!chain.partner) lanes.push({ chain, key: null, response: chain });
  const size = ({ key: ours, response: theirs }) =>
    Math.max(ours ? ours.mentions.length : 0, theirs ? theirs.mentions.length : 0);
  return lanes.sort((a, b) => size(b) - size(a) || Number(!a.key) - Number(!b.key) || a.chain.number - b.chain.number);
}

/* The marks of a lane: [mention, colour, "key" | "found" | "extra"]. */
function marksOf(lane) {
  const marks = [];
  for (const mention of lane.key ? lane.key.mentions : []) {
    marks.push([mention, mention.chain.colour, "key"]);
    if (mention.twin) marks.push([mention.twin, mention.twin.chain.colour, "found"]);
  }
  for (const mention of lane.response ? lane.response.mentions : []) {
    if (!mention.twin || mention.twin.chain !== lane.key) marks.push([mention, mention.chain.colour, "extra"]);
  }
  return marks;
}

function drawLane(lane, model, goTo) {
  const width = 1000;
  const scale = width / Math.max(model.words.length, 1);
  const thick = Math.max(scale, 3.2);
  const paths = new Map();
  const marks = marksOf(lane);
  for (const [mention, colour, kind] of marks) {
    const [top, high] = kind === "key" ? [1, 8] : kind === "found" ? [11, 8] : [13.5, 3];
    const name = `mark c${colour} ${kind}`;
    for (const [first, last] of mention.runs) {
      const [from, wide] = [(first * scale).toFixed(1), Math.max((last - first + 1) * scale, thick).toFixed(1)];
      paths.set(name, `${paths.get(name) || ""}M${from} ${top}h${wide}v${high}h-${wide}z`);
    }
  }
  const picture = draw(
    "svg",
    { viewBox: `0 0 ${width} 20`, preserveAspectRatio: "none", class: "strip", "aria-hidden": "true" },
    draw("path", { d: `M0 10H${width}`, class: "axis" }),
    [...paths].map(([name, d]) => draw("path", { d, class: name })),
  );
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    const node = ((event.clientX - box.left) / box.width) * model.words.length;
    const distance = ([mention]) => Math.max(mention.runs[0][0] - node, node - mention.runs[0][1], 0);
    goTo(marks.reduce((best, mark) => (distance(mark) < distance(best) ? mark : best))[0]);
  });
  return picture;
}

function showLanes(root, model, compared, { select, goTo, everything, more }) {
  const lanes = lanesOf(compared);
  const shown = lanes.slice(0, everything ? MOST_LANES : LANES);
  const rows = shown.map((lane) => {
    const { chain } = lane;
    const text = model.textOf(chain.mentions[0], 40);
    const sizes = `${lane.key ? lane.key.mentions.length : 0} in the key, ${lane.response ? lane.response.mentions.length : 0} in the response`;
    const name = make(
      "button",
      { type: "button", class: `lane-name c${chain.colour}`, title: `${text}: ${sizes}`, on: { click: () => select(chain) } },
      make("b", {}, chain.label),
      make("bdi", {}, text),
    );
    const row = make("li", { class: "lane" }, name, drawLane(lane, model, goTo));
    row.chains = [lane.key, lane.response].filter(Boolean);
    return row;
  });
  root.replaceChildren(make("ol", { class: "lanes" }, rows));
  if (lanes.length > shown.length) {
    const label = everything ? `the ${shown.length} largest of ${lanes.length} chains` : `Show all ${lanes.length} chains`;
    root.append(everything ? make("p", { class: "quiet" }, label) : make("button", { type: "button", class: "plain", on: { click: more } }, label));
  }
  if (!lanes.length) root.replaceChildren(make("p", { class: "quiet" }, "No chains in this document."));
}
