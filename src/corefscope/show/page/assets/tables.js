/* What needs no document: sorting, the choice of the response, light and dark. */

function sortTable(table, column, direction) {
  const body = table.tBodies[0];
  const value = (row) => {
    const cell = row.cells[column];
    return cell.dataset.value === undefined ? cell.textContent.trim() : Number(cell.dataset.value);
  };
  const order = (a, b) => (typeof a === "number" ? a - b : a.localeCompare(b, "en", { numeric: true }));
  const rows = [...body.rows].map((row, at) => [value(row), at, row]);
  rows.sort((a, b) => direction * order(a[0], b[0]) || a[1] - b[1]);
  body.append(...rows.map(([, , row]) => row));
  [...table.tHead.rows[0].cells].forEach((cell, at) => {
    if (at === column) cell.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
    else cell.removeAttribute("aria-sort");
  });
}

/* The headings become buttons; a first click on a number sorts the worst figures, or the most, to the top. */
function makeSortable(table) {
  [...table.tHead.rows[0].cells].forEach((cell, column) => {
    const button = make("button", { type: "button", class: "sorter" }, ...cell.childNodes);
    button.addEventListener("click", () => {
      const now = cell.getAttribute("aria-sort");
      const first = cell.dataset.first === "descending" ? -1 : 1;
      sortTable(table, column, now ? (now === "ascending" ? -1 : 1) : first);
    });
    cell.append(button);
  });
}

function remembered(name, value) {
  try {
    if (value !== undefined) window.localStorage.setItem(name, value);
    return window.localStorage.getItem(name);
  } catch {
    return null; // a page from disk may have no storage
  }
}

function startTheme(button) {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
  const show = () => {
    button.textContent = isDark() ? "☀" : "☾";
    button.setAttribute("aria-label", isDark() ? "Light colours" : "Dark colours");
    button.title = button.getAttribute("aria-label");
  };
  const kept = remembered("corefscope-theme");
  if (kept === "dark" || kept === "light") root.dataset.theme = kept;
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    remembered("corefscope-theme", root.dataset.theme);
    show();
  });
  dark.addEventListener("change", show);
  show();
}

function startCopying(buttons) {
  for (const button of buttons) {
    button.addEventListener("click", async () => {
      const source = button.parentElement.querySelector("code");
      try {
        await navigator.clipboard.writeText(source.textContent);
        button.textContent = "Copied";
      } catch {
        window.getSelection().selectAllChildren(source);
        button.textContent = "Selected";
      }
      window.setTimeout(() => (button.textContent = "Copy"), 1500);
    });
  }
}
