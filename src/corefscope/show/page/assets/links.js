/* The hash says what is shown: #doc=ID&response=2&chain=key:e4&fault=17, or #kind=divided. */

function hashOf({ number = state.number, response = state.response, chain = null, fault = null }) {
  const parameters = new URLSearchParams({ doc: page.documents[number].id });
  if (response) parameters.set("response", String(response + 1));
  if (fault) parameters.set("fault", String(fault.number));
  else if (chain) parameters.set("chain", `${chain.side.name}:${chain.id || chain.number + 1}`);
  return `#${parameters}`;
}

function writeHash(push = false) {
  const hash = hashOf({ chain: state.chain, fault: state.fault });
  if (hash !== window.location.hash) window.history[push ? "pushState" : "replaceState"](null, "", hash);
}

function chainNamed(name) {
  const [side, ...rest] = name.split(":");
  const wanted = rest.join(":");
  const chains = side === "response" ? compared.response.chains : compared.key.chains;
  return chains.find((chain) => chain.id === wanted) || chains.find((chain) => String(chain.number + 1) === wanted);
}

/* Show what the hash says; without one, nothing changes but the first document is opened. */
function follow() {
  const hash = window.location.hash.slice(1);
  const says = hash.includes("="); // other hashes are the names of sections
  if (!says && compared) return;
  const asked = new URLSearchParams(says ? hash : "");
  const response = Number(asked.get("response") || 1) - 1;
  if (says && response !== state.response && page.responses[response]) chooseResponse(response);
  const kinds = [...page.kinds.keys()].filter((kind) => page.kinds[kind].of === asked.get("kind"));
  if (kinds.length) state.kinds = new Set(kinds);
  const wanted = page.documents.findIndex(({ id }) => id === asked.get("doc"));
  const number = wanted >= 0 ? wanted : kinds.length ? richest(kinds) : Math.max(state.number, 0);
  if (number !== state.number || kinds.length || !compared) openDocument(number);
  const fault = compared.faults[Number(asked.get("fault")) - 1];
  const chain = asked.get("chain") ? chainNamed(asked.get("chain")) : null;
  if (fault) selectFault(fault);
  else if (chain) {
    selectChain(chain, true);
    reveal(chain.mentions[0]);
  } else {
    if (state.chain || state.fault) selectChain(null);
    if (wanted >= 0 || kinds.length) byId("reading").scrollIntoView({ behavior: "instant" });
  }
}

/* The document in which there is most to see of some kinds of error. */
function richest(wanted) {
  const counts = page.documents.map(({ kinds }) => wanted.reduce((sum, kind) => sum + kinds[state.response][kind], 0));
  return counts.indexOf(Math.max(...counts));
}

function chooseResponse(number) {
  state.response = number;
  compared = null;
  all("section.response").forEach((section, at) => section.classList.toggle("current", at === number));
  for (const select of all("select.response-choice")) select.value = String(number);
  for (const link of all("nav a[data-section]")) link.setAttribute("href", `#${link.dataset.section}-${number}`);
}
