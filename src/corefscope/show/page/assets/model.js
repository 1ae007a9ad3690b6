/* A document as it is embedded, made into objects: rows of text, chains, mentions and faults. */

const COLOURS = 12;
const LONGEST_ROW = 240; // nodes; longer sentences are shown in several rows

/* Sides are bits: 1 is the key, 2 the first response, 4 the second. A variant is what some sides say of the node. */
function readZero(name, variants) {
  return { name, variants, sides: variants.reduce((mask, [sides]) => mask | sides, 0) };
}

class DocumentModel {
  constructor(raw) {
    this.raw = raw;
    this.id = raw.id;
    this.words = [];
    this.spaceAfter = []; // 1 blank, 0 none, 2 glued inside a multiword token
    this.rows = []; // {sentence, start, end}: nodes from start up to but without end
    this.sentences = raw.s.map(([id, line, words, unspaced, glued], number) => {
      const start = this.words.length;
      for (const word of words) {
        this.words.push(word);
        this.spaceAfter.push(1);
      }
      for (const at of unspaced) this.spaceAfter[start + at] = 0;
      for (const at of glued) this.spaceAfter[start + at] = 2;
      for (let at = start; at < this.words.length; at += LONGEST_ROW) {
        this.rows.push({ sentence: number, start: at, end: Math.min(at + LONGEST_ROW, this.words.length) });
      }
      return { id, line, number: number + 1, start, end: this.words.length };
    });
    this.zeros = new Map(raw.z.map(([node, name, variants]) => [node, readZero(name, variants)]));
  }

  /* The row in which a node is. */
  rowOf(node) {
    let low = 0;
    let high = this.rows.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.rows[middle].start <= node) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  sentenceOf(node) {
    return this.sentences[this.rows[this.rowOf(node)].sentence];
  }

  /* The words of a mention as they stand in the text, "…" between its parts. */
  textOf(mention, limit = 80) {
    const parts = [];
    let length = 0;
    for (const [first, last] of mention.runs) {
      let text = "";
      for (let node = first; node <= last && length < limit; node += 1) {
        const zero = this.zeros.get(node);
        const variant = zero && zero.variants.find(([sides]) => sides & (1 << mention.side.bit));
        if (zero && !variant) continue;
        const word = zero ? "∅" + variant[1] : this.words[node];
        text += word + (node < last ? ["", " ", "‿"][this.spaceAfter[node]] : "");
        length += word.length + 1;
      }
      parts.push(text);
    }
    return shortened(visible(parts.join(" … ")), limit);
  }
}

function readSide(model, raw, bit) {
  const side = { bit, isKey: bit === 0, name: bit === 0 ? "key" : "response" };
  side.chains = raw.e.map(([id, type], number) => ({ side, number, id, type, mentions: [], links: [], partner: null }));
  side.mentions = raw.m.map(([chain, head, ...ends], number) => {
    const runs = [];
    for (let at = 0; at < ends.length; at += 2) runs.push([ends[at], ends[at + 1]]);
    const mention = { side, number, chain: side.chains[chain], head, runs, twin: null, faults: [], elements: [] };
    mention.chain.mentions.push(mention);
    return mention;
  });
  for (const chain of side.chains) chain.mentions.sort((a, b) => a.runs[0][0] - b.runs[0][0] || b.runs[0][1] - a.runs[0][1]);
  return side;
}

/* Key and one response, with counterparts, partners, labels and colours. */
function compareSides(model, number) {
  const raw = model.raw.responses[number];
  const key = readSide(model, model.raw.key, 0);
  const response = readSide(model, raw, number + 1);
  raw.to.forEach((to, from) => {
    if (to >= 0) key.mentions[from].twin = response.mentions[to];
  });
  raw.back.forEach((to, from) => {
    if (to >= 0) response.mentions[from].twin = key.mentions[to];
  });
  linkChains(key);
  linkChains(response);
  choosePartners(key);
  nameChains(key, response);
  const faults = raw.f.map(([kind, line, ours, theirs], at) => {
    const fault = {
      number: at + 1,
      kind,
      line,
      key: ours.map((mention) => key.mentions[mention]),
      response: theirs.map((mention) => response.mentions[mention]),
    };
    fault.mentions = [...fault.key, ...fault.response];
    for (const mention of fault.mentions) mention.faults.push(fault);
    return fault;
  });
  return { key, response, faults };
}

/* Which chains of the other side hold the counterparts of each chain's mentions, most first. */
function linkChains(side) {
  for (const chain of side.chains) {
    const counts = new Map();
    for (const { twin } of chain.mentions) if (twin) counts.set(twin.chain, (counts.get(twin.chain) || 0) + 1);
    chain.links = [...counts].map(([other, count]) => ({ chain: other, count }));
    chain.links.sort((a, b) => b.count - a.count || a.chain.number - b.chain.number);
    chain.alone = chain.mentions.length - chain.links.reduce((sum, link) => sum + link.count, 0);
  }
}

/* One-to-one, the largest overlap first. */
function choosePartners(key) {
  const pairs = key.chains.flatMap((chain) => chain.links.map((link) => [link.count, chain, link.chain]));
  pairs.sort((a, b) => b[0] - a[0] || a[1].number - b[1].number || a[2].number - b[2].number);
  for (const [, ours, theirs] of pairs) {
    if (!ours.partner && !theirs.partner) {
      ours.partner = theirs;
      theirs.partner = ours;
    }
  }
}

/* Partners share label and colour; the largest chains get colours first, so that neighbours seldom look alike. */
function nameChains(key, response) {
  const bySize = (a, b) => b.mentions.length - a.mentions.length || a.number - b.number;
  const alone = response.chains.filter((chain) => !chain.partner);
  key.chains.forEach((chain) => (chain.label = String(chain.number + 1)));
  alone.forEach((chain, at) => (chain.label = `r${at + 1}`));
  [...key.chains.slice().sort(bySize), ...alone.slice().sort(bySize)].forEach((chain, at) => (chain.colour = at % COLOURS));
  for (const chain of response.chains) {
    if (chain.partner) Object.assign(chain, { label: chain.partner.label, colour: chain.partner.colour });
  }
}

/* The parts of mentions that fall into each row: row number -> parts in the order in which they open. */
function partsByRow(model, side) {
  const rows = new Map();
  for (const mention of side.mentions) {
    mention.runs.forEach(([first, last], at) => {
      for (let row = model.rowOf(first); row < model.rows.length && model.rows[row].start <= last; row += 1) {
        const { start, end } = model.rows[row];
        const part = {
          mention,
          start: Math.max(first, start),
          end: Math.min(last, end - 1),
          opens: first >= start,
          closes: last < end,
          again: at > 0 && first >= start,
          more: at < mention.runs.length - 1 && last < end,
        };
        if (rows.has(row)) rows.get(row).push(part);
        else rows.set(row, [part]);
      }
    });
  }
  return rows;
}
