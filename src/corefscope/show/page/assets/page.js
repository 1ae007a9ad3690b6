/* The state of the page, and what shows it: the document that is open, its marks, what is selected. */

const page = JSON.parse(byId("overview-data").textContent);
const state = { response: 0, number: -1, overlaid: false, kinds: new Set(page.kinds.keys()), chain: null, fault: null, allLanes: false };
let model = null; // the document that is open
let compared = null; // its key and the response that is chosen
let view = null; // its text
let lights = new Map(); // chain -> "lit" or "kin"
const roots = {};

/* Opening */

function openDocument(number) {
  const opened = number !== state.number;
  if (opened) {
    state.number = number;
    model = new DocumentModel(JSON.parse(byId(`document-${number}`).textContent));
    state.allLanes = false;
  }
  compared = compareSides(model, state.response);
  Object.assign(state, { chain: null, fault: null });
  roots.choice.value = String(number);
  const { words, scores, faults } = page.documents[number];
  const facts = [plural(model.sentences.length, "sentence"), plural(words, "word"), `${page.headline} ${percent(scores[state.response])}`, plural(faults[state.response], "error")];
  roots.facts.textContent = facts.join(" · ");
  roots.previous.disabled = number === 0;
  roots.next.disabled = number === page.documents.length - 1;
  showFilters();
  showText();
  showDiagrams();
  showPanel();
}

function showText() {
  if (view) view.stop();
  const { key, response } = compared;
  const sides = state.overlaid ? [[key, response]] : [[key], [response]];
  roots.text.className = state.overlaid ? "text overlaid" : "text beside";
  roots.heads.hidden = state.overlaid;
  roots.headOfResponse.textContent = page.responses[state.response].name;
  view = new TextView(roots.text, model, sides, dress);
}

function showDiagrams() {
  const more = () => {
    state.allLanes = true;
    showDiagrams();
  };
  showLanes(roots.lanes, model, compared, { select: selectChain, goTo, everything: state.allLanes, more });
  showAlluvial(roots.alluvial, model, compared, { select: selectChain });
  lightDiagrams();
}

function showFilters() {
  const counts = page.kinds.map(() => 0);
  for (const fault of compared.faults) counts[fault.kind] += 1;
  for (const label of all("label[data-kind]", roots.filters)) {
    const kind = Number(label.dataset.kind);
    label.querySelector("input").checked = state.kinds.has(kind);
    label.querySelector(".figure").textContent = String(counts[kind]);
    label.classList.toggle("empty", !counts[kind]);
  }
}

function showPanel() {
  const calls = { select: selectChain, goTo, link: (fault) => hashOf({ fault }) };
  const shown = compared.faults.filter((fault) => state.kinds.has(fault.kind));
  showLists(roots, model, compared, shown, calls);
  showSelection();
}

function showSelection() {
  const calls = { select: selectChain, goTo, link: (fault) => hashOf({ fault }) };
  roots.panel.classList.toggle("chosen", Boolean(state.fault || state.chain));
  if (state.fault) showFault(roots.selection, model, state.fault, calls);
  else if (state.chain) showChain(roots.selection, model, state.chain, calls);
  else roots.selection.replaceChildren();
  for (const item of all("a.fault", roots.faults)) {
    const current = Boolean(state.fault) && Number(item.dataset.fault) === state.fault.number;
    if (current) item.setAttribute("aria-current", "true");
    else item.removeAttribute("aria-current");
  }
}

/* Marks: a mention is lit, underlined by the first kind of error that is not filtered out, or the target of a link. */

function dress(mention) {
  const shown = mention.faults.filter(({ kind }) => state.kinds.has(kind));
  const target = Boolean(state.fault) && state.fault.mentions.includes(mention);
  for (const element of mention.elements) {
    const found = element.mentions.map(({ chain }) => lights.get(chain));
    element.classList.toggle("lit", found.includes("lit"));
    element.classList.toggle("kin", found.includes("kin") && !found.includes("lit"));
    element.classList.toggle("target", target);
    if (element.kind !== undefined) element.classList.remove("wrong", `k${element.kind}`);
    element.kind = shown.length ? shown[0].kind : undefined;
    if (shown.length) {
      element.classList.add("wrong", `k${element.kind}`);
      element.title = shown.map(({ kind }) => page.kinds[kind].title).join(", ");
    } else element.removeAttribute("title");
  }
}

function lightsOf(chain) {
  const found = new Map();
  if (!chain) return found;
  for (const link of chain.links) found.set(link.chain, "kin");
  found.set(chain, "lit");
  if (chain.partner) found.set(chain.partner, "lit");
  return found;
}

/* Light a chain up; what is selected also pushes everything else into the background. */
function light(chain, selected = true) {
  const before = lights;
  lights = lightsOf(chain);
  for (const root of [roots.text, roots.diagrams]) root.classList.toggle("focused", selected && lights.size > 0);
  for (const touched of new Set([...before.keys(), ...lights.keys()])) touched.mentions.forEach(dress);
  lightDiagrams();
}

function lightDiagrams() {
  for (const element of all(".lane, .band, .entity", roots.diagrams)) {
    const found = element.chains.map((chain) => lights.get(chain));
    const lit = element.classList.contains("band") ? found.length && found.every(Boolean) && found.includes("lit") : found.includes("lit");
    element.classList.toggle("lit", Boolean(lit));
  }
}

/* Selecting */

function selectChain(chain, keep = false) {
  const again = chain && chain === state.chain && !state.fault && !keep;
  const before = state.fault;
  Object.assign(state, { chain: again ? null : chain, fault: null });
  if (before) before.mentions.forEach(dress);
  light(state.chain);
  showSelection();
  writeHash();
}

function selectFault(fault) {
  const before = state.fault;
  Object.assign(state, { fault, chain: null });
  if (before) before.mentions.forEach(dress);
  light(fault.mentions[0].chain);
  fault.mentions.forEach(dress);
  showSelection();
  reveal(fault.mentions[0]);
}

function goTo(mention) {
  if (state.chain !== mention.chain && !state.fault) selectChain(mention.chain, true);
  reveal(mention);
}

function reveal(mention) {
  view.reveal(mention.runs[0][0]);
  const element = mention.elements[0];
  if (!element) return;
  element.classList.add("found");
  window.setTimeout(() => element.classList.remove("found"), 1600);
}

function stepFault(step) {
  const shown = compared.faults.filter((fault) => state.kinds.has(fault.kind));
  if (!shown.length) return;
  const at = state.fault ? shown.indexOf(state.fault) : step > 0 ? -1 : 0;
  selectFault(shown[(at + step + shown.length) % shown.length]);
  writeHash();
}

function stepMention(step) {
  const chain = state.chain || (state.fault && state.fault.mentions[0].chain);
  if (!chain) return;
  state.step = chain === state.stepped ? (state.step + step + chain.mentions.length) % chain.mentions.length : 0;
  state.stepped = chain;
  reveal(chain.mentions[state.step]);
}
