/* What people do: pointer, keyboard, controls. */

function chainAt(target) {
  for (let node = target; node && node !== document.body; node = node.parentNode) {
    if (node.mentions) return node.mentions[0].chain;
    if (node.chains) return node.chains[0] || null;
  }
  return null;
}

function startHovering(root) {
  let hovered = null;
  root.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch" || state.chain || state.fault) return;
    const chain = chainAt(event.target);
    if (chain !== hovered) light((hovered = chain), false);
  });
  root.addEventListener("pointerleave", () => {
    if (hovered && !state.chain && !state.fault) light(null);
    hovered = null;
  });
}

function moveAmongMentions(from, step) {
  const column = from && !state.overlaid ? from.mentions[0].side.name : state.overlaid ? "m" : "key";
  const marks = all(`.m.opens.${column}`, roots.text);
  const now = marks.indexOf(from);
  const next = marks[now < 0 ? (step > 0 ? 0 : marks.length - 1) : now + step];
  if (!next) return;
  fill(next, { tabindex: "-1", role: "button", "aria-label": `${model.textOf(next.mentions[0])}, chain ${next.mentions[0].chain.label}` }, []);
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest", behavior: "instant" });
}

function startText() {
  roots.text.addEventListener("click", (event) => {
    const mark = event.target.closest(".m");
    if (mark) selectChain(mark.mentions[0].chain);
    else if (state.chain || state.fault) selectChain(null);
  });
  roots.text.addEventListener("keydown", (event) => {
    const mark = event.target.closest(".m");
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      const words = mark ? mark.closest(".words") : roots.text.querySelector(".words");
      const backwards = getComputedStyle(words).direction === "rtl";
      moveAmongMentions(mark, (event.key === "ArrowRight") === backwards ? -1 : 1);
      event.preventDefault();
    } else if ((event.key === "Enter" || event.key === " ") && mark) {
      selectChain(mark.mentions[0].chain);
      event.preventDefault();
    }
  });
}

const SHORTCUTS = {
  n: () => stepFault(1),
  p: () => stepFault(-1),
  "]": () => stepMention(1),
  "[": () => stepMention(-1),
  o: () => roots.overlay.click(),
  Escape: () => (state.chain || state.fault) && selectChain(null),
};

function startShortcuts() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
    if (Object.hasOwn(SHORTCUTS, event.key)) SHORTCUTS[event.key]();
  });
}

function startFilters() {
  const apply = () => {
    for (const fault of compared.faults) fault.mentions.forEach(dress);
    showFilters();
    showPanel();
  };
  roots.filters.addEventListener("change", (event) => {
    const kind = Number(event.target.closest("label").dataset.kind);
    if (event.target.checked) state.kinds.add(kind);
    else state.kinds.delete(kind);
    apply();
  });
  for (const button of all("button[data-all]", roots.filters)) {
    button.addEventListener("click", () => {
      state.kinds = new Set(button.dataset.all === "yes" ? page.kinds.keys() : []);
      apply();
    });
  }
}

function startControls() {
  roots.choice.append(...page.documents.map(({ id }, number) => make("option", { value: String(number) }, visible(id))));
  const open = (number) => {
    openDocument(number);
    light(null);
    writeHash(true);
  };
  roots.choice.addEventListener("change", () => open(Number(roots.choice.value)));
  roots.previous.addEventListener("click", () => open(state.number - 1));
  roots.next.addEventListener("click", () => open(state.number + 1));
  roots.overlay.addEventListener("change", () => {
    state.overlaid = roots.overlay.checked;
    const place = view.firstVisible();
    showText();
    if (state.fault) reveal(state.fault.mentions[0]);
    else if (place !== null) view.reveal(place);
  });
  for (const select of all("select.response-choice")) {
    select.addEventListener("change", () => {
      chooseResponse(Number(select.value));
      openDocument(Math.max(state.number, 0));
      light(null);
      writeHash(true);
    });
  }
  for (const tab of all("[role=tab]", roots.panel)) {
    tab.addEventListener("click", () => showTab(tab));
    tab.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
      const other = all("[role=tab]", roots.panel).find((found) => found !== tab);
      showTab(other);
      other.focus();
    });
  }
  byId("close").addEventListener("click", () => selectChain(null));
  let width = window.innerWidth;
  window.addEventListener("resize", () => {
    if (width !== window.innerWidth) showDiagrams();
    width = window.innerWidth;
  });
  window.addEventListener("beforeprint", () => view.fillAll());
  window.addEventListener("hashchange", follow);
}

function showTab(chosen) {
  for (const tab of all("[role=tab]", roots.panel)) {
    tab.setAttribute("aria-selected", String(tab === chosen));
    tab.tabIndex = tab === chosen ? 0 : -1;
    byId(tab.getAttribute("aria-controls")).hidden = tab !== chosen;
  }
}

function start() {
  document.documentElement.classList.add("js");
  const names = { choice: "document-choice", headOfResponse: "response-head" };
  for (const name of ["text", "lanes", "alluvial", "diagrams", "filters", "panel", "selection", "faults", "chains", "facts", "previous", "next", "overlay", "heads", "choice", "headOfResponse"]) {
    roots[name] = byId(names[name] || name);
  }
  startTheme(byId("theme"));
  startCopying(all("button.copy"));
  all("table.sortable").forEach(makeSortable);
  chooseResponse(0);
  if (!page.documents.length) return;
  startControls();
  startFilters();
  startText();
  startHovering(roots.text);
  startHovering(roots.diagrams);
  startShortcuts();
  follow();
}

start();
