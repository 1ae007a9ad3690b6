/* Beside the text: the chain or error that is selected, and lists of errors and chains to select from. */

const LISTED = 150;

/* A list that shows its beginning, and the rest when asked. */
function longList(items, render, empty, tag = "ul") {
  if (!items.length) return make("p", { class: "quiet" }, empty);
  const list = make(tag, { class: "list" }, items.slice(0, LISTED).map(render));
  if (items.length <= LISTED) return list;
  const button = make("button", { type: "button", class: "plain" }, `Show all ${items.length}`);
  button.addEventListener("click", () => {
    list.append(...items.slice(LISTED).map(render));
    button.remove();
  });
  return make("div", {}, list, button);
}

const swatch = (chain) => make("b", { class: `swatch c${chain.colour}` }, chain.label);

function chainButton(model, chain, select, extra) {
  return make(
    "button",
    { type: "button", class: "item", on: { click: () => select(chain) } },
    swatch(chain),
    make("bdi", { class: "grow" }, model.textOf(chain.mentions[0], 48)),
    make("span", { class: "figure" }, extra),
  );
}

/* What is wrong, in words. */
function faultLine(model, fault) {
  const [ours, theirs] = [fault.key[0], fault.response[0]];
  const quote = (mention) => make("q", {}, make("bdi", {}, model.textOf(mention, 48)));
  const more = (mentions) => mentions.length > 1 && ` and ${mentions.length - 1} more`;
  const parts = [quote(ours || theirs), more(ours ? fault.key : fault.response)];
  const name = page.kinds[fault.kind].name;
  if (["span", "misattached_zero"].includes(name) && theirs) parts.push(" → ", quote(theirs));
  else if (!ours || !theirs) parts.push(" ", swatch((ours || theirs).chain));
  else if (name === "conflated") parts.push(" of ", swatch(ours.chain), " stands in ", swatch(theirs.chain));
  else if (name === "divided") parts.push(" of ", swatch(ours.chain), " is cut off in ", swatch(theirs.chain));
  return parts;
}

function faultItem(model, fault, link) {
  const first = fault.mentions[0];
  const sentence = model.sentenceOf(first.runs[0][0]).number;
  return make(
    "li",
    {},
    make(
      "a",
      { class: "item fault", href: link(fault), data: { fault: fault.number } },
      make("span", { class: `sample k${fault.kind}`, title: page.kinds[fault.kind].title }),
      make("span", { class: "grow" }, make("span", { class: "kind" }, page.kinds[fault.kind].title), " ", faultLine(model, fault)),
      make("span", { class: "figure", title: `sentence ${sentence}` }, String(sentence)),
    ),
  );
}

/* Where the mentions of a chain are on the other side. */
function mapping(model, chain, select) {
  const where = chain.side.isKey ? "In the response" : "In the key";
  const rows = chain.links.map((link) =>
    make("li", {}, chainButton(model, link.chain, select, `${link.count} of ${chain.mentions.length}`)),
  );
  if (chain.alone) {
    const text = chain.side.isKey ? "not in the response" : "not in the key";
    rows.push(make("li", { class: "item lost" }, make("b", { class: "swatch none" }, "–"), make("span", { class: "grow" }, text), make("span", { class: "figure" }, `${chain.alone} of ${chain.mentions.length}`)));
  }
  return [make("h4", {}, where), make("ul", { class: "list maps" }, rows)];
}

function mentionItem(model, mention, goTo) {
  const sentence = model.sentenceOf(mention.runs[0][0]).number;
  const { twin, chain } = mention;
  const fate = !twin ? make("b", { class: "swatch none", title: "no counterpart" }, "–") : twin.chain === chain.partner ? null : swatch(twin.chain);
  return make(
    "li",
    {},
    make(
      "button",
      { type: "button", class: "item", on: { click: () => goTo(mention) } },
      make("span", { class: "figure" }, String(sentence)),
      make("bdi", { class: "grow" }, model.textOf(mention, 60)),
      fate,
    ),
  );
}

function showChain(root, model, chain, { select, goTo, link }) {
  const facts = [
    `${chain.side.name} entity`,
    chain.id && visible(chain.id),
    chain.type && visible(chain.type),
    plural(chain.mentions.length, "mention"),
  ];
  const faults = [...new Set(chain.mentions.flatMap((mention) => mention.faults))].sort((a, b) => a.number - b.number);
  root.replaceChildren(
    make("h3", {}, swatch(chain), " ", make("bdi", {}, model.textOf(chain.mentions[0], 60))),
    make("p", { class: "quiet facts" }, facts.filter(Boolean).map((fact, at) => [at ? " · " : "", make("bdi", {}, fact)])),
    ...mapping(model, chain, select),
  );
  if (chain.partner && chain.partner.links.length > 1) {
    const others = chain.partner.links.filter((link) => link.chain !== chain);
    root.append(
      make("h4", {}, chain.side.isKey ? "The response chain also holds" : "The key chain is also in"),
      make("ul", { class: "list" }, others.map((link) => make("li", {}, chainButton(model, link.chain, select, `${link.count} of ${chain.partner.mentions.length}`)))),
    );
  }
  if (faults.length) {
    root.append(make("h4", {}, "Errors"), longList(faults, (fault) => faultItem(model, fault, link), ""));
  }
  root.append(make("h4", {}, "Mentions"), longList(chain.mentions, (mention) => mentionItem(model, mention, goTo), "", "ol"));
}

function showFault(root, model, fault, { select, goTo }) {
  const kind = page.kinds[fault.kind];
  const chains = [...new Set(fault.mentions.map((mention) => mention.chain))];
  root.replaceChildren(
    make("h3", {}, make("span", { class: `sample k${fault.kind}` }), " ", kind.title),
    make("p", {}, faultLine(model, fault)),
    make("p", { class: "quiet" }, kind.help),
    make("p", { class: "quiet" }, `line ${fault.line} of the ${fault.key.length ? "key" : "response"} file`),
    make("h4", {}, "Chains"),
    make("ul", { class: "list" }, chains.map((chain) => make("li", {}, chainButton(model, chain, select, chain.side.name)))),
  );
  for (const [title, mentions] of [["In the key", fault.key], ["In the response", fault.response]]) {
    if (mentions.length) {
      root.append(make("h4", {}, title), longList(mentions, (mention) => mentionItem(model, mention, goTo), "", "ol"));
    }
  }
}

function showLists(roots, model, compared, faults, { select, link }) {
  const hidden = compared.faults.length - faults.length;
  const note = hidden > 0 ? `${plural(hidden, "error")} hidden by the filters.` : "";
  roots.faults.replaceChildren(
    longList(faults, (fault) => faultItem(model, fault, link), hidden ? "" : "No errors in this document.", "ol"),
    make("p", { class: "quiet" }, note),
  );
  const bySize = (a, b) => b.mentions.length - a.mentions.length || a.number - b.number;
  const alone = compared.response.chains.filter((chain) => !chain.partner);
  const chains = [...compared.key.chains.slice().sort(bySize), ...alone.sort(bySize)];
  const sizes = (chain) =>
    chain.side.isKey ? `${chain.mentions.length} : ${chain.partner ? chain.partner.mentions.length : 0}` : `0 : ${chain.mentions.length}`;
  roots.chains.replaceChildren(
    make("p", { class: "quiet" }, "Mentions in the key : in the response chain of the same colour"),
    longList(chains, (chain) => make("li", {}, chainButton(model, chain, select, sizes(chain))), "No chains.", "ol"),
  );
}
