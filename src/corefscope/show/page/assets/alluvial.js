/* How the mentions of key entities flow into response entities: the largest of both, the others together. */

const FLOWS = 12;
const GAP = 5;

/* The nodes of one column: the largest chains, then the others as one, then what has no counterpart. */
function columnOf(chains, lonely, lonelyTitle) {
  const sorted = chains.slice().sort((a, b) => b.mentions.length - a.mentions.length || a.number - b.number);
  const big = sorted.length > FLOWS + 1 ? sorted.slice(0, FLOWS) : sorted;
  const nodes = big.map((chain) => ({ chain, size: chain.mentions.length, colour: `c${chain.colour}`, title: chain.label }));
  const rest = sorted.slice(big.length);
  if (rest.length) {
    const size = rest.reduce((sum, chain) => sum + chain.mentions.length, 0);
    nodes.push({ others: true, size, colour: "other", title: `${rest.length} others` });
  }
  if (lonely) nodes.push({ nothing: true, size: lonely, colour: "none", title: lonelyTitle });
  const home = new Map(nodes.filter((node) => node.chain).map((node) => [node.chain, node]));
  const find = (chain) => home.get(chain) || nodes.find((node) => (chain ? node.others : node.nothing));
  return { nodes, find };
}

function flowsOf({ key, response }) {
  const missing = key.mentions.filter((mention) => !mention.twin).length;
  const extra = response.mentions.filter((mention) => !mention.twin).length;
  const left = columnOf(key.chains, extra, "extra");
  const right = columnOf(response.chains, missing, "missing");
  const flows = new Map();
  const count = (from, to) => {
    if (!flows.has(from)) flows.set(from, new Map());
    flows.get(from).set(to, (flows.get(from).get(to) || 0) + 1);
  };
  for (const { chain, twin } of key.mentions) count(left.find(chain), right.find(twin ? twin.chain : null));
  for (const { chain, twin } of response.mentions) if (!twin) count(left.find(null), right.find(chain));
  return { left: left.nodes, right: right.nodes, flows };
}

/* Order the right column by where its flows come from, so that few of them cross. */
function untangle({ left, right, flows }) {
  const place = new Map();
  right.forEach((node) => place.set(node, { sum: 0, weight: 0 }));
  left.forEach((from, at) => {
    for (const [to, count] of flows.get(from) || []) {
      place.get(to).sum += at * count;
      place.get(to).weight += count;
    }
  });
  const rank = (node) => (node.nothing ? 1e9 : node.others ? 1e8 : place.get(node).sum / (place.get(node).weight || 1));
  right.sort((a, b) => rank(a) - rank(b));
}

function stack(nodes, unit) {
  let y = 0;
  for (const node of nodes) {
    node.y = y;
    node.high = Math.max(node.size * unit, 2);
    node.used = 0;
    y += node.high + GAP;
  }
  return y - GAP;
}

function showAlluvial(root, model, compared, { select }) {
  const diagram = flowsOf(compared);
  const { left, right, flows } = diagram;
  if (!left.length || !right.length) {
    root.replaceChildren(make("p", { class: "quiet" }, "No mentions to compare in this document."));
    return;
  }
  untangle(diagram);
  const width = Math.max(root.clientWidth, 260);
  const margin = width < 420 ? 84 : 118;
  const total = Math.max(...[left, right].map((nodes) => nodes.reduce((sum, node) => sum + node.size, 0)));
  const height = Math.min(Math.max(14 * total, 90), 270);
  const unit = (height - GAP * Math.max(left.length, right.length)) / Math.max(total, 1);
  const tall = Math.max(stack(left, unit), stack(right, unit), 60);
  const bands = [];
  for (const from of left) {
    const targets = [...(flows.get(from) || [])].sort((a, b) => a[0].y - b[0].y);
    for (const [to, count] of targets) {
      const [x0, x1, y0, y1] = [margin, width - margin, from.y + from.used, to.y + to.used];
      const high = count * unit;
      const middle = (x0 + x1) / 2;
      const d = `M${x0} ${y0}C${middle} ${y0} ${middle} ${y1} ${x1} ${y1}v${high}C${middle} ${y1 + high} ${middle} ${y0 + high} ${x0} ${y0 + high}z`;
      const band = draw("path", { d, class: `band ${from.chain ? from.colour : to.colour}` });
      band.append(draw("title", {}, `${from.title} → ${to.title}: ${plural(count, "mention")}`));
      band.chains = [from.chain, to.chain].filter(Boolean);
      bands.push(band);
      from.used += high;
      to.used += high;
    }
  }
  const entity = (node, x, anchor, out) => {
    const excerpt = node.chain ? model.textOf(node.chain.mentions[0], margin < 100 ? 9 : 13) : "";
    const text = node.chain ? `${node.title} ${excerpt}` : node.title;
    const group = draw("g", { class: `entity ${node.colour}` });
    const activate = () => node.chain && select(node.chain);
    if (node.chain) {
      fill(group, { tabindex: "0", role: "button", "aria-label": `chain ${text}, ${plural(node.size, "mention")}` }, []);
      group.addEventListener("click", activate);
      group.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          activate();
        }
      });
    }
    group.append(draw("rect", { x, y: node.y, width: 8, height: node.high, rx: 1.5 }));
    if (node.high > 7 || !node.chain) {
      const label = draw("text", { x: x + out, y: node.y + node.high / 2 + 4, "text-anchor": anchor });
      group.append(fill(label, {}, node.chain ? [draw("tspan", {}, node.title), ` \u2068${excerpt}\u2069`] : [node.title]));
    }
    group.append(draw("title", {}, `${text}: ${plural(node.size, "mention")}`));
    group.chains = [node.chain].filter(Boolean);
    return group;
  };
  root.replaceChildren(
    draw(
      "svg",
      { viewBox: `0 -4 ${width} ${tall + 12}`, width, height: tall + 12, class: "alluvial", role: "group", "aria-label": "Key entities on the left, response entities on the right" },
      bands,
      left.map((node) => entity(node, margin - 8, "end", -6)),
      right.map((node) => entity(node, width - margin, "start", 14)),
    ),
  );
}
