// @ts-check
/* Where the page begins. */

import { startAgainst } from "./against.js";
import { all, byId } from "./dom.js";
import { startReading } from "./events.js";
import { startLinks } from "./framed.js";
import { readAll } from "./list.js";
import { chooseResponse } from "./reading.js";
import { overview } from "./state.js";
import { foldRows, makeSortable, startCopying, startTheme } from "./tables.js";

document.documentElement.classList.add("js");
startTheme(byId("theme"));
startLinks();
for (const top of all(".top")) {
  const leaveRoom = () => (document.documentElement.style.scrollPaddingTop = `${top.offsetHeight + 16}px`);
  new ResizeObserver(leaveRoom).observe(top); // or it would hide the heading that a link leads to
}
startCopying(all("button.copy"));
for (const table of /** @type {HTMLTableElement[]} */ (all("table.sortable"))) {
  makeSortable(table);
  foldRows(table);
}
chooseResponse(0);
if (overview.documents.length) startReading();
readAll(startAgainst);
