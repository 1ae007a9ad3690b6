// @ts-check
/* Where the page begins. */

import { startAgainst } from "./against.js";
import { all, byId } from "./dom.js";
import { startReading } from "./events.js";
import { readAll } from "./list.js";
import { chooseResponse } from "./reading.js";
import { overview } from "./state.js";
import { makeSortable, startCopying, startTheme } from "./tables.js";

document.documentElement.classList.add("js");
startTheme(byId("theme"));
startCopying(all("button.copy"));
all("table.sortable").forEach((table) => makeSortable(/** @type {HTMLTableElement} */ (table)));
chooseResponse(0);
if (overview.documents.length) startReading();
readAll(startAgainst);
